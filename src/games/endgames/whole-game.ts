import { InputError } from "../../base/errors.ts";
import { TERMINAL, type Game, type State } from "../contract/game.ts";
import { UNKNOWN, type EndgameTables } from "./endgame-tables.ts";
import { GrowingInts, PositionGraph, solve } from "./retrograde.ts";

/** Progress is reported after this many positions. */
const REPORT_EVERY = 2 ** 12;

/** Stand for the position that an action leads to where the game is over there. */
const WON = -1;
const DRAWN = -2;
const LOST = -3;

/**
 * Solves a whole game: every position that can be reached from the start and in which a player is to move. Yields the
 * number of positions found so far. Throws InputError if there are more than `most`, or if a player gets a return other
 * than the best, the worst and half way between: distances know no others.
 */
export function* solveWhole(game: Game, most: number): Generator<number, WholeGameTable> {
  const index = new PositionIndex();
  const graph = new PositionGraph(2 ** 12);
  const state = game.start();
  /** The actions of the positions on the path; each is replaced by its result once that is known. */
  const stack = new GrowingInts();
  const actions = new Int32Array(game.maxActions);
  const path: Step[] = [];

  /** Numbers the position, puts its actions on the stack, and goes on from there. */
  function enter(): void {
    if (index.size === most)
      throw new InputError(
        `${game.id} has more than ${most} positions; allow more, or make the game smaller`,
      );
    const position = index.add(state.hashLow, state.hashHigh);
    const first = stack.length;
    const count = state.legalActions(actions, 0);
    for (let at = 0; at < count; at++) stack.push(actions[at]);
    path.push({ position, mover: state.toMove, first, at: first });
  }
  /** Adds a position to the graph when all of its actions are done. */
  function leave({ position, first }: Step): void {
    graph.begin(position);
    for (let at = first; at < stack.length; at++) {
      const led = stack.values[at];
      if (led >= 0) graph.lead(led >> 1, (led & 1) === 1);
      else graph.know(led === WON ? 1 : led === LOST ? -1 : 0);
    }
    stack.length = first;
  }

  if (state.toMove !== TERMINAL) enter();
  for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
    if (step.at === stack.length) {
      leave(step);
      path.pop();
      const before = path.at(-1);
      if (before !== undefined) {
        state.undo();
        before.at++;
      }
      continue;
    }
    state.apply(stack.values[step.at]);
    const { toMove } = state;
    const known = toMove === TERMINAL ? -1 : index.find(state.hashLow, state.hashHigh);
    const position = known < 0 ? index.size : known;
    stack.values[step.at] =
      toMove === TERMINAL
        ? resultFor(game, state, step.mover)
        : 2 * position + (toMove === step.mover ? 1 : 0);
    if (toMove === TERMINAL || known >= 0) {
      state.undo();
      step.at++;
    } else {
      if (index.size % REPORT_EVERY === 0) yield index.size;
      enter();
    }
  }
  const distances = solve(graph, index.size);
  const low = index.low.values.subarray(0, index.size);
  return new WholeGameTable({ low, high: index.high.values.subarray(0, index.size), distances });
}

/** A position on the path; `at` is its current action. */
interface Step {
  readonly position: number;
  readonly mover: number;
  readonly first: number;
  at: number;
}

function resultFor(game: Game, state: State, player: number): number {
  const value = state.returns(player);
  if (value === game.maxReturn) return WON;
  if (value === game.minReturn) return LOST;
  if (value === (game.maxReturn + game.minReturn) / 2) return DRAWN;
  throw new InputError(
    `${game.id}: a player gets ${value} in "${game.formatState(state)}"; tables know wins, draws and losses alone`,
  );
}

const FIRST_SLOTS = 2 ** 12;

/** Numbers positions by their hashes, in the order in which they are added. */
class PositionIndex {
  /** By number: the hash. */
  readonly low = new GrowingInts();
  readonly high = new GrowingInts();
  /** A hash table by open addressing: a number plus 1, or 0 in a free slot. At most half of the slots are taken. */
  private slots = new Int32Array(FIRST_SLOTS);

  get size(): number {
    return this.low.length;
  }

  /** The number of a position, or -1 if it was not added. */
  find(low: number, high: number): number {
    return this.slots[this.slotOf(low, high)] - 1;
  }

  /** Gives the next number to a position that was not added before. */
  add(low: number, high: number): number {
    if (2 * this.size >= this.slots.length) this.grow();
    this.low.push(low);
    this.high.push(high);
    this.slots[this.slotOf(low, high)] = this.size;
    return this.size - 1;
  }

  /** The slot that holds a position, or the free one where it belongs. */
  private slotOf(low: number, high: number): number {
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = low & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const number = slots[slot] - 1;
      if (this.low.values[number] === low && this.high.values[number] === high) break;
    }
    return slot;
  }

  private grow(): void {
    this.slots = new Int32Array(2 * this.slots.length);
    for (let number = 0; number < this.size; number++)
      this.slots[this.slotOf(this.low.values[number], this.high.values[number])] = number + 1;
  }
}

/** The usual number of positions in a bucket. */
const PER_BUCKET = 4;

/** Positions by their hashes, as parallel lists. */
export interface HashedPositions {
  readonly low: Int32Array;
  readonly high: Int32Array;
  readonly distances: Int16Array;
}

/** The endgame table of a solved whole game: distances of positions, found by their hashes. */
export class WholeGameTable implements EndgameTables {
  /** In the order of their buckets. */
  readonly positions: HashedPositions;
  private readonly first: Uint32Array;
  private readonly shift: number;

  /** The same positions in the same order make the same table. */
  constructor({ low, high, distances }: HashedPositions) {
    const count = distances.length;
    const bits = Math.max(1, Math.ceil(Math.log2(count / PER_BUCKET + 1)));
    this.shift = 32 - bits;
    this.first = new Uint32Array(2 ** bits + 2);
    for (let at = 0; at < count; at++) this.first[(high[at] >>> this.shift) + 2]++;
    for (let bucket = 2; bucket < this.first.length; bucket++) this.first[bucket] += this.first[bucket - 1];
    const sorted = {
      low: new Int32Array(count),
      high: new Int32Array(count),
      distances: new Int16Array(count),
    };
    for (let at = 0; at < count; at++) {
      const to = this.first[(high[at] >>> this.shift) + 1]++;
      sorted.low[to] = low[at];
      sorted.high[to] = high[at];
      sorted.distances[to] = distances[at];
    }
    this.positions = sorted;
  }

  probe({ hashLow, hashHigh }: State): number {
    const { low, high, distances } = this.positions;
    const bucket = hashHigh >>> this.shift;
    const end = this.first[bucket + 1];
    for (let at = this.first[bucket]; at < end; at++)
      if (low[at] === hashLow && high[at] === hashHigh) return distances[at];
    return UNKNOWN;
  }
}
