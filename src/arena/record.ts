/**
 * One finished game, as it is stored: what determined it, what happened, how it ended. Seats are
 * player indexes of the game; entrants are indexes into the run's list.
 */
export interface GameRecord {
  /** Hash of everything that determines the game; see `schedule.ts`. */
  readonly id: string;
  /** Hash of what all seat rotations of a block share: the sampling unit of the statistics. */
  readonly block: string;
  /** Entrant at each seat. */
  readonly seats: readonly number[];
  /** Every action from the start on: opening, decisions and chance outcomes. */
  readonly actions: readonly number[];
  /** How many of `actions` are the opening. */
  readonly openingLength: number;
  /** Utility of each seat, forfeits settled. */
  readonly returns: readonly number[];
  /** How it ended: `finished`, or `illegal action`, `exception`, `time-out`, `worker died`. */
  readonly ending: Ending;
  /** The seat that forfeited, or -1. */
  readonly forfeitSeat: number;
  /** For a forfeit: what happened, for people. Empty otherwise. */
  readonly detail: string;
  /** Decisions, visited nodes and milliseconds of each seat. */
  readonly decisions: readonly number[];
  readonly nodes: readonly number[];
  readonly timeMs: readonly number[];
}

export const ENDINGS = ["finished", "illegal action", "exception", "time-out", "worker died"] as const;
export type Ending = (typeof ENDINGS)[number];
