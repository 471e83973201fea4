import { resolve } from "node:path";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { createRandom } from "../src/base/random.ts";
import { loadEvaluator } from "../src/specs/evaluators.ts";
import { CHANCE, TERMINAL } from "../src/games/contract/game.ts";
import type { Decision, Turn } from "../src/agents/agent.ts";
import { loadAgent, parseAgentSpec } from "../src/specs/agents.ts";
import { createGame } from "../src/games/index.ts";

/**
 * Backgammon: points per game of one ply on an evaluator (0-ply in backgammon's words) against pubeval, or another agent,
 * money play without a cube: `npm run bench -- points-per-game WEIGHTS [GAMES [SEED [AGENT]]]`. Games come in pairs
 * with the same dice and exchanged seats; the standard error is that of the pairs.
 */
const [, , weights = "", count = "20000", seed = "points per game", other = "policy:policy=pubeval"] =
  process.argv;

raiseInliningBudget();
const game = createGame("backgammon");
const evaluator = loadEvaluator(game, resolve(weights));
const prepared = await loadAgent(game, parseAgentSpec(other));
const opponent = prepared.create();
const start = game.start();
const state = game.start();
const copy = game.start();
const actions = new Int32Array(game.maxActions);
const probabilities = new Float64Array(game.maxActions);

/** The points that the evaluator wins in one game from `seat`. */
async function play(seat: number, pair: number): Promise<number> {
  const dice = createRandom(seed, pair);
  const turn = {
    random: createRandom(seed, pair, "other"),
    budget: prepared.budget,
    clock: () => performance.now(),
  };
  state.copyFrom(start);
  while (state.toMove !== TERMINAL) {
    if (state.toMove === CHANCE) {
      const outcomes = state.chanceOutcomes!(actions, probabilities, 0);
      state.apply(actions[dice.weighted(probabilities, 0, outcomes)]);
    } else {
      state.apply(state.toMove === seat ? choose(seat) : (await theirs(turn)).action);
    }
  }
  return state.returns(seat);
}

function theirs(turn: Turn): Decision | Promise<Decision> {
  copy.copyFrom(state);
  return opponent.choose(copy, turn);
}

function choose(seat: number): number {
  const legal = state.legalActions(actions, 0);
  let [action, best] = [actions[0], -Infinity];
  for (let at = 0; at < legal && legal > 1; at++) {
    state.apply(actions[at]);
    const worth = state.toMove === TERMINAL ? state.returns(seat) : evaluator.evaluate(state, seat);
    state.undo();
    if (worth > best) [action, best] = [actions[at], worth];
  }
  return action;
}

const pairs = Math.ceil(Number(count) / 2);
let [sum, squares, wins, gammons, gammonsLost] = [0, 0, 0, 0, 0];
for (let pair = 0; pair < pairs; pair++) {
  const points = [await play(0, pair), await play(1, pair)];
  const mean = (points[0]! + points[1]!) / 2;
  sum += mean;
  squares += mean * mean;
  wins += points.filter((won) => won > 0).length;
  gammons += points.filter((won) => won > 1).length;
  gammonsLost += points.filter((won) => won < -1).length;
}
const mean = sum / pairs;
const error = Math.sqrt((squares / pairs - mean * mean) / (pairs - 1));
const share = (part: number) => `${((100 * part) / (2 * pairs)).toFixed(1)}%`;
console.log(
  `${2 * pairs} games: ${mean.toFixed(3)} points per game, standard error ${error.toFixed(3)}, 95% interval ${(mean - 1.96 * error).toFixed(3)} to ${(mean + 1.96 * error).toFixed(3)}; won ${share(wins)}, gammons won ${share(gammons)}, lost ${share(gammonsLost)}`,
);
opponent.close?.();
