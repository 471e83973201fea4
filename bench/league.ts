import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillRun } from "../test/support/made-up-run.ts";
import { peakMemoryMb } from "../test/support/peak-memory.ts";

/**
 * A large run that is made up, then exported twice by the built command line: time and peak memory.
 * `npm run bench -- league URL [BLOCKS]`; 6000 blocks are 120,000 games. The schema is bench_league, which it makes anew.
 */
const [, , url, blocks = "6000"] = process.argv;
if (url === undefined) throw new Error("npm run bench -- league postgres://HOST/DATABASE [BLOCKS]");
const { Client } = await import("pg");
const client = new Client({ connectionString: url });
await client.connect();
const dir = mkdtempSync(join(tmpdir(), "agon-league-"));
try {
  await client.query("drop schema if exists bench_league cascade");
  const games = await fillRun(dir, {
    name: "large",
    game: "connect-four",
    blocks: Number(blocks),
    openings: { randomPlies: 8 },
    entrants: Array.from({ length: 5 }, (_, at) => ({ name: `e${at}`, agent: "random" })),
  });
  const main = new URL("../../dist/cli/main.js", import.meta.url).href;
  for (const time of ["first", "second"]) {
    const began = performance.now();
    const peakMb = await peakMemoryMb(main, ["league", url, dir, "--schema", "bench_league", "--quiet"]);
    const seconds = (performance.now() - began) / 1000;
    console.log(
      `${time} time: ${games} games in ${seconds.toFixed(1)} s, ${(games / seconds).toFixed(0)} games/s, ${peakMb.toFixed(0)} MB`,
    );
  }
} finally {
  rmSync(dir, { recursive: true });
  await client.query("drop schema if exists bench_league cascade");
  await client.end();
}
