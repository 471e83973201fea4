import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import type { Game } from "../../games/game.ts";
import type { GameFamilies } from "../../specs/plugins.ts";
import { GameFault } from "./game-fault.ts";
import { forfeitReturns } from "./referee.ts";
import type { playTask } from "./worker.ts";
import type { Ending, GameRecord } from "../../ratings/record.ts";
import type { ScheduledGame } from "../schedule/schedule.ts";
import {
  createPlayer,
  GAME,
  IDLE,
  SEAT,
  STATUS_BYTES,
  STOP,
  TURN,
  type WorkerSetup,
  type WorkerTask,
} from "./player.ts";

const WATCH_INTERVAL_MS = 50;
/** A task may fail this often while no agent is deciding. After that it is an error of the program. */
const MAX_FAILURES = 3;

/** Who plays the games of a tournament. */
export interface Players {
  /** Plays the games; fewer come back only after `stop`. */
  play(games: readonly ScheduledGame[]): Promise<GameRecord[]>;
  /** Has them return after the games at hand. */
  stop(): void;
  /** Ends them at once; games at hand are lost. */
  close(): Promise<void>;
}

/**
 * Plays all games in this thread, one after the other. Nobody watches: an agent that hangs is not ended, and one
 * that ends the process ends this one.
 */
export async function playHere(setup: WorkerSetup, games?: GameFamilies): Promise<Players> {
  const player = await createPlayer(setup, games);
  const status = new SharedArrayBuffer(STATUS_BYTES);
  const stop = () => void Atomics.store(new Int32Array(status), STOP, 1);
  return {
    async play(scheduled) {
      // Timers and signals get their turn between two tasks.
      await setImmediate();
      return player({ games: scheduled, status });
    },
    stop,
    close: async () => stop(),
  };
}

/** What the watch knows about a task that is being played. */
interface Watched {
  readonly status: Int32Array;
  readonly controller: AbortController;
  turn: number;
  since: number;
  timedOut: boolean;
}

/**
 * Worker threads that play games. An agent that hangs, or that ends its worker, forfeits the game it is in. A new
 * worker plays the other games of the task.
 */
export class WorkerPool implements Players {
  private readonly game: Game;
  private readonly moveTimeoutMs: number;
  private readonly threads: Piscina<WorkerTask, Awaited<ReturnType<typeof playTask>>>;
  private readonly watched = new Set<Watched>();
  private readonly watch: NodeJS.Timeout;
  private stopping = false;

  constructor(game: Game, setup: WorkerSetup, workers: number) {
    this.game = game;
    this.moveTimeoutMs = setup.plan.moveTimeoutMs;
    this.threads = new Piscina({
      filename: fileURLToPath(new URL("worker.js", import.meta.url)),
      name: "playTask",
      workerData: setup,
      minThreads: workers,
      maxThreads: workers,
      idleTimeout: Infinity,
    });
    this.watch = setInterval(() => this.endTimeouts(performance.now()), WATCH_INTERVAL_MS);
  }

  async play(games: readonly ScheduledGame[]): Promise<GameRecord[]> {
    const records: GameRecord[] = [];
    let left = games;
    for (let failures = 0; left.length > 0 && !this.stopping;) {
      const task: WorkerTask = { games: left, status: new SharedArrayBuffer(STATUS_BYTES) };
      const watched = this.begin(task);
      try {
        const played = await this.threads.run(task, { signal: watched.controller.signal });
        if ("fault" in played) throw new GameFault(played.fault);
        records.push(...played);
        left = left.slice(played.length);
      } catch (error) {
        if (error instanceof GameFault) throw error;
        if (this.stopping) break;
        const seat = watched.status[SEAT];
        const index = watched.status[GAME];
        if (seat === IDLE) {
          if (++failures >= MAX_FAILURES) throw error;
          continue;
        }
        const ending = watched.timedOut ? "time-out" : "worker died";
        const detail = watched.timedOut
          ? `no action within ${this.moveTimeoutMs} ms`
          : (error as Error).message;
        records.push(this.forfeit(left[index]!, seat, ending, detail));
        left = left.filter((_, at) => at !== index);
      } finally {
        this.watched.delete(watched);
      }
    }
    return records;
  }

  stop(): void {
    this.stopping = true;
    for (const { status } of this.watched) Atomics.store(status, STOP, 1);
  }

  async close(): Promise<void> {
    this.stopping = true;
    clearInterval(this.watch);
    // A thread may answer while it is being ended; nobody waits for that any more.
    this.threads.on("error", () => {});
    await this.threads.destroy();
  }

  private begin(task: WorkerTask): Watched {
    const status = new Int32Array(task.status);
    status[SEAT] = IDLE;
    const watched = { status, controller: new AbortController(), turn: 0, since: Infinity, timedOut: false };
    this.watched.add(watched);
    return watched;
  }

  private endTimeouts(now: number): void {
    for (const watched of this.watched) {
      const turn = Atomics.load(watched.status, TURN);
      if (Atomics.load(watched.status, SEAT) === IDLE) watched.since = Infinity;
      else if (turn !== watched.turn || watched.since === Infinity) watched.since = now;
      watched.turn = turn;
      if (now - watched.since <= this.moveTimeoutMs) continue;
      watched.timedOut = true;
      watched.controller.abort();
    }
  }

  private forfeit(game: ScheduledGame, seat: number, ending: Ending, detail: string): GameRecord {
    const none = game.seats.map(() => 0);
    return {
      id: game.id,
      block: game.block,
      seats: game.seats,
      actions: game.opening,
      openingLength: game.opening.length,
      returns: forfeitReturns(this.game, seat),
      ending,
      forfeitSeat: seat,
      detail,
      decisions: none,
      nodes: none,
      timeMs: none,
    };
  }
}
