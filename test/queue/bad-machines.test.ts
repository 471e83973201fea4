import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect } from "vitest";
import { agon, fixture, startAgon, temporaryFolder, writeInto } from "../support/agon.ts";
import { announced, gamesOf, heard, openRedis, startWorker, until } from "../support/servers/queue.ts";
import { redisTest, startRedis } from "../support/servers/redis.ts";
import { slow } from "../support/thorough.ts";

const CONFIG = {
  name: "trained",
  game: "connect-four",
  blocks: 10,
  entrants: ["random", { agent: "greedy", evaluator: fixture("../../weights/connect-four/linear.json") }],
};

/** The folders of workers in their temporary folder. */
function foldersIn(tmp: string): string[] {
  return readdirSync(tmp).filter((name) => name.startsWith("agon-worker-"));
}

/** Puts a folder where a worker wants to write a file. That fails like a full disk, for root too. */
function spoil(tmp: string): void {
  writeInto(join(tmp, foldersIn(tmp)[0]!), "contents", {});
}

/** Starts a worker with a temporary folder of its own, once it is at the queue. */
async function startWorkerIn(tmp: string, url: string) {
  const redis = await openRedis(url);
  const before = (await announced(redis, "workers")).length;
  const worker = startWorker(url, ["--workers", "1", "--lost-after", "1"], { env: { TMPDIR: tmp } });
  await until(async () => (await announced(redis, "workers")).length > before, "there");
  return worker;
}

describe("a machine on which something is wrong", () => {
  slow(redisTest)("its games are given to others, and it says why", async () => {
    const { url } = await startRedis();
    const [dir, tmp] = [temporaryFolder(), temporaryFolder()];
    const config = writeInto(dir, "trained.json", CONFIG);
    const [here, out] = [join(dir, "here"), join(dir, "out")];
    expect((await agon(["run", config, "--out", here, "--workers", "1", "-q"])).code).toBe(0);
    const bad = await startWorkerIn(tmp, url);
    spoil(tmp);
    const good = await startWorkerIn(temporaryFolder(), url);
    const said = heard(bad.child);
    const coordinator = startAgon(["run", config, "--out", out, "--queue", url, "-q"]);
    const told = heard(coordinator.child);
    // The other one is there, and leaves it the first jobs.
    await until(async () => {
      good.child.kill("SIGCONT");
      await sleep(20);
      good.child.kill("SIGSTOP");
      await sleep(100);
      return told.text.includes(`:${bad.child.pid} cannot play, others get its games: `);
    }, "told");
    expect(said.text).toContain("Games were not played: ");
    good.child.kill("SIGCONT");
    const { code, stderr } = await coordinator.outcome;
    expect(code, stderr).toBe(0);
    expect(stderr.match(/cannot play/g), stderr).toHaveLength(1);
    expect(gamesOf(out)).toEqual(gamesOf(here));
  });

  slow(redisTest)("where no worker can play, the run ends and says why; it can go on", async () => {
    const { url } = await startRedis();
    const [dir, tmp] = [temporaryFolder(), temporaryFolder()];
    const config = writeInto(dir, "trained.json", CONFIG);
    const line = ["run", config, "--out", join(dir, "out"), "--queue", url, "-q"];
    const bad = await startWorkerIn(tmp, url);
    spoil(tmp);
    const { code, stderr } = await agon(line);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^no worker can play: EEXIST.*; when that is mended, --resume goes on\n$/);
    bad.child.kill("SIGKILL");
    startWorker(url, ["--workers", "1", "-q"]);
    expect((await agon([...line, "--resume"])).code).toBe(0);
  });

  redisTest("a worker that can write nowhere says so", async () => {
    const { url } = await startRedis();
    const tmp = join(temporaryFolder(), "none");
    const { code, stderr } = await startAgon(["worker", url], { env: { TMPDIR: tmp } }).outcome;
    expect(code).toBe(2);
    expect(stderr).toBe(
      `${tmp}: takes no folder for what a worker needs (ENOENT); TMPDIR can name another place\n`,
    );
  });

  slow(redisTest)("a worker removes what killed ones left, and nothing else", async () => {
    const { url } = await startRedis();
    const tmp = temporaryFolder();
    mkdirSync(join(tmp, "agon-worker-nobody"));
    const killed = await startWorkerIn(tmp, url);
    const [left] = foldersIn(tmp).filter((name) => name !== "agon-worker-nobody");
    killed.child.kill("SIGKILL");
    await killed.outcome;
    expect(existsSync(join(tmp, left!))).toBe(true);
    const first = await startWorkerIn(tmp, url);
    expect(existsSync(join(tmp, left!))).toBe(false);
    expect(foldersIn(tmp)).toHaveLength(2);
    await startWorkerIn(tmp, url);
    expect(foldersIn(tmp)).toHaveLength(3);
    first.child.kill("SIGINT");
    expect((await first.outcome).code).toBe(0);
    expect(foldersIn(tmp)).toHaveLength(2);
  });
});
