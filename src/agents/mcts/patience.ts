import type { TimeShare } from "../time-share.ts";
import type { SimulationTree } from "./tree.ts";

/** An undecided search goes on for so many targets. */
const UNDECIDED_TARGETS = 2;
/** The root is undecided while the second action has this part of the first one's visits. */
const CLOSE = 0.85;

/**
 * Says when a search with clocks has seen enough. It stops before its time if the second most visited action cannot
 * catch up, and goes on after it while the root is undecided (Baudis and Gailly 2011). A single action is taken at once.
 */
export class Patience {
  private readonly share: TimeShare;
  private readonly tree: SimulationTree;
  private readonly begun: number;
  /** The most visits of a child of the root, and the second most, when they were last looked at. */
  private first = 0;
  private second = 0;
  private firstHasBestMean = false;

  constructor(share: TimeShare, tree: SimulationTree, begun: number) {
    this.share = share;
    this.tree = tree;
    this.begun = begun;
  }

  /** True if the search should end at the time `now`, after so many simulations. */
  isOver(now: number, simulations: number): boolean {
    const { targetMs, mostMs, use } = this.share;
    if (use === "limit") return false;
    if (this.tree.childCount[0] === 1) return true;
    const spent = now - this.begun;
    this.look();
    const lead = this.first - this.second;
    const isUndecided = lead < this.first * (1 - CLOSE) || !this.firstHasBestMean;
    const allowed =
      use === "spend" ? mostMs : isUndecided ? Math.min(mostMs, targetMs * UNDECIDED_TARGETS) : targetMs;
    const left = Math.max(0, allowed - spent);
    return left === 0 || lead > (simulations / Math.max(spent, 1e-3)) * left;
  }

  private look(): void {
    const { firstChild, childCount, visits, reward } = this.tree;
    this.first = this.second = 0;
    let firstMean = 0;
    let bestMean = 0;
    const end = firstChild[0] + childCount[0];
    for (let child = firstChild[0]; child < end; child++) {
      const count = visits[child];
      if (count === 0) continue;
      const mean = reward[child] / count;
      if (mean > bestMean) bestMean = mean;
      if (count > this.first) {
        this.second = this.first;
        this.first = count;
        firstMean = mean;
      } else if (count > this.second) this.second = count;
    }
    this.firstHasBestMean = firstMean >= bestMean;
  }
}
