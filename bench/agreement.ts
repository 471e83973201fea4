import { prepareAgent, type PreparedAgent } from "../src/agents/prepare.ts";
import { createRandom, type Random } from "../src/base/random.ts";
import { TERMINAL, type State } from "../src/games/contract/game.ts";
import { possibleActions } from "../src/games/contract/notation.ts";
import { createGame } from "../src/games/index.ts";
import { parseAgentSpec } from "../src/specs/agents.ts";
import { loadEvaluator } from "../src/specs/evaluators.ts";
import { parseGameSpec } from "../src/specs/games.ts";

/**
 * Two agents are asked for the same positions; it prints in how many they choose the same action:
 * `npm run bench -- agreement GAME AGENT OTHER [POSITIONS [PLIES]]`, such as
 * `othello mcts:simulations=1,evaluator=FILE alpha-beta:depth=10,evaluator=FILE`. Each position is from a game of its own, which
 * AGENT plays with a fifth of random moves, before a ply below PLIES; positions with one legal action do not count.
 */
const [
  ,
  ,
  spec = "othello",
  one = "greedy:evaluator=weighted-squares",
  two = "alpha-beta:depth=4,evaluator=weighted-squares",
] = process.argv;
const [count = "200", plies = "50"] = process.argv.slice(5);
const game = createGame(parseGameSpec(spec, process.cwd()));
const [agent, other] = [one, two].map((text) =>
  prepareAgent(game, parseAgentSpec(text), { loadEvaluator }),
) as [PreparedAgent, PreparedAgent];
const players = [agent.create(), other.create()] as const;
const EPSILON = 0.2;
const Z = 1.96;

let agreed = 0;
let positions = 0;
for (let number = 0; positions < Number(count); number++) {
  const random = createRandom("agreement", number);
  const state = reach(random.below(Number(plies)), random);
  if (state.toMove === TERMINAL || possibleActions(game, state).length < 2) continue;
  positions++;
  if (choose(0, state, random) === choose(1, state, random)) agreed++;
}
const share = agreed / positions;
const spread = Z * Math.sqrt((share * (1 - share)) / positions);
console.log(
  `${one}, ${two}: ${agreed} of ${positions} agree, ${(100 * share).toFixed(1)} +/- ${(100 * spread).toFixed(1)}%`,
);

/** The position after so many plies of a game, or its end. */
function reach(ply: number, random: Random): State {
  const state = game.start();
  for (let at = 0; at < ply && state.toMove !== TERMINAL; at++) {
    const actions = possibleActions(game, state);
    state.apply(random.float() < EPSILON ? actions[random.below(actions.length)] : choose(0, state, random));
  }
  return state;
}

function choose(at: 0 | 1, state: State, random: Random): number {
  const view = game.start();
  view.copyFrom(state);
  const budget = [agent, other][at]!.budget;
  const decision = players[at].choose(view, { random, budget, clock: () => performance.now() });
  if (decision instanceof Promise) throw new Error("agents of agon decide at once");
  return decision.action;
}
