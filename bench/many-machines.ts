import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { processorSeconds, program, startAgon, startLocalRedis, treeSeconds } from "./local-redis.ts";

/*
 * Connect four tournaments over a queue, all on this machine: Redis, one `agon worker --workers 2`, and the coordinator in
 * this process. Only the run is timed: when it begins, the worker is at the queue. Each round has a seed of its own, so that
 * both ways start their two processes for games within it. On a machine with other work, compare the processor times.
 *
 * npm run bench -- many-machines random [BLOCKS [ROUNDS]]: over the queue against 2 local workers, in turns
 * npm run bench -- many-machines search [BLOCKS [ROUNDS]]: the same with agents that think
 * npm run bench -- many-machines large [BLOCKS]: one run over the queue, and the memory that it takes
 */

const { lookAtQueue, openQueuedPlayers, openRun, parseQueueUrl, planTournament, runTournament } = program;

const WORKERS = 2;
const RANDOM = [{ agent: "random" }, { agent: "random" }];
const KINDS: Readonly<Record<string, { blocks: number; rounds: number; entrants: readonly object[] }>> = {
  random: { blocks: 50_000, rounds: 3, entrants: RANDOM },
  search: {
    blocks: 150,
    rounds: 3,
    entrants: [
      { agent: "alpha-beta", nodes: 20_000, evaluator: "threats" },
      { agent: "mcts", simulations: 3000 },
    ],
  },
  large: { blocks: 500_000, rounds: 1, entrants: RANDOM },
};

const [kind = "random", blocks, rounds] = process.argv.slice(2);
const { entrants, ...sizes } = KINDS[kind]!;

/** Plays a tournament, over the queue if there is one, and returns the seconds that it takes. */
async function play(
  count: number,
  seed: number,
  queue?: string,
): Promise<{ games: number; seconds: number }> {
  const dir = mkdtempSync(join(tmpdir(), "agon-bench-"));
  const named = entrants.map((entrant, index) => ({ name: `entrant ${index + 1}`, ...entrant }));
  const config = {
    name: "bench",
    game: "connect-four",
    seed,
    blocks: count,
    openings: { randomPlies: 4 },
    entrants: named,
  };
  const { plan, store } = openRun(dir, await planTournament(config, { baseDir: "." }), { resume: false });
  const address = queue === undefined ? undefined : parseQueueUrl(queue);
  const onNote = (text: string) => console.error(text);
  const players = address && (await openQueuedPlayers({ address, plan, store, dir, onNote }));
  const begun = performance.now();
  const { played: games } = await runTournament({ plan, store, dir, workers: WORKERS, players });
  const seconds = (performance.now() - begun) / 1000;
  store.close();
  rmSync(dir, { recursive: true });
  return { games, seconds };
}

const redis = await startLocalRedis();
const worker = startAgon(["worker", redis.url, "--workers", String(WORKERS), "--quiet"]);
const processes = { coordinator: process.pid, Redis: redis.pid, worker: worker.pid! };
try {
  while ((await lookAtQueue(parseQueueUrl(redis.url), () => {})).workers.length === 0) await sleep(200);
  const best = { here: Infinity, queue: Infinity };
  const work = { here: Infinity, queue: Infinity };
  for (let round = 0; round < Number(rounds ?? sizes.rounds); round++) {
    for (const how of kind === "large" ? (["queue"] as const) : (["here", "queue"] as const)) {
      const count = Number(blocks ?? sizes.blocks);
      const before = Object.values(processes).map(processorSeconds);
      const allBefore = treeSeconds(process.pid);
      const { games, seconds } = await play(count, round, how === "queue" ? redis.url : undefined);
      // Workers that were ended are counted once they are gone.
      await sleep(300);
      const all = treeSeconds(process.pid) - allBefore;
      best[how] = Math.min(best[how], seconds);
      work[how] = Math.min(work[how], all);
      const us = (time: number) => ((time / games) * 1e6).toFixed(1);
      const parts = Object.entries(processes).map(
        ([name, pid], at) => `${name} ${us(processorSeconds(pid) - before[at]!)}`,
      );
      const split = how === "queue" ? ` (${parts.join(", ")}, the rest the games)` : "";
      console.log(
        `${how}: ${games} games, ${seconds.toFixed(2)} s, ${(games / seconds).toPrecision(4)} games/s; ` +
          `processor time ${us(all)} us a game${split}`,
      );
    }
  }
  if (kind === "large") {
    const [, peakKb] = /VmHWM:\s*(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))!;
    console.log(`peak memory of the coordinator: ${(Number(peakKb) / 1024).toFixed(0)} MB`);
  } else {
    const [speed, cost] = [best.here / best.queue, work.here / work.queue];
    console.log(
      `over the queue against here, best of each: ${speed.toFixed(3)} by time, ${cost.toFixed(3)} by processor time`,
    );
  }
} finally {
  worker.kill("SIGKILL");
  await redis.end();
}
process.exit();
