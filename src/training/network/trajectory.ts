import type { NetworkEvaluator } from "../../evaluators/network/network-evaluator.ts";
import { grown } from "./sample-buffer.ts";

/** The positions of one game as they were seen and estimated. No method allocates, save for growth. */
export class Trajectory {
  count = 0;
  /** By position: whose view it was. */
  viewer = new Int8Array(64);
  /** By position: what the viewer had collected. */
  collected = new Float64Array(64);
  /** By position: whether a random move led away from it, so that what follows does not tell its worth. */
  isCut = new Uint8Array(64);
  /** Pairs offsets[p]..offsets[p + 1] - 1 are the features of position p. */
  offsets = new Int32Array(65);
  index = new Int32Array(2048);
  value = new Float32Array(2048);
  /** The network's outputs, shape [count, size]. */
  outputs = new Float64Array(512);

  clear(): void {
    this.count = 0;
  }

  /** Adds what `evaluator` looked at last. */
  add(evaluator: NetworkEvaluator, viewer: number, collected: number): void {
    const { count } = this;
    const { active, index, value, outputs } = evaluator;
    const from = this.offsets[count];
    this.grow(count + 1, from + active, outputs.length);
    for (let at = 0; at < active; at++) {
      this.index[from + at] = index[at];
      this.value[from + at] = value[at];
    }
    for (let at = 0; at < outputs.length; at++) this.outputs[count * outputs.length + at] = outputs[at];
    this.viewer[count] = viewer;
    this.collected[count] = collected;
    this.isCut[count] = 0;
    this.offsets[count + 1] = from + active;
    this.count++;
  }

  private grow(count: number, pairs: number, outputs: number): void {
    this.viewer = grown(this.viewer, count);
    this.collected = grown(this.collected, count);
    this.isCut = grown(this.isCut, count);
    this.offsets = grown(this.offsets, count + 1);
    this.index = grown(this.index, pairs);
    this.value = grown(this.value, pairs);
    this.outputs = grown(this.outputs, count * outputs);
  }
}
