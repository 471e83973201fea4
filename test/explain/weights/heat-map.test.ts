import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawHeatMaps, numberFormat } from "../../../src/explain/weights/heat-map.ts";
import type { HeatMap } from "../../../src/explain/weights/inspect.ts";

const map: HeatMap = {
  name: "king",
  measure: "weights",
  rows: [
    [1, -0.5, undefined],
    [0.125, NaN, 0.125],
  ],
  rowNames: ["10", "9"],
  columnNames: ["a", "b", "c"],
};

describe("heat maps", () => {
  test("are grids of numbers with names at their edges", () => {
    expect(drawHeatMaps([map], { colour: false, width: 80 }).split("\n")).toEqual([
      "king: mean +0.19",
      "       a     b     c",
      "10 +1.00 -0.50",
      " 9 +0.13     - +0.13",
    ]);
  });

  test("have no frame where nothing is named", () => {
    const { rowNames: _, columnNames: __, ...bare } = map;
    expect(drawHeatMaps([{ ...bare, rows: [[3, 4]] }], { colour: false, width: 80 })).toBe(
      "king: mean 3.50\n 3.00 4.00",
    );
  });

  test("stand side by side as far as they fit", () => {
    const one = drawHeatMaps([map], { colour: false, width: 80 }).split("\n");
    const drawn = (width: number) => drawHeatMaps([map, map, map], { colour: false, width }).split("\n");
    // Each is 20 wide, 4 apart.
    expect(drawn(20)).toEqual([...one, "", ...one, "", ...one]);
    expect(drawn(43)).toEqual(drawn(20));
    expect(drawn(44)).toEqual([...one.map((line) => `${line.padEnd(24)}${line}`), "", ...one]);
    expect(drawn(68)).toEqual(one.map((line) => `${line.padEnd(24)}${line.padEnd(24)}${line}`));
    expect(drawn(1)).toEqual(drawn(20));
  });

  test("are shaded by the distance from their mean: blue above it, orange below, the furthest most", () => {
    const lines = drawHeatMaps([{ ...map, rows: [[10, 5, 0]], rowNames: [] }], { colour: true, width: 80 });
    const row = lines.split("\n")[2]!;
    expect(row).toBe(" \u001b[48;5;75;38;5;16m10.0\u001b[0m  5.0 \u001b[48;5;209;38;5;16m 0.0\u001b[0m");
  });

  test("where all numbers are the same, or none was learned, there is no shade", () => {
    const flat = drawHeatMaps([{ ...map, rows: [[2, 2, 2]] }], { colour: true, width: 80 });
    expect(flat).toContain("king: mean 2.00\n");
    expect(flat).not.toContain("\u001b");
    expect(drawHeatMaps([{ ...map, rows: [[NaN, NaN, NaN]] }], { colour: true, width: 80 })).toContain(
      "king: nothing learned",
    );
  });

  test("say the same with colours and without", () => {
    const value = fc.oneof(fc.double(), fc.constant(undefined), fc.double({ min: -1, max: 1 }));
    const maps = fc
      .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }))
      .chain(([height, width]) =>
        fc.array(fc.array(value, { minLength: width, maxLength: width }), {
          minLength: height,
          maxLength: height,
        }),
      )
      .map((rows): HeatMap => ({ name: "x", measure: "y", rows }));
    fc.assert(
      fc.property(
        fc.array(maps, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 120 }),
        (all, width) => {
          const plain = drawHeatMaps(all, { colour: false, width });
          expect(stripVTControlCharacters(drawHeatMaps(all, { colour: true, width }))).toBe(plain);
          expect(plain).not.toMatch(/undefined|NaN| $/m);
        },
      ),
      { seed: 1 },
    );
  });
});

test.each([
  [
    [1234.5, -3],
    ["+1235", "-3"],
  ],
  [
    [0.01234, 0.1],
    ["0.012", "0.100"],
  ],
  [
    [9.999, 0],
    ["10.00", "0.00"],
  ],
  [
    [-0.001, 5],
    ["0.00", "+5.00"],
  ],
  [
    [0, 0],
    ["0", "0"],
  ],
  [
    [1e-9, NaN],
    ["0.00000000", "-"],
  ],
  [[], []],
])("numberFormat: %j as %j", (values, texts) => {
  expect(values.map(numberFormat(values))).toEqual(texts);
});
