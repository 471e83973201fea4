import { expect, test } from "vitest";
import type { State } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";

const game = createGame({
  id: "crossword",
  size: 5,
  layout: "plain",
  rack: 3,
  letters: { a: [4, 1], b: [3, 3], q: [1, 10], "?": [1, 0] },
  words: ["ab", "bab"],
});

/** The features of `leave` by name, times the root by which they are divided. */
function leave(state: State, player: number, unseen: number): Record<string, number> {
  const { leave: set } = game.featureSets;
  const index = new Int32Array(set!.maxActive);
  const value = new Float32Array(set!.maxActive);
  const count = set!.extract(state, player, index, value);
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      set!.describe(index[at]!),
      Number((value[at]! * Math.sqrt(unseen + 7)).toFixed(4)),
    ]),
  );
}

test("tiles that are still drawn count as the mean of the unseen ones", () => {
  const state = game.parseState("ABQ, AAB, 3C AB");
  // Q is kept; of A, A, B, and A, B, ?, which the player does not see, it draws two. A quarter is the unit of tiles, 5 points of the lead.
  expect(leave(state, 0, 6)).toEqual({
    "tile A": 4,
    "tile B": 2.6667,
    "tile Q": 4,
    "tile ?": 1.3333,
    "vowels less consonants, either way": 4,
    lead: 0.8,
    "other to move": 1,
  });
});

test("without a bag the points on the racks count", () => {
  const small = createGame({ id: "crossword", rack: 1, letters: { a: [1, 1], b: [1, 3] } });
  const { leave: set } = small.featureSets;
  const index = new Int32Array(set!.maxActive);
  const value = new Float32Array(set!.maxActive);
  const count = set!.extract(small.parseState("A, B"), 0, index, value);
  const names = Array.from({ length: count }, (_, at) => [set!.describe(index[at]!), value[at]!]);
  expect(names).toEqual([
    ["points on the own rack, bag empty", expect.closeTo(1 / 5 / Math.sqrt(8), 6)],
    ["points on other racks, bag empty", expect.closeTo(3 / 5 / Math.sqrt(8), 6)],
  ]);
});

test("the heuristic squashes the lead: 60 points are half a win", () => {
  const two = createGame("crossword");
  const state = two.parseState("AEINRST, DEGLNOP, 8D RETAINS");
  expect(two.heuristics["score"]!.evaluate(state, 0)).toBeCloseTo(66 / (60 + 66), 10);
  expect(two.heuristics["score"]!.evaluate(state, 1)).toBeCloseTo(-66 / (60 + 66), 10);
});
