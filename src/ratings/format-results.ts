import type { Report } from "./report.ts";

/** The report of one run: the ratings, and the results as people know the run's format. Its keys are the JSON contract. */
export interface RunReport extends Report {
  /** Absent where the ratings and the cross-table say all. */
  readonly format?: FormatResults | undefined;
  /** The use of the clocks, in the order of `entrants`; absent without a time control. */
  readonly clocks?: readonly ClockUse[] | undefined;
  /** The tokens, time and cost of chat models, in the order of `entrants`; absent without such entrants. */
  readonly chat?: readonly ChatUse[] | undefined;
  /** The kinds of actions that entrants chose, in the order of `entrants`; absent where the game names none. */
  readonly deeds?: readonly DeedCounts[] | undefined;
  /** Program, machine, time and command of each time that games were played; in the files of a run alone. */
  readonly played?: readonly Played[] | undefined;
}

/** A time at which games of a run were played. */
export interface Played {
  /** The version of agon. */
  readonly agon: string;
  /** The commit of a clone; absent in a package. */
  readonly commit?: string | undefined;
  readonly node: string;
  readonly processor: string;
  /** In ISO 8601. */
  readonly begun: string;
  /** The command line behind `agon`. */
  readonly command: string;
}

/** The program and the day in a few words: `agon 0.1.0 (1a2b3c4d), 2026-11-27`. */
export function formatPlayed({ agon, commit, begun }: Played): string {
  return `agon ${agon}${commit === undefined ? "" : ` (${commit.slice(0, 8)})`}, ${begun.slice(0, 10)}`;
}

/** The use that an entrant made of its clock. */
export interface ClockUse {
  readonly name: string;
  /** Its time control, such as `10+0.1`; absent if all have the same. */
  readonly time?: string | undefined;
  /** The time that it took, as a share of what it had: main times, increments, and a period of byo-yomi for each move. */
  readonly share: number;
  /** The least time that was left until its flag, at the end of a decision; null if no time of a decision was kept. */
  readonly lowestMs: number | null;
  /** Games lost by time. */
  readonly flags: number;
}

/** The answers, tokens, time and cost of a chat model in the games that are finished. */
export interface ChatUse {
  readonly name: string;
  readonly games: number;
  readonly answers: number;
  /** Answers without a legal action. */
  readonly illegal: number;
  /** As the server counts them. */
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly seconds: number;
  /** By the price of the entrant. */
  readonly cost: number;
}

/** The number of an entrant's actions of each kind that its game names. */
export interface DeedCounts {
  readonly name: string;
  readonly games: number;
  /** By kind, in the game's order. */
  readonly counts: Readonly<Record<string, number>>;
}

/** The results of a format, with the names of entrants. */
export type FormatResults =
  | GauntletResults
  | SwissResults
  | KnockoutResults
  | ComparisonResults
  | AdaptiveResults
  | TuneResults;

export interface GauntletResults {
  readonly type: "gauntlet";
  /** In the order of the config. */
  readonly challengers: readonly {
    readonly name: string;
    /** The field, the highest Elo first; those that it has met. */
    readonly opponents: readonly {
      readonly name: string;
      readonly elo: number;
      readonly games: number;
      /** The challenger's share of the games, ties a half: 0 to 1. */
      readonly score: number;
      /** The challenger's Elo less the opponent's. */
      readonly eloDifference: number;
      /** Probability that the challenger is the stronger. */
      readonly superiority: number;
    }[];
  }[];
}

export interface SwissResults {
  readonly type: "swiss";
  /** Best first. */
  readonly standings: readonly {
    readonly rank: number;
    readonly name: string;
    /** One for a match won, a half for a level one, one for a bye. */
    readonly points: number;
    /** The sum of the opponents' points. */
    readonly buchholz: number;
    /** The mean score of its blocks, 0 to 1. */
    readonly score: number;
    /** By round; null while the match goes on. A bye has no opponents. */
    readonly rounds: readonly (SwissRound | null)[];
  }[];
}

interface SwissRound {
  readonly opponents: readonly string[];
  readonly points: number;
  readonly blocks: number;
  /** The mean score of the round's blocks, 0 to 1; 0 for a bye. */
  readonly score: number;
}

export interface KnockoutResults {
  readonly type: "knockout";
  readonly rounds: readonly {
    /** `final`, `third place`, `semi-finals`, `quarter-finals`, `last 16` and so on. */
    readonly name: string;
    readonly byes: readonly string[];
    readonly matches: readonly {
      /** Its place in the bracket of the round, from the top; from 0. The byes of a round have the other places. */
      readonly place: number;
      /** The higher seed first. */
      readonly entrants: readonly [string, string];
      /** Counted from 1. */
      readonly seeds: readonly [number, number];
      readonly blocks: number;
      /** The sums of the scores of the blocks. */
      readonly scores: readonly [number, number];
      /** The one that goes on; null while the match goes on. */
      readonly winner: string | null;
    }[];
  }[];
}

export interface ComparisonResults {
  readonly type: "comparison";
  /** The first entrant, which the others are compared with. */
  readonly name: string;
  /** In the order of the config. */
  readonly comparisons: readonly {
    readonly name: string;
    readonly blocks: number;
    /** The first entrant's mean score of a block, 0 to 1. */
    readonly score: number;
    /** The first entrant's Elo less the other's, by that score; null where one of them won everything. */
    readonly eloDifference: number | null;
    /** A 95% interval of it that holds at all looks together; null where it is open. */
    readonly low: number | null;
    readonly high: number | null;
    /** `stronger`: the first entrant is. `equal`: the difference is less than the margin. Null while it is open. */
    readonly verdict: "stronger" | "weaker" | "equal" | null;
  }[];
}

export interface AdaptiveResults {
  readonly type: "adaptive";
  /** The tournament is over when each two neighbours are in the right order so surely. */
  readonly confidence: number;
  /** Neighbours in the ranking, the best first. */
  readonly neighbours: readonly {
    /** The better one first. */
    readonly names: readonly [string, string];
    /** Games between the two. */
    readonly games: number;
    readonly eloDifference: number;
    /** Probability that they are in the right order. */
    readonly superiority: number;
  }[];
}

export interface TuneResults {
  readonly type: "tune";
  readonly rounds: number;
  /** In the order of the config. */
  readonly parameters: readonly {
    /** The option, and in an option that is a mapping its key behind a dot. */
    readonly name: string;
    readonly start: number;
    /** The answer: the mean over the later half of the rounds, rounded for whole numbers. */
    readonly value: number;
    /** The value after the last round. */
    readonly last: number;
    /** The standard deviation that `value` would have if the number did not matter. */
    readonly noise: number;
    readonly min: number;
    readonly max: number;
  }[];
  /** The values at the start, and after each round whose games are all there. */
  readonly path: readonly (readonly number[])[];
}
