import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { usageOf } from "../test/support/peak-memory.ts";
import { fillRun } from "../test/support/made-up-run.ts";

/**
 * A large run that is made up, then rated and reported by the built command line: time from start to end, processor time and peak memory, the best of
 * three runs.
 * `npm run bench -- large-run [ENTRANTS [BLOCKS]]`; 5 and 60,000 are 1,200,000 games.
 */
const entrants = Number(process.argv[2] ?? 5);
const blocks = Number(process.argv[3] ?? 60_000);
const dir = mkdtempSync(join(tmpdir(), "agon-large-"));
try {
  const start = performance.now();
  const games = await fillRun(dir, {
    name: "large",
    game: "connect-four",
    blocks,
    openings: { randomPlies: 8 },
    entrants: Array.from({ length: entrants }, (_, at) => ({ name: `e${at}`, agent: "random" })),
  });
  console.log(`${games} games made up in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  const main = new URL("../../dist/cli/main.js", import.meta.url).href;
  for (const args of [
    ["rate", dir],
    ["report", dir],
  ]) {
    const runs = [await usageOf(main, args), await usageOf(main, args), await usageOf(main, args)];
    const { peakMb, cpuSeconds, seconds } = runs.toSorted((a, b) => a.seconds - b.seconds)[0];
    console.log(
      `agon ${args.join(" ")}: ${seconds.toFixed(2)} s, ${cpuSeconds.toFixed(2)} s of processor time, ${peakMb.toFixed(0)} MB`,
    );
  }
} finally {
  rmSync(dir, { recursive: true });
}
