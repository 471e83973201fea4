import type { Tally } from "./tally.ts";

/**
 * The scores of the entrants against each other: 1 for each game that one won, a half for a tie.
 * A game of more than two players counts once for each pair of them. Matrices are [one * count + other].
 */
export interface HeadToHead {
  readonly count: number;
  readonly score: Float64Array;
  readonly games: Int32Array;
  /** The distance of the score from a half, in standard errors over blocks; 0 without games. */
  readonly z: Float64Array;
}

export function countHeadToHead({ entrantCount: count, entrants }: Tally): HeadToHead {
  const score = new Float64Array(count * count);
  const games = new Int32Array(count * count);
  const z = new Float64Array(count * count);
  for (let one = 0; one < count; one++) {
    for (let other = one + 1; other < count; other++) {
      const pair = one * count + other;
      const mirrored = other * count + one;
      games[pair] = games[mirrored] = entrants.games[pair];
      score[pair] = entrants.score[pair];
      score[mirrored] = games[pair] - score[pair];
      // Under the hypothesis of no difference the blocks' leads have mean 0, so their squares are the variance.
      const lead = score[pair] - score[mirrored];
      if (entrants.squares[pair] > 0) z[pair] = lead / Math.sqrt(entrants.squares[pair]);
      z[mirrored] = 0 - z[pair];
    }
  }
  return { count, score, games, z };
}
