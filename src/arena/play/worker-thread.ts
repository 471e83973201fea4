import { performance } from "node:perf_hooks";
import { parentPort, workerData } from "node:worker_threads";
import type { GameRecord } from "../../ratings/record.ts";
import { createPlayer, type Player, type WorkerSetup } from "./player.ts";
import { packRecords, type Answer, type Order } from "./worker-messages.ts";

/*
 * The second thread of a worker's process. It plays. watchdog.ts watches it.
 */

/** Finished games wait at most this long before they are sent. */
const FLUSH_MS = 20;

const { status } = workerData as { status: SharedArrayBuffer };
const port = parentPort!;
/** The play of the last setup. */
let beginning: Promise<Player> | undefined;
let finished: GameRecord[] = [];
let flushedAt = 0;

function tell(answer: Answer): void {
  port.postMessage(answer);
}

function flush({ done }: { done: boolean }): void {
  if (finished.length > 0 || done) tell({ kind: "records", packed: packRecords(finished), done });
  finished = [];
  flushedAt = performance.now();
}

function keep(record: GameRecord): void {
  finished.push(record);
  if (performance.now() - flushedAt > FLUSH_MS) flush({ done: false });
}

port.on("message", (order: Order) => {
  if (order.kind === "setup") {
    beginning = begin(order.setup, beginning);
    // The first task reports the error.
    beginning.catch(() => {});
    tell({ kind: "ready" });
  } else if (order.kind === "task") {
    void playTask(order.games);
  }
});

/** Makes what plays a setup, after the end of what played the one before. */
async function begin(setup: WorkerSetup, before: Promise<Player> | undefined): Promise<Player> {
  try {
    (await before)?.close();
  } catch {
    // It could not be made.
  }
  return createPlayer(setup);
}

async function playTask(games: Extract<Order, { kind: "task" }>["games"]): Promise<void> {
  try {
    flushedAt = performance.now();
    const player = await beginning!;
    await player.play({ games, status }, keep);
    flush({ done: true });
  } catch (error) {
    flush({ done: false });
    fail(error);
  }
}

function fail(error: unknown): void {
  const known = error instanceof Error && ["GameFault", "InputError", "EndOfRun"].includes(error.name);
  const name = known ? error.name : "Error";
  const message = known ? error.message : ((error as Error).stack ?? String(error));
  tell({ kind: "failure", name, message });
}
