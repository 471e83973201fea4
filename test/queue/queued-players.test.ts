import { join } from "node:path";
import { Queue, Worker } from "bullmq";
import { expect, onTestFinished } from "vitest";
import { planTournament } from "../../src/arena/plan/config.ts";
import { GameFault } from "../../src/arena/play/game-fault.ts";
import { schedule } from "../../src/arena/schedule/rounds.ts";
import { openRun } from "../../src/arena/store/run-folder.ts";
import { InputError } from "../../src/base/errors.ts";
import { parseQueueUrl } from "../../src/queue/redis.ts";
import { thisBuild } from "../../src/queue/build.ts";
import { openQueuedPlayers } from "../../src/queue/coordinator/queued-players.ts";
import { jobQueue, resultQueue, type GameBatch, type Job } from "../../src/queue/jobs.ts";
import { loadGame } from "../../src/specs/games.ts";
import { temporaryFolder } from "../support/agon.ts";
import { openRedis } from "../support/servers/queue.ts";
import { redisTest, startRedis } from "../support/servers/redis.ts";

/** The outcome of a job of one game that this test answers as a worker would. */
async function answered(
  answer: object,
): Promise<{ outcome: unknown; jobs: Job<GameBatch>[]; notes: string[] }> {
  const { url } = await startRedis();
  const connection = await openRedis(url);
  const dir = join(temporaryFolder(), "run");
  const config = { name: "answered", game: "tic-tac-toe", blocks: 1, entrants: ["random", "max-n:depth=1"] };
  const { plan, store } = openRun(dir, await planTournament(config), { resume: false });
  onTestFinished(() => store.close());
  const notes: string[] = [];
  const onNote = (text: string) => void notes.push(text);
  const players = await openQueuedPlayers({ address: parseQueueUrl(url), plan, dir, store, onNote });
  const games = [...schedule(plan, await loadGame(plan.game), store.scorer())];
  const options = { connection, prefix: "agon" };
  const results = new Queue<object>(resultQueue(store.id!), options);
  const jobs: Job<GameBatch>[] = [];
  const worker = new Worker<Job<GameBatch>>(
    jobQueue(thisBuild().code, { plugins: false }),
    async ({ id, data }) => {
      jobs.push(data);
      await results.add("result", { job: id!, worker: "w", ...answer });
    },
    options,
  );
  const outcome = await players.play(games.slice(0, 1)).catch((error: unknown) => error);
  await players.close();
  await worker.close();
  await results.close();
  return { outcome, jobs, notes };
}

redisTest("a fault of the game ends the run at once, whoever else could play", async () => {
  const { outcome, jobs, notes } = await answered({ name: "GameFault", message: "goes on for ever" });
  expect(outcome).toEqual(new GameFault("goes on for ever"));
  expect(jobs).toHaveLength(1);
  // Games of which nobody is suspected go beside others.
  expect(jobs[0]).not.toHaveProperty("alone");
  expect(notes.filter((note) => note.includes("goes on"))).toEqual([]);
});

redisTest("another error ends it where no worker is left, with what to do", async () => {
  const { outcome } = await answered({ name: "Error", message: "the disk is full" });
  expect(outcome).toBeInstanceOf(InputError);
  expect((outcome as Error).message).toBe(
    "no worker can play: the disk is full; when that is mended, --resume goes on",
  );
});
