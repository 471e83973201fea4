import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatThoughts, parseThoughts, type Thought } from "../../src/base/thought.ts";

const refuse = (entry: string) => new Error(`refused ${entry}`);
const read = (text: string) => parseThoughts(text, refuse);

const THOUGHTS: readonly Thought[] = [
  { value: -0.25, depth: 4, nodes: 267, timeMs: 0.213, line: [3, 3, -2] },
  { nodes: 0, timeMs: 0.02, line: [] },
  { value: 5e-7, nodes: 1e21, timeMs: 1230, line: [7, 1] },
];
const TEXT = "-0.25/4/267/0.213/3 3 -2;//0/0.02/;5e-7//1e+21/1230/7 1";

describe("the text of a game's thoughts", () => {
  test("has one entry for each decision", () => {
    expect(formatThoughts(THOUGHTS)).toBe(TEXT);
    expect(read(TEXT)).toEqual(THOUGHTS);
    expect(formatThoughts([])).toBe("");
    expect(read("")).toEqual([]);
  });

  test("gives back whatever was written", () => {
    const amount = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true });
    const thought = fc.record(
      {
        value: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
        depth: fc.maxSafeNat(),
        nodes: amount,
        timeMs: amount,
        line: fc.array(fc.maxSafeInteger()),
      },
      { requiredKeys: ["nodes", "timeMs", "line"] },
    );
    fc.assert(
      fc.property(fc.array(thought), (thoughts) => {
        expect(read(formatThoughts(thoughts))).toEqual(thoughts);
      }),
    );
  });

  test.each([
    ["x", "x"],
    ["0.5/4/267/0.2", "0.5/4/267/0.2"],
    ["0.5/4/267/0.2/1;", ""],
    ["0.5/4/267/0.2/1 ", "0.5/4/267/0.2/1 "],
    ["//0/1/;0.5/4.5/267/0.2/1", "0.5/4.5/267/0.2/1"],
    ["/4/-1/0.2/1", "/4/-1/0.2/1"],
    ["/4//0.2/1", "/4//0.2/1"],
    ["/4/1/0.2/1 x", "/4/1/0.2/1 x"],
    ["1e999/4/1/0.2/1", "1e999/4/1/0.2/1"],
  ])("is refused where an entry is none: %s", (text, entry) => {
    expect(() => read(text)).toThrow(refuse(entry));
  });
});
