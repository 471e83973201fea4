import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync } from "node:fs";
import { connect as openSocket, createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { threadId } from "node:worker_threads";
import { onTestFinished, test } from "vitest";
import { temporaryFolder } from "../agon.ts";

const isInstalled = (() => {
  try {
    execFileSync("redis-server", ["--version"]);
    return true;
  } catch {
    return false;
  }
})();

/** True if queues are tested here; with AGON_SERVICES=1 they must be. */
export const hasRedis = isInstalled || process.env["AGON_SERVICES"] === "1";

/** A test that needs a Redis of its own. */
export const redisTest = test.runIf(hasRedis);

/** Prints once, before all tests, which tests are left out (vitest's `globalSetup`). */
export function setup(): void {
  if (!hasRedis) process.stderr.write("No redis-server here: the tests of queues are left out.\n");
}

/** Below the ports that systems give to connections, which could take one between the look and its use. */
const PORTS = { from: 10_000, to: 30_000 };
let lastPort = PORTS.from + ((process.pid * 37 + threadId * 1009) % (PORTS.to - PORTS.from));

/** A port that is free now; no other thread of the tests is likely to ask for the same. */
export async function freePort(): Promise<number> {
  do lastPort = lastPort + 1 < PORTS.to ? lastPort + 1 : PORTS.from;
  while (!(await isFree(lastPort)));
  return lastPort;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listens = await new Promise<boolean>((resolve) => {
    server.on("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
  if (listens) await new Promise((closed) => server.close(closed));
  return listens;
}

/** A Redis of a test's own. */
export interface TestRedis {
  readonly port: number;
  readonly url: string;
  /** Ends it at once; with `keeps`, acknowledged data are there after `start`, otherwise no data are. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a Redis that ends with the test; with `tls`, which says what keys it has, all connections are encrypted. */
export async function startRedis({
  keeps = false,
  args = [],
  tls = [],
}: { keeps?: boolean; args?: readonly string[]; tls?: readonly string[] } = {}): Promise<TestRedis> {
  const port = await freePort();
  const dir = join(temporaryFolder(), "redis");
  mkdirSync(dir);
  const persistence = keeps ? ["--appendonly", "yes", "--appendfsync", "always"] : ["--appendonly", "no"];
  const ports =
    tls.length === 0 ? ["--port", String(port)] : ["--port", "0", "--tls-port", String(port), ...tls];
  const base = [...ports, "--bind", "127.0.0.1", "--dir", dir, "--save", "", ...persistence];
  let child: ChildProcess | undefined;
  const redis: TestRedis = {
    port,
    url: `redis://127.0.0.1:${port}/0`,
    async start() {
      child = spawn("redis-server", [...base, ...args], { stdio: "ignore" });
      await answers(port);
    },
    async kill() {
      const gone = new Promise((resolve) => child?.once("exit", resolve));
      child?.kill("SIGKILL");
      await gone;
    },
  };
  onTestFinished(() => void child?.kill("SIGKILL"));
  await redis.start();
  return redis;
}

/** Waits until something listens. */
async function answers(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = openSocket(port, "127.0.0.1", () => resolve(true));
      socket.on("error", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });
    if (isThere) return;
    await sleep(25);
  }
  throw new Error(`nothing listens at port ${port}`);
}
