/*
 * The status of a worker: int32 that its two threads share. The playing thread writes the current game and seat into
 * it, and the watching thread reads them. So an agent that takes too long can be named.
 */

/** Index of the game in the task. */
export const GAME = 0;
/** The seat of the deciding agent, or IDLE. */
export const SEAT = 1;
/** Counts what agents were asked to do in this task. */
export const TURN = 2;
/** Set to 1 to have the worker return after the game at hand. */
export const STOP = 3;
export const STATUS_BYTES = 4 * 4;

/** No agent's code runs. */
export const IDLE = -1;
/** An agent decides in a process of its own, which is watched elsewhere: players/player-process.ts. */
export const HOSTED = -2;

/** The interval of looks at a worker, in ms. */
export const WATCH_INTERVAL_MS = 50;

/** The limits of time, in ms. */
export interface Limits {
  readonly moveMs: number;
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
    const { moveMs, idleMs } = this.limits;
    const limit = seat === HOSTED ? Infinity : seat === IDLE ? idleMs : moveMs;
    return this.spentMs > limit ? limit : undefined;
  }

  /** Begins again, with other work. */
  reset(): void {
    this.turn = -1;
    this.spentMs = 0;
    this.lookedAt = Infinity;
  }
}
