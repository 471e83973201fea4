import { MOST_IN_MATRIX } from "./comparisons.ts";
import type { Tally } from "./tally.ts";

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
