import fc from "fast-check";
import { expect, test } from "vitest";
import { TRACE_KINDS, Traces } from "../../../src/training/learn/credit.ts";

const index = Int32Array.of(3, 5, 3);
const value = Float32Array.of(1, 2, 4);

test("an index that repeats in one position adds up, whatever the kind", () => {
  for (const kind of TRACE_KINDS) {
    const traces = new Traces(8, kind);
    traces.add(index, value, 3, 0.5);
    expect([traces.of(3), traces.of(5), traces.count]).toEqual([2.5, 1, 2]);
    traces.add(index, value, 3, 0.5);
    expect(traces.of(3)).toBe(kind === "accumulating" ? 5 : 2.5);
  }
});

test("traces fade; tiny ones are dropped", () => {
  const traces = new Traces(8, "accumulating");
  traces.add(index, value, 3, 1);
  traces.decay(0.5);
  expect([traces.of(3), traces.of(5)]).toEqual([2.5, 1]);
  for (let step = 0; step < 30; step++) traces.decay(0.5);
  expect([traces.of(3), traces.of(5), traces.count]).toEqual([0, 0, 0]);
});

test("after a decay to nothing nothing is left; after clearing nothing is, and traces grow anew", () => {
  const traces = new Traces(8, "accumulating");
  traces.add(index, value, 2, 1);
  traces.decay(0);
  expect(traces.count).toBe(0);
  traces.add(index, value, 2, 1);
  traces.clear();
  expect([traces.count, traces.of(3)]).toEqual([0, 0]);
  traces.add(index, value, 1, 1);
  expect([traces.count, traces.of(3)]).toEqual([1, 1]);
});

/** A trace for every weight, by the definition (Singh and Sutton 1996). */
class DenseTraces {
  readonly traces: Float64Array;
  private readonly replaces: boolean;

  constructor(size: number, replaces: boolean) {
    this.traces = new Float64Array(size);
    this.replaces = replaces;
  }

  add(features: readonly (readonly [weight: number, value: number])[], factor: number): void {
    if (this.replaces) for (const [weight] of features) this.traces[weight] = 0;
    for (const [weight, worth] of features) this.traces[weight] += factor * worth;
  }

  decay(factor: number): void {
    for (const at of this.traces.keys()) this.traces[at] *= factor;
  }
}

test("are those of a dense array, over any sequence", () => {
  const SIZE = 600;
  const features = fc.array(
    fc.tuple(fc.nat(SIZE - 1), fc.double({ min: -4, max: 4, noNaN: true }).map(Math.fround)),
    { maxLength: 400 },
  );
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ add: features, factor: fc.constantFrom(-1, 0.25, 1, 3) }) },
    { weight: 2, arbitrary: fc.record({ decay: fc.constantFrom(0, 0.3, 0.9, 1) }) },
    { weight: 1, arbitrary: fc.constant({ clear: true }) },
  );
  fc.assert(
    fc.property(fc.constantFrom(...TRACE_KINDS), fc.array(step, { maxLength: 20 }), (kind, sequence) => {
      const traces = new Traces(SIZE, kind);
      const dense = new DenseTraces(SIZE, kind === "replacing");
      for (const does of sequence) {
        if ("add" in does) {
          const weights = Int32Array.from(does.add, ([weight]) => weight);
          const values = Float32Array.from(does.add, ([, worth]) => worth);
          traces.add(weights, values, does.add.length, does.factor);
          dense.add(does.add, does.factor);
        } else if ("decay" in does) {
          traces.decay(does.decay);
          dense.decay(does.decay);
        } else {
          traces.clear();
          dense.traces.fill(0);
        }
        const listed = new Map(
          Array.from(traces.index.subarray(0, traces.count), (weight, at) => [weight, traces.credit[at]!]),
        );
        expect(listed.size).toBe(traces.count);
        // Traces below a millionth are dropped.
        const apart = dense.traces.map((trace, weight) => Math.abs(trace - (listed.get(weight) ?? 0)));
        expect(Math.max(...apart)).toBeLessThan(3e-6);
        expect([...listed].every(([weight, credit]) => traces.of(weight) === credit)).toBe(true);
      }
    }),
    { numRuns: 150, seed: 3 },
  );
});
