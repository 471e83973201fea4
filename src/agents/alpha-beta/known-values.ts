import type { Evaluator, State } from "../../games/contract/game.ts";

/** A power of two; the values and their keys take 256 KiB. */
const SLOTS = 2 ** 14;

/**
 * An evaluator that remembers its last values by the hash of the position: deepening comes to most positions again. So it
 * is for games whose hash tells all that an evaluator reads. `forget` must be called before the evaluator changes.
 */
export class KnownValues implements Evaluator {
  private readonly evaluator: Evaluator;
  private readonly values = new Float64Array(SLOTS);
  /** Both halves of the hash of each slot's position. */
  private readonly keys = new Int32Array(2 * SLOTS);

  constructor(evaluator: Evaluator) {
    this.evaluator = evaluator;
    this.forget();
  }

  /** Values for the player to move are remembered. */
  evaluate(state: State, player: number): number {
    if (player !== state.toMove) return this.evaluator.evaluate(state, player);
    const { keys } = this;
    const { hashLow, hashHigh } = state;
    const slot = hashLow & (SLOTS - 1);
    if (keys[2 * slot] === hashLow && keys[2 * slot + 1] === hashHigh) return this.values[slot];
    const value = this.evaluator.evaluate(state, player);
    keys[2 * slot] = hashLow;
    keys[2 * slot + 1] = hashHigh;
    this.values[slot] = value;
    return value;
  }

  forget(): void {
    // A hash that belongs to a slot ends with the slot's number.
    this.keys.fill(0);
    this.keys[0] = 1;
  }
}
