import { fork } from "node:child_process";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { readDocument } from "../src/specs/files/documents.ts";
import { initialWeights } from "../src/training/learn/initial-weights.ts";
import { SelfPlayLearner } from "../src/training/loop/training-loop.ts";
import { planTraining, type TrainingPlan } from "../src/training/plan/plan.ts";
import { RoundLoop } from "../src/training/rounds/round-loop.ts";
import { localActors } from "../src/training/rounds/local-actors.ts";

/**
 * Rounds with several workers against as many processes that train alone: `npm run bench -- rounds CONFIG [GAMES [WORKERS [ROUND [TIMES]]]]`. In turns: GAMES games of the
 * config in rounds, played by WORKERS actors and learned from by one learner; and as many independent processes, each of which
 * plays and learns its share in one thread. Moves a second by the clock, after warming up.
 */
const [, , path = "configs/training/chess-td-leaf.yaml", count = "64", most = "2", size = "16", times = "3"] =
  process.argv;
const [games, workers, round] = [Number(count), Number(most), Number(size)];
const allocate = (_: string, length: number) => new Float32Array(length);

async function read(): Promise<TrainingPlan> {
  const { learner, ...config } = readDocument(path) as { learner: object };
  // The work of a move depends on the weights, so they stay as they are.
  return planTraining(
    { ...config, learner: { ...learner, stepSize: 1e-12 }, round },
    { baseDir: dirname(resolve(path)) },
  );
}

function learning(plan: TrainingPlan): SelfPlayLearner {
  return new SelfPlayLearner(plan, initialWeights(plan.game, plan.config, allocate), { allocate });
}

/** In a process of its own: waits for the order, plays, and tells the number of decisions. */
async function playAlone(): Promise<void> {
  raiseInliningBudget();
  const one = learning(await read());
  for (let number = 0; number < (2 * round) / workers; number++) one.advance(number);
  const before = one.counts.decisions;
  process.send!("ready");
  process.once("message", () => {
    for (let number = 0; number < games / workers; number++) one.advance(number);
    process.send!(one.counts.decisions - before);
    process.disconnect();
  });
}

async function independent(): Promise<number> {
  const children = Array.from({ length: workers }, () =>
    fork(fileURLToPath(import.meta.url), process.argv.slice(2), { env: { ...process.env, ALONE: "1" } }),
  );
  const heard = (child: (typeof children)[number]) =>
    new Promise<unknown>((resolve) => void child.once("message", resolve));
  await Promise.all(children.map(heard));
  const begun = performance.now();
  const counts = children.map(heard);
  for (const child of children) child.send("go");
  const decisions = (await Promise.all(counts)) as number[];
  return decisions.reduce((sum, one) => sum + one) / ((performance.now() - begun) / 1000);
}

async function inRounds(plan: TrainingPlan): Promise<{ speed: number; idle: number }> {
  const { learnable, learner } = learning(plan);
  const actors = localActors(plan, workers);
  const clock = () => performance.now();
  const loop = new RoundLoop(plan, 0, { learnable, learner, actors, clock });
  await loop.play(0, 2 * round, async () => true);
  const before = loop.counts.decisions;
  const begun = clock();
  await loop.play(2 * round, 2 * round + games, async () => true);
  const speed = (loop.counts.decisions - before) / ((clock() - begun) / 1000);
  await loop.close();
  return { speed, idle: loop.idle };
}

if (process.env["ALONE"] === "1") {
  await playAlone();
} else {
  raiseInliningBudget();
  const plan = await read();
  const ratios: number[] = [];
  for (let time = 0; time < Number(times); time++) {
    const { speed, idle } = await inRounds(plan);
    const alone = await independent();
    ratios.push(speed / alone);
    console.log(
      `rounds of ${round}, ${workers} workers: ${speed.toFixed(0)} moves/s, actors idle ${Math.round(100 * idle)}%; ${workers} processes: ${alone.toFixed(0)} moves/s; ratio ${(speed / alone).toFixed(3)}`,
    );
  }
  const median = ratios.toSorted((one, other) => one - other)[Math.floor(ratios.length / 2)]!;
  console.log(`${plan.config.name}: median ratio ${median.toFixed(3)}`);
}
