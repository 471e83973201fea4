import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import type { GameRecord } from "../src/ratings/record.ts";
import type { ScheduledGame } from "../src/arena/schedule/schedule.ts";
import { built } from "./local-redis.ts";

/*
 * Workers that play nothing: they take a job, wait as long as its games would take, and send a game that was played once
 * under the names of all of them. Everything else is as in distributed/worker.ts: connections, beats, locks, messages.
 * bench/queue-load.ts starts them: URL COUNT CLAIMED_MS WAIT_MS.
 */

const { planTournament } = await built<typeof import("../src/arena/plan/config.ts")>("arena/plan/config.js");
const { playHere } =
  await built<typeof import("../src/arena/play/worker-pool.ts")>("arena/play/worker-pool.js");
const { packRecords } = await built<typeof import("../src/arena/play/worker-messages.ts")>(
  "arena/play/worker-messages.js",
);
const { schedule } = await built<typeof import("../src/arena/schedule/schedule.ts")>(
  "arena/schedule/schedule.js",
);
const { loadGame } = await built<typeof import("../src/specs/games.ts")>("specs/games.js");
const { thisBuild } = await built<typeof import("../src/distributed/build.ts")>("distributed/build.js");
const { jobQueue, parseJob, resultQueue } =
  await built<typeof import("../src/distributed/jobs.ts")>("distributed/jobs.js");
const { connect, loadQueueLibraries, parseQueueUrl, PREFIX } =
  await built<typeof import("../src/distributed/redis.ts")>("distributed/redis.js");
const { BEAT_MS, Roster, whereabouts } =
  await built<typeof import("../src/distributed/roster.ts")>("distributed/roster.js");

const [url, count, claimedMs, waitMs] = process.argv.slice(2);
const template = await playOne();
const libraries = await loadQueueLibraries();
await Promise.all(Array.from({ length: Number(count) }, async (_, at) => serve(at)));

/** A game of connect four between agents that think, with their thoughts. */
async function playOne(): Promise<GameRecord> {
  const entrants = ["alpha-beta:depth=3,evaluator=threats", "mcts:simulations=100"];
  const config = { name: "fake", game: "connect-four", blocks: 1, entrants };
  const plan = await planTournament(config, { baseDir: "." });
  const [first] = schedule(plan, await loadGame(plan.game));
  const [record] = await (await playHere({ plan, dir: "." })).play([first!]);
  return { ...record!, timeMs: record!.timeMs.map(() => Number(claimedMs) / 2) };
}

function fake({ id, block, seats, opening }: ScheduledGame): GameRecord {
  return { ...template, id, block, seats, openingLength: opening.length };
}

async function serve(at: number): Promise<void> {
  const redis = await connect(parseQueueUrl(url!), libraries, () => {});
  const roster = new Roster(redis);
  const options = { connection: redis, prefix: PREFIX };
  const id = `fake-${process.pid}-${at}`;
  let games = 0;
  let free = Promise.resolve();
  const queues = new Map<string, InstanceType<typeof libraries.Queue>>();
  const worker = new libraries.Worker(
    jobQueue(thisBuild().code, { plugins: false }),
    async (queued) => {
      const job = parseJob(queued.data);
      // One game at a time, one job fetched before.
      free = free.then(async () => sleep(Number(waitMs) * job.games.length));
      await free;
      games += job.games.length;
      if (!(await roster.knowsRun(job.run))) return;
      const queue = queues.get(job.run) ?? new libraries.Queue(resultQueue(job.run), options);
      queues.set(job.run, queue);
      const result = { job: queued.id, worker: id, packed: packRecords(job.games.map(fake)) };
      await queue.add("games", result, { removeOnComplete: true, removeOnFail: true });
    },
    { ...options, concurrency: 2, lockDuration: 20_000, stalledInterval: 10_000 },
  );
  worker.on("error", () => {});
  for (;;) {
    const entry = { ...thisBuild(), ...whereabouts(), id, workers: 1, plugins: false, runs: [] };
    await roster.announceWorker({ ...entry, games, gamesPerSecond: 1 });
    await roster.runs();
    await sleep(BEAT_MS);
  }
}
