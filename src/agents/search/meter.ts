import type { Turn, SeatClock } from "../agent.ts";
import type { Game, State } from "../../games/contract/game.ts";

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

/** The time of one decision, in ms: a share of what the clock has left. */
export interface TimeShare {
  /** The time that a usual decision should take. */
  readonly targetMs: number;
  /** The most that a decision may take. The flag falls a little later. */
  readonly mostMs: number;
  /**
   * `save`: time that is left over serves later decisions. `spend`: it is lost. `limit`: the budget says when to stop, and
   * `mostMs` alone counts.
   */
  readonly use: "save" | "spend" | "limit";
}

/** A game is planned for so many more decisions of a player, or fewer. */
const HORIZON = 25;
/** Games seldom last as long as their rules allow: the usual part of it. */
const USUAL_LENGTH = 0.75;
/** The part of an increment that is used at once. */
const INCREMENT_USED = 0.8;
/** A hard decision may take so many targets, and at most this part of the main time. */
const MOST_TARGETS = 5;
const MOST_OF_MAIN = 0.6;
/** Time that is kept for what happens after the last look at the clock: a part of all, and so many ms. */
const RESERVED = 0.01;
const RESERVED_MS = 20;

/**
 * The share of one decision.
 * @param decisions the most decisions that the seat still has in the game, this one included
 */
export function shareTime(clock: SeatClock, decisions = Infinity): TimeShare {
  const { leftMs, incrementMs, movesToGo = Infinity, periodMs = 0 } = clock;
  const allMs = usable(leftMs + periodMs);
  if (leftMs === 0) return { targetMs: allMs, mostMs: allMs, use: "spend" };
  const usual = Math.max(1, Math.ceil(decisions * USUAL_LENGTH));
  const share = usable(leftMs) / Math.min(HORIZON, usual, movesToGo);
  const targetMs = Math.min(allMs, share + incrementMs * INCREMENT_USED + periodMs);
  const mostMs = Math.max(targetMs, Math.min(targetMs * MOST_TARGETS, allMs * MOST_OF_MAIN));
  return { targetMs, mostMs, use: "save" };
}

/** The part of a time that a decision may take. */
function usable(timeMs: number): number {
  return Math.max(timeMs / 2, timeMs * (1 - RESERVED) - RESERVED_MS);
}

/**
 * The share of the decision at `root`; undefined without clocks. A budget with a limit of its own besides the depth is
 * kept, as far as the clock allows.
 */
export function shareOfTurn(game: Game, root: State, turn: Turn): TimeShare | undefined {
  const clock = turn.clocks?.[root.toMove];
  if (clock === undefined) return undefined;
  const { nodes, simulations, timeMs } = turn.budget;
  const share = shareTime(clock, decisionsLeft(game, turn));
  const isLimited = (nodes ?? simulations ?? timeMs) !== undefined;
  return isLimited ? { ...share, use: "limit" } : share;
}

/** The most decisions that a seat still has. Chance events are not counted in `maxPlies`, so with chance it is unknown. */
function decisionsLeft({ chance, maxPlies, players }: Game, { played }: Turn): number {
  const { from, actions = [] } = played?.() ?? {};
  if (chance || from !== undefined) return Infinity;
  return Math.max(1, Math.ceil((maxPlies - actions.length) / players));
}
