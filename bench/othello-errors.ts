import { readFileSync } from "node:fs";
import { prepareAgent, type PreparedAgent } from "../src/agents/prepare.ts";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { createRandom } from "../src/base/random.ts";
import { TERMINAL, type Game } from "../src/games/contract/game.ts";
import { createGame } from "../src/games/index.ts";
import type { OthelloState } from "../src/games/othello/state.ts";
import { parseAgentSpec } from "../src/specs/agents.ts";
import { loadEvaluator } from "../src/specs/evaluators.ts";
import { locateName } from "../src/specs/references.ts";

/**
 * Othello for discs: the mean error of evaluators, in discs, in positions with 20 empty squares, against their exact
 * scores: `npm run bench -- othello-errors EVALUATOR ...`. The positions are those of othello-20-empty.txt, each with the
 * score for the player to move; `npm run bench -- othello-errors make COUNT` makes them: 8 random plies, then play of
 * alpha-beta with depth 4 on `mobility-stability`.
 */
const RANDOM_PLIES = 8;
const EMPTY = 20;
const SEED = "othello errors";
const PLAYER = "alpha-beta:depth=4,evaluator=mobility-stability";
const SOLVER = "alpha-beta:solve=true,depth=60,table=256";
const FILE = new URL("../../bench/othello-20-empty.txt", import.meta.url);

raiseInliningBudget();
const game = createGame({ id: "othello", score: "discs" }) as Game<OthelloState>;
const [, , ...names] = process.argv;
if (names[0] === "make") make(Number(names[1]));
else for (const name of names) measure(name);

function make(wanted: number): void {
  const random = createRandom(SEED);
  const player = prepareAgent(game, parseAgentSpec(PLAYER));
  const solver = prepareAgent(game, parseAgentSpec(SOLVER));
  const actions = new Int32Array(game.maxActions);
  for (let made = 0; made < wanted;) {
    const state = game.start();
    for (let ply = 0; state.toMove !== TERMINAL && emptySquares(state) > EMPTY; ply++) {
      const any = actions[random.below(state.legalActions(actions, 0))];
      state.apply(ply < RANDOM_PLIES ? any : decide(player, state).action);
    }
    if (state.toMove === TERMINAL) continue;
    const { value = NaN } = decide(solver, state);
    console.log(`${game.formatState(state)} ${value + 0}`);
    made++;
  }

  function decide(prepared: PreparedAgent, state: OthelloState) {
    const decision = prepared
      .create()
      .choose(state, { random, budget: prepared.budget, clock: () => performance.now() });
    if (decision instanceof Promise) throw new Error("the agent does not decide at once");
    return decision;
  }
}

function emptySquares(state: OthelloState): number {
  return 64 - state.black.count() - state.white.count();
}

function measure(name: string): void {
  const evaluator = loadEvaluator(game, locateName("evaluator", name, "."));
  const errors: number[] = [];
  const biases: number[] = [];
  for (const line of readFileSync(FILE, "utf8").trim().split("\n")) {
    const at = line.lastIndexOf(" ");
    const state = game.parseState(line.slice(0, at));
    const error = evaluator.evaluate(state, state.toMove) - Number(line.slice(at + 1));
    errors.push(Math.abs(error));
    biases.push(error);
  }
  console.log(
    `${name}: mean error ${mean(errors).toFixed(2)} discs, bias ${mean(biases).toFixed(2)}, ${errors.length} positions`,
  );
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
