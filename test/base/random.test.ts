import { describe, expect, test } from "vitest";
import { createRandom, Random } from "../../src/base/random.ts";

/** sfc32 as published (Doty-Humphrey, PractRand), in unsigned big integers. */
function twin(seed: readonly [number, number, number]): () => number {
  const word = (value: bigint) => value & 0xffffffffn;
  let [a, b, c] = seed.map((value) => word(BigInt(value))) as [bigint, bigint, bigint];
  let counter = 1n;
  const next = () => {
    const result = word(a + b + counter);
    counter = word(counter + 1n);
    a = b ^ (b >> 9n);
    b = word(c + (c << 3n));
    c = word(((c << 21n) | (c >> 11n)) + result);
    return Number(BigInt.asIntN(32, result));
  };
  for (let round = 0; round < 12; round++) next();
  return next;
}

/** Chi-square of counts against equal ones. */
function chiSquare(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

/**
 * The bound that chi-square exceeds less than once in a million (Wilson and Hilferty 1931; 4% too much at 5
 * degrees of freedom, less beyond). Seeds are fixed, so that a test which passes once always does.
 */
function onceInAMillion(degrees: number): number {
  const spread = 2 / (9 * degrees);
  return degrees * (1 - spread + 4.753 * Math.sqrt(spread)) ** 3;
}

const zeros = (length: number) => Array.from({ length }, () => 0);

describe("sfc32", () => {
  test.each([
    [0, 0, 0],
    [1, 2, 3],
    [-1, 0x7fffffff, -0x80000000],
    [0x12345678, 0x9abcdef0 | 0, 0x0f1e2d3c],
  ])("from %i %i %i gives the published sequence", (a, b, c) => {
    const random = new Random(a, b, c);
    const next = twin([a, b, c]);
    for (let draw = 0; draw < 5000; draw++) expect(random.int32()).toBe(next());
  });

  test("saves and restores its whole state", () => {
    const random = createRandom("saved");
    for (let draw = 0; draw < 100; draw++) random.int32();
    const saved = JSON.parse(JSON.stringify(random.save())) as ReturnType<Random["save"]>;
    const wanted = Array.from({ length: 50 }, () => random.int32());
    const other = new Random(0, 0, 0);
    other.restore(saved);
    expect(Array.from({ length: 50 }, () => other.int32())).toEqual(wanted);
    random.restore(saved);
    expect(Array.from({ length: 50 }, () => random.int32())).toEqual(wanted);
  });
});

describe("draws", () => {
  test("integers are uniform in each of their four bytes", () => {
    const random = createRandom("bytes");
    const counts = [0, 8, 16, 24].map(() => zeros(256));
    for (let draw = 0; draw < 100_000; draw++) {
      const word = random.int32();
      counts.forEach((bytes, at) => bytes[(word >>> (8 * at)) & 255]!++);
    }
    for (const bytes of counts) expect(chiSquare(bytes)).toBeLessThan(onceInAMillion(255));
  });

  test("fractions are in [0, 1) and uniform, also in pairs", () => {
    const random = createRandom("fractions");
    const counts = zeros(256);
    let outside = 0;
    for (let draw = 0; draw < 50_000; draw++) {
      const [first, second] = [random.float(), random.float()];
      if (Math.min(first, second) < 0 || Math.max(first, second) >= 1) outside++;
      counts[16 * Math.floor(16 * first) + Math.floor(16 * second)]!++;
    }
    expect(outside).toBe(0);
    expect(chiSquare(counts)).toBeLessThan(onceInAMillion(255));
  });

  test("fractions stay below 1 at the largest integer", () => {
    const random = new Random(0, 0, 0);
    random.int32 = () => -1;
    expect(random.float()).toBe((2 ** 32 - 1) / 2 ** 32);
    expect(random.below(7)).toBe(6);
    random.int32 = () => 0;
    expect([random.float(), random.below(7)]).toEqual([0, 0]);
  });

  test.each([2, 3, 7, 10, 100])("whole numbers below %i are uniform", (count) => {
    const random = createRandom("below", count);
    const counts = zeros(count);
    for (let draw = 0; draw < 20_000; draw++) counts[random.below(count)]!++;
    expect(chiSquare(counts)).toBeLessThan(
      count === 2 ? 23.93 : count === 3 ? 27.64 : onceInAMillion(count - 1),
    );
  });

  test("weighted draws keep to the probabilities, from the given place on", () => {
    const probabilities = Float64Array.of(9, 9, 1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 32, 9);
    const random = createRandom("weighted");
    const counts = zeros(6);
    const draws = 64_000;
    for (let draw = 0; draw < draws; draw++) counts[random.weighted(probabilities, 2, 6)]!++;
    const chi = counts.reduce((sum, count, at) => {
      const expected = draws * probabilities[2 + at];
      return sum + (count - expected) ** 2 / expected;
    }, 0);
    expect(chi).toBeLessThan(onceInAMillion(5));
  });

  test("a weighted draw never leaves the list, should the probabilities miss 1", () => {
    const random = new Random(0, 0, 0);
    random.float = () => 1 - 2 ** -32;
    expect(random.weighted(Float64Array.of(0.3, 0.3, 0.3), 0, 3)).toBe(2);
    expect(random.weighted(Float64Array.of(1), 0, 1)).toBe(0);
  });

  test("shuffles make each of the 120 orders of five equally likely, and touch nothing else", () => {
    const random = createRandom("shuffle");
    const counts = new Map<string, number>();
    for (let draw = 0; draw < 60_000; draw++) {
      const items = Int32Array.of(-1, 1, 2, 3, 4, 5, -2);
      random.shuffle(items, 1, 5);
      const order = items.join("");
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect(counts.size).toBe(120);
    expect([...counts.keys()].every((order) => /^-1[1-5]{5}-2$/.test(order))).toBe(true);
    expect(chiSquare([...counts.values()])).toBeLessThan(onceInAMillion(119));
  });
});

describe("streams by name", () => {
  const first = (...parts: (string | number)[]) => {
    const random = createRandom(...parts);
    return [random.int32(), random.int32(), random.int32(), random.int32()];
  };

  test("regression golden, made by this code: stored runs depend on it", () => {
    expect(first("agon", "game", 1, "seat", 0)).toEqual([691864413, -1377285113, 1072242992, -670872135]);
    expect(first("")).toEqual([-1055132209, 978618164, 2097330252, -1992076376]);
  });

  test("the same name gives the same stream; where the parts are parted matters", () => {
    expect(first("a", "b")).toEqual(first("a", "b"));
    const streams = [
      first("a", "b"),
      first("ab"),
      first("a", "b", ""),
      first("b", "a"),
      first("a", 1),
      first("a1"),
    ];
    expect(new Set(streams.map((stream) => stream.join())).size).toBe(streams.length);
  });

  test("streams of neighbouring names are independent", () => {
    // Each bit of two streams agrees half the time: 64,000 bits have a standard deviation of 126.5.
    for (let seat = 0; seat < 20; seat++) {
      const [one, other] = [createRandom("run", "game", seat), createRandom("run", "game", seat + 1)];
      let equal = 0;
      for (let draw = 0; draw < 2000; draw++) {
        let same = ~(one.int32() ^ other.int32());
        for (; same !== 0; same &= same - 1) equal++;
      }
      expect(Math.abs(equal - 32_000)).toBeLessThan(5.5 * 126.5);
    }
    // Nor does the first draw follow the name.
    const counts = zeros(16);
    for (let game = 0; game < 3200; game++) counts[createRandom("run", game).below(16)]!++;
    expect(chiSquare(counts)).toBeLessThan(onceInAMillion(15));
  });
});
