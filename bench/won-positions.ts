import { readFileSync } from "node:fs";
import { prepareAgent } from "../src/agents/prepare.ts";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { createRandom } from "../src/base/random.ts";
import { loadEvaluator } from "../src/specs/evaluators.ts";
import { locateName } from "../src/specs/references.ts";
import { ConnectFourSolver } from "../src/games/connect-four/solver/solver.ts";
import type { ConnectFourState } from "../src/games/connect-four/state.ts";
import { TERMINAL, type Game } from "../src/game/game.ts";
import { createGame } from "../src/games/index.ts";
import { possibleActions } from "../src/game/notation.ts";

/**
 * Connect four: the share of 200 won positions that one ply on an evaluator wins, against perfect play that delays its
 * losses: `npm run bench -- won-positions WEIGHTS [COUNT]`. The positions are those of won-positions.txt, each the
 * columns played; `npm run bench -- won-positions make COUNT` makes them: random play of 4 to 20 plies, kept when the
 * player to move wins, yet not at once. The file has the longest first: the 103 of ten plies and more take half a
 * minute, the shortest, which the perfect player must solve, many minutes.
 */
const LEAST_PLIES = 4;
const MOST_PLIES = 20;
const SEED = "won positions";
const Z = 1.959964;

raiseInliningBudget();
const game = createGame("connect-four") as Game<ConnectFourState>;
const [, , what = "threats", count = "200"] = process.argv;
if (what === "make") make(Number(count));
else measure(what, Number(count));

function make(wanted: number): void {
  const random = createRandom(SEED);
  const solver = new ConnectFourSolver(7, 6);
  const actions = new Int32Array(game.maxActions);
  const made = new Set<string>();
  while (made.size < wanted) {
    const state = game.start();
    const plies = LEAST_PLIES + random.below(MOST_PLIES - LEAST_PLIES + 1);
    let moves = "";
    while (state.toMove !== TERMINAL && state.stones < plies) {
      const column = actions[random.below(state.legalActions(actions, 0))];
      moves += column + 1;
      state.apply(column);
    }
    if (state.toMove === TERMINAL || made.has(moves)) continue;
    if (winsAtOnce(state) || solver.isAtMost(state, 0)) continue;
    made.add(moves);
    console.log(moves);
  }
}

function winsAtOnce(state: ConnectFourState): boolean {
  const me = state.toMove;
  return possibleActions(game, state).some((column) => {
    state.apply(column);
    const won = state.winner === me;
    state.undo();
    return won;
  });
}

function measure(evaluator: string, wanted: number): void {
  const name = locateName("evaluator", evaluator, ".");
  const prepared = prepareAgent(game, { agent: "greedy", evaluator: name }, { loadEvaluator });
  const agent = prepared.create();
  const perfect = game.policies["perfect"]!.create();
  const positions = readFileSync(new URL("../../bench/won-positions.txt", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .slice(0, wanted);
  /** Games won, drawn and lost. */
  const results = [0, 0, 0];
  for (const [at, moves] of positions.entries()) {
    const random = createRandom(SEED, at);
    const state = game.parseState(moves);
    const me = state.toMove;
    while (state.toMove !== TERMINAL) {
      if (state.toMove !== me) {
        state.apply(perfect.choose(state, random));
        continue;
      }
      const decision = agent.choose(state, { random, budget: prepared.budget, clock: () => 0 });
      if (decision instanceof Promise) throw new Error("greedy decides at once");
      state.apply(decision.action);
    }
    results[1 - state.returns(me)]!++;
  }
  const [won, drawn, lost] = results;
  const [low, high] = wilson(won!, positions.length);
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
  console.log(
    `${evaluator}: ${won} of ${positions.length} won positions won, ${percent(won! / positions.length)} ` +
      `(95% interval ${percent(low)} to ${percent(high)}), ${drawn} drawn, ${lost} lost`,
  );
}

/** Wilson's 95% interval (1927) of a share: `hits` of `trials`. */
function wilson(hits: number, trials: number): [number, number] {
  const share = hits / trials;
  const spread = (Z * Z) / trials;
  const middle = share + spread / 2;
  const reach = Z * Math.sqrt((share * (1 - share)) / trials + spread / (4 * trials));
  return [(middle - reach) / (1 + spread), (middle + reach) / (1 + spread)];
}
