import { performance } from "node:perf_hooks";
// oxlint-disable-next-line no-restricted-imports -- it is the worker's process
import process from "node:process";
import { Worker } from "node:worker_threads";
import { GAME, IDLE, SEAT, STATUS_BYTES, STOP, WATCH_INTERVAL_MS, WorkClock } from "./watch.ts";
import type { WorkerOptions } from "./worker-fork.ts";
import type { Answer, Fault, Order } from "./worker-messages.ts";

/*
 * The first thread of a worker's process. It watches the time and the memory that the second one takes, which plays. It
 * cannot stop the end of the whole process: worker-pool.ts notices that.
 */

const ALIVE_INTERVAL_MS = 1000;
const IDLE_MS = 60_000;

const { memoryMb } = JSON.parse(process.argv[2]!) as WorkerOptions;
const status = new Int32Array(new SharedArrayBuffer(STATUS_BYTES));
let clock = clockOf(IDLE_MS);
/** True while a task is played. */
let atWork = false;
/** True after the end of the thread was reported. */
let ended = false;
let toldAt = performance.now();

const thread = new Worker(new URL("worker-thread.js", import.meta.url), {
  workerData: { status: status.buffer },
  resourceLimits: { maxOldGenerationSizeMb: memoryMb },
});

/** The clock for decisions that may take `moveMs`. */
function clockOf(moveMs: number): WorkClock {
  return new WorkClock({ moveMs, idleMs: Math.max(moveMs, IDLE_MS) });
}

function tell(answer: Answer): void {
  if (ended) return;
  toldAt = performance.now();
  if (answer.kind === "fault" || answer.kind === "failure") ended = true;
  process.send?.(answer);
}

/** Tells that the game at hand has failed while an agent decided, or nobody did. */
function blame(ending: Fault["ending"], detail: string): void {
  tell({ kind: "fault", game: Atomics.load(status, GAME), seat: Atomics.load(status, SEAT), ending, detail });
}

thread.on("message", (answer: Answer) => {
  if (answer.kind === "records" && answer.done) atWork = false;
  tell(answer);
});
thread.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "ERR_WORKER_OUT_OF_MEMORY") outOfMemory();
  else tell({ kind: "failure", name: error.name, message: error.stack ?? error.message });
});
thread.on("exit", (code) => blame("worker died", `its thread ended with exit code ${code}`));

process.on("message", (order: Order) => {
  if (order.kind === "stop") {
    Atomics.store(status, STOP, 1);
    return;
  }
  if (order.kind === "setup") clock = clockOf(order.setup.plan.moveTimeoutMs);
  else {
    status.fill(0);
    Atomics.store(status, SEAT, IDLE);
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
// The output of a user's game is lost when nobody reads it.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

function outOfMemory(): void {
  blame("out of memory", `its worker took more than ${memoryMb} MB`);
}

setInterval(() => {
  const now = performance.now();
  if (now - toldAt > ALIVE_INTERVAL_MS) tell({ kind: "alive" });
  if (!atWork) return;
  const limit = clock.look(status, now);
  if (process.memoryUsage.rss() > memoryMb * 2 ** 20) outOfMemory();
  if (limit === undefined) return;
  if (Atomics.load(status, SEAT) !== IDLE) {
    blame("time-out", `no action within ${limit} ms`);
    return;
  }
  const message = `the rules of the game did not come to an end within ${limit} ms`;
  tell({ kind: "failure", name: "GameFault", message });
}, WATCH_INTERVAL_MS);
