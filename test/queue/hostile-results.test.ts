import { join } from "node:path";
import { Queue, Worker } from "bullmq";
import { expect, onTestFinished } from "vitest";
import { packRecords } from "../../src/arena/play/worker-messages.ts";
import { Store } from "../../src/arena/store/store.ts";
import { createRandom } from "../../src/base/random.ts";
import type { GameBatch, Job } from "../../src/queue/jobs.ts";
import { readRecords } from "../../src/queue/records.ts";
import type { GameRecord } from "../../src/ratings/record.ts";
import { DAMAGE } from "../support/damaged-records.ts";
import { agon, startAgon, temporaryFolder, writeInto } from "../support/agon.ts";
import { announced, gamesOf, openRedis, until } from "../support/servers/queue.ts";
import { redisTest, startRedis } from "../support/servers/redis.ts";
import { slow } from "../support/thorough.ts";

const CONFIG = {
  name: "answers",
  game: "tic-tac-toe",
  seed: "answers",
  blocks: 60,
  openings: { randomPlies: 2 },
  entrants: ["random", "mcts:simulations=20", "max-n:depth=2"],
};

/** Well-formed changes after which a record belongs to another game, or to none. */
const OTHER: readonly object[] = [
  { block: "0".repeat(24) },
  { seats: [1, 0] },
  { seats: [0, 9] },
  { openingLength: 1 },
];
/** Records that could be stored, and that the rules do not give. */
const LIES: readonly object[] = [{ returns: [0.25, 0.75] }, { nodes: [0.5, 0] }, { decisions: [99, 0] }];
const NONSENSE: readonly unknown[] = [
  7,
  "text",
  null,
  [],
  {},
  { job: "x" },
  { job: 1, worker: "w", packed: "[]" },
  { job: "x", worker: "w", packed: 5 },
];

slow(redisTest)(
  "games that come twice, in any order, damaged, or of no run: the store has each once, as it was played",
  { timeout: 240_000 },
  async () => {
    const redis = await startRedis();
    const dir = temporaryFolder();
    const config = writeInto(dir, "answers.json", CONFIG);
    const [here, out] = [join(dir, "here"), join(dir, "queued")];
    expect((await agon(["run", config, "--out", here, "--workers", "1", "-q"])).code).toBe(0);
    const played = recordsOf(here);
    expect(readRecords(packRecords([...played.values()]))).toEqual([...played.values()]);
    const coordinator = startAgon(["run", config, "--out", out, "--queue", redis.url, "-q"]);

    // This test plays the worker.
    const connection = await openRedis(redis.url);
    const runs = async () => announced(connection, "runs");
    await until(async () => (await runs()).length === 1);
    const { id, code } = (await runs())[0]!;
    const results = new Queue<unknown>(`results-${id}`, { connection, prefix: "agon" });
    const random = createRandom("answers");
    let answers = 0;
    const worker = new Worker<Job<GameBatch>>(
      `jobs-${code}`,
      async (job) => {
        const answer = (records: readonly GameRecord[]) => ({
          job: String(job.id),
          worker: "test",
          packed: packRecords(records),
        });
        const right = job.data.games.map((game) => played.get(game.id)!);
        const others = [...played.values()].slice(0, 5);
        const [packed] = JSON.parse(packRecords(right)) as object[];
        const damaged = [...DAMAGE, ...OTHER].map((change) => ({ ...packed, ...change }));
        const lies = LIES.map((change) => ({ ...packed, ...change }));
        const sent: unknown[] = [
          ...lies.map((lie) => ({ ...answer([]), packed: JSON.stringify([lie]) })),
          answer([...right, ...right, ...others]),
          answer(right.slice(0, -1)),
          { ...answer([]), packed: JSON.stringify(damaged) },
          { ...answer([]), packed: JSON.stringify([null, 7, "x", ...damaged]) },
          answer([]),
          { ...answer(right), packed: "[" },
          { ...answer(right), job: "another" },
          answer(right),
          ...NONSENSE,
        ];
        if (answers++ % 3 === 0) sent.push(...sent);
        while (sent.length > 0) await results.add("games", sent.splice(random.below(sent.length), 1)[0]);
      },
      { connection, prefix: "agon" },
    );
    onTestFinished(async () => {
      await worker.close();
      await results.close();
    });
    const { code: exit, stderr } = await coordinator.outcome;
    expect(exit, stderr).toBe(0);
    expect(stderr).toContain("a result from the queue");
    expect(
      stderr.match(/a worker, test, has sent what is no game, which is played again: \w{24}: its /g),
    ).toHaveLength(1);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(gamesOf(out)).toEqual(gamesOf(here));
  },
);

function recordsOf(dir: string): Map<string, GameRecord> {
  const store = Store.openExisting(dir);
  const records = store.records();
  store.close();
  return new Map(records.map((record) => [record.id, record]));
}
