import type { Turn } from "../agent.ts";
import { LookInterval } from "./look-interval.ts";

/** Thrown by `Meter.count` when the budget is spent; caught by `deepen`. */
export const BUDGET_SPENT = Symbol("budget spent");

/** The clock is read after this many nodes, or fewer in a slow search. */
const NODES_PER_CLOCK_CHECK = 1024;

/** Counts the nodes of one decision, and stops the search when the budget of nodes or time is spent. */
export class Meter {
  nodes = 0;
  private nextCheck = Infinity;
  private maxNodes = Infinity;
  private deadline = Infinity;
  private clock: () => number = () => 0;
  private readonly interval = new LookInterval(NODES_PER_CLOCK_CHECK);

  /**
   * Begins a decision.
   * @param mostMs the limit that the clocks set, besides the budget
   */
  start(turn: Turn, mostMs = Infinity): void {
    this.nodes = 0;
    this.maxNodes = turn.budget.nodes ?? Infinity;
    this.clock = turn.clock;
    const limitMs = Math.min(turn.budget.timeMs ?? Infinity, mostMs);
    const now = limitMs === Infinity ? 0 : turn.clock();
    this.deadline = now + limitMs;
    this.interval.begin(now);
    this.schedule();
  }

  /** Counts one node; throws BUDGET_SPENT if the budget does not allow it. */
  count(): void {
    if (++this.nodes > this.nextCheck) this.check();
  }

  /** Adds nodes that were visited without asking, up to the budget; then the next `count` ends the search. */
  add(nodes: number): void {
    this.nodes = Math.min(this.nodes + nodes, this.maxNodes);
  }

  private check(): void {
    const isSpent = this.nodes > this.maxNodes;
    const now = isSpent ? 0 : this.clock();
    if (isSpent || now >= this.deadline) {
      this.nodes--;
      throw BUDGET_SPENT;
    }
    this.interval.looked(now);
    this.schedule();
  }

  private schedule(): void {
    this.nextCheck =
      this.deadline === Infinity ? this.maxNodes : Math.min(this.maxNodes, this.nodes + this.interval.steps);
  }
}
