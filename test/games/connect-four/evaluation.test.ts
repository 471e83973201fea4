import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { TERMINAL } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { createGame } from "../../../src/games/index.ts";
import { connectFour } from "../../../src/games/connect-four/connect-four.ts";
import { slowTest } from "../../support/thorough.ts";

const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
] as const;

/** The board as columns of `x`, `o` and `.`, read from the notation alone. */
function columnsOf(text: string): string[] {
  const rows = text
    .split("/")
    .map((row) => row.replace(/\d/g, (digit) => ".".repeat(Number(digit))))
    .toReversed();
  return Array.from(rows[0]!, (_, column) => rows.map((row) => row[column]).join(""));
}

/** `threats` as its comment says, counted window by window. */
function threatsByHand(text: string): number {
  const columns = columnsOf(text);
  let sum = 0;
  for (const [dx, dy] of DIRECTIONS) {
    for (let column = 0; column < columns.length; column++) {
      for (let row = 0; row < columns[0]!.length; row++) {
        const rows = [0, 1, 2, 3].map((step) => row + step * dy);
        const cells = rows.map((at, step) => columns[column + step * dx]?.[at]).join("");
        if (cells.length < 4 || (cells.includes("x") && cells.includes("o"))) continue;
        const stones = cells.replaceAll(".", "").length;
        const first = cells.includes("x");
        const suits = stones === 3 && rows[cells.indexOf(".")]! % 2 === (first ? 0 : 1);
        sum += (first ? 1 : -1) * ([0, 1, 4, 12, 0][stones]! + (suits ? 20 : 0));
      }
    }
  }
  return sum / (60 + Math.abs(sum));
}

test.each([
  [7, 6],
  [9, 8],
  [4, 5],
])("`threats` on %dx%d is what counting each window gives, in random games", (width, height) => {
  const game = connectFour.create({ width, height });
  const random = createRandom("threats", width, height);
  const actions = new Int32Array(width);
  for (let number = 0; number < 30; number++) {
    const state = game.start();
    while (state.toMove !== TERMINAL) {
      const value = threatsByHand(game.formatState(state));
      expect(game.heuristics["threats"]!.evaluate(state, 0)).toBeCloseTo(value, 12);
      state.apply(actions[random.below(state.legalActions(actions, 0))]);
    }
  }
});

/** The active features of a position by name, from a player's view. */
function featuresOf(moves: string, player = 0): Record<string, number> {
  const game = connectFour.create({ width: 7, height: 6 });
  const features = game.featureSets["lines"]!;
  const index = new Int32Array(features.maxActive);
  const value = new Float32Array(features.maxActive);
  const count = features.extract(game.parseState(moves), player, index, value);
  const sums: Record<string, number> = {};
  for (let at = 0; at < count; at++) {
    const feature = features.describe(index[at]);
    sums[feature] = (sums[feature] ?? 0) + value[at];
  }
  return sums;
}

test("features are what one sees: the lines through one stone, and whose turn it is", () => {
  expect(featuresOf("4")).toEqual({
    "row from 1,1: ...x...": 1,
    "column from 4,1: x.....": 1,
    // And its mirror image, the anti-diagonal.
    "diagonal from 4,1: x...": 2,
    "to move": -1,
  });
});

test("three in a row: both ends complete it, and can be played at once", () => {
  // x on 3, 4, 5 of the first row, o above 3 and 4; o is to move.
  const seen = featuresOf("33445");
  expect(seen).toMatchObject({
    "row from 1,1: ..xxx..": 1,
    // Column 6 is column 2 in the mirror.
    "column 2: x completes in row 1, o nowhere": 2,
    "win on the board for the first player, who waits": 2,
  });
  const other = featuresOf("33445", 1);
  expect(other).toEqual(Object.fromEntries(Object.entries(seen).map(([name, worth]) => [name, 0 - worth])));
});

test("mirror images have the same features", () => {
  const moves = "4532617263";
  const mirrored = Array.from(moves, (column) => 8 - Number(column)).join("");
  expect(featuresOf(mirrored)).toEqual(featuresOf(moves));
});

/** `fours` by its comment: each stone, and each window of four cells that is not empty; `x` is the viewer's. */
function foursByHand(text: string, player: number): string[] {
  const exchange = (cells: string) => cells.replaceAll(/[xo]/g, (stone) => (stone === "x" ? "o" : "x"));
  const columns = columnsOf(player === 0 ? text.split(" ")[0]! : exchange(text.split(" ")[0]!));
  const names = ["row", "column", "diagonal", "anti-diagonal"];
  const found: string[] = [];
  for (const [column, cells] of columns.entries()) {
    for (const [row, stone] of cells.split("").entries()) {
      if (stone !== ".") found.push(`${stone === "x" ? "own" : "other"} stone on ${column + 1},${row + 1}`);
      for (const [kind, [dx, dy]] of DIRECTIONS.entries()) {
        const window = [0, 1, 2, 3].map((step) => columns[column + step * dx]?.[row + step * dy]).join("");
        if (window.length === 4 && window !== "....")
          found.push(`${names[kind]} from ${column + 1},${row + 1}: ${window}`);
      }
    }
  }
  return found.toSorted();
}

slowTest.each([
  [7, 6],
  [9, 8],
  [4, 5],
])(
  "`fours` on %dx%d is what reading each window gives, for both players, in random games",
  (width, height) => {
    const game = connectFour.create({ width, height });
    const features = game.featureSets["fours"]!;
    const random = createRandom("fours", width, height);
    const actions = new Int32Array(width);
    const index = new Int32Array(features.maxActive);
    for (let number = 0; number < 10; number++) {
      const state = game.start();
      while (state.toMove !== TERMINAL) {
        expect(features.viewer!(state)).toBe(state.toMove);
        for (const player of [0, 1]) {
          const active = features.extract(state, player, index, new Float32Array());
          const seen = Array.from(index.subarray(0, active), (feature) => features.describe(feature));
          expect(seen.toSorted()).toEqual(foursByHand(game.formatState(state), player));
        }
        state.apply(actions[random.below(state.legalActions(actions, 0))]);
      }
    }
  },
);

test("fours and actions become those of the mirror image", () => {
  for (const game of [createGame("connect-four"), createGame({ id: "connect-four", width: 4, height: 5 })]) {
    const features = game.featureSets["fours"]!;
    const ofFeatures = features.images![0]!;
    const ofActions = game.policyHead!.images![0]!;
    const random = createRandom("mirror", game.id);
    const [state, mirrored] = [game.start(), game.start()];
    const read = (from: typeof state) => {
      const index = new Int32Array(features.maxActive);
      return [...index.subarray(0, features.extract(from, 0, index, new Float32Array()))];
    };
    while (state.toMove >= 0) {
      const image = read(state).map((feature) => ofFeatures[feature]!);
      expect(image.toSorted((a, b) => a - b)).toEqual(read(mirrored).toSorted((a, b) => a - b));
      const actions = possibleActions(game, state);
      const action = actions[random.below(actions.length)]!;
      state.apply(action);
      mirrored.apply(ofActions[action]!);
    }
    expect(new Set(ofFeatures).size).toBe(features.size);
  }
});
