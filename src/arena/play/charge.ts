import type { Agent } from "../../agents/agent.ts";

/** The time, in ms, that agents see late of what their thread has waited. */
const LOOK_MS = 1;
/** Looks at both clocks until they belong together. */
const MOST_TRIES = 10;

/**
 * Measures the time that decisions are charged, in ms: all that passes or, where waits are known, all but the time in which
 * the player could have gone on, but others had the processors.
 */
export class Charge {
  private readonly wall: () => number;
  private readonly waitedMs: (() => number) | undefined;
  private begun = 0;
  private waited = 0;
  private lookedAt = 0;
  private shown = -Infinity;

  /** @param waitedMs the time that this thread has waited so far; absent if waits are charged */
  constructor(wall: () => number, waitedMs?: () => number) {
    this.wall = wall;
    this.waitedMs = waitedMs;
    this.clock = waitedMs === undefined ? wall : () => this.soon();
  }

  /** The clock that agents are given. It never goes back. */
  readonly clock: () => number;

  /** A decision begins. */
  begin(): void {
    this.begun = this.now();
  }

  /** The time of the decision so far. */
  spentMs(agent: Agent): number {
    const spent = this.now() - this.begun;
    const effort = this.waitedMs && agent.effort?.();
    if (effort === undefined) return spent;
    // A player whose own threads wait for each other is charged what they ran.
    return Math.min(spent, Math.max(0, spent - effort.waitedMs, effort.ranMs));
  }

  /** The time without the waits of this thread. */
  private now(): number {
    const { wall, waitedMs } = this;
    if (waitedMs === undefined) return wall();
    // If the thread waited between the looks at the two clocks, they do not belong together.
    let before: number;
    let tries = 0;
    do {
      before = waitedMs();
      this.lookedAt = wall();
      this.waited = waitedMs();
    } while (before !== this.waited && ++tries < MOST_TRIES);
    return this.lookedAt - this.waited;
  }

  /** The same without a look at the waits, if the last one was a moment ago. */
  private soon(): number {
    const wall = this.wall();
    const time = wall - this.lookedAt > LOOK_MS ? this.now() : wall - this.waited;
    return (this.shown = Math.max(this.shown, time));
  }
}
