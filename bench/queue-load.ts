import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { processorSeconds, program, startLocalRedis } from "./local-redis.ts";

/*
 * A coordinator and a Redis under the load of many fake workers (bench/fake-workers.ts), all on this machine: games and
 * jobs a second, and the cost of each. The first seconds do not count.
 *
 * npm run bench -- queue-load WORKERS GAME_MS [SECONDS [WAIT_MS]]: games claim to take GAME_MS; WAIT_MS is what they
 * take
 */

const { lookAtQueue, openQueuedPlayers, openRun, parseQueueUrl, planTournament, runTournament } = program;

const PROCESSES = 4;
const WARM_UP_S = 8;
const [workers = 200, gameMs = 10, seconds = 15, waitMs = gameMs] = process.argv.slice(2).map(Number);

const redis = await startLocalRedis();
const dir = mkdtempSync(join(tmpdir(), "agon-load-"));
const script = fileURLToPath(new URL("fake-workers.js", import.meta.url));
const shares = Array.from({ length: PROCESSES }, (_, at) => Math.floor((workers + at) / PROCESSES));
const fakes = shares
  .filter((share) => share > 0)
  .map((share) =>
    spawn(process.execPath, [script, redis.url, ...[share, gameMs, waitMs].map(String)], {
      stdio: "inherit",
    }),
  );
try {
  const address = parseQueueUrl(redis.url);
  while ((await lookAtQueue(address, () => {})).workers.length < workers) await sleep(500);
  const config = {
    name: "load",
    game: "connect-four",
    blocks: 5_000_000,
    openings: { randomPlies: 4 },
    entrants: ["random", "random"].map((agent, at) => ({ name: `entrant ${at + 1}`, agent })),
  };
  const { plan, store } = openRun(dir, await planTournament(config, { baseDir: "." }), { resume: false });
  const told = { games: 0, jobs: 0, commits: 0, storeMs: 0, waits: [] as number[] };
  const add = store.add.bind(store);
  store.add = (records) => {
    const [begun, cpu] = [performance.now(), process.cpuUsage()];
    add(records);
    const [ms, used] = [performance.now() - begun, process.cpuUsage(cpu)];
    told.games += records.length;
    told.commits++;
    told.storeMs += (used.user + used.system) / 1000;
    told.waits.push(ms - (used.user + used.system) / 1000);
  };
  const players = await openQueuedPlayers({ address, plan, store, dir, onNote: console.error });
  const play = players.play.bind(players);
  players.play = async (task) => {
    const records = await play(task);
    told.jobs++;
    return records;
  };
  const controller = new AbortController();
  const running = runTournament({ plan, store, dir, players, signal: controller.signal });
  await sleep(WARM_UP_S * 1000);
  Object.assign(told, { games: 0, jobs: 0, commits: 0, storeMs: 0, waits: [] });
  const cpu = () => [process.pid, redis.pid].map(processorSeconds);
  const [before, begun] = [cpu(), performance.now()];
  await sleep(seconds * 1000);
  const { games, jobs, commits, storeMs, waits } = structuredClone(told);
  const [spent, passed] = [cpu().map((time, at) => time - before[at]!), (performance.now() - begun) / 1000];
  controller.abort();
  await running;
  store.close();
  const [coordinator, server] = spent as [number, number];
  const row = {
    workers,
    gameMs,
    "games/s": games / passed,
    "jobs/s": jobs / passed,
    "coordinator busy": coordinator / passed,
    "redis busy": server / passed,
    "coordinator us/game": (coordinator * 1e6) / games,
    "coordinator us/job": (coordinator * 1e6) / jobs,
    "store us/game": (storeMs * 1000) / games,
    "commits/s": commits / passed,
    "disk ms/commit (median)": waits.toSorted((a, b) => a - b)[waits.length >> 1] ?? 0,
    "redis us/game": (server * 1e6) / games,
    "redis us/job": (server * 1e6) / jobs,
  };
  for (const [name, value] of Object.entries(row)) console.log(`${name.padEnd(24)} ${value.toPrecision(4)}`);
} finally {
  for (const child of fakes) child.kill("SIGKILL");
  await redis.end();
  rmSync(dir, { recursive: true, force: true });
}
process.exit();
