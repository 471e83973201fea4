import type { Network } from "../../evaluators/network/network.ts";
import { Adam } from "./adam.ts";
import {
  ADAM_DEFAULTS,
  type AdamOptions,
  type AdamState,
  type BatchTrainer,
  type Loss,
  type SampleBatch,
} from "./batch.ts";
import { BatchGradient } from "./batch-gradient.ts";

/**
 * Trains a network in place by Adam, on this thread, without a framework: the same batches give the same
 * weights to the last bit. Throws RangeError where the loss does not go with the network's last activation.
 */
export class PlainTrainer implements BatchTrainer {
  private readonly trained: Network;
  private readonly gradient: BatchGradient;
  private readonly adam: Adam;
  private readonly loss: Loss;

  constructor(network: Network, options: AdamOptions = {}) {
    this.trained = network;
    this.gradient = new BatchGradient(network);
    this.adam = new Adam(network, options);
    this.loss = options.loss ?? ADAM_DEFAULTS.loss;
    const { activation } = network.layers.at(-1)!;
    if (this.loss === "cross-entropy" && activation !== "softmax" && activation !== "sigmoid")
      throw new RangeError(`cross-entropy is for networks that end in softmax or sigmoid, not ${activation}`);
  }

  get stepSize(): number {
    return this.adam.stepSize;
  }

  set stepSize(stepSize: number) {
    this.adam.stepSize = stepSize;
  }

  trainBatch(batch: SampleBatch): number {
    const loss = this.gradient.ofBatch(batch, this.loss);
    this.adam.step(this.gradient.layers);
    return loss;
  }

  /** Its own: the network that it was made for. */
  network(): Network {
    return this.trained;
  }

  save(): AdamState {
    return this.adam.save();
  }

  restore(state: AdamState): void {
    this.adam.restore(state);
  }

  dispose(): void {}
}
