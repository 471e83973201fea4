/**
 * Hashes of four int32, for positions that are a few words: cheaper than tables, and nothing to keep
 * up to date. Each word goes through the body and the sum through the finaliser of MurmurHash3
 * (Appleby 2011, public domain); the two functions differ in seed, so that together they give 64 bits.
 */
export function mixLow(a: number, b: number, c: number, d: number): number {
  return finish(step(step(step(step(0x2545f491, a), b), c), d));
}

export function mixHigh(a: number, b: number, c: number, d: number): number {
  return finish(step(step(step(step(0x6c62272e, d), c), b), a));
}

function step(hash: number, word: number): number {
  let k = Math.imul(word, 0xcc9e2d51);
  k = (k << 15) | (k >>> 17);
  const h = hash ^ Math.imul(k, 0x1b873593);
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
}

function finish(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
