import { expect } from "vitest";
import { agon } from "../support/agon.ts";
import { heard, openRedis, startWorker, until } from "../support/servers/queue.ts";
import { redisTest, startRedis } from "../support/servers/redis.ts";

const ESCAPE = "\u001b]0;title\u0007";

redisTest("entries of workers and runs that are none, or would write to terminals, do no harm", async () => {
  const { url } = await startRedis();
  const redis = await openRedis(url);
  const [seconds] = await redis.time();
  const at = Number(seconds) * 1000;
  const id = "0123456789abcdef01234567";
  const build = {
    version: `1${ESCAPE}`,
    node: `2${ESCAPE}`,
    code: `abc${ESCAPE}`,
    host: `host\n${ESCAPE}`,
    pid: 7,
  };
  const run = { ...build, id, name: `run\n${ESCAPE}`, plugins: false, stopped: false, done: 1, total: 2 };
  const worker = {
    ...build,
    workers: 2,
    plugins: false,
    runs: [`at\n${ESCAPE}`],
    games: 3,
    gamesPerSecond: 1,
  };
  const put = async (key: string, field: string, entry: object) =>
    redis.hset(`agon:${key}`, field, JSON.stringify(entry));
  await put("runs", id, { ...run, at });
  await put("workers", "hostile", { ...worker, id: `hostile${ESCAPE}`, at });
  await put("workers", "future", { ...worker, id: "future", at: at + 1e12 });
  await put("workers", "many", { ...worker, id: "many", at, workers: 1e9 });
  await put("workers", "nothing", []);
  await redis.hset("agon:workers", "junk", "{");
  const { child } = startWorker(url);
  const said = heard(child);
  await until(() => said.text.includes("gets no games from here"), "told");
  const { code, stdout, stderr } = await agon(["worker", url, "--list"]);
  expect(code).toBe(0);
  expect(stdout).toContain("2 workers for 3 games at once");
  expect(stdout).toContain("run\\n\\u001b]0;title\\u0007");
  for (const text of [said.text, stdout, stderr]) expect(text).not.toMatch(/[^\P{Cc}\n]/u);
  expect(
    (await redis.hkeys("agon:workers")).filter((key) => ["future", "many", "nothing", "junk"].includes(key)),
  ).toEqual([]);
});
