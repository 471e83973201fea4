/** All that the tables say, as plain data. Its keys are the JSON contract. */
export interface Report {
  readonly game: string;
  readonly games: number;
  /** Advantage of the first seat over the mean of the others, and its 95% interval. */
  readonly firstSeatElo: number;
  readonly firstSeatLow: number;
  readonly firstSeatHigh: number;
  /** Best first. The matrices below have the same order. */
  readonly entrants: readonly RankedEntrant[];
  /** [row][column]: what `row` did against `column`; null where they did not meet. */
  readonly crossTable: readonly (readonly (Encounter | null)[])[];
  /** [row][column]: probability that `row` is the stronger; 0.5 on the diagonal. */
  readonly superiority: readonly (readonly number[])[];
  readonly warnings: readonly string[];
}

/** One line of the table. */
export interface RankedEntrant {
  readonly rank: number;
  readonly name: string;
  readonly elo: number;
  /** 95% interval. */
  readonly low: number;
  readonly high: number;
  readonly games: number;
  /** First place alone, first place shared, anything else. */
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
  /** Share of opponents beaten, ties counting a half: 0..1. */
  readonly score: number;
  readonly drawRate: number;
  readonly nodesPerMove: number;
  readonly msPerMove: number;
  readonly forfeits: number;
}

/** What one entrant did against another. */
export interface Encounter {
  /** Share of the games, ties counting a half: 0..1. */
  readonly score: number;
  readonly games: number;
}
