import { GrowingInts, type PositionGraph } from "./position-graph.ts";
import { MOST_PLIES, UNKNOWN } from "./distance.ts";

/**
 * Returns the distances of all positions of a graph by retrograde analysis (Stroehlein 1970; Thompson 1986): it works
 * from the ends of the game backward, distance by distance. A position is won if one of its actions wins, and lost if
 * all of them lose. Positions that this never reaches are draws. Time and memory are in proportion to the edges.
 * Positions that are not in the graph are UNKNOWN; an action that leads to one of them is an error.
 */
export function solve(graph: PositionGraph, size: number): Int16Array {
  const { win, begun, counts } = graph;
  const longest = graph.loss;
  const distances = new Int16Array(size).fill(UNKNOWN);
  /** The number of actions of each position that are not known to lose. */
  const left = new Uint16Array(size);
  const before = reverse(graph, size);
  const due = new Schedule();
  for (let at = 0; at < begun.length; at++) {
    const position = begun.values[at];
    const edges = counts.values[at];
    distances[position] = 0;
    if (win[position] > 0) due.add(win[position], position, true);
    left[position] = edges + (win[position] > 0 || graph.draws[position] > 0 ? 1 : 0);
    if (left[position] === 0 && longest[position] > 0) due.add(longest[position], position, false);
  }
  checkEnds(graph, distances);
  for (let plies = 1; plies < due.end; plies++) {
    const now = due.at(plies);
    for (let at = 0; at < now.length; at++) {
      const position = now.values[at] >> 1;
      const isWin = (now.values[at] & 1) === 1;
      if (distances[position] !== 0) continue;
      distances[position] = isWin ? plies : 0 - plies;
      for (let edge = before.first[position]; edge < before.first[position + 1]; edge++) {
        const earlier = before.edges[edge] >> 1;
        const isSame = (before.edges[edge] & 1) === 1;
        if (distances[earlier] !== 0) continue;
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
  return distances;
}

function checkEnds({ edges }: PositionGraph, distances: Int16Array): void {
  for (let edge = 0; edge < edges.length; edge++) {
    const to = edges.values[edge] >> 1;
    if (distances[to] === UNKNOWN)
      throw new Error(`an action leads to position ${to}, which is not in the graph`);
  }
}

/** The edges of a graph by their ends: edges[first[p]] to edges[first[p + 1] - 1] lead to position p. */
function reverse(
  { begun, counts, edges }: PositionGraph,
  size: number,
): { first: Uint32Array; edges: Int32Array } {
  const first = new Uint32Array(size + 2);
  for (let edge = 0; edge < edges.length; edge++) first[(edges.values[edge] >> 1) + 2]++;
  for (let position = 2; position < size + 2; position++) first[position] += first[position - 1];
  const reversed = new Int32Array(edges.length);
  let edge = 0;
  for (let at = 0; at < begun.length; at++) {
    const from = 2 * begun.values[at];
    for (const end = edge + counts.values[at]; edge < end; edge++) {
      const to = edges.values[edge];
      reversed[first[(to >> 1) + 1]++] = from + (to & 1);
    }
  }
  return { first, edges: reversed };
}

/** Holds positions by the distance at which they may become a win or a loss. */
class Schedule {
  private readonly lists: (GrowingInts | undefined)[] = [];

  /** One more than the greatest distance added. */
  get end(): number {
    return this.lists.length;
  }

  add(plies: number, position: number, isWin: boolean): void {
    if (plies > MOST_PLIES)
      throw new RangeError(`a distance of ${plies} plies; at most ${MOST_PLIES} are kept`);
    this.at(plies).push(2 * position + (isWin ? 1 : 0));
  }

  at(plies: number): GrowingInts {
    return (this.lists[plies] ??= new GrowingInts());
  }

  /** Frees the list of a distance that is done. */
  drop(plies: number): void {
    this.lists[plies] = undefined;
  }
}
