import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { usageOf } from "../test/support/peak-memory.ts";

/**
 * A round robin of many entrants, one block a pairing: `agon plan` without its measurement, then `agon run` until its first
 * games are stored, as time from the start and peak memory. `npm run bench -- large-plan [ENTRANTS]`; 300 without a number.
 */
const entrants = Number(process.argv[2] ?? 300);
const main = new URL("../../dist/cli/main.js", import.meta.url).href;
const dir = mkdtempSync(join(tmpdir(), "agon-large-"));
try {
  const config = join(dir, "large.json");
  const variants = Array.from({ length: entrants }, (_, at) => ({
    name: `e${at}`,
    agent: "mcts",
    simulations: at + 1,
  }));
  writeFileSync(
    config,
    JSON.stringify({
      name: "large",
      game: "tic-tac-toe",
      blocks: 1,
      openings: { randomPlies: 2 },
      entrants: variants,
    }),
  );
  const { peakMb, cpuSeconds, seconds } = await usageOf(main, ["plan", config, "--seconds", "0"]);
  console.log(
    `agon plan: ${seconds.toFixed(2)} s, ${cpuSeconds.toFixed(2)} s of processor time, ${peakMb.toFixed(0)} MB`,
  );
  const begun = performance.now();
  const out = join(dir, "run");
  const run = spawn(process.execPath, [fileURLToPath(main), "run", config, "--out", out, "--workers", "1"]);
  const over = new Promise((resolve) => run.on("close", resolve));
  await new Promise<void>((resolve) => {
    run.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (/^\d+ of \d+ games/m.test(text)) resolve();
    });
  });
  const status = readFileSync(`/proc/${run.pid}/status`, "utf8");
  const [, kb] = /VmHWM:\s*(\d+)/.exec(status)!;
  console.log(
    `agon run, first games: ${((performance.now() - begun) / 1000).toFixed(2)} s, ${(Number(kb) / 1024).toFixed(0)} MB`,
  );
  run.kill("SIGINT");
  await over;
} finally {
  rmSync(dir, { recursive: true });
}
