import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { planTournament } from "../src/arena/plan/config.ts";
import { runTournament } from "../src/arena/play/run.ts";
import { openRun } from "../src/arena/store/run-folder.ts";

/** Connect four tournaments into SQLite: `random` for games a second, `search` for 1 worker against 2. */
const CONFIGS: Readonly<
  Record<string, { blocks: number; workers: readonly number[]; entrants: readonly object[] }>
> = {
  random: { blocks: 100_000, workers: [2], entrants: [{ agent: "random" }, { agent: "random" }] },
  search: {
    blocks: 150,
    workers: [1, 2, 1, 2],
    entrants: [
      { agent: "alpha-beta", nodes: 20_000, evaluator: "threats" },
      { agent: "mcts", simulations: 3000 },
    ],
  },
};

const { blocks, workers, entrants } = CONFIGS[process.argv[2] ?? "random"]!;
const times: number[][] = [];
for (const count of workers) {
  const dir = mkdtempSync(join(tmpdir(), "agon-bench-"));
  const config = {
    name: "bench",
    game: "connect-four",
    blocks,
    openings: { randomPlies: 4 },
    entrants: entrants.map((entrant, index) => ({ name: `entrant ${index + 1}`, ...entrant })),
  };
  const { plan, store } = openRun(dir, await planTournament(config, { baseDir: "." }), { resume: false });
  const begun = performance.now();
  const { played } = await runTournament({ plan, store, dir, workers: count });
  const seconds = (performance.now() - begun) / 1000;
  store.close();
  rmSync(dir, { recursive: true });
  (times[count] ??= []).push(seconds);
  console.log(
    `${played} games, ${count} workers: ${seconds.toFixed(2)} s, ${(played / seconds).toFixed(0)} games/s`,
  );
}
if (times[1] !== undefined && times[2] !== undefined) {
  console.log(`1 worker / 2 workers: ${(Math.min(...times[1]) / Math.min(...times[2])).toFixed(2)}`);
}
