import { expect, test } from "vitest";
import { mixHigh, mixLow } from "../../src/base/hashing.ts";

test("words that differ in a few bits hardly ever share half a hash, and never a whole one", () => {
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
