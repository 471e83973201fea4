import type { Agent } from "../../agents/agent.ts";
import { prepareAgent } from "../../agents/prepare.ts";
import { createRandom } from "../../base/random.ts";
import { InputError } from "../../base/errors.ts";
import { CHANCE, TERMINAL, type Game, type State, notDeterministicDuel } from "../../games/contract/game.ts";
import { possibleActions } from "../../games/contract/notation.ts";
import { UNKNOWN, type EndgameTables } from "../../games/endgames/endgame-tables.ts";
import { mostOf, type TestPosition } from "./position-file.ts";

/** The return of `player` if everybody plays best from a position on; undefined where it is not known. */
type ExactValue = (state: State, player: number) => number | undefined | Promise<number | undefined>;

/** Nodes after which alpha-beta gives a position up: some ten seconds. */
const MOST_NODES = 50_000_000;

/**
 * Exact values by the game's own solver, or by alpha-beta to the ends of the game. Throws InputError for a game that has no
 * solver and that alpha-beta cannot play.
 */
export function solverOf(game: Game): ExactValue {
  const solver = game.solver?.();
  if (solver !== undefined) return (state, player) => solver.value(state, player);
  const trait = notDeterministicDuel(game);
  if (trait !== undefined)
    throw new InputError(`${game.id} has no solver, and it has ${trait}: its positions cannot be solved`);
  const prepared = prepareAgent(game, { agent: "alpha-beta", solve: true, nodes: MOST_NODES, table: 128 });
  const agent: Agent = prepared.create();
  return async (state, player) => {
    const view = game.start();
    view.copyFrom(state);
    const turn = { random: createRandom("solver"), budget: prepared.budget, clock: () => 0 };
    const { value, nodes } = await agent.choose(view, turn);
    if (value === undefined || nodes >= MOST_NODES) return undefined;
    return state.toMove === player ? value : 0 - value;
  };
}

/** Exact values by endgame tables. */
export function valueByTables({ minReturn, maxReturn }: Game, tables: EndgameTables): ExactValue {
  return (state, player) => {
    const distance = tables.probe(state);
    if (distance === UNKNOWN) return undefined;
    if (distance === 0) return (minReturn + maxReturn) / 2;
    return distance > 0 === (state.toMove === player) ? maxReturn : minReturn;
  };
}

/**
 * The position with its exact value, that of each action as its points, and those that keep its value as right; undefined where
 * a value is not known, or where all actions are equal.
 */
export async function judged(
  game: Game,
  position: TestPosition,
  value: ExactValue,
): Promise<TestPosition | undefined> {
  const state = game.parseState(position.text);
  const points = new Map<number, number>();
  for (const action of possibleActions(game, state)) {
    const { toMove } = state;
    state.apply(action);
    const found = await expected(game, state, toMove, value);
    state.undo();
    if (found === undefined) return undefined;
    points.set(action, found + 0);
  }
  const right = mostOf(points);
  if (right.length === points.size) return undefined;
  return { ...position, points, right, value: points.get(right[0]!)! };
}

/** The value for `player`, the mean over what chance may do. */
async function expected(
  game: Game,
  state: State,
  player: number,
  value: ExactValue,
): Promise<number | undefined> {
  if (state.toMove === TERMINAL) return state.returns(player);
  if (state.toMove !== CHANCE) return value(state, player);
  const outcomes = new Int32Array(game.maxActions);
  const probabilities = new Float64Array(game.maxActions);
  const count = state.chanceOutcomes!(outcomes, probabilities, 0);
  let sum = 0;
  for (let at = 0; at < count; at++) {
    state.apply(outcomes[at]);
    const found = await expected(game, state, player, value);
    state.undo();
    if (found === undefined) return undefined;
    sum += probabilities[at] * found;
  }
  return sum;
}
