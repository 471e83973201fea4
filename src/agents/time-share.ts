import type { Game, State } from "../games/contract/game.ts";
import type { SeatClock, Turn } from "./agent.ts";

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
