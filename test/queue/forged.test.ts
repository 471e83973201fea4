import { join } from "node:path";
import { expect, test } from "vitest";
import { thisBuild } from "../../src/queue/build.ts";
import { Workforce } from "../../src/queue/coordinator/coordinator.ts";
import { parsePlayedGames } from "../../src/queue/jobs.ts";
import { readRecords } from "../../src/queue/records.ts";
import { Roster } from "../../src/queue/roster.ts";
import { agon, startAgon, temporaryFolder, writeInto } from "../support/agon.ts";
import { announced, heard, openRedis, runOver, startWorker, until } from "../support/servers/queue.ts";
import { redisTest, startRedis } from "../support/servers/redis.ts";
import { packRecords } from "../../src/arena/play/worker-messages.ts";
import { Store } from "../../src/arena/store/store.ts";
import { slow } from "../support/thorough.ts";

const CONFIG = {
  name: "forged",
  game: "tic-tac-toe",
  blocks: 3,
  entrants: ["random", "greedy:evaluator=open-lines"],
};
const BUILD = { ...thisBuild(), host: "nowhere", pid: 1 };

slow(redisTest)("entries by the thousand, or as long as a book, cost neither memory nor jobs", async () => {
  const { url } = await startRedis();
  const redis = await openRedis(url);
  const [seconds] = await redis.time();
  const worker = { ...BUILD, workers: 4096, plugins: false, runs: [], games: 0, gamesPerSecond: 0 };
  const forge = async (id: string, more: object) =>
    redis.hset("agon:workers", id, JSON.stringify({ ...worker, id, at: Number(seconds) * 1000, ...more }));
  await forge("long", { more: "x".repeat(20_000) });
  await forge("y".repeat(20_000), {});
  const roster = new Roster(redis);
  expect([await roster.workers(), await redis.hlen("agon:workers")]).toEqual([[], 0]);
  await Promise.all(Array.from({ length: 5000 }, async (_, at) => forge(`forged-${at}`, {})));
  expect(await roster.workers()).toHaveLength(2000);
  const workforce = new Workforce(roster, { address: { shown: url, options: {} }, onNote: () => {} });
  const run = { ...BUILD, id: "ab".repeat(12), name: "run", plugins: false };
  await workforce.look({ ...run, stopped: false, done: 0, total: 1 });
  expect(workforce.slots).toBe(4096);
});

slow(redisTest)(
  "a run with forged workers beside the right one is played, and ends at Ctrl-C",
  { timeout: 120_000 },
  async () => {
    const { url } = await startRedis();
    const redis = await openRedis(url);
    const dir = temporaryFolder();
    startWorker(url);
    await until(async () => (await announced(redis, "workers")).length === 1);
    const { code } = (await announced(redis, "workers"))[0]!;
    const forge = async () => {
      const [seconds] = await redis.time();
      const entry = { ...BUILD, code, workers: 4096, plugins: false, runs: [], games: 0, gamesPerSecond: 0 };
      const at = Number(seconds) * 1000 + 10_000;
      const ids = Array.from({ length: 3000 }, (_, number) => `forged-${number}`);
      await redis.hset(
        "agon:workers",
        Object.fromEntries(ids.map((id) => [id, JSON.stringify({ ...entry, id, at })])),
      );
    };
    await forge();
    const config = writeInto(dir, "forged.json", CONFIG);
    const { code: exit, stderr } = await runOver(url, config, join(dir, "played"));
    expect(exit, stderr).toBe(0);
    await forge();
    const long = writeInto(dir, "long.json", { ...CONFIG, blocks: 10_000 });
    const run = startAgon(["run", long, "--out", join(dir, "long"), "--queue", url, "-q"]);
    await until(async () => (await redis.llen(`agon:jobs-${code}:wait`)) > 1000, "given out");
    run.child.kill("SIGINT");
    const { code: stopped, stderr: said } = await run.outcome;
    expect(stopped, said).toBe(130);
    expect(said).not.toMatch(/^\s+at /m);
  },
);

slow(redisTest)("a key that another program has written is told in words", { timeout: 120_000 }, async () => {
  const { url } = await startRedis();
  const redis = await openRedis(url);
  const dir = temporaryFolder();
  const config = writeInto(dir, "forged.json", CONFIG);
  const worker = startWorker(url);
  const said = heard(worker.child);
  await until(async () => (await announced(redis, "workers")).length === 1);
  const { code } = (await announced(redis, "workers"))[0]!;
  const words =
    /^redis:\S+ has a key that begins with "agon:" and is not agon's, as its type is another; remove/m;
  for (const [at, key] of ["agon:runs", `agon:jobs-${code}:wait`].entries()) {
    await redis.del(key);
    await redis.set(key, "x");
    for (const args of [
      ["run", config, "--out", join(dir, `out-${at}`), "--queue", url, "-q"],
      ["worker", url, "--list"],
    ]) {
      const { code: exit, stderr } = await agon(args);
      expect([exit, stderr]).toEqual([2, expect.stringMatching(words)]);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
    await redis.del(key);
  }
  expect(said.text).not.toMatch(/^\s+at /m);
  // A content of another type is written again.
  const run = startAgon(["run", config, "--out", join(dir, "again"), "--queue", url, "-q"]);
  const { code: exit, stderr } = await run.outcome;
  expect(exit, stderr).toBe(0);
  const [content] = await redis.keys("agon:content:*");
  await redis.del(content!);
  await redis.rpush(content!, "x");
  const again = await runOver(url, config, join(dir, "third"));
  expect(again.code, again.stderr).toBe(0);
  expect(await redis.type(content!)).toBe("string");
});

test("a message of a megabyte is shortened, and a record with one is none", async () => {
  const sender = { job: "1", worker: "w" };
  const result = parsePlayedGames({ ...sender, name: "InputError", message: "x".repeat(2 ** 20) });
  expect((result as { message: string }).message).toHaveLength(3999);
  expect(() => parsePlayedGames({ ...sender, job: "1".repeat(201), packed: "[]" })).toThrow("job: must have");
  const dir = temporaryFolder();
  const config = writeInto(dir, "forged.json", CONFIG);
  expect((await agon(["run", config, "--out", join(dir, "out"), "-q"])).code).toBe(0);
  const store = Store.openExisting(join(dir, "out"));
  const [record] = store.records();
  store.close();
  const withDetail = (length: number) =>
    readRecords(packRecords([{ ...record!, detail: "x".repeat(length) }]));
  expect(withDetail(2000)).toHaveLength(1);
  expect(withDetail(2001)).toHaveLength(0);
});
