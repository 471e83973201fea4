import { createRandom } from "./random.ts";

/*
 * Two ways to hash a position. `mixLow` and `mixHigh` hash a position that is four int32. They cost less than tables, and no
 * move has to update them. They use MurmurHash3 (Appleby 2011, public domain) with different seeds, so that together they
 * give 64 bits. `zobristTable` gives the random words of Zobrist hashing.
 */

/** The low 32 bits of the hash of four int32. */
export function mixLow(a: number, b: number, c: number, d: number): number {
  return finish(step(step(step(step(0x2545f491, a), b), c), d));
}

/** The high 32 bits of the hash of four int32. */
export function mixHigh(a: number, b: number, c: number, d: number): number {
  return finish(step(step(step(step(0x6c62272e, d), c), b), a));
}

/** Takes one more int32 into a hash; `finish` ends it. */
export function step(hash: number, word: number): number {
  let k = Math.imul(word, 0xcc9e2d51);
  k = (k << 15) | (k >>> 17);
  const h = hash ^ Math.imul(k, 0x1b873593);
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
}

/** Spreads every bit of a hash over all of its bits. */
export function finish(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** `count` random 32-bit words for Zobrist hashing (Zobrist 1970); the same name gives the same table. */
export function zobristTable(name: string, count: number): Int32Array {
  const random = createRandom("zobrist", name);
  return Int32Array.from({ length: count }, () => random.int32());
}

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

/** Returns the array itself if it has at least `length` places, otherwise a copy of at least twice its length. */
export function grown<A extends Int8Array | Uint8Array | Int32Array | Float32Array | Float64Array>(
  array: A,
  length: number = array.length + 1,
): A {
  if (length <= array.length) return array;
  const longer = new (array.constructor as new (length: number) => A)(Math.max(length, 2 * array.length));
  longer.set(array);
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
