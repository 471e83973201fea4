import { expect, test } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import { mixHigh, mixLow } from "../../src/base/hashing.ts";
import { slowTest } from "../support/thorough.ts";

slowTest("words that differ in a few bits hardly ever share half a hash, and never a whole one", () => {
  // 200,000 different hashes of 32 bits share 4.7 pairs on average; more than 15 has odds below 1e-4.
  const low = new Set<number>();
  const high = new Set<number>();
  const both = new Set<string>();
  let count = 0;
  for (let a = 0; a < 40; a++)
    for (let b = 0; b < 50; b++)
      for (let c = 0; c < 50; c++)
        for (let d = 0; d < 2; d++) {
          const words = [a, 1 << (b % 32), c << 20, d | (b << 1)] as const;
          low.add(mixLow(...words));
          high.add(mixHigh(...words));
          both.add(`${mixLow(...words)} ${mixHigh(...words)}`);
          count++;
        }
  expect(both.size).toBe(count);
  expect(count - low.size).toBeLessThan(16);
  expect(count - high.size).toBeLessThan(16);
});

test("every bit of every word changes about half the bits of the hash", () => {
  const words = [0x12345678, -0x21524111, 0x0f0f0f0f, 99] as const;
  for (const mix of [mixLow, mixHigh]) {
    for (let word = 0; word < 4; word++) {
      let changed = 0;
      for (let bit = 0; bit < 32; bit++) {
        const [a, b, c, d] = words.map((value, index) => (index === word ? value ^ (1 << bit) : value));
        let difference = mix(...words) ^ mix(a!, b!, c!, d!);
        for (; difference !== 0; difference &= difference - 1) changed++;
      }
      // 1,024 fair bits: 512 with a standard deviation of 16.
      expect(Math.abs(changed - 512)).toBeLessThan(80);
    }
  }
});

/** MurmurHash3_x86_32 of whole words, written from its description with unbounded integers. */
function murmur3(words: readonly number[], seed: number, { length = 4 * words.length } = {}): number {
  const bits = (value: bigint) => BigInt.asUintN(32, value);
  const rotate = (value: bigint, by: bigint) => bits(value << by) | (value >> (32n - by));
  let hash = BigInt(seed);
  for (const word of words) {
    const key = bits(rotate(bits(bits(BigInt(word)) * 0xcc9e2d51n), 15n) * 0x1b873593n);
    hash = bits(rotate(hash ^ key, 13n) * 5n + 0xe6546b64n);
  }
  hash ^= BigInt(length);
  hash = bits((hash ^ (hash >> 16n)) * 0x85ebca6bn);
  hash = bits((hash ^ (hash >> 13n)) * 0xc2b2ae35n);
  return Number(hash ^ (hash >> 16n));
}

test("both halves are MurmurHash3, without the length of the text", () => {
  // The values that implementations of MurmurHash3 are commonly checked with.
  expect(murmur3([], 0)).toBe(0);
  expect(murmur3([], 1)).toBe(0x514e28b7);
  expect(murmur3([], 0xffffffff)).toBe(0x81f16f39);
  expect(murmur3([0xffffffff], 0)).toBe(0x76293b50);
  expect(murmur3([0x87654321], 0)).toBe(0xf55b516b);
  expect(murmur3([0x87654321], 0x5082edee)).toBe(0x2362f9de);
  const random = createRandom("hashing");
  for (let sample = 0; sample < 100; sample++) {
    const words = Array.from({ length: 4 }, () => random.int32());
    const [a, b, c, d] = words as [number, number, number, number];
    expect(mixLow(a, b, c, d) >>> 0).toBe(murmur3(words, 0x2545f491, { length: 0 }));
    expect(mixHigh(a, b, c, d) >>> 0).toBe(murmur3(words.toReversed(), 0x6c62272e, { length: 0 }));
  }
});
