import { expect, test } from "vitest";
import { bitsOf, countBits, grown, lowestBit, reverseBits } from "../../src/base/hashing.ts";
import { createRandom } from "../../src/base/random.ts";

test("counts, finds and lists the bits that the binary text shows", () => {
  const random = createRandom("bits");
  const sets = [0, 1, -1, 1 << 31, ...Array.from({ length: 500 }, () => random.int32() & random.int32())];
  for (const set of sets) {
    const text = (set >>> 0).toString(2).padStart(32, "0");
    const bits = Array.from({ length: 32 }, (_, bit) => bit).filter((bit) => text[31 - bit] === "1");
    expect(bitsOf(set)).toEqual(bits);
    expect(countBits(set)).toBe(bits.length);
    expect(reverseBits(set)).toBe(Number.parseInt(text.split("").toReversed().join(""), 2) | 0);
    if (set !== 0) expect(lowestBit(set)).toBe(bits[0]);
  }
});

test("an array that grows begins with its words; one that is long enough stays", () => {
  expect(grown(Int32Array.of(3, -1, 7))).toEqual(Int32Array.of(3, -1, 7, 0, 0, 0));
  expect(grown(Float64Array.of(3), 5)).toEqual(Float64Array.of(3, 0, 0, 0, 0));
  const long = new Uint8Array(4);
  expect(grown(long, 4)).toBe(long);
});
