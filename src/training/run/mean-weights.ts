import type { CheckedConfig } from "../plan/config.ts";

/** The most samples of the weights that a mean is made of. */
const SAMPLES = 100;

/**
 * The mean of the weights over the last part of a training, `average` of the config (Polyak and Juditsky 1992). Samples are
 * taken after numbers of games that the config alone decides.
 */
export class MeanWeights {
  /** The mean of the samples so far. */
  readonly weights: Float32Array;
  /** The numbers of games after which a sample is taken, ascending. */
  private readonly points: readonly number[];
  private taken: number;

  /** @param after the games that are done: samples up to there are in `mean`, which is restored by the caller */
  constructor(
    { games, average = 0 }: Pick<CheckedConfig, "games" | "average">,
    length: number,
    after: number,
  ) {
    const points = Array.from({ length: SAMPLES }, (_, at) =>
      Math.round(games * (1 - average * (1 - (at + 1) / SAMPLES))),
    );
    this.points = average === 0 ? [] : [...new Set(points)].filter((point) => point > 0);
    this.weights = new Float32Array(average === 0 ? 0 : length);
    this.taken = this.points.filter((point) => point <= after).length;
  }

  /** The mean as a state keeps it; nothing if the config asks for none. */
  get memory(): { readonly mean?: Float32Array } {
    return this.points.length === 0 ? {} : { mean: this.weights };
  }

  /** True if there is a sample. */
  get hasBegun(): boolean {
    return this.taken > 0;
  }

  /** The number of games, more than `games`, after which the next sample is taken; Infinity if none is. */
  next(): number {
    return this.points[this.taken] ?? Infinity;
  }

  /** Takes a sample if it is due after this number of games and not taken yet. */
  take(games: number, weights: Float32Array): void {
    if (games !== this.next()) return;
    const { weights: mean } = this;
    const count = ++this.taken;
    for (let at = 0; at < mean.length; at++) mean[at] += (weights[at] - mean[at]) / count;
  }
}
