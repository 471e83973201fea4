import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createHead, type Head } from "../../../src/evaluators/network/head.ts";
import { createGame } from "../../../src/games/index.ts";
import type { Game } from "../../../src/games/contract/game.ts";

const backgammon = createGame("backgammon");
/** A game with these bounds. */
const bounded = (minReturn: number, maxReturn: number): Game => ({ ...backgammon, minReturn, maxReturn });
const value = (activation: "linear" | "tanh" | "sigmoid", game: Game): Head =>
  createHead(game, "value", activation);
const outcomes = createHead(backgammon, "outcomes", "softmax");

test("values by their formulas", () => {
  const game = bounded(-1, 5);
  expect(value("linear", game).worth(Float64Array.of(3.25))).toBeCloseTo(3.25, 5);
  expect(value("tanh", game).worth(Float64Array.of(-0.5))).toBeCloseTo(2 - 0.5 * 3, 5);
  expect(value("sigmoid", game).worth(Float64Array.of(0.25))).toBeCloseTo(-1 + 0.25 * 6, 5);
});

describe.each([
  ["linear", value("linear", bounded(-1, 5))],
  ["tanh", value("tanh", bounded(-1, 5))],
  ["sigmoid", value("sigmoid", bounded(-1, 5))],
  [
    "outcomes",
    createHead(
      { ...backgammon, minReturn: -1, maxReturn: 5, outcomes: [-1, 0, 2, 5], players: 1 },
      "outcomes",
      "softmax",
    ),
  ],
] as const)("%s", (_, head) => {
  test("what is written for a return is worth it", () => {
    fc.assert(
      fc.property(fc.double({ min: -1, max: 5, noNaN: true }), (amount) => {
        const out = new Float64Array(head.size + 1).fill(7);
        head.write(amount, out, 1);
        expect(out[0]).toBe(7);
        expect(head.worth(out.subarray(1))).toBeCloseTo(amount, 4);
      }),
      { seed: 1 },
    );
  });

  test("outputs raised by an amount are worth so much more", () => {
    if (head.kind === "outcomes") {
      expect(() => head.raise(1, new Float64Array(4), 0)).toThrow("without rewards along the way");
      return;
    }
    fc.assert(
      fc.property(fc.double({ min: -0.5, max: 2, noNaN: true }), (amount) => {
        const out = new Float64Array(1);
        head.write(1, out, 0);
        head.raise(amount, out, 0);
        expect(head.worth(out)).toBeCloseTo(1 + amount, 4);
      }),
      { seed: 1 },
    );
  });
});

describe.each([
  ["linear", value("linear", backgammon)],
  ["tanh", value("tanh", backgammon)],
  ["sigmoid", value("sigmoid", backgammon)],
  ["outcomes", outcomes],
] as const)("between two players, %s", (_, head) => {
  test("the other view is worth the negative, and its other view is the first again", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 }),
        (given) => {
          const sum = given.reduce((total, part) => total + part, 1e-9);
          const out = Float64Array.from(
            given.slice(0, head.size),
            (part) => part / (head.size > 1 ? sum : 1),
          );
          const turned = out.slice();
          head.exchange(turned, 0);
          expect(head.worth(turned)).toBeCloseTo(0 - head.worth(out), 9);
          head.exchange(turned, 0);
          for (const [at, part] of turned.entries()) expect(part).toBeCloseTo(out[at]!, 12);
        },
      ),
      { seed: 1 },
    );
  });
});

test("outcomes: a return of the list is certain, a draw that is not in it half a single win and half a loss", () => {
  const write = (amount: number) => {
    const out = new Float64Array(6);
    outcomes.write(amount, out, 0);
    return Array.from(out);
  };
  expect(write(-3)).toEqual([1, 0, 0, 0, 0, 0]);
  expect(write(1)).toEqual([0, 0, 0, 1, 0, 0]);
  expect(write(3)).toEqual([0, 0, 0, 0, 0, 1]);
  expect(write(0)).toEqual([0, 0, 0.5, 0.5, 0, 0]);
});

test("outcomes of a two-player zero-sum game must be each other's negatives", () => {
  expect(() => createHead({ ...backgammon, outcomes: [-2, -1, 1] }, "outcomes", "softmax")).toThrow(
    "must be each other's negatives",
  );
});
