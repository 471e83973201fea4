import { GrowingInts } from "./growing-ints.ts";
import type { PositionGraph } from "./position-graph.ts";
import { MOST_PLIES, UNKNOWN } from "./verdict.ts";

/**
 * The verdicts of all positions of a graph, by retrograde analysis (Stroehlein 1970; Thompson 1986): from the ends of
 * the game backward, distance by distance. A position is won as soon as one of its actions wins, and lost when all of
 * them lose. What is never reached is a draw. Takes time and memory in proportion to the edges. Positions that were
 * not told are UNKNOWN; throws where an action leads to one of them.
 */
export function solve(graph: PositionGraph, size: number): Int16Array {
  const { win, told, counts } = graph;
  const longest = graph.loss;
  const verdicts = new Int16Array(size).fill(UNKNOWN);
  /** Actions that may still save the player: those that lead to no loss, as far as is known. */
  const left = new Uint16Array(size);
  const before = reverse(graph, size);
  const due = new Schedule();
  for (let at = 0; at < told.length; at++) {
    const position = told.values[at];
    const edges = counts.values[at];
    verdicts[position] = 0;
    if (win[position] > 0) due.add(win[position], position, true);
    left[position] = edges + (win[position] > 0 || graph.draws[position] > 0 ? 1 : 0);
    if (left[position] === 0 && longest[position] > 0) due.add(longest[position], position, false);
  }
  checkEnds(graph, verdicts);
  for (let plies = 1; plies < due.end; plies++) {
    const now = due.at(plies);
    for (let at = 0; at < now.length; at++) {
      const position = now.values[at] >> 1;
      const isWin = (now.values[at] & 1) === 1;
      if (verdicts[position] !== 0) continue;
      verdicts[position] = isWin ? plies : 0 - plies;
      for (let edge = before.first[position]; edge < before.first[position + 1]; edge++) {
        const earlier = before.edges[edge] >> 1;
        const isSame = (before.edges[edge] & 1) === 1;
        if (verdicts[earlier] !== 0) continue;
        if (isWin === isSame) {
          due.add(plies + 1, earlier, true);
        } else {
          longest[earlier] = Math.max(longest[earlier], plies + 1);
          if (--left[earlier] === 0) due.add(longest[earlier], earlier, false);
        }
      }
    }
    due.drop(plies);
  }
  return verdicts;
}

function checkEnds({ edges }: PositionGraph, verdicts: Int16Array): void {
  for (let edge = 0; edge < edges.length; edge++) {
    const to = edges.values[edge] >> 1;
    if (verdicts[to] === UNKNOWN) throw new Error(`an action leads to position ${to}, which was not told`);
  }
}

/** The edges of a graph from their ends: those to position p are edges[first[p]] to edges[first[p + 1] - 1]. */
function reverse(
  { told, counts, edges }: PositionGraph,
  size: number,
): { first: Uint32Array; edges: Int32Array } {
  const first = new Uint32Array(size + 2);
  for (let edge = 0; edge < edges.length; edge++) first[(edges.values[edge] >> 1) + 2]++;
  for (let position = 2; position < size + 2; position++) first[position] += first[position - 1];
  const reversed = new Int32Array(edges.length);
  let edge = 0;
  for (let at = 0; at < told.length; at++) {
    const from = 2 * told.values[at];
    for (const end = edge + counts.values[at]; edge < end; edge++) {
      const to = edges.values[edge];
      reversed[first[(to >> 1) + 1]++] = from + (to & 1);
    }
  }
  return { first, edges: reversed };
}

/** Positions by the distance at which they become a win or a loss. */
class Schedule {
  private readonly lists: (GrowingInts | undefined)[] = [];

  /** The first distance beyond all that were added. */
  get end(): number {
    return this.lists.length;
  }

  add(plies: number, position: number, isWin: boolean): void {
    if (plies > MOST_PLIES)
      throw new RangeError(`a verdict of ${plies} plies; at most ${MOST_PLIES} are kept`);
    this.at(plies).push(2 * position + (isWin ? 1 : 0));
  }

  at(plies: number): GrowingInts {
    return (this.lists[plies] ??= new GrowingInts());
  }

  /** Frees what is done. */
  drop(plies: number): void {
    this.lists[plies] = undefined;
  }
}
