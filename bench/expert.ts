import { dirname, resolve } from "node:path";
import { cpuUsage } from "node:process";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { readDocument } from "../src/specs/files/documents.ts";
import { initialWeights } from "../src/training/learn/initial-weights.ts";
import { SelfPlayLearner } from "../src/training/loop/training-loop.ts";
import { planTraining } from "../src/training/plan/plan.ts";
import { localActors } from "../src/training/rounds/local-actors.ts";
import { RoundLoop } from "../src/training/rounds/round-loop.ts";

/**
 * Speed of expert iteration on one core: `npm run bench -- expert [CONFIG [GAMES]]`. After a first round, which is not
 * measured, GAMES games of the config are played and learned from in one thread: games a minute, and the time of a
 * decision and of a drawn sample. Time is the process's own.
 */
const [, , path = "configs/training/connect-four-expert.yaml", count = "2048"] = process.argv;

raiseInliningBudget();
const plan = await planTraining(readDocument(path), { baseDir: dirname(resolve(path)) });
const { round, games, learner: rule } = plan.config;
if (rule.rule !== "expert" || round === undefined)
  throw new Error(`${path} is no config of expert iteration`);
const until = Math.min(games, round + Number(count));

const allocate = (_: string, length: number) => new Float32Array(length);
const { learnable, learner } = new SelfPlayLearner(plan, initialWeights(plan.game, plan.config, allocate), {
  allocate,
});

function since(begun: NodeJS.CpuUsage): number {
  const { user, system } = cpuUsage(begun);
  return user + system;
}

let learning = 0;
const learn = learner.endRound!.bind(learner);
learner.endRound = () => {
  const begun = cpuUsage();
  learn();
  learning += since(begun);
};
const actors = localActors(plan, 0);
const loop = new RoundLoop(plan, 0, { learnable, learner, actors, clock: () => performance.now() });
const goOn = async () => true;
await loop.play(0, round, goOn);
learning = 0;
const before = loop.counts.decisions;
const begun = cpuUsage();
await loop.play(round, until, goOn);
const total = since(begun);
const decisions = loop.counts.decisions - before;
const perMinute = Math.round(((until - round) * 60e6) / total);
console.log(`${until - round} games, ${decisions} decisions: ${perMinute} games a minute`);
console.log(
  `decision ${((total - learning) / decisions).toFixed(1)} us, drawn sample ${(learning / (decisions * (rule.reuse ?? 2))).toFixed(2)} us, learning ${Math.round((100 * learning) / total)}% of the time`,
);
const sum = learnable.weights.reduce((hash, weight) => Math.fround(hash * 0.999 + weight), 0);
console.log(`checksum ${sum}`);
