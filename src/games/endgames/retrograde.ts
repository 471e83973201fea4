import { grown } from "../../base/hashing.ts";
import { MOST_PLIES, UNKNOWN, ClassTables, type ClassTable, oneEarlier } from "./endgame-tables.ts";
import { InputError } from "../../base/errors.ts";
import { TERMINAL, type EndgameClass, type Endgames, type Game, type State } from "../contract/game.ts";

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

const FIRST_LENGTH = 1024;

/** A list of int32 that grows. */
export class GrowingInts {
  values: Int32Array = new Int32Array(FIRST_LENGTH);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) this.values = grown(this.values);
    this.values[this.length++] = value;
  }
}

/**
 * A graph of numbered positions and the positions that their actions lead to. Add each position once by `begin`; then
 * call `lead` for each of its actions, or `know` for an action with a known result.
 */
export class PositionGraph {
  /** By position: the nearest win and the farthest loss, in plies, among actions with known results; 0 for none. */
  win: Int16Array;
  loss: Int16Array;
  /** By position: 1 if an action leads to a known draw. */
  draws: Uint8Array;
  /** The positions in the order in which they began, and how many edges each of them has. */
  readonly begun = new GrowingInts();
  readonly counts = new GrowingInts();
  /** One number for each action: twice the position that it leads to, plus 1 if the same player moves there. */
  readonly edges = new GrowingInts();
  private position = 0;

  /** @param size the number of positions; it grows for a greater number */
  constructor(size: number) {
    this.win = new Int16Array(size);
    this.loss = new Int16Array(size);
    this.draws = new Uint8Array(size);
  }

  /** Adds a position; `lead` and `know` then belong to it. */
  begin(position: number): void {
    if (position >= this.win.length) this.grow(2 * (position + 1));
    this.position = position;
    this.begun.push(position);
    this.counts.push(0);
  }

  /** Adds an action that leads to the position `to`; `isSame`: the same player moves there. */
  lead(to: number, isSame: boolean): void {
    this.edges.push(2 * to + (isSame ? 1 : 0));
    this.counts.values[this.counts.length - 1]++;
  }

  /** Adds an action with a known result: its distance before the action, for the player who takes it. */
  know(distance: number): void {
    const { win, loss, draws, position } = this;
    if (distance > MOST_PLIES || distance < -MOST_PLIES)
      throw new RangeError(`a distance of ${distance} plies`);
    if (distance === 0) draws[position] = 1;
    else if (distance > 0) win[position] = win[position] === 0 ? distance : Math.min(win[position], distance);
    else loss[position] = Math.max(loss[position], 0 - distance);
  }

  private grow(size: number): void {
    const { win, loss, draws } = this;
    (this.win = new Int16Array(size)).set(win);
    (this.loss = new Int16Array(size)).set(loss);
    (this.draws = new Uint8Array(size)).set(draws);
  }
}

/** The most positions of a class: a distance takes two bytes, and the edges of a position ten times as much. */
const MOST_NUMBERS = 2 ** 28;
/** Progress is reported after this many positions. */
const REPORT_EVERY = 2 ** 14;

/** Returns the facet `endgames` of a game; throws InputError if the game has none. */
export function endgamesOf(game: Game): Endgames {
  if (game.endgames !== undefined) return game.endgames;
  throw new InputError(`${game.id} numbers no endgames, so its tables cannot be made class by class`);
}

/**
 * Returns the named classes and all that they lead to, each after the classes that it leads to. Throws InputError for a
 * name that is no class, and for a class that is too large.
 */
export function classesFor(endgames: Endgames, names: readonly string[]): EndgameClass[] {
  const classes = new Map<string, EndgameClass>();
  const add = (given: string) => {
    const found = endgames.classNamed(given);
    if (classes.has(found.name)) return;
    if (found.size > MOST_NUMBERS)
      throw new InputError(`${found.name} has ${found.size} numbers; at most ${MOST_NUMBERS} can be solved`);
    for (const other of found.leadsTo) add(other);
    classes.set(found.name, found);
  };
  for (const name of names) add(name);
  return [...classes.values()];
}

/**
 * Makes the endgame table of a class by retrograde analysis. `known` must hold the tables of the classes that it leads
 * to. Yields the share that is done, 0..1.
 */
export function* buildClass(game: Game, of: EndgameClass, known: ClassTables): Generator<number, ClassTable> {
  const endgames = endgamesOf(game);
  const graph = new PositionGraph(of.size);
  const state = endgames.createState();
  const actions = new Int32Array(game.maxActions);
  for (let index = 0; index < of.size; index++) {
    if (index % REPORT_EVERY === 0) yield index / of.size;
    if (!of.place(state, index) || state.toMove === TERMINAL) continue;
    graph.begin(index);
    const me = state.toMove;
    const count = state.legalActions(actions, 0);
    for (let at = 0; at < count; at++) {
      state.apply(actions[at]);
      add(state, me);
      state.undo();
    }
  }
  /** Adds an action of player `me`, which has led to the state `after`, to the graph. */
  function add(after: State, me: number): void {
    if (after.toMove === TERMINAL) {
      graph.know(Math.sign(after.returns(me)));
    } else if (endgames.keyOf(after) === of.key) {
      graph.lead(of.indexOf(after), after.toMove === me);
    } else {
      const distance = known.probe(after);
      if (distance === UNKNOWN)
        throw new Error(`${of.name} leads to ${game.formatState(after)}, which no table has`);
      graph.know(oneEarlier(distance, after.toMove === me));
    }
  }
  return { of, distances: solve(graph, of.size) };
}
