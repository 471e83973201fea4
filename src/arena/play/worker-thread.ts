import { writeSync } from "node:fs";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { parentPort, workerData } from "node:worker_threads";
import { describeThrown, theirPlaceOf } from "../../base/thrown.ts";
import type { GameRecord } from "../../ratings/record.ts";
import { createPlayer, PAST, type Player } from "./player.ts";
import { GAME, GROWTH, IDLE, RSS_KB, RUNNING, SEAT, WAITING } from "./watch.ts";
import { TRAIL_FD, type Answer, type Fault, type Order } from "./worker-messages.ts";

/*
 * The second thread of a worker's process. It plays, and here the agents' code runs. worker.ts watches it.
 */

/** Finished games wait at most this long before they are sent. */
const FLUSH_MS = 20;

const { status, careful } = workerData as { status: SharedArrayBuffer; careful: boolean };
const ints = new Int32Array(status);
const port = parentPort!;
const exit = process.exit.bind(process);
let player: Player | undefined;
let beginning: Promise<Player>;
let finished: GameRecord[] = [];
let flushedAt = 0;

function tell(answer: Answer): void {
  port.postMessage(answer);
}

function flush({ done }: { done: boolean }): void {
  if (finished.length > 0 || done) tell({ kind: "records", json: JSON.stringify(finished), done });
  finished = [];
  flushedAt = performance.now();
}

function keep(record: GameRecord): void {
  finished.push(record);
  if (performance.now() - flushedAt > FLUSH_MS) flush({ done: false });
}

port.on("message", (order: Order) => {
  if (order.kind === "setup") {
    beginning = createPlayer(order.setup, careful ? { trail: leaveTrail } : {});
    // Whoever plays hears of it.
    beginning.catch(() => {});
  } else if (order.kind === "task") {
    void playTask(order.games);
  }
});

async function playTask(games: Extract<Order, { kind: "task" }>["games"]): Promise<void> {
  try {
    flushedAt = performance.now();
    player = await beginning;
    await player.play({ games, status }, keep);
    flush({ done: true });
  } catch (error) {
    flush({ done: false });
    const known = error instanceof Error && ["GameFault", "InputError"].includes(error.name);
    const name = error instanceof Error ? error.name : "Error";
    const message = known ? error.message : ((error as Error).stack ?? String(error));
    tell({ kind: "failure", name, message });
  }
}

/** Writes down whose code runs from now on, at once, so that it is known even if the process ends. */
function leaveTrail(seat: number): void {
  const rssKb = Math.ceil(process.memoryUsage.rss() / 1024);
  const before = Atomics.load(ints, RUNNING);
  if (before !== IDLE) Atomics.add(ints, GROWTH + before, rssKb - Atomics.load(ints, RSS_KB));
  Atomics.store(ints, RSS_KB, rssKb);
  Atomics.store(ints, RUNNING, seat);
  writeSync(TRAIL_FD, `${Atomics.load(ints, GAME)} ${seat}\n`);
}

/** Tells that the game at hand has failed, and whose fault it is. */
function blame(
  seat: number,
  fault: Pick<Fault, "ending" | "detail">,
  { certain }: { certain: boolean },
): void {
  flush({ done: false });
  tell({ kind: "fault", game: Atomics.load(ints, GAME), seat, ...fault, certain: careful || certain });
}

/** The seat whose code runs, when nobody knows better. */
function likelySeat(): number {
  const running = careful ? Atomics.load(ints, RUNNING) : IDLE;
  return running === IDLE ? Atomics.load(ints, SEAT) : running;
}

// What an agent left behind throws: a timer, or a promise that nobody waits for.
process.on("uncaughtException", (error: unknown) => {
  const owner = player?.ownerOf(error);
  if (owner === PAST) return;
  if (owner !== undefined) player?.interrupt(owner, error);
  else blame(likelySeat(), { ending: "exception", detail: describeThrown(error) }, { certain: false });
});

process.exit = (code) => {
  const owner = player?.ownerOf(undefined);
  const seat = owner === PAST ? IDLE : (owner ?? likelySeat());
  const place = theirPlaceOf(new Error("exit"));
  const detail = `called process.exit(${String(code ?? "")})${place === undefined ? "" : `, at ${place}`}`;
  const certain = owner !== undefined || Atomics.load(ints, WAITING) === 0;
  blame(seat, { ending: "worker died", detail }, { certain });
  return exit(code);
};
