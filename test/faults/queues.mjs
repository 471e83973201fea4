/*
 * Queues: a tournament is played by workers over a Redis of its own, while workers, coordinators and Redis are killed and
 * stopped at random moments, and somebody forges entries and keys. A worker whose code plays otherwise gets no games, one
 * whose pages differ plays. The games must be those of an undisturbed run here.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Redis as Client } from "ioredis";
import { compareGames, ENTRANTS, TOURNAMENTS } from "./kills.mjs";
import { agon, atMost, copyWith, ending, gamesOf, killGroup, put, start, watchOver } from "./support.mjs";

const MAX_KILLS = 16;
const LIMIT_MS = 240_000;
/** A killed or stopped program is away for at most this long. */
const AWAY_MS = 1500;
/** Between two kills, at most. */
const PEACE_MS = 3000;

/** A change of the code that plays, which its games would show, and one of a file that only shows. */
const PLAYS_OTHERWISE = ["shared/worker-messages.js", 'detail: ""', 'detail: "of another agon"'];
const SHOWS_OTHERWISE = ["report/page/page.js", "", "/* another page */"];

/** True if a Redis can be started here. */
export function hasRedis() {
  try {
    execFileSync("redis-server", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

export async function queuesCase({ dir, dice, report }) {
  const config = {
    ...dice.pick(TOURNAMENTS),
    name: "queued",
    seed: dice.below(1000),
    entrants: dice.draw(ENTRANTS, dice.between(3, 4)),
  };
  const path = put(join(dir, "config.json"), config);
  const options = { cwd: dir, limitMs: LIMIT_MS };
  const undisturbed = await agon(["run", path, "--out", "whole", "-q", "--workers", "1"], options);
  if (undisturbed.code !== 0) {
    report(`undisturbed, ${ending(undisturbed)}`);
    return 0;
  }
  const redis = new Redis(join(dir, "redis"), { keeps: dice.chance(0.5) });
  await redis.start();
  const url = `redis://127.0.0.1:${redis.port}/0`;
  const work = (more) =>
    start(["worker", url, "--workers", "1", "--lost-after", "1", "-q"], { ...options, ...more });
  const program = dice.chance(0.3) ? copyWith(join(dir, "twin"), SHOWS_OTHERWISE) : undefined;
  const play = () => work({ program });
  const coordinate = () => start(["run", path, "--out", "queued", "--queue", url, "--resume", "-q"], options);
  const workers = Array.from({ length: dice.between(1, 3) }, play);
  const strangers = dice.chance(0.3)
    ? [work({ program: copyWith(join(dir, "stranger"), PLAYS_OTHERWISE) })]
    : [];
  let coordinator = coordinate();
  let kills = 0;
  try {
    for (let left = dice.between(1, MAX_KILLS); left > 0 && coordinator.child.exitCode === null; left--) {
      await atMost(dice.below(PEACE_MS), coordinator.outcome);
      kills++;
      const away = dice.below(AWAY_MS);
      const sort = dice.pick(["worker", "worker", "stopped worker", "coordinator", "redis", "forger"]);
      const at = dice.below(workers.length);
      if (sort === "worker") {
        workers[at].child.kill("SIGKILL");
        await setTimeout(away);
        workers[at] = play();
      } else if (sort === "stopped worker") {
        workers[at].child.kill("SIGSTOP");
        await setTimeout(2 * away);
        workers[at].child.kill("SIGCONT");
      } else if (sort === "coordinator") {
        coordinator.child.kill(dice.pick(["SIGKILL", "SIGINT"]));
        await coordinator.outcome;
        await setTimeout(away);
        coordinator = coordinate();
      } else if (sort === "forger") {
        await forge(redis.port, away, dice);
      } else {
        await redis.kill();
        await setTimeout(away);
        await redis.start();
      }
    }
    const last = await coordinator.outcome;
    if (last.code !== 0) report(`after ${kills} kills, ${ending(last)}`, { kind: "the end", ...last });
    else compareGames(gamesOf(join(dir, "whole")), gamesOf(join(dir, "queued")), report);
  } finally {
    killGroup(coordinator.child);
    for (const { child } of [...workers, ...strangers]) killGroup(child);
    await redis.kill();
  }
  return kills;
}

/** Writes what another program could: entries of workers and runs, malformed results, and for `away` ms keys of another type. */
async function forge(port, away, dice) {
  const client = new Client(port, { maxRetriesPerRequest: null });
  client.on("error", () => {});
  const [seconds] = await client.time();
  const runs = Object.values(await client.hgetall("agon:runs").catch(() => ({}))).map((text) =>
    JSON.parse(text),
  );
  const { id = "0".repeat(24), code = "0".repeat(16) } = runs[0] ?? {};
  const about = {
    host: "nowhere",
    pid: 1,
    version: "1",
    node: "20",
    code,
    plugins: false,
    at: 1000 * seconds,
  };
  const worker = { ...about, workers: dice.pick([1, 4096, 1e9]), runs: [], games: 0, gamesPerSecond: 0 };
  const run = { ...about, id, name: "x".repeat(dice.pick([1, 1e6])), stopped: false, done: -1, total: 1e15 };
  const key = dice.pick(["agon:workers", "agon:runs", `agon:results-${id}:id`]);
  switch (dice.below(4)) {
    case 0: {
      const names = Array.from({ length: dice.pick([1, 100, 5000]) }, (_, at) => `forged-${at}`);
      const entries = names.map((name) => [name, JSON.stringify({ ...worker, id: name })]);
      await client.hset("agon:workers", Object.fromEntries(entries));
      break;
    }
    case 1:
      await client.hset("agon:runs", "f".repeat(24), JSON.stringify({ ...run, id: "f".repeat(24) }));
      break;
    case 2:
      await client.hset(`agon:results-${id}:forged`, {
        data: dice.pick(["{", "7", '{"job":1}']),
        opts: "{}",
      });
      await client.lpush(`agon:results-${id}:wait`, "forged");
      break;
    default:
      await client.del(key);
      await client.lpush(key, "x");
      await setTimeout(away);
      await client.del(key);
  }
  client.disconnect();
}

/** A Redis of the case's own. */
class Redis {
  constructor(dir, { keeps }) {
    this.dir = dir;
    this.keeps = keeps;
    mkdirSync(dir);
  }

  async start() {
    this.port ??= await freePort();
    const kept = this.keeps ? ["--appendonly", "yes", "--appendfsync", "always"] : [];
    const where = ["--port", this.port, "--bind", "127.0.0.1", "--dir", this.dir, "--save", ""].map(String);
    this.child = spawn("redis-server", [...where, ...kept], { stdio: "ignore", detached: true });
    watchOver(this.child);
  }

  async kill() {
    const gone = new Promise((resolve) => this.child.once("exit", resolve));
    killGroup(this.child);
    await gone;
  }
}

async function freePort() {
  const server = createServer();
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}
