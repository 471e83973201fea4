import type { Network } from "../../../evaluators/network/network.ts";
import type { Loss } from "./loss.ts";

/**
 * Samples to learn from. A sample is a sparse row of features, the outputs that are wanted for it, and a
 * weight. The arrays may be longer than what is used, so that they can serve many batches.
 */
export interface SampleBatch {
  /** The number of samples. */
  readonly size: number;
  /** The pairs of sample s are at offsets[s]..offsets[s + 1] - 1 of `index` and `value`; length at least size + 1. */
  readonly offsets: Int32Array;
  /** The features of the pairs. If a feature occurs twice in a sample, its values are added. */
  readonly index: Int32Array;
  readonly value: Float32Array;
  /** The outputs that are wanted; shape [size, outputs], row by row. */
  readonly targets: Float32Array;
  /** How much each sample counts in the loss, usually 1; shape [size]. */
  readonly weights: Float32Array;
}

/**
 * Options of Adam (Kingma and Ba 2015, algorithm 1). Its step is stepSize * m / (sqrt(v) + epsilon), where m
 * and v are the bias-corrected moments.
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

/** The defaults of AdamOptions. */
export const ADAM_DEFAULTS = {
  stepSize: 0.001,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-7,
  loss: "mean-squared-error",
} as const satisfies Required<AdamOptions>;

/** What Adam knows besides the weights; a checkpoint keeps it. */
export interface AdamState {
  /** The number of steps so far. */
  readonly steps: number;
  /** First and second moments, not bias-corrected: those of the kernel, then of the bias, layer after layer. */
  readonly first: readonly Float32Array[];
  readonly second: readonly Float32Array[];
}

/** Trains a network in batches: each batch is one step of Adam. */
export interface BatchTrainer {
  /** May be changed between batches; begins with the `stepSize` of AdamOptions. */
  stepSize: number;
  /** Does one step. Returns the loss of the batch before the step: NaN or infinite where the weights diverged. */
  trainBatch(batch: SampleBatch): number;
  /** The network as it is now. It may be the trainer's own: read it before the next step, and do not change it. */
  network(): Network;
  /** A copy of the state. A new trainer that gets it, and the network, goes on exactly as this one would. */
  save(): AdamState;
  restore(state: AdamState): void;
  /** Frees the memory that garbage collection does not free. */
  dispose(): void;
}
