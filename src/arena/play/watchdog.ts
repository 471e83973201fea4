import { performance } from "node:perf_hooks";
import process from "node:process";
import { Worker } from "node:worker_threads";
import {
  GAME,
  GROWTH,
  IDLE,
  MAKING,
  RSS_KB,
  RUNNING,
  SEAT,
  STATUS_BYTES,
  STOP,
  WAITING,
  WATCH_INTERVAL_MS,
  WorkClock,
} from "./watch.ts";
import type { WorkerOptions } from "./worker-fork.ts";
import type { Answer, Fault, Order } from "./worker-messages.ts";

/*
 * The first thread of a worker's process. It watches the time and the memory that the second one takes, which plays. It
 * cannot stop the end of the whole process: worker-pool.ts notices that.
 */

const ALIVE_INTERVAL_MS = 1000;
/** An agent may take this long to be made, if a decision may not take longer. */
const MAKING_MS = 10_000;
const IDLE_MS = 60_000;

const { memoryMb, careful } = JSON.parse(process.argv[2]!) as WorkerOptions;
const status = new Int32Array(new SharedArrayBuffer(STATUS_BYTES));
let clock = clockOf(IDLE_MS);
/** True while a task is played. */
let atWork = false;
/** True after the end of the thread was reported. */
let ended = false;
let toldAt = performance.now();
/** The memory of the process at the last look. */
let rssKb = 0;

const thread = new Worker(new URL("worker-thread.js", import.meta.url), {
  workerData: { status: status.buffer, careful },
  resourceLimits: { maxOldGenerationSizeMb: memoryMb },
});

/** The clock for decisions that may take `moveMs`. */
function clockOf(moveMs: number): WorkClock {
  return new WorkClock({
    moveMs,
    makingMs: Math.max(moveMs, MAKING_MS),
    idleMs: Math.max(moveMs, IDLE_MS),
  });
}

function tell(answer: Answer): void {
  if (ended) return;
  toldAt = performance.now();
  if (answer.kind === "fault" || answer.kind === "failure") ended = true;
  process.send?.(answer);
}

/** Tells that the game at hand has failed by an agent. */
function blame(ending: Fault["ending"], detail: string, { certain }: { certain: boolean }): void {
  const atSeat = Atomics.load(status, SEAT);
  const running = careful ? Atomics.load(status, RUNNING) : IDLE;
  const seat = running === IDLE ? atSeat : running;
  const game = Atomics.load(status, GAME);
  tell({ kind: "fault", game, seat, ending, detail, certain: careful || certain });
}

thread.on("message", (answer: Answer) => {
  if (answer.kind === "checked" || (answer.kind === "records" && answer.done)) atWork = false;
  tell(answer);
});
thread.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "ERR_WORKER_OUT_OF_MEMORY") outOfMemory();
  else blame("worker died", `${error.name}: ${error.message}`, { certain: false });
});
thread.on("exit", (code) =>
  blame("worker died", `its thread ended with exit code ${code}`, { certain: false }),
);

process.on("message", (order: Order) => {
  if (order.kind === "stop") {
    Atomics.store(status, STOP, 1);
    return;
  }
  if (order.kind === "setup") clock = clockOf(order.setup.plan.moveTimeoutMs);
  else {
    if (order.kind === "dry run") clock = clockOf(order.limitMs);
    status.fill(0);
    Atomics.store(status, SEAT, IDLE);
    Atomics.store(status, RUNNING, IDLE);
    clock.reset();
    atWork = true;
  }
  thread.postMessage(order);
});
// The program decides when its workers end: Ctrl-C and Ctrl-\ reach them too.
process.on("SIGINT", () => {});
if (process.platform !== "win32") process.on("SIGQUIT", () => {});
// The program has ended. A thread that waits in native code would keep the process from its usual end.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
if (!process.connected) process.kill(process.pid, "SIGKILL");
// The output of agents is lost when nobody reads it.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

/** Reports that the worker has too much memory. The memory is charged to the agent that was deciding when it grew most. */
function outOfMemory(): void {
  const detail = `its worker took more than ${memoryMb} MB`;
  if (!careful) {
    blame("out of memory", detail, { certain: false });
    return;
  }
  const growth = Array.from(status.subarray(GROWTH));
  const running = Atomics.load(status, RUNNING);
  if (running !== IDLE) growth[running]! += rssKb - Atomics.load(status, RSS_KB);
  const most = growth.indexOf(Math.max(...growth));
  const seat = growth[most]! > 0 ? most : Atomics.load(status, SEAT);
  const game = Atomics.load(status, GAME);
  tell({ kind: "fault", game, seat, ending: "out of memory", detail, certain: true });
}

setInterval(() => {
  const now = performance.now();
  if (now - toldAt > ALIVE_INTERVAL_MS) tell({ kind: "alive" });
  if (!atWork) return;
  const limit = clock.look(status, now);
  rssKb = Math.ceil(process.memoryUsage.rss() / 1024);
  if (rssKb > memoryMb * 1024) outOfMemory();
  if (limit === undefined) return;
  if (Atomics.load(status, SEAT) === IDLE) {
    const message = `the rules of the game did not come to an end within ${limit} ms`;
    tell({ kind: "failure", name: "GameFault", message });
  } else {
    const waiting = Atomics.load(status, WAITING) !== 0;
    const what = Atomics.load(status, MAKING) === 0 ? "no action" : "the agent was not made";
    blame("time-out", `${what} within ${limit} ms`, { certain: !waiting });
  }
}, WATCH_INTERVAL_MS);
