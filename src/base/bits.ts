/** The number of set bits of an int32. */
export function countBits(set: number): number {
  let n = set - ((set >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The position, 0 to 31, of the lowest set bit; undefined for the empty set. */
export function lowestBit(set: number): number {
  return 31 - Math.clz32(set & (0 - set));
}

/** The set bits of an int32, lowest first. Allocates. */
export function bitsOf(set: number): number[] {
  const bits: number[] = [];
  for (let rest = set; rest !== 0; rest &= rest - 1) bits.push(lowestBit(rest));
  return bits;
}

/** An array of twice the length, with the same words at its beginning. */
export function doubled(words: Int32Array): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(2 * words.length);
  longer.set(words);
  return longer;
}

/** The set with its bits in reverse order: bit 0 becomes bit 31. */
export function reverseBits(set: number): number {
  let r = ((set >>> 1) & 0x55555555) | ((set & 0x55555555) << 1);
  r = ((r >>> 2) & 0x33333333) | ((r & 0x33333333) << 2);
  r = ((r >>> 4) & 0x0f0f0f0f) | ((r & 0x0f0f0f0f) << 4);
  r = ((r >>> 8) & 0x00ff00ff) | ((r & 0x00ff00ff) << 8);
  return (r >>> 16) | (r << 16);
}
