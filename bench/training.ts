import { createRandom } from "../src/base/random.ts";
import { raiseInliningBudget } from "../src/base/inlining.ts";
import { LinearEvaluator } from "../src/evaluators/linear.ts";
import { createGame } from "../src/games/index.ts";
import { SelfPlay } from "../src/training/self-play.ts";
import { TdLearner } from "../src/training/td.ts";

/**
 * Speed of TD(lambda) self-play on one core, one game a process: `npm run bench -- training [GAME FEATURES]`.
 * A move is a decision: all legal actions are evaluated, and the position reached is learnt from.
 */
const [, , id = "connect-four", name = "lines"] = process.argv;
const GAMES = 20_000;
const ROUNDS = 4;

raiseInliningBudget();
const game = createGame(id);
const features = game.featureSets[name]!;
const evaluator = new LinearEvaluator(game, features, {
  weights: new Float64Array(features.size),
  output: "tanh",
});
const learner = new TdLearner(game, evaluator, {
  lambda: 0.6,
  traces: "accumulating",
  afterRandomMove: "cut",
  updates: "step",
});
const selfPlay = new SelfPlay(game, { evaluator, learner, random: createRandom("bench") });
learner.stepSize = 0.01;

let [best, moves] = [Infinity, 0];
for (let round = 0; round < ROUNDS; round++) {
  const before = selfPlay.decisions;
  const begun = performance.now();
  for (let played = 0; played < GAMES; played++) selfPlay.playGame(4, 0.1);
  const seconds = (performance.now() - begun) / 1000;
  if (seconds < best) [best, moves] = [seconds, selfPlay.decisions - before];
}
console.log(
  `${id}, ${name}: ${Math.round(GAMES / best)} games/s, ${Math.round(moves / best)} moves/s (best of ${ROUNDS} rounds of ${GAMES} games)`,
);
