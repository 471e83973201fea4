import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deepFreeze, canonicalJson, plainDifference, PlainHash, whyNotPlain } from "../../src/base/plain.ts";

/** Plain values of any form. */
const plain = fc.jsonValue({ maxDepth: 4 });

/** The value with the keys of all objects in the opposite order. */
function turned(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(turned);
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, one]) => [key, turned(one)]),
  );
}

function hashOf(value: unknown): string {
  const hash = new PlainHash();
  hash.hash(value);
  expect([hash.low, hash.high]).toEqual([hash.low | 0, hash.high | 0]);
  return `${hash.low} ${hash.high}`;
}

describe("plain values", () => {
  test("have the same text and hash in any order of keys", () => {
    fc.assert(
      fc.property(plain, (value) => {
        expect(canonicalJson(turned(value))).toBe(canonicalJson(value));
        expect(hashOf(turned(value))).toBe(hashOf(value));
        expect(hashOf(JSON.parse(canonicalJson(value)))).toBe(hashOf(value));
        expect(plainDifference(value, turned(value), "value")).toBeUndefined();
      }),
    );
  });

  test("that differ have different hashes, in both halves", () => {
    const values = [
      0,
      1,
      -1,
      0.5,
      2 ** 40,
      "",
      "0",
      "a",
      "ab",
      true,
      false,
      null,
      [],
      {},
      [[]],
      [0],
      [0, 0],
      [[0], 0],
    ];
    const objects = [
      { a: 1 },
      { b: 1 },
      { a: 2 },
      { a: 1, b: 2 },
      { a: 2, b: 1 },
      { a: { b: 1 } },
      { a: [1] },
    ];
    const hashes = [...values, ...objects].map((value) => hashOf(value).split(" "));
    for (const half of [0, 1]) expect(new Set(hashes.map((hash) => hash[half])).size).toBe(hashes.length);
  });

  test("that differ have different hashes wherever a number stands", () => {
    const seen = new Set<string>();
    for (let at = 0; at < 14; at++) {
      for (let stones = 1; stones < 200; stones++) {
        const holes = Array.from({ length: 14 }, (_, hole) => (hole === at ? stones : 0));
        seen.add(hashOf({ holes, player: 0 })).add(hashOf({ holes, player: 1 }));
      }
    }
    expect(seen.size).toBe(14 * 199 * 2);
  });

  test("a property that is undefined counts as absent", () => {
    expect(hashOf({ a: 1, b: undefined })).toBe(hashOf({ a: 1 }));
    expect(whyNotPlain({ a: undefined }, "x")).toBeUndefined();
  });

  test.each([
    [{ a: [1, NaN] }, "x.a[1] is NaN"],
    [[undefined], "x[0] is undefined"],
    [{ f: () => 1 }, "x.f is a function"],
    [{ m: new Map() }, "x.m is a Map"],
    [new Int32Array(2), "x is a Int32Array"],
  ])("%j is not plain: %s", (value, why) => {
    expect(whyNotPlain(value, "x")).toBe(why);
  });

  test("a value that holds itself is not plain", () => {
    const loop: unknown[] = [];
    loop.push(loop);
    expect(whyNotPlain(loop, "x")).toMatch(/is nested more than 50 deep, or holds itself$/);
  });

  test.each([
    [{ a: [1, 2] }, { a: [1, 3] }, "x.a[1] was 2 and is 3"],
    [{ a: 1 }, { a: 1, b: 2 }, "x.b was null and is 2"],
    [[1], { a: 1 }, 'x was [1] and is {"a":1}'],
    [1, "1", 'x was 1 and is "1"'],
  ])("%j and %j differ: %s", (before, after, found) => {
    expect(plainDifference(before, after, "x")).toBe(found);
  });

  test("are frozen with all that they hold", () => {
    const value = deepFreeze({ a: [{ b: 1 }] });
    expect(() => (value.a[0]!.b = 2)).toThrow(TypeError);
    expect(() => value.a.push({ b: 3 })).toThrow(TypeError);
  });
});
