import { ELO_SCALE, eloOfScore, normalBelow, Z95 } from "./scale.ts";

/** The Elo difference of two players from a sample of scores, as programs for matches print it. */
export interface SampleElo {
  /** Mean score, 0 to 1. */
  readonly score: number;
  /** The difference at which this score is expected. Infinite for a score of 0 or 1. */
  readonly elo: number;
  /** Half the width of the 95% interval in Elo. Not a number if an end of the interval is no score. */
  readonly margin: number;
  /** Elo in units of the spread of a game's score, so that it says how many games show a difference. */
  readonly normalised: number;
  readonly normalisedMargin: number;
  /** Probability that the first player is the stronger. */
  readonly superiority: number;
}

/**
 * Elo from counts of scores, each sample being `games` games (1, or pairs: 2). The variance is that of the sample, as
 * in fastchess (`elo_pentanomial.cpp`, `elo_wdl.cpp`); normalised Elo as in fishtest (Van den Bergh).
 * @param scores by kind of sample, 0 to 1; `counts` has the number of samples of each kind
 */
export function sampleElo(scores: readonly number[], counts: readonly number[], games: 1 | 2): SampleElo {
  const size = counts.reduce((sum, count) => sum + count, 0);
  const mean = (value: (score: number) => number) =>
    counts.reduce((sum, count, kind) => sum + count * value(scores[kind]), 0) / size;
  const score = mean((value) => value);
  const variance = mean((value) => (value - score) ** 2);
  const error = Math.sqrt(variance / size);
  const unit = (2 * ELO_SCALE) / Math.sqrt(games * variance);
  return {
    score,
    elo: eloOfScore(score),
    margin: (eloOfScore(score + Z95 * error) - eloOfScore(score - Z95 * error)) / 2,
    normalised: (score - 0.5) * unit,
    normalisedMargin: Z95 * error * unit,
    superiority: normalBelow((score - 0.5) / error),
  };
}
