import type { Network } from "../../evaluators/network/network.ts";
import type { Loss } from "./loss.ts";

/**
 * Samples to learn from, each a sparse row of features, the outputs wanted for it and a weight. The
 * arrays may be longer than what is used, so that one set of them serves every batch.
 */
export interface SampleBatch {
  /** Number of samples. */
  readonly size: number;
  /** Pairs offsets[s] .. offsets[s + 1] - 1 are those of sample s; length at least size + 1. */
  readonly offsets: Int32Array;
  /** Feature indexes; one that occurs twice in a sample counts as the sum of its values. */
  readonly index: Int32Array;
  readonly value: Float32Array;
  /** Shape [size, outputs], row by row, in the units of the network's outputs. */
  readonly targets: Float32Array;
  /** How much each sample counts, usually 1; shape [size]. */
  readonly weights: Float32Array;
}

/**
 * Adam (Kingma and Ba 2015, algorithm 1): the step is stepSize * m / (sqrt(v) + epsilon), m and v the
 * bias-corrected moments.
 */
export interface AdamOptions {
  /** Default 0.001. */
  readonly stepSize?: number;
  /** Default 0.9. */
  readonly beta1?: number;
  /** Default 0.999. */
  readonly beta2?: number;
  /** Default 1e-7, as in TensorFlow. */
  readonly epsilon?: number;
  /** Default `mean-squared-error`. */
  readonly loss?: Loss;
}

export const ADAM_DEFAULTS = {
  stepSize: 0.001,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-7,
  loss: "mean-squared-error",
} as const satisfies Required<AdamOptions>;

/** What Adam remembers, besides the weights, for checkpoints. */
export interface AdamState {
  /** Steps done. */
  readonly steps: number;
  /** First and second moments, not bias-corrected: kernel and bias of each layer in turn. */
  readonly first: readonly Float32Array[];
  readonly second: readonly Float32Array[];
}

/** Trains a network in batches, one Adam step a batch. */
export interface BatchTrainer {
  /** Set from batch to batch; the `stepSize` of AdamOptions to begin with. */
  stepSize: number;
  /** One step; returns the loss of the batch before it, NaN or infinite where the weights diverged. */
  trainBatch(batch: SampleBatch): number;
  /** The network as it is now: the trainer's own or a copy, so use it before the next step and leave it as it is. */
  network(): Network;
  /** A copy of what a trainer must be given, with the network, to go on as if undisturbed. */
  save(): AdamState;
  restore(state: AdamState): void;
  /** Frees what is not garbage-collected. */
  dispose(): void;
}
