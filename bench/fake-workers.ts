import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import type { GameRecord } from "../src/ratings/record.ts";
import type { ScheduledGame } from "../src/arena/schedule/schedule.ts";
import { built } from "./local-redis.ts";

/*
 * Workers that play nothing: they take a job, wait as long as its games would take, and send a game that was played once
 * under the names of all of them. Everything else is as in queue/worker/worker.ts: connections, beats, locks, messages.
 * bench/queue-load.ts starts them: URL COUNT CLAIMED_MS WAIT_MS.
 */

const { planTournament } = await built<typeof import("../src/arena/plan/config.ts")>("arena/plan/config.js");
const { playHere } =
  await built<typeof import("../src/arena/play/worker-pool.ts")>("arena/play/worker-pool.js");
const { packRecords } = await built<typeof import("../src/arena/play/worker-messages.ts")>(
  "arena/play/worker-messages.js",
);
const { schedule } =
  await built<typeof import("../src/arena/schedule/rounds.ts")>("arena/schedule/rounds.js");
const { loadGame } = await built<typeof import("../src/specs/games.ts")>("specs/games.js");
const { thisBuild } = await built<typeof import("../src/queue/build.ts")>("queue/build.js");
const { jobQueue, parseJob, resultQueue } =
  await built<typeof import("../src/queue/jobs.ts")>("queue/jobs.js");
const { parseQueueUrl } = await built<typeof import("../src/queue/redis.ts")>("queue/redis.js");
const { Link } = await built<typeof import("../src/queue/link.ts")>("queue/link.js");
const { BEAT_MS, Roster, whereabouts } =
  await built<typeof import("../src/queue/roster.ts")>("queue/roster.js");

const [url, count, claimedMs, waitMs] = process.argv.slice(2);
const template = await playOne();
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
  const actions = [...opening, ...template.actions.slice(opening.length)];
  return { ...template, id, block, seats, actions, openingLength: opening.length };
}

async function serve(at: number): Promise<void> {
  const link = await Link.open(parseQueueUrl(url!), () => {});
  const roster = new Roster(link.redis);
  const results = new Map<string, ReturnType<typeof link.queue<unknown>>>();
  const id = `fake-${process.pid}-${at}`;
  let games = 0;
  let free = Promise.resolve();
  link.worker<unknown>(
    jobQueue(thisBuild().code, { plugins: false }),
    async (queued) => {
      const job = parseJob(queued.data);
      if (!("games" in job)) return;
      // One game at a time, one job fetched before.
      free = free.then(async () => sleep(Number(waitMs) * job.games.length));
      await free;
      games += job.games.length;
      const queue = results.get(job.run) ?? link.queue<unknown>(resultQueue(job.run));
      results.set(job.run, queue);
      const packed = packRecords(job.games.map(fake));
      if (await roster.knowsRun(job.run))
        await queue.add("result", { job: String(queued.id), worker: id, packed }, { removeOnComplete: true });
    },
    { concurrency: 2, lockDuration: 20_000, stalledInterval: 10_000 },
  );
  for (;;) {
    const entry = { ...thisBuild(), ...whereabouts(), id, workers: 1, plugins: false, runs: [] };
    await roster.announceWorker({ ...entry, games, gamesPerSecond: 1 });
    await roster.runs();
    await sleep(BEAT_MS);
  }
}
