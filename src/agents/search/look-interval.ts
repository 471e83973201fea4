/** A look that comes so soon after the one before, in ms, is too early; later than the second, too late. */
const EARLY_MS = 1.5;
const LATE_MS = 3;

/**
 * The number of steps of a search between two looks at the clock, such as nodes or simulations. It follows the speed of
 * the search, so that looks cost little and a limit of time is kept within a few ms.
 */
export class LookInterval {
  steps: number;
  private readonly most: number;
  private lookedAt = 0;

  /** @param most the steps of a fast search, a power of two */
  constructor(most: number) {
    this.most = most;
    this.steps = most;
  }

  /** A search begins. */
  begin(now: number): void {
    this.steps = Math.max(1, this.most / 32);
    this.lookedAt = now;
  }

  /** The clock was looked at. */
  looked(now: number): void {
    const passed = now - this.lookedAt;
    if (passed < EARLY_MS) this.steps = Math.min(this.most, 2 * this.steps);
    else if (passed > LATE_MS) this.steps = Math.max(1, this.steps >> 1);
    this.lookedAt = now;
  }
}
