import type { Network } from "../../../../src/evaluators/network/network.ts";
import type { BatchTrainer, SampleBatch } from "../../../../src/training/learn/network/batch.ts";

/** One sample as it was given: features by index, and what was wanted. */
export interface Sample {
  readonly features: Readonly<Record<number, number>>;
  readonly target: readonly number[];
}

/** A trainer that learns nothing and keeps what it was given. */
export class Recorder implements BatchTrainer {
  stepSize = 0;
  readonly samples: Sample[] = [];
  private readonly kept: Network;

  constructor(network: Network) {
    this.kept = network;
  }

  trainBatch({ size, offsets, index, value, targets }: SampleBatch): number {
    const outputs = this.kept.layers.at(-1)!.units;
    for (let sample = 0; sample < size; sample++) {
      const features: Record<number, number> = {};
      for (let at = offsets[sample]; at < offsets[sample + 1]; at++)
        features[index[at]] = (features[index[at]] ?? 0) + value[at];
      this.samples.push({
        features,
        target: Array.from(targets.subarray(sample * outputs, (sample + 1) * outputs)),
      });
    }
    return 0;
  }

  network(): Network {
    return this.kept;
  }

  save() {
    return { steps: 0, first: [], second: [] };
  }

  restore(): void {}
}
