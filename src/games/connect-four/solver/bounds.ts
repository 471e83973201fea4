/**
 * A table of bytes by position: two words an entry, the low word of the key, then the high word with
 * the byte below it. Keys are exact; the newest entry takes its slot.
 */
export class Bounds {
  private readonly entries: Int32Array;
  private readonly shift: number;

  /** @param bits the binary logarithm of the number of entries */
  constructor(bits: number) {
    this.entries = new Int32Array(2 << bits);
    this.shift = 32 - bits;
  }

  /** The byte of a position, or 0. */
  find(low: number, high: number): number {
    const { entries } = this;
    const at = this.slot(low, high);
    const word = entries[at + 1];
    return entries[at] === low && word >>> 8 === high ? word & 0xff : 0;
  }

  /** Stores a byte that is not 0; `high` has 24 bits at most. */
  store(low: number, high: number, byte: number): void {
    const at = this.slot(low, high);
    this.entries[at] = low;
    this.entries[at + 1] = (high << 8) | byte;
  }

  private slot(low: number, high: number): number {
    return (Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1) >>> this.shift) << 1;
  }
}
