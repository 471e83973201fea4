import fc from "fast-check";
import { expect, test } from "vitest";
import { agreementOf, rankCorrelation } from "../../../src/explain/weights/inspect.ts";
import { createGame } from "../../../src/games/index.ts";

const of = (one: readonly number[], other: readonly number[]) =>
  rankCorrelation(Float64Array.from(one), Float64Array.from(other));

test("the rank correlation is that of a worked example: -29 / 165 (Wikipedia, Spearman's rank correlation)", () => {
  const iq = [106, 100, 86, 101, 99, 103, 97, 113, 112, 110];
  const hours = [7, 27, 2, 50, 28, 29, 20, 12, 6, 17];
  expect(of(iq, hours)).toBeCloseTo(-29 / 165, 12);
});

test("equal values share their ranks", () => {
  // Ranks 0, 1.5, 1.5, 3 and 0, 1, 2, 3: the sums of products are 4.5, of squares 4.5 and 5.
  expect(of([1, 2, 2, 3], [1, 2, 3, 4])).toBeCloseTo(4.5 / Math.sqrt(4.5 * 5), 12);
  expect(of([1, 1, 1], [1, 2, 3])).toBeUndefined();
});

test("only the order counts; the opposite order is -1", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer(), { minLength: 2, maxLength: 50 }), (values) => {
      const other = values.map((value) => Math.sin(value));
      expect(
        of(
          values,
          values.map((value) => Math.tanh(value / 2 ** 32) + 5),
        ),
      ).toBeCloseTo(1, 12);
      expect(
        of(
          values,
          values.map((value) => 0 - value),
        ),
      ).toBeCloseTo(-1, 12);
      expect(of(values, other)).toBeCloseTo(of(other, values)!, 12);
    }),
    { seed: 1 },
  );
});

test("an evaluator agrees with itself, and with its negative not at all", () => {
  const game = createGame("connect-four");
  const { threats } = game.heuristics;
  expect(agreementOf(game, threats!)).toEqual({
    positions: 2000,
    heuristics: [{ name: "threats", correlation: expect.closeTo(1, 12) as number }],
  });
  const negative = { evaluate: (state: never, player: number) => 0 - threats!.evaluate(state, player) };
  expect(agreementOf(game, negative)!.heuristics[0]!.correlation).toBeCloseTo(-1, 12);
});

test("a game without evaluators made by hand has no agreement", () => {
  const game = { ...createGame("connect-four"), heuristics: {} };
  expect(agreementOf(game, { evaluate: () => 0 })).toBeUndefined();
});
