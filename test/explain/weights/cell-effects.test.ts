import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { cellEffects, observedEffects } from "../../../src/explain/weights/cell-effects.ts";
import { tupleFeatures } from "../../../src/evaluators/n-tuple.ts";
import type { TupleBoard } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";

/** Four cells in a row, three digits; the row may be turned round. */
const row: TupleBoard = {
  cells: 4,
  digits: 3,
  symmetries: [
    [0, 1, 2, 3],
    [3, 2, 1, 0],
  ],
  neighbours: [[1], [0, 2], [1, 3], [2]],
  read: () => {},
  cellName: (cell) => "abcd"[cell]!,
  digitName: (digit) => ".xo"[digit]!,
};
/** The same without symmetry. */
const line: TupleBoard = { ...row, symmetries: [[0, 1, 2, 3]] };

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("what a cell's content is worth", () => {
  test("one cell, one table: the entries less their mean", () => {
    expect(Array.from(cellEffects(Float32Array.of(1, 2, 6), line, [[2]]))).toEqual([
      ...Array.from({ length: 6 }, () => NaN),
      -2,
      -1,
      3,
      ...Array.from({ length: 3 }, () => NaN),
    ]);
  });

  test("images share a table: both ends are worth the same", () => {
    const effects = cellEffects(Float32Array.of(1, 2, 6), row, [[0]]);
    expect(Array.from(effects.subarray(0, 3))).toEqual([-2, -1, 3]);
    expect(effects.subarray(9)).toEqual(effects.subarray(0, 3));
  });

  test("entries that were not learned count for nothing, also those that are not numbers", () => {
    const effects = cellEffects(Float32Array.of(1, 0, 6), line, [[0]]);
    expect(Array.from(effects.subarray(0, 3))).toEqual([-2.5, NaN, 2.5]);
    expect(cellEffects(Float32Array.of(1, NaN, 6), line, [[0]])).toEqual(effects);
    expect(cellEffects(new Float32Array(3), line, [[0]]).every(Number.isNaN)).toBe(true);
  });

  test("a table that adds up a number for each cell gives these back, less their mean, and two tables their sum", () => {
    const number = fc.integer({ min: 1, max: 1000 });
    const triple = fc.tuple(number, number, number);
    fc.assert(
      fc.property(triple, triple, triple, ([...a], [...b], [...c]) => {
        const pair = [0, 1, 2].flatMap((first) => [0, 1, 2].map((second) => a[first]! + b[second]!));
        const effects = cellEffects(Float32Array.from([...pair, ...c]), line, [[2, 0], [2]]);
        const [onTwo, onZero] = [a, b].map((parts) => parts.map((part) => part - mean(parts)));
        const more = c.map((part) => part - mean(c));
        for (let digit = 0; digit < 3; digit++) {
          expect(effects[digit]).toBeCloseTo(onZero![digit]!, 9);
          expect(effects[3 + digit]).toBeNaN();
          expect(effects[6 + digit]).toBeCloseTo(onTwo![digit]! + more[digit]!, 9);
        }
      }),
      { seed: 1 },
    );
  });

  test("on a game's board it is what going through all entries by their names gives", () => {
    const { tupleBoard: board } = createGame("connect-four");
    const tuples = [
      [0, 1, 7],
      [20, 21],
      [3, 10, 17],
    ];
    // The player to move comes first in every table.
    const context = board!.context!;
    const features = tupleFeatures(board!, tuples);
    const random = createRandom("effects");
    const weights = Float32Array.from({ length: features.size }, () =>
      random.below(3) === 0 ? 0 : random.float() - 0.5,
    );
    const effects = cellEffects(weights, board!, tuples);
    /** Learned entries by the content of cells, of the table with these cells. */
    const begins = [0, 256, 320, 576];
    for (let cell = 0; cell < board!.cells; cell++) {
      for (let digit = 0; digit < board!.digits; digit++) {
        let expected = 0;
        let met = false;
        for (const [at, cells] of tuples.entries()) {
          const entries = Array.from(weights.subarray(begins[at], begins[at + 1]), (weight, code) => ({
            weight,
            name: features.describe(begins[at]! + code).split(" "),
          })).filter(({ weight }) => weight !== 0);
          const images = new Set(
            board!.symmetries.map((symmetry) => [context, ...cells].map((one) => symmetry[one]).join()),
          );
          for (const image of images) {
            const place = image.split(",").indexOf(String(cell));
            if (place < 0) continue;
            const content = `${board!.cellName([context, ...cells][place]!)}=${board!.digitName(digit)}`;
            const with_ = entries.filter(({ name }) => name.includes(content));
            if (with_.length === 0) continue;
            met = true;
            expected += mean(with_.map(({ weight }) => weight)) - mean(entries.map(({ weight }) => weight));
          }
        }
        const found = effects[digit + board!.digits * cell];
        if (met) expect(found).toBeCloseTo(expected, 9);
        else expect(found).toBeNaN();
      }
    }
  });
});

describe("effects observed in positions of random games", () => {
  const game = createGame({ id: "connect-four" });
  const board = game.tupleBoard!;
  const NEXT = board.digits - 1;

  test("of a sum over cells are what each cell adds, but for what the others add on average", () => {
    // Worth 1 where the next stone in the first column falls on its lowest cell; nothing else counts.
    const held = new Uint8Array(board.cells + 1);
    let open = 0;
    let seen = 0;
    const effects = observedEffects(game, board, (state) => {
      board.read(state, 0, held);
      const isNext = held[0] === NEXT;
      open += isNext ? 1 : 0;
      seen++;
      return isNext ? 1 : 0;
    });
    const share = open / seen;
    for (let digit = 0; digit < board.digits; digit++) {
      const effect = effects[digit]!;
      if (!Number.isNaN(effect)) expect(effect).toBeCloseTo((digit === NEXT ? 1 : 0) - share, 12);
    }
  });

  test("positions without a value are left out; where too few are left there is no number", () => {
    expect(observedEffects(game, board, () => undefined).every(Number.isNaN)).toBe(true);
    const constant = observedEffects(game, board, () => 7);
    expect(constant.every((effect) => Number.isNaN(effect) || effect === 0)).toBe(true);
    expect(constant.some((effect) => effect === 0)).toBe(true);
  });
});
