import { expect, test } from "vitest";
import { Traces } from "../../src/training/traces.ts";

const index = Int32Array.of(3, 5, 3);
const value = Float32Array.of(1, 2, 4);

test("an index that repeats in one position adds up, whatever the kind", () => {
  for (const kind of ["accumulating", "replacing"] as const) {
    const traces = new Traces(8, kind);
    traces.add(index, value, 3, 0.5);
    expect([traces.of(3), traces.of(5), traces.count]).toEqual([2.5, 1, 2]);
    traces.add(index, value, 3, 0.5);
    expect(traces.of(3)).toBe(kind === "accumulating" ? 5 : 2.5);
  }
});

test("spending moves the target by the traces and lets them fade; tiny ones are dropped", () => {
  const traces = new Traces(8, "accumulating");
  traces.add(index, value, 3, 1);
  const target = new Float64Array(8);
  traces.spend(target, 0.1, 0.5);
  expect(Array.from(target)).toEqual([0, 0, 0, 0.5, 0, 0.2, 0, 0]);
  expect([traces.of(3), traces.of(5)]).toEqual([2.5, 1]);
  for (let step = 0; step < 30; step++) traces.spend(target, 0, 0.5);
  expect([traces.of(3), traces.of(5), traces.count]).toEqual([0, 0, 0]);
});

test("without decay nothing is left; after clearing nothing is, and traces grow anew", () => {
  const traces = new Traces(8, "accumulating");
  traces.add(index, value, 2, 1);
  traces.spend(new Float64Array(8), 1, 0);
  expect(traces.count).toBe(0);
  traces.add(index, value, 2, 1);
  traces.clear();
  expect([traces.count, traces.of(3)]).toEqual([0, 0]);
  traces.add(index, value, 1, 1);
  expect([traces.count, traces.of(3)]).toEqual([1, 1]);
});
