import type { Tally } from "../counts/tally.ts";
import { expectedResult } from "../elo/pairings.ts";

/** The results of two entrants against each other, with their sampling noise. */
export interface MetPair {
  readonly one: number;
  readonly other: number;
  /** A game of more than two players counts once for each pair of its seats. */
  readonly games: number;
  /** The points of `one`: 1 for each win and a half for a tie. */
  readonly points: number;
  /** The points of `one` that the ratings expect. */
  readonly expected: number;
  /** The information of the games about the difference of the ratings: games * E * (1 - E). */
  readonly information: number;
  /** The variance of the points, from the spread of the blocks. */
  readonly variance: number;
  /** The number of blocks less 1. */
  readonly freedom: number;
}

/**
 * The pairs that met. The variance of a pair's points comes from its own blocks. A pair of one block has none of its
 * own: it gets the information times the mean ratio of variance to information, weighted by the degrees of freedom.
 *
 * @param strengths log strengths, by entrant
 */
export function countPairs({ entrants }: Tally, strengths: readonly number[]): MetPair[] {
  const { size } = entrants;
  /** The blocks in which other pairs were compared too, and the comparisons in them, by pair. */
  const sharedBlocks = new Float64Array(size * size);
  const sharedGames = new Float64Array(size * size);
  for (const { numbers, pairs, blocks } of entrants.blockGroups()) {
    for (const { one, other, times } of pairs) {
      const at = numbers[one] * size + numbers[other];
      sharedBlocks[at] += blocks;
      sharedGames[at] += blocks * times;
    }
  }
  const sums = entrants.pairs();
  const pairs = Array.from({ length: sums.count }, (_, at): MetPair => {
    const [one, other, games, points] = [sums.one[at], sums.other[at], sums.games[at], sums.score[at]];
    const result = expectedResult(strengths[one] - strengths[other]);
    const pair = one * size + other;
    const ownGames = games - sharedGames[pair];
    // Blocks of equal size are counted exactly; of unequal ones, it is their effective number (Kish 1965).
    const blocks = sharedBlocks[pair] + (ownGames === 0 ? 0 : Math.round(ownGames ** 2 / sums.duelTimes[at]));
    const freedom = blocks - 1;
    // The lead of `one` is twice its points less the games.
    const lead = 2 * points - games;
    const mean = lead / games;
    const spread =
      sharedBlocks[pair] === 0
        ? sums.duelSquares[at] - 2 * mean * sums.duelProducts[at] + mean ** 2 * sums.duelTimes[at]
        : sums.squares[at] - lead ** 2 / blocks;
    return {
      one,
      other,
      games,
      points,
      expected: games * result,
      information: games * result * (1 - result),
      variance: freedom === 0 ? 0 : (blocks / freedom) * (Math.max(0, spread) / 4),
      freedom,
    };
  });
  const ratio =
    total(pairs, ({ variance, freedom }) => freedom * variance) /
    total(pairs, ({ information, freedom }) => freedom * information);
  return pairs.map((pair) => (pair.freedom === 0 ? { ...pair, variance: ratio * pair.information } : pair));
}

export function total(pairs: readonly MetPair[], term: (pair: MetPair) => number): number {
  return pairs.reduce((sum, pair) => sum + term(pair), 0);
}
