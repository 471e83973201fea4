import { GrowingInts } from "./growing-ints.ts";

const FIRST_SLOTS = 2 ** 12;

/** Numbers positions by their hashes, in the order in which they are met. */
export class PositionIndex {
  /** By number: the hash. */
  readonly low = new GrowingInts();
  readonly high = new GrowingInts();
  /** Numbers plus 1, by open addressing; 0 where a slot is free. At most half of the slots are taken. */
  private slots = new Int32Array(FIRST_SLOTS);

  get size(): number {
    return this.low.length;
  }

  /** The number of a position, or -1 if it was not added. */
  find(low: number, high: number): number {
    return this.slots[this.slotOf(low, high)] - 1;
  }

  /** Gives the next number to a position that was not added before. */
  add(low: number, high: number): number {
    if (2 * this.size >= this.slots.length) this.grow();
    this.low.push(low);
    this.high.push(high);
    this.slots[this.slotOf(low, high)] = this.size;
    return this.size - 1;
  }

  /** The slot that holds a position, or the free one where it belongs. */
  private slotOf(low: number, high: number): number {
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = low & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const number = slots[slot] - 1;
      if (this.low.values[number] === low && this.high.values[number] === high) break;
    }
    return slot;
  }

  private grow(): void {
    this.slots = new Int32Array(2 * this.slots.length);
    for (let number = 0; number < this.size; number++)
      this.slots[this.slotOf(this.low.values[number], this.high.values[number])] = number + 1;
  }
}
