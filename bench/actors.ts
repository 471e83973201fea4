import { dirname, resolve } from "node:path";
import { createRandom } from "../src/base/random.ts";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { readDocument } from "../src/specs/files/documents.ts";
import { Actor } from "../src/training/rounds/actors.ts";
import { SelfPlayLearner } from "../src/training/loop/training-loop.ts";
import { gameSeeder, stepSizeAt } from "../src/training/self-play/game-settings.ts";
import { StartPositions } from "../src/training/self-play/start-positions.ts";
import { createListener } from "../src/training/self-play/create-moves.ts";
import { initialWeights } from "../src/training/learn/initial-weights.ts";
import { planTraining } from "../src/training/plan/plan.ts";
import { RecordedMoves } from "../src/training/rounds/recorded-games.ts";
import { SelfPlay } from "../src/training/self-play/self-play.ts";

/**
 * How many actors one learner can feed: `npm run bench -- actors CONFIG [GAMES]`. In turns, by processor time: games that are
 * played and learned from in one place, games that an actor plays, and the same games taken again by the learner.
 */
const [, , path = "configs/training/connect-four-linear.yaml", count = "1000"] = process.argv;
const ROUNDS = 5;

raiseInliningBudget();
const plan = await planTraining(readDocument(path), { baseDir: dirname(resolve(path)) });
const { game, config } = plan;
const games = Number(count);
const allocate = (_: string, length: number) => new Float32Array(length);
const create = () => new SelfPlayLearner(plan, initialWeights(game, config, allocate), { allocate });
const [alone, learning] = [create(), create()];
const { learnable, learner } = learning;
const actor = new Actor(plan, { present: learnable.weights, past: undefined });
const [random, seed] = [createRandom("replay"), gameSeeder(config)];
const recorded = new RecordedMoves(game, { hasLines: plan.search !== undefined });
const replay = new SelfPlay(game, {
  starts: new StartPositions(plan.game, plan.starts, random),
  moves: recorded,
  listener: createListener(plan, learner),
});

/** Processor time, since other programs may run. */
const secondsOf = (work: () => void): number => {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1e6;
};

const best = { alone: 0, actor: 0, learner: 0 };
let bytes = 0;
for (let round = 0; round < ROUNDS; round++) {
  const from = round * games;
  let moves: Uint8Array = new Uint8Array();
  const seconds = {
    alone: secondsOf(() => {
      for (let number = from; number < from + games; number++) alone.advance(number);
    }),
    actor: secondsOf(() => {
      actor.readAgain();
      moves = actor.playGames(from, games);
    }),
    learner: secondsOf(() => {
      recorded.load(moves);
      for (let number = from; number < from + games; number++) {
        seed(random, number);
        learner.stepSize = stepSizeAt(config, number);
        replay.playGame();
      }
    }),
  };
  bytes = moves.length;
  const speeds = Object.entries(seconds).map(([who, time]) => [who, games / time] as const);
  for (const [who, speed] of speeds)
    best[who as keyof typeof best] = Math.max(best[who as keyof typeof best], speed);
  console.log(speeds.map(([who, speed]) => `${who} ${speed.toFixed(0)}`).join(", "), "games/s");
}
const { alone: here, actor: one, learner: taken } = best;
console.log(
  `${config.name}: best of ${ROUNDS} rounds of ${games} games: played and learned in one place ${here.toFixed(0)} games/s; an actor ${one.toFixed(0)}; the learner takes ${taken.toFixed(0)}, which is ${(taken / one).toFixed(1)} actors, and ${(taken / here).toFixed(1)} times as fast as in one place; ${(bytes / games).toFixed(0)} bytes a game, ${((4 * learnable.weights.length) / 1e6).toFixed(2)} MB of weights`,
);
