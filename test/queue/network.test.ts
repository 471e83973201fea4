import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect } from "vitest";
import { agon, startAgon, temporaryFolder, writeInto } from "../support/agon.ts";
import { startProxy } from "../support/servers/proxy.ts";
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
import { slow } from "../support/thorough.ts";

const CONFIG = {
  name: "cut-off",
  game: "connect-four",
  seed: "network",
  blocks: 40,
  openings: { randomPlies: 2 },
  entrants: ["random", "mcts:simulations=150"],
};

/** Plays the config here, and begins to play it at `url`. */
async function begin(url: string) {
  const dir = temporaryFolder();
  const config = writeInto(dir, "cut.json", CONFIG);
  const [here, out] = [join(dir, "here"), join(dir, "queued")];
  expect((await agon(["run", config, "--out", here, "--workers", "1", "-q"])).code).toBe(0);
  const line = ["run", config, "--out", out, "--queue", url, "-q"];
  const resume = async () => agon([...line, "--resume"]);
  return { ...startAgon(line), expected: gamesOf(here), out, resume };
}

describe("the network between Redis and the others", () => {
  slow(redisTest)("Redis is away for a while: this is said once, and the run goes on", async () => {
    const redis = await startRedis({ keeps: true });
    const worker = startWorker(redis.url, ["--workers", "1", "--lost-after", "1"]);
    const { outcome, child, expected, out } = await begin(redis.url);
    const said = heard(child);
    await until(() => countStored(out) > 0);
    await redis.kill();
    await until(() => said.text.includes("waiting for it"));
    await sleep(2500);
    await redis.start();
    const { code, stderr } = await outcome;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr.match(/^redis:.* does not answer \(E\w+\); waiting for it$/gm), stderr).toHaveLength(1);
    expect(stderr.match(/^redis:.* answers again$/gm), stderr).toHaveLength(1);
    expect(gamesOf(out)).toEqual(expected);
    worker.child.kill("SIGINT");
    const { stderr: told } = await worker.outcome;
    expect(told.match(/waiting for it/g)).toHaveLength(1);
    expect(told.match(/answers again/g)).toHaveLength(1);
  });

  slow(redisTest)("Redis is full for a while: this is said once, and the run goes on", async () => {
    const redis = await startRedis();
    const worker = startWorker(redis.url, ["--workers", "1", "--lost-after", "1"]);
    const { outcome, child, expected, out } = await begin(redis.url);
    const said = heard(child);
    await until(() => countStored(out) > 0);
    const client = await openRedis(redis.url);
    await client.config("SET", "maxmemory", "1");
    await until(() => said.text.includes("waiting for it"));
    await sleep(5000);
    await client.config("SET", "maxmemory", "0");
    const { code, stderr } = await outcome;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr.match(/^redis:.* refuses: .*OOM.*; waiting for it$/gm), stderr).toHaveLength(1);
    expect(stderr.match(/^redis:.* answers again$/gm), stderr).toHaveLength(1);
    expect(gamesOf(out)).toEqual(expected);
    worker.child.kill("SIGINT");
    const { stderr: told } = await worker.outcome;
    expect(told.match(/waiting for it/g), told).toHaveLength(1);
    expect(told.match(/answers again/g), told).toHaveLength(1);
  });

  redisTest("Ctrl-C while Redis is away ends a worker that has no games", async () => {
    const redis = await startRedis();
    const { child, outcome } = startWorker(redis.url);
    const said = heard(child);
    const client = await openRedis(redis.url);
    await until(async () => (await announced(client, "workers")).length === 1);
    await redis.kill();
    await until(() => said.text.includes("waiting for it"));
    child.kill("SIGINT");
    expect(await outcome).toMatchObject({ code: 0 });
  });

  slow(redisTest)("Ctrl-C while Redis is away ends the coordinator, and the run goes on later", async () => {
    const redis = await startRedis({ keeps: true });
    startWorker(redis.url, ["--workers", "1", "--lost-after", "1", "-q"]);
    const { outcome, child, expected, out, resume } = await begin(redis.url);
    const said = heard(child);
    await until(() => countStored(out) > 0);
    await redis.kill();
    await until(() => said.text.includes("waiting for it"));
    child.kill("SIGINT");
    const { code, stderr } = await outcome;
    expect(code).toBe(130);
    expect(stderr).toContain("--resume");
    await redis.start();
    expect(await resume()).toMatchObject({ code: 0 });
    expect(gamesOf(out)).toEqual(expected);
  });

  /** The fault of the network during the games, and its side. */
  const troubles = (["coordinator", "worker"] as const).flatMap((whose) =>
    (["cut", "drop", "delay"] as const).map((what) => ({ whose, what })),
  );
  for (const { whose, what } of troubles) {
    slow(redisTest)(`${what} on the side of the ${whose}`, { timeout: 240_000 }, async () => {
      const redis = await startRedis();
      const proxy = await startProxy(redis.port);
      const far = `redis://127.0.0.1:${proxy.port}/0`;
      const workerArgs = ["--workers", "1", "--lost-after", "2", "-q"];
      startWorker(whose === "worker" ? far : redis.url, workerArgs);
      const { outcome, child, expected, out } = await begin(whose === "worker" ? redis.url : far);
      await until(() => countStored(out) > 0);
      // In silence, BullMQ's wait for jobs and our own for an answer end, so that both connections are made in vain.
      for (const waitMs of what === "drop" ? [300, 15_000] : [300, 3000]) {
        if (what === "delay") proxy.delay(waitMs / 6);
        else proxy[what]();
        await sleep(waitMs);
        proxy.mend();
        if (child.exitCode === null) await sleep(1000);
      }
      proxy.delay(0);
      expect(await outcome).toMatchObject({ code: 0 });
      expect(gamesOf(out)).toEqual(expected);
    });
  }

  slow(redisTest)("a worker that was given up sends its games late; they count once", async () => {
    const redis = await startRedis();
    const proxy = await startProxy(redis.port);
    startWorker(`redis://127.0.0.1:${proxy.port}/0`, ["--workers", "1", "--lost-after", "1", "-q"]);
    const { outcome, expected, out } = await begin(redis.url);
    await until(() => countStored(out) > 0);
    proxy.cut();
    startWorker(redis.url, ["--workers", "1", "--lost-after", "1", "-q"]);
    const before = countStored(out);
    await until(() => countStored(out) > before + 20);
    proxy.mend();
    expect(await outcome).toMatchObject({ code: 0 });
    expect(gamesOf(out)).toEqual(expected);
  });
});
