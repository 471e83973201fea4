import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished } from "vitest";
import { agon, startAgon, temporaryFolder, writeInto } from "../support/agon.ts";
import {
  announced,
  countStored,
  gamesOf,
  heard,
  openRedis,
  startWorker,
  until,
} from "../support/servers/queue.ts";
import { redisTest, startRedis } from "../support/servers/redis.ts";
import { storedGames } from "../support/stored-games.ts";
import { slow } from "../support/thorough.ts";

const CONFIG = {
  game: "connect-four",
  blocks: 40,
  openings: { randomPlies: 2 },
  entrants: ["random", "mcts:simulations=150"],
};

/** Writes a config, plays it here; what is needed to play it over the queue, until the test ends. */
async function prepare(name: string, change: object = {}) {
  const dir = temporaryFolder();
  const config = writeInto(dir, `${name}.json`, { ...CONFIG, name, ...change });
  const [here, out] = [join(dir, "here"), join(dir, "queued")];
  expect((await agon(["run", config, "--out", here, "--workers", "1", "-q"])).code).toBe(0);
  const over = (url: string, ...more: readonly string[]) => {
    const run = startAgon(["run", config, "--out", out, "--queue", url, ...more]);
    onTestFinished(() => void run.child.kill("SIGKILL"));
    return run;
  };
  return { config, out, over, expected: gamesOf(here) };
}

describe("runs and workers come and go", () => {
  slow(redisTest)(
    "two runs at once get about as many games each, a third that comes late gets its own",
    { timeout: 600_000 },
    async () => {
      const { url } = await startRedis();
      // Such that a job has few games: shares are equal over many jobs.
      const entrants = ["random", "mcts:simulations=2400"];
      const runs = [];
      for (const name of ["one", "two", "three"])
        runs.push(await prepare(name, { seed: name, entrants, blocks: name === "three" ? 15 : 75 }));
      const [first, second, third] = runs as [(typeof runs)[0], (typeof runs)[0], (typeof runs)[0]];
      const begun = [first.over(url, "-q"), second.over(url, "-q")];
      const redis = await openRedis(url);
      await until(async () => (await announced(redis, "runs")).length === 2);
      startWorker(url, ["--workers", "2", "-q"]);
      // A while after both have begun, half of the games later.
      const stored = () => [first, second].map(({ out }) => countStored(out));
      await until(() => stored().every((count) => count > 20));
      const before = stored();
      await until(() => stored().some((count, at) => count > before[at]! + 80));
      const [one, two] = stored().map((count, at) => count - before[at]!) as [number, number];
      // On a busy machine one of them may be slow to give out; without shares one of them would have all.
      expect(one / (one + two)).toBeGreaterThan(0.2);
      expect(one / (one + two)).toBeLessThan(0.8);
      const late = third.over(url, "-q");
      begun.push(late);
      expect((await late.outcome).code).toBe(0);
      for (const { outcome } of begun) expect((await outcome).code).toBe(0);
      for (const { out, expected } of runs) expect(gamesOf(out)).toEqual(expected);
      expect(await announced(redis, "runs")).toEqual([]);
    },
  );

  slow(redisTest)(
    "Ctrl-C of a worker: it finishes its games, and another goes on",
    { timeout: 240_000 },
    async () => {
      const { url } = await startRedis();
      const { out, over, expected } = await prepare("left");
      // Nobody would get its games for an hour, if it did not send them.
      const leaving = startWorker(url, ["--workers", "1", "--lost-after", "3600"]);
      const { outcome } = over(url, "-q");
      await until(() => countStored(out) > 0);
      leaving.child.kill("SIGINT");
      const { code, stderr } = await leaving.outcome;
      expect(code).toBe(0);
      expect(stderr).toContain("Finishing the games at hand; once more to stop at once.");
      const [, played] = /Stopped; (\d+) games? played here\./.exec(stderr) ?? [];
      startWorker(url, ["--workers", "1", "-q"]);
      expect((await outcome).code).toBe(0);
      expect(Number(played)).toBeGreaterThan(0);
      expect(Number(played)).toBeLessThanOrEqual(expected.length);
      expect(gamesOf(out)).toEqual(expected);
    },
  );

  slow(redisTest)(
    "Ctrl-C of a coordinator says how to go on; another one takes up what has come meanwhile",
    { timeout: 240_000 },
    async () => {
      const { url } = await startRedis();
      const entrants = ["random", "mcts:simulations=2000"];
      const { config, out, over, expected } = await prepare("stopped", { entrants, blocks: 20 });
      const worker = startWorker(url, ["--workers", "1"]);
      const first = over(url);
      await until(() => countStored(out) > 0);
      const redis = await openRedis(url);
      const [{ id, code: build }] = (await announced(redis, "runs")) as [{ id: string; code: string }];
      // It has two jobs, of which it plays one, and cannot say so until it is let go.
      await until(async () => {
        worker.child.kill("SIGCONT");
        await sleep(20);
        worker.child.kill("SIGSTOP");
        await sleep(100);
        return (await redis.llen(`agon:jobs-${build}:active`)) === 2;
      }, "playing");
      const second = await over(url, "--resume").outcome;
      expect(second.code).toBe(2);
      expect(second.stderr).toContain(String(first.child.pid));
      first.child.kill("SIGINT");
      const { code, stderr } = await first.outcome;
      expect(code).toBe(130);
      expect((await agon(["worker", url, "--list"])).stdout).toMatch(/^stopped .* stopped$/m);
      expect(stderr).toContain(`agon run ${config} --out ${out} --queue ${url} --resume`);
      // The games that the worker had at hand wait in Redis.
      worker.child.kill("SIGCONT");
      await until(async () => (await redis.llen(`agon:results-${id}:wait`)) > 0, "sent");
      worker.child.kill("SIGINT");
      expect((await worker.outcome).code).toBe(0);
      const before = countStored(out);
      const third = over(url, "--resume", "-q");
      await until(() => countStored(out) > before);
      expect(storedGames(out).length).toBeGreaterThan(before);
      startWorker(url, ["--workers", "1", "-q"]);
      expect(await third.outcome).toMatchObject({ code: 0 });
      expect(gamesOf(out)).toEqual(expected);
      expect(existsSync(join(out, "report.json"))).toBe(true);
    },
  );

  slow(redisTest)(
    "two coordinators of one run are told of each other; each has all games",
    { timeout: 300_000 },
    async () => {
      const { url } = await startRedis();
      const { config, out, over, expected } = await prepare("twice");
      const redis = await openRedis(url);
      const first = over(url, "-q");
      await until(async () => (await announced(redis, "runs")).length === 1);
      first.child.kill("SIGINT");
      await first.outcome;
      const copy = `${out}-copy`;
      cpSync(out, copy, { recursive: true });
      const line = ["run", config, "--queue", url, "--resume", "-q", "--out"];
      const both = [out, copy].map((folder) => startAgon([...line, folder]));
      const said = both.map(({ child }) => heard(child));
      await until(
        () => said.every(({ text }) => text.includes("gives out the games of this run as well")),
        "told",
      );
      startWorker(url, ["--workers", "1", "-q"]);
      for (const { outcome } of both) expect((await outcome).code).toBe(0);
      for (const folder of [out, copy]) expect(gamesOf(folder)).toEqual(expected);
    },
  );
});
