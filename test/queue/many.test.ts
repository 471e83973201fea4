import { join } from "node:path";
import { expect } from "vitest";
import { Store } from "../../src/arena/store/store.ts";
import { agon, temporaryFolder, writeInto } from "../support/agon.ts";
import { peakMemoryMb } from "../support/peak-memory.ts";
import { startWorker, withoutReportTimes } from "../support/servers/queue.ts";
import { redisTest, startRedis } from "../support/servers/redis.ts";
import { ROOT } from "../support/reports.ts";
import { slow } from "../support/thorough.ts";

/** The coordinator may take so much memory for any number of games. */
const MOST_MB = 350;

slow(redisTest)(
  "30,000 short games: the table of a run here, in little memory",
  { timeout: 300_000 },
  async () => {
    const { url } = await startRedis();
    const dir = temporaryFolder();
    const config = writeInto(dir, "many.json", {
      name: "many",
      game: "tic-tac-toe",
      seed: "many",
      blocks: 15_000,
      thoughts: false,
      entrants: ["random", { name: "other", agent: "random" }],
    });
    const here = join(dir, "here");
    const there = join(dir, "there");
    const local = await agon(["run", config, "--out", here, "--workers", "1", "-q"]);
    expect(local.code).toBe(0);
    for (let count = 0; count < 2; count++) startWorker(url, ["--workers", "1", "-q"]);
    const line = ["run", config, "--out", there, "--queue", url, "-q"];
    const most = await peakMemoryMb(join(ROOT, "dist/cli/main.js"), line);
    const tables = [];
    for (const run of [here, there]) tables.push((await agon(["rate", run, "--json"])).stdout);
    expect(withoutReportTimes(tables[1]!)).toEqual(withoutReportTimes(tables[0]!));
    const [first, second] = [here, there].map((run) => Store.openExisting(run)) as [Store, Store];
    expect(second.size).toBe(30_000);
    const find = second.finder();
    for (const record of first.games()) expect(find(record.id)?.actions).toEqual(record.actions);
    for (const store of [first, second]) store.close();
    expect(most).toBeLessThan(MOST_MB);
  },
);
