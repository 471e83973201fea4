import { MOST_IN_MATRIX } from "./comparisons.ts";
import type { Tally } from "./tally.ts";
import type { RatedGame } from "../record.ts";

/**
 * The scores of the entrants against each other: 1 for each game that one won, a half for a tie.
 * A game of more than two players counts once for each pair of them. Matrices are [one * count + other].
 */
export interface HeadToHead {
  /** The number of entrants; 0 if there are more than `MOST_IN_MATRIX`. */
  readonly count: number;
  readonly score: Float64Array;
  readonly games: Int32Array;
  /** The distance of the score from a half, in standard errors over blocks; 0 without games. */
  readonly z: Float64Array;
}

export function countHeadToHead({ entrantCount, entrants }: Tally): HeadToHead {
  const count = entrantCount > MOST_IN_MATRIX ? 0 : entrantCount;
  const score = new Float64Array(count * count);
  const games = new Int32Array(count * count);
  const z = new Float64Array(count * count);
  const pairs = entrants.pairs();
  for (let at = 0; at < pairs.count && count > 0; at++) {
    const pair = pairs.one[at] * count + pairs.other[at];
    const mirrored = pairs.other[at] * count + pairs.one[at];
    games[pair] = games[mirrored] = pairs.games[at];
    score[pair] = pairs.score[at];
    score[mirrored] = games[pair] - score[pair];
    // Under the hypothesis of no difference the blocks' leads have mean 0, so their squares are the variance.
    const lead = score[pair] - score[mirrored];
    if (pairs.squares[at] > 0) z[pair] = lead / Math.sqrt(pairs.squares[at]);
    z[mirrored] = 0 - z[pair];
  }
  return { count, score, games, z };
}

/** The games of two entrants against each other, from the first one's point of view. */
export interface Duel {
  /** In the order of the run, not of the table. */
  readonly names: readonly [string, string];
  /** Games that the first entrant won, drew and lost, from the first seat and from the second one. */
  readonly bySeat: readonly [WonDrawnLost, WonDrawnLost];
  /**
   * Pairs of games with the seats swapped, by the first entrant's results: lost both, lost and drew, won and lost, drew
   * both, won and drew, won both.
   */
  readonly pairs: readonly [number, number, number, number, number, number];
}

type WonDrawnLost = readonly [number, number, number];

const [WON, DRAWN, LOST] = [0, 1, 2];
/** The place among `pairs` by the results of both games: [result][result of the other game]. */
const PAIR: readonly (readonly number[])[] = [
  [5, 4, 2],
  [4, 3, 1],
  [2, 1, 0],
];

/** Counts the games of entrant 0 against entrant 1, block by block. */
export class DuelCounts {
  private readonly bySeat = [0, 0].map((): [number, number, number] => [0, 0, 0]);
  private readonly pairs: [number, number, number, number, number, number] = [0, 0, 0, 0, 0, 0];

  /** Games of other numbers of players, and of an entrant against itself, are left out. */
  addBlock(games: readonly RatedGame[]): void {
    const results: { seat: number; result: number }[] = [];
    for (const { seats, returns } of games) {
      if (seats.length !== 2 || seats[0] === seats[1]) continue;
      const seat = seats.indexOf(0);
      const lead = returns[seat] - returns[1 - seat];
      const result = lead > 0 ? WON : lead < 0 ? LOST : DRAWN;
      this.bySeat[seat][result]++;
      results.push({ seat, result });
    }
    const [one, other] = results;
    if (results.length === 2 && one.seat !== other.seat) this.pairs[PAIR[one.result][other.result]]++;
  }

  duel(names: readonly [string, string]): Duel {
    return { names, bySeat: [this.bySeat[0], this.bySeat[1]], pairs: this.pairs };
  }
}
