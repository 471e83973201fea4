import type { State } from "../game/game.ts";
import type { Tables } from "./tables.ts";
import { UNKNOWN } from "./verdict.ts";

/** About so many positions share a bucket. */
const PER_BUCKET = 4;

/** Positions by their hashes, as parallel lists. */
export interface HashedPositions {
  readonly low: Int32Array;
  readonly high: Int32Array;
  readonly verdicts: Int16Array;
}

/** The verdicts of positions that are known by their hashes: those of a whole game that was solved. */
export class PositionTable implements Tables {
  /** In the order of their buckets. */
  readonly positions: HashedPositions;
  private readonly first: Uint32Array;
  private readonly shift: number;

  /** Takes positions in any order; the same ones in the same order give the same table. */
  constructor({ low, high, verdicts }: HashedPositions) {
    const count = verdicts.length;
    const bits = Math.max(1, Math.ceil(Math.log2(count / PER_BUCKET + 1)));
    this.shift = 32 - bits;
    this.first = new Uint32Array(2 ** bits + 2);
    for (let at = 0; at < count; at++) this.first[(high[at] >>> this.shift) + 2]++;
    for (let bucket = 2; bucket < this.first.length; bucket++) this.first[bucket] += this.first[bucket - 1];
    const sorted = {
      low: new Int32Array(count),
      high: new Int32Array(count),
      verdicts: new Int16Array(count),
    };
    for (let at = 0; at < count; at++) {
      const to = this.first[(high[at] >>> this.shift) + 1]++;
      sorted.low[to] = low[at];
      sorted.high[to] = high[at];
      sorted.verdicts[to] = verdicts[at];
    }
    this.positions = sorted;
  }

  probe({ hashLow, hashHigh }: State): number {
    const { low, high, verdicts } = this.positions;
    const bucket = hashHigh >>> this.shift;
    const end = this.first[bucket + 1];
    for (let at = this.first[bucket]; at < end; at++)
      if (low[at] === hashLow && high[at] === hashHigh) return verdicts[at];
    return UNKNOWN;
  }
}
