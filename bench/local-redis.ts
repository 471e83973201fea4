import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../build/cli/main.js", import.meta.url));

/** A module of the built program: a worker takes jobs of the same code alone. */
export async function built<Module>(path: string): Promise<Module> {
  return (await import(new URL(`../../build/${path}`, import.meta.url).href)) as Module;
}

/** The parts of the built program that both benchmarks of runs over a queue use. */
export const program = {
  ...(await built<typeof import("../src/arena/plan/config.ts")>("arena/plan/config.js")),
  ...(await built<typeof import("../src/arena/play/run.ts")>("arena/play/run.js")),
  ...(await built<typeof import("../src/arena/store/run-folder.ts")>("arena/store/run-folder.js")),
  ...(await built<typeof import("../src/queue/coordinator/queued-players.ts")>(
    "queue/coordinator/queued-players.js",
  )),
  ...(await built<typeof import("../src/queue/redis.ts")>("queue/redis.js")),
  ...(await built<typeof import("../src/queue/roster.ts")>("queue/roster.js")),
};

/** A Redis of a benchmark's own. It logs every command, as docs/many-machines.md advises. */
export interface LocalRedis {
  readonly url: string;
  readonly pid: number;
  end(): Promise<void>;
}

/** Starts a Redis at a free port. */
export async function startLocalRedis(): Promise<LocalRedis> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  const dir = mkdtempSync(join(tmpdir(), "agon-redis-"));
  const options = ["--bind", "127.0.0.1", "--dir", dir, "--save", "", "--appendonly", "yes"];
  const child = spawn("redis-server", ["--port", String(port), ...options], { stdio: "ignore" });
  for (let tries = 0; !(await answers(port)); tries++) {
    if (tries === 200) throw new Error("redis-server does not start");
    await sleep(25);
  }
  return {
    url: `redis://127.0.0.1:${port}/0`,
    pid: child.pid!,
    async end() {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await gone;
      rmSync(dir, { recursive: true });
    },
  };
}

async function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true));
    socket.on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}

/** Starts the built command line; LOUD=1 shows its output. */
export function startAgon(args: readonly string[]): ChildProcess {
  const { LOUD, WORKER_NODE_OPTIONS = "" } = process.env;
  const nodeArgs = WORKER_NODE_OPTIONS.split(" ").filter(Boolean);
  return spawn(process.execPath, [...nodeArgs, MAIN, ...args], {
    stdio: LOUD === "1" ? "inherit" : "ignore",
  });
}

/** Clock ticks a second in /proc, which Linux has everywhere. */
const TICKS = 100;

/** The processor time of a process, from /proc. */
interface ProcessTimes {
  readonly parent: number;
  /** Processor time so far, in seconds, of all its threads. */
  readonly own: number;
  /** The same of its children that have ended. */
  readonly ended: number;
}

function timesOf(pid: number | string): ProcessTimes {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ")
    .map(Number);
  const [own, ended] = [fields[11]! + fields[12]!, fields[13]! + fields[14]!];
  return { parent: fields[1]!, own: own / TICKS, ended: ended / TICKS };
}

/** The processor time of a process so far, in seconds, without its children. Linux alone. */
export function processorSeconds(pid: number): number {
  return timesOf(pid).own;
}

/** The processor time so far, in seconds, of a process and of all below it. Linux alone. */
export function treeSeconds(root: number): number {
  const all = new Map<number, ProcessTimes>();
  for (const name of readdirSync("/proc").filter((one) => /^\d+$/.test(one))) {
    try {
      all.set(Number(name), timesOf(name));
    } catch {
      // It has just ended.
    }
  }
  const isBelow = (pid: number): boolean => pid === root || (all.has(pid) && isBelow(all.get(pid)!.parent));
  let sum = 0;
  for (const [pid, { own, ended }] of all) if (isBelow(pid)) sum += own + ended;
  return sum;
}
