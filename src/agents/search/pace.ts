import type { TimeShare } from "../time-share.ts";

/** The part of a finished iteration that the pace looks at. */
interface Finished {
  readonly action: number;
  readonly value: number;
}

/** The growth from one iteration to the next that is expected before there are two, and its bounds. */
const USUAL_GROWTH = 4;
const LEAST_GROWTH = 1.5;
const MOST_GROWTH = 10;
/** An iteration that took less time, in ms, says nothing about the next one. */
const LEAST_MS = 0.5;
/** The factors of the target for a stable best action, and for each recent change of it. */
const STABLE = 0.8;
const PER_CHANGE = 0.6;
/** Older changes count less and less. */
const FADING = 0.5;
/** A value that drops by this part of the game's range counts as one change. */
const DROP = 0.1;
const MOST_DROPS = 2;

/**
 * Decides after each iteration of iterative deepening whether another one should begin: it should probably finish in the
 * time of this decision. That is more if the best action changed of late or the value dropped, and less if it is stable.
 */
export class Pace {
  private readonly share: TimeShare;
  private readonly clock: () => number;
  /** The difference between the highest and the lowest return. */
  private readonly range: number;
  private readonly begunAt: number;
  private finishedAt: number;
  /** The times of the last two iterations, in ms. */
  private last = 0;
  private beforeLast = 0;
  private changes = 0;
  private best: Finished | undefined;

  constructor(share: TimeShare, clock: () => number, range: number) {
    this.share = share;
    this.clock = clock;
    this.range = range;
    this.begunAt = this.finishedAt = clock();
  }

  /** True if another iteration should begin after this one. */
  goesOn(found: Finished): boolean {
    const now = this.clock();
    this.beforeLast = this.last;
    this.last = now - this.finishedAt;
    this.finishedAt = now;
    const { best, share } = this;
    this.best = found;
    const changed = best !== undefined && best.action !== found.action;
    const dropped = best === undefined ? 0 : Math.max(0, best.value - found.value) / this.range;
    this.changes = this.changes * FADING + Number(changed) + Math.min(MOST_DROPS, dropped / DROP);
    const spent = now - this.begunAt;
    if (share.use !== "save") return spent < share.mostMs;
    const allowed = Math.min(share.mostMs, share.targetMs * (STABLE + PER_CHANGE * this.changes));
    return spent + this.last * this.growth() <= allowed;
  }

  private growth(): number {
    if (this.beforeLast < LEAST_MS) return USUAL_GROWTH;
    return Math.min(MOST_GROWTH, Math.max(LEAST_GROWTH, this.last / this.beforeLast));
  }
}
