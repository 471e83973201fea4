import { createRandom } from "../src/base/random.ts";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { LinearEvaluator } from "../src/evaluators/linear.ts";
import { tupleFeatures, walkTuples } from "../src/evaluators/n-tuple.ts";
import { createGame } from "../src/games/index.ts";
import { OnePly, OnePlyMoves } from "../src/training/self-play/one-ply.ts";
import { PositionListener, SelfPlay } from "../src/training/self-play/self-play.ts";
import { StartPositions } from "../src/training/self-play/start-positions.ts";
import { TdLearner } from "../src/training/learn/td.ts";

/**
 * Speed of self-play learning on one core, one game a process:
 * `npm run bench -- training [GAME [FEATURES [td|tc [LAMBDA [GAMES]]]]]`. FEATURES is a feature set, or
 * COUNTxLENGTH for n-tuples by random walks. A move is a decision: all legal actions are evaluated, and
 * the position reached is learnt from.
 */
const [, , id = "connect-four", name = "lines", rule = "td", lambda = "0.6", count = "20000"] = process.argv;
const ROUNDS = 4;

raiseInliningBudget();
const game = createGame(id);
const walks = /^(\d+)x(\d+)$/.exec(name);
const features =
  walks === null
    ? game.featureSets[name]!
    : tupleFeatures(
        game.tupleBoard!,
        walkTuples(
          game.tupleBoard!,
          { count: Number(walks[1]), length: Number(walks[2]) },
          createRandom("tuples"),
        ),
      );
const evaluator = new LinearEvaluator(game, features, {
  weights: new Float32Array(features.size),
  output: game.rewardsAlongTheWay ? "identity" : "tanh",
});
const learner = new TdLearner(game, evaluator, {
  lambda: Number(lambda),
  positions: game.chance ? "afterstates" : "all",
  normalized: features.unit === true,
  coherence: rule === "tc" ? { kind: "identity", beta: 0 } : undefined,
});
const random = createRandom("bench");
const starts = new StartPositions(game, [{ randomPlies: { from: 0, to: game.chance ? 0 : 4 } }], random);
const chooser = new OnePly(game, evaluator, random);
chooser.exploration.epsilon = game.chance ? 0 : 0.1;
const selfPlay = new SelfPlay(game, {
  starts,
  moves: new OnePlyMoves({ chooser, starts }),
  listener: new PositionListener(learner),
});
learner.stepSize = features.unit === true ? (rule === "tc" ? 1 : 0.1) : 0.01;

let [best, moves] = [0, 0];
const games = Number(count);
for (let round = 0; round < ROUNDS; round++) {
  const before = selfPlay.decisions;
  const begun = performance.now();
  for (let played = 0; played < games; played++) selfPlay.playGame();
  const seconds = (performance.now() - begun) / 1000;
  const speed = (selfPlay.decisions - before) / seconds;
  console.log(`${games} games, ${selfPlay.decisions - before} moves: ${Math.round(speed)} moves/s`);
  if (speed > moves) [best, moves] = [games / seconds, speed];
}
console.log(
  `${id}, ${name}, ${rule}(${lambda}): ${Math.round(best)} games/s, ${Math.round(moves)} moves/s (best of ${ROUNDS} rounds of ${games} games)`,
);
