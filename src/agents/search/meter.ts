import type { Turn } from "../agent.ts";

/** Thrown by `Meter.count` when the budget is spent; caught by `deepen`. */
export const BUDGET_SPENT = Symbol("budget spent");

/** The clock is read after this many nodes. */
const NODES_PER_CLOCK_CHECK = 1024;

/** Counts the nodes of one decision, and stops the search when the budget of nodes or time is spent. */
export class Meter {
  nodes = 0;
  private nextCheck = Infinity;
  private maxNodes = Infinity;
  private deadline = Infinity;
  private clock: () => number = () => 0;

  /** Begins a decision. */
  start(turn: Turn): void {
    this.nodes = 0;
    this.maxNodes = turn.budget.nodes ?? Infinity;
    this.clock = turn.clock;
    this.deadline = turn.budget.timeMs === undefined ? Infinity : turn.clock() + turn.budget.timeMs;
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
    if (this.nodes > this.maxNodes || this.clock() >= this.deadline) {
      this.nodes--;
      throw BUDGET_SPENT;
    }
    this.schedule();
  }

  private schedule(): void {
    this.nextCheck =
      this.deadline === Infinity
        ? this.maxNodes
        : Math.min(this.maxNodes, this.nodes + NODES_PER_CLOCK_CHECK);
  }
}
