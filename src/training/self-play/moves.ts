/*
 * The moves of games as bytes: for each action or chance outcome twice its number, one more if it was explored. Small
 * numbers take one byte (LEB128). Where a game ends, the rules say.
 */

/** The most that a number may be: an action has 30 bits. */
const MAX_BYTES = 5;

/** Writes moves down. */
export class MoveWriter {
  private bytes = new Uint8Array(4096);
  private length = 0;

  add(action: number, explored: boolean): void {
    if (this.length + MAX_BYTES > this.bytes.length) {
      const longer = new Uint8Array(2 * this.bytes.length);
      longer.set(this.bytes);
      this.bytes = longer;
    }
    let left = action * 2 + (explored ? 1 : 0);
    for (; left > 127; left >>>= 7) this.bytes[this.length++] = (left & 127) | 128;
    this.bytes[this.length++] = left;
  }

  /** What was written since the last call. */
  take(): Uint8Array {
    const taken = this.bytes.slice(0, this.length);
    this.length = 0;
    return taken;
  }
}

/** Reads what a MoveWriter wrote. */
export class MoveReader {
  /** Whether the action read last was explored. */
  explored = false;
  private readonly bytes: Uint8Array;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  /** The next action; throws RangeError where there is none. */
  next(): number {
    let number = 0;
    for (let shift = 0; shift < 7 * MAX_BYTES; shift += 7) {
      if (this.isAtEnd) throw new RangeError("a game without an end");
      const byte = this.bytes[this.at++]!;
      number |= (byte & 127) << shift;
      if (byte < 128) {
        this.explored = (number & 1) === 1;
        return number >>> 1;
      }
    }
    throw new RangeError("a number of too many bytes");
  }
}
