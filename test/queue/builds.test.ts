import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import { agon, startAgon, temporaryFolder, writeInto } from "../support/agon.ts";
import { copyOfAgon, mainOf } from "../support/copy.ts";
import { countStored, gamesOf, heard, startWorker, until } from "../support/servers/queue.ts";
import { redisTest, startRedis } from "../support/servers/redis.ts";
import { slow, slowTest } from "../support/thorough.ts";

const CONFIG = {
  name: "own",
  game: "tic-tac-toe",
  blocks: 3,
  entrants: ["random", "mcts:simulations=20"],
};

/** A worker with one changed file of a game, at a run; it is there when both have said so. */
async function meet() {
  const { url } = await startRedis();
  const dir = temporaryFolder();
  const config = writeInto(dir, "own.json", CONFIG);
  const copy = copyOfAgon();
  appendFileSync(join(copy, "dist/arena/play/worker-thread.js"), "\n// Another rule.\n");
  const stranger = startWorker(url, ["--workers", "1"], { main: mainOf(copy) });
  const told = heard(stranger.child);
  const out = join(dir, "queued");
  const run = startAgon(["run", config, "--out", out, "--queue", url, "-q"]);
  onTestFinished(() => void run.child.kill("SIGKILL"));
  const said = heard(run.child);
  await until(() => told.text.includes("gets no games") && said.text.includes("another agon"), "said");
  return { url, out, run, stranger, told: told.text, said: said.text };
}

describe("another agon", () => {
  slow(redisTest)(
    "a worker with one changed file of a game gets nothing, and everybody says so",
    async () => {
      const { out, told, said } = await meet();
      expect(told).toMatch(
        /The run "own" of \S+:\d+ gets no games from here: it is of another agon \([\d.]+, Node [\d.]+, code \w{16}; here [\d.]+, Node [\d.]+, code \w{16}\)/,
      );
      expect(said).toMatch(/No worker is there for this run\. Start some: agon worker redis:\/\/127/);
      expect(said).toMatch(
        /\S+:\d+ \([\d.]+, Node [\d.]+\): another agon than this one \([\d.]+, Node [\d.]+, code \w{16}\)/,
      );
      expect(countStored(out)).toBe(0);
    },
  );

  slow(redisTest)("is shown by its code, and one that is the same plays", async () => {
    const { url, out, run, stranger } = await meet();
    const { stdout } = await agon(["worker", url, "--list", "--json"]);
    const look = JSON.parse(stdout) as Record<"workers" | "runs", { code: string; version: string }[]>;
    expect(look.workers[0]!.version).toBe(look.runs[0]!.version);
    expect(look.workers[0]!.code).not.toBe(look.runs[0]!.code);
    const shown = (await agon(["worker", url, "--list"])).stdout;
    for (const { code } of [...look.workers, ...look.runs]) expect(shown).toContain(code.slice(0, 8));
    startWorker(url, ["--workers", "1"], { main: mainOf(copyOfAgon()) });
    expect((await run.outcome).code).toBe(0);
    expect(gamesOf(out)).toHaveLength(6);
    stranger.child.kill("SIGINT");
    expect((await stranger.outcome).stderr).toContain("Stopped; 0 games played here.");
  });
});

slowTest(
  "without BullMQ and the client of Redis all works but queues, and these say what to install",
  async () => {
    const main = mainOf(copyOfAgon({ without: ["bullmq", "ioredis"] }));
    const dir = temporaryFolder();
    const config = writeInto(dir, "own.json", CONFIG);
    const here = join(dir, "here");
    expect(await agon(["run", config, "--out", here, "--workers", "1", "-q"], { main })).toMatchObject({
      code: 0,
    });
    expect(gamesOf(here)).toHaveLength(6);
    for (const line of [["--help"], ["games"], ["rate", here], ["worker", "--help"], ["run", "--help"]])
      expect(await agon(line, { main })).toMatchObject({ code: 0 });
    const url = "redis://127.0.0.1:1/0";
    const queued = ["run", config, "--out", join(dir, "queued"), "--queue", url, "-q"];
    for (const line of [["worker", url], ["worker", url, "--list"], queued]) {
      const { code, stderr } = await agon(line, { main });
      expect(code).toBe(2);
      expect(stderr).toBe(
        "queues need two more packages, which are not installed; say: npm install bullmq ioredis\n",
      );
    }
  },
);
