import { InputError } from "../base/errors.ts";
import { TERMINAL, type Game, type State } from "../game/game.ts";
import { GrowingInts } from "./growing-ints.ts";
import { PositionGraph } from "./position-graph.ts";
import { PositionIndex } from "./position-index.ts";
import { PositionTable } from "./position-table.ts";
import { solve } from "./retrograde.ts";

/** How many positions pass between two reports of progress. */
const REPORT_EVERY = 2 ** 12;

/** In place of a position that an action leads to: the game is over there. */
const WON = -1;
const DRAWN = -2;
const LOST = -3;

/**
 * Solves a whole game: every position that can be reached from the start and in which a player is to move. Yields how
 * many positions were found so far. Throws InputError when there are more than `most`, or when somebody gets a return
 * that is neither the best, nor the worst, nor half way between: a verdict cannot say it.
 */
export function* solveWhole(game: Game, most: number): Generator<number, PositionTable> {
  const index = new PositionIndex();
  const graph = new PositionGraph(2 ** 12);
  const state = game.start();
  /** The actions of the positions on the path, which one by one become what they lead to. */
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
  /** Tells the graph of a position whose actions have all been looked at. */
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
  const verdicts = solve(graph, index.size);
  const low = index.low.values.subarray(0, index.size);
  return new PositionTable({ low, high: index.high.values.subarray(0, index.size), verdicts });
}

/** A position on the path, and which of its actions is being looked at. */
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
