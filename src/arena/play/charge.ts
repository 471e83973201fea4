import type { Agent } from "../../agents/agent.ts";

/** The time, in ms, that agents see late of what their thread has waited. */
const LOOK_MS = 1;
/** Looks at two clocks until they belong together. */
const MOST_TRIES = 10;

/** The times of this thread so far, in ms. */
export interface ThreadTimes {
  /** The time that it waited for a processor which others had. */
  waitedMs(): number;
  /** The processor time of its process, which is at least its own. */
  ranMs(): number;
}

/** An agent that decides, and whether it is one of agon's own, which never sleeps. */
interface Decider {
  readonly agent: Agent;
  readonly isBuiltIn?: boolean;
}

/**
 * Measures the time that decisions are charged, in ms: all that passes or, where the times of threads are known, all but the
 * time in which the player could have gone on, but others had the processors.
 */
export class Charge {
  private readonly wall: () => number;
  private readonly times: ThreadTimes | undefined;
  private decider: Decider | undefined;
  /** When the decision began, on the wall clock without waits, and in processor time. */
  private begun = 0;
  private ranBefore = 0;
  /** The last look at the decision: when it was, and what was spent. */
  private lookedAt = 0;
  private spent = 0;
  /** The agents' clock when the decision began, and when it was last read. */
  private shownBefore = 0;
  private shown = 0;

  /** @param times absent if all time is charged */
  constructor(wall: () => number, times?: ThreadTimes) {
    this.wall = wall;
    this.times = times;
    this.clock = times === undefined ? wall : () => this.soon();
  }

  /** The clock that agents are given. It never goes back. */
  readonly clock: () => number;

  /** A decision begins. */
  begin(decider: Decider): void {
    this.decider = decider;
    this.ranBefore = this.times?.ranMs() ?? 0;
    this.begun = this.withoutWaits();
    this.shownBefore = this.shown;
    this.spent = 0;
  }

  /** The time of the decision so far. */
  spentMs(): number {
    const { times, decider } = this;
    this.spent = this.withoutWaits() - this.begun;
    // Its thread may also have waited for helpers of its own, such as garbage collection, which others kept waiting.
    if (times !== undefined && decider?.isBuiltIn === true)
      this.spent = Math.min(this.spent, times.ranMs() - this.ranBefore);
    const effort = times && decider?.agent.effort?.();
    if (effort === undefined) return this.spent;
    // A player whose own threads wait for each other is charged what they ran.
    return Math.min(this.spent, Math.max(0, this.spent - effort.waitedMs, effort.ranMs));
  }

  /** The time on the wall clock without the waits of this thread. */
  private withoutWaits(): number {
    const { wall, times } = this;
    if (times === undefined) return wall();
    let waited = times.waitedMs();
    // If the thread waited between the looks at the two clocks, they do not belong together.
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const before = waited;
      this.lookedAt = wall();
      waited = times.waitedMs();
      if (waited === before) break;
    }
    return this.lookedAt - waited;
  }

  /** The agents' clock: it looks at waits only if the last look was not a moment ago. */
  private soon(): number {
    const passed = this.wall() - this.lookedAt;
    const spent = passed > LOOK_MS ? this.spentMs() : this.spent + passed;
    return (this.shown = Math.max(this.shown, this.shownBefore + spent));
  }
}
