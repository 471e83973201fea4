/*
 * The status of a worker: int32 that its two threads share. The playing thread writes the current game and seat into
 * it, and the watching thread reads them. So an agent that hangs can be named.
 */

/** Index of the game in the task. */
export const GAME = 0;
/** The seat of the deciding agent, or IDLE. */
export const SEAT = 1;
/** Counts what agents were asked to do in this task. */
export const TURN = 2;
/** Set to 1 to have the worker return after the game at hand. */
export const STOP = 3;
/** 1 while an agent is being made, which may take longer than a decision; otherwise 0. */
export const MAKING = 4;
/** 1 while the agent's promise is awaited, so that other code may run too; otherwise 0. */
export const WAITING = 5;
/** In a careful worker: the seat whose code ran last. It differs from SEAT if an agent left a timer behind. */
export const RUNNING = 6;
/** In a careful worker: the memory of the process when RUNNING was written, in kB. */
export const RSS_KB = 7;
/** In a careful worker, from here on: the growth of the memory during the decisions of each seat, in kB. */
export const GROWTH = 8;
const MAX_SEATS = 64;
export const STATUS_BYTES = (GROWTH + MAX_SEATS) * 4;

/** No agent's code runs. */
export const IDLE = -1;

/** The interval of looks at a worker, in ms. */
export const WATCH_INTERVAL_MS = 50;

/** The limits of time, in ms. */
export interface Limits {
  readonly moveMs: number;
  readonly makingMs: number;
  /** The limit for the rules of the game, and for loading it. */
  readonly idleMs: number;
}

/**
 * Counts how long the work at hand takes. It does not trust the time between two looks: a machine that slept, a stopped
 * process or a debugger makes a look late, and then the agent did not work either. So each look counts for at most two
 * intervals.
 */
export class WorkClock {
  private readonly limits: Limits;
  private turn = -1;
  private seat = IDLE;
  private spentMs = 0;
  private lookedAt = Infinity;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /** Looks at the status at the time `now`, in ms; returns the limit that the work at hand has passed, if it has. */
  look(status: Int32Array, now: number): number | undefined {
    const turn = Atomics.load(status, TURN);
    const seat = Atomics.load(status, SEAT);
    const passed = Math.min(Math.max(0, now - this.lookedAt), 2 * WATCH_INTERVAL_MS);
    const same = turn === this.turn && seat === this.seat;
    this.spentMs = same ? this.spentMs + passed : 0;
    this.turn = turn;
    this.seat = seat;
    this.lookedAt = now;
    const { moveMs, makingMs, idleMs } = this.limits;
    const making = Atomics.load(status, MAKING) !== 0;
    const limit = seat === IDLE ? idleMs : making ? makingMs : moveMs;
    return this.spentMs > limit ? limit : undefined;
  }

  /** Begins again, with other work. */
  reset(): void {
    this.turn = -1;
    this.spentMs = 0;
    this.lookedAt = Infinity;
  }
}
