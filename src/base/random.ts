import seedrandom from "seedrandom";

/**
 * Small fast generator for inner loops: sfc32 (Doty-Humphrey, PractRand), 128 bits of state,
 * period of at least 2^32. No method allocates. Seeded by `createRandom`.
 */
export class Random {
  private a = 0;
  private b = 0;
  private c = 0;
  private counter = 1;

  constructor(a: number, b: number, c: number) {
    this.reseed(a, b, c);
  }

  /** Starts again from three 32-bit words. */
  reseed(a: number, b: number, c: number): void {
    this.a = a | 0;
    this.b = b | 0;
    this.c = c | 0;
    this.counter = 1;
    for (let round = 0; round < 12; round++) this.int32();
  }

  /** Uniform over all 2^32 integers, as an int32. */
  int32(): number {
    const sum = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return sum;
  }

  /** Uniform in [0, 1), 32 bits. */
  float(): number {
    return (this.int32() >>> 0) * 2.3283064365386963e-10;
  }

  /** Uniform over 0..count-1; the bias is below count / 2^32. */
  below(count: number): number {
    return ((this.int32() >>> 0) * 2.3283064365386963e-10 * count) | 0;
  }

  /** An index drawn with `probabilities[at..at+count-1]`, which sum to 1. */
  weighted(probabilities: Float64Array, at: number, count: number): number {
    let left = this.float();
    for (let index = 0; index < count - 1; index++) {
      left -= probabilities[at + index];
      if (left < 0) return index;
    }
    return count - 1;
  }

  /** Puts items[at..at+count-1] in a uniformly random order. */
  shuffle(items: Int32Array, at: number, count: number): void {
    for (let last = count - 1; last > 0; last--) {
      const other = this.below(last + 1);
      const item = items[at + last];
      items[at + last] = items[at + other];
      items[at + other] = item;
    }
  }

  /** The whole state of the generator, for checkpoints. */
  save(): [number, number, number, number] {
    return [this.a, this.b, this.c, this.counter];
  }

  restore(saved: readonly [number, number, number, number]): void {
    [this.a, this.b, this.c, this.counter] = saved;
  }
}

/**
 * The generator of a name, such as `createRandom(runSeed, "chance", block)`. Equal parts always give the same stream,
 * different parts independent streams. The first state comes from seedrandom (ARC4, with the joined parts as the key).
 */
export function createRandom(...parts: readonly (string | number)[]): Random {
  return createRandoms(1, ...parts)[0]!;
}

/** `count` independent generators of one name. */
export function createRandoms(count: number, ...parts: readonly (string | number)[]): Random[] {
  const source = seedrandom(parts.join("\u001f"));
  return Array.from({ length: count }, () => new Random(source.int32(), source.int32(), source.int32()));
}
