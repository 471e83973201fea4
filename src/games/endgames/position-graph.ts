import { MOST_PLIES } from "./distance.ts";

const FIRST_LENGTH = 1024;

/** A list of int32 that grows. */
export class GrowingInts {
  values: Int32Array = new Int32Array(FIRST_LENGTH);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const longer = new Int32Array(2 * this.length);
      longer.set(this.values);
      this.values = longer;
    }
    this.values[this.length++] = value;
  }
}

/**
 * A graph of numbered positions and the positions that their actions lead to. Add each position once by `begin`; then
 * call `lead` for each of its actions, or `know` for an action with a known result.
 */
export class PositionGraph {
  /** By position: the nearest win and the farthest loss, in plies, among actions with known results; 0 for none. */
  win: Int16Array;
  loss: Int16Array;
  /** By position: 1 if an action leads to a known draw. */
  draws: Uint8Array;
  /** The positions in the order in which they began, and how many edges each of them has. */
  readonly begun = new GrowingInts();
  readonly counts = new GrowingInts();
  /** One number for each action: twice the position that it leads to, plus 1 if the same player moves there. */
  readonly edges = new GrowingInts();
  private position = 0;

  /** @param size the number of positions; it grows for a greater number */
  constructor(size: number) {
    this.win = new Int16Array(size);
    this.loss = new Int16Array(size);
    this.draws = new Uint8Array(size);
  }

  /** Adds a position; `lead` and `know` then belong to it. */
  begin(position: number): void {
    if (position >= this.win.length) this.grow(2 * (position + 1));
    this.position = position;
    this.begun.push(position);
    this.counts.push(0);
  }

  /** Adds an action that leads to the position `to`; `isSame`: the same player moves there. */
  lead(to: number, isSame: boolean): void {
    this.edges.push(2 * to + (isSame ? 1 : 0));
    this.counts.values[this.counts.length - 1]++;
  }

  /** Adds an action with a known result: its distance before the action, for the player who takes it. */
  know(distance: number): void {
    const { win, loss, draws, position } = this;
    if (distance > MOST_PLIES || distance < -MOST_PLIES)
      throw new RangeError(`a distance of ${distance} plies`);
    if (distance === 0) draws[position] = 1;
    else if (distance > 0) win[position] = win[position] === 0 ? distance : Math.min(win[position], distance);
    else loss[position] = Math.max(loss[position], 0 - distance);
  }

  private grow(size: number): void {
    const { win, loss, draws } = this;
    (this.win = new Int16Array(size)).set(win);
    (this.loss = new Int16Array(size)).set(loss);
    (this.draws = new Uint8Array(size)).set(draws);
  }
}
