import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import {
  CHANCE,
  TERMINAL,
  type FeatureSet,
  type Game,
  type State,
} from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { ask, createPlayer, stepRandomly } from "../../agents/play.ts";
import { slowTest } from "../../support/thorough.ts";

const game = createGame("2048");

function forEachPosition(played: Game, games: number, visit: (state: State) => void): void {
  for (let number = 0; number < games; number++) {
    const random = createRandom("2048 evaluation", number);
    const state = played.start();
    for (; state.toMove !== TERMINAL; stepRandomly(played, state, random)) visit(state);
  }
}

/** The tiles by row, 0 for none. */
function tilesOf(played: Game, state: State): number[][] {
  const [board = ""] = played.formatState(state).split(" score");
  return board.split(" / ").map((row) => row.split(" ").map((tile) => (tile === "." ? 0 : Number(tile))));
}

/** The sum of the values of each active feature. */
function read(features: FeatureSet, state: State): Map<number, number> {
  const index = new Int32Array(features.maxActive);
  const value = new Float32Array(features.maxActive).fill(1);
  const count = features.extract(state, 0, index, value);
  const sums = new Map<number, number>();
  for (let at = 0; at < count; at++) sums.set(index[at], (sums.get(index[at]) ?? 0) + value[at]);
  return sums;
}

const turned = (board: readonly (readonly number[])[]) =>
  board[0]!.map((_, column) => board.map((row) => row[column]!).toReversed());
const mirrored = (board: readonly (readonly number[])[]) => board.map((row) => row.toReversed());

/** The board in all eight views. */
function viewsOf(board: number[][]): number[][][] {
  const views: number[][][] = [];
  for (let view = board, turn = 0; turn < 4; turn++, view = turned(view)) views.push(view, mirrored(view));
  return views;
}

const SETS = [
  { name: "tuples", tuples: ["012345", "456789", "012456", "45689a"] },
  {
    name: "tuples-8",
    tuples: ["012456", "12569d", "012345", "01567a", "01259a", "0159de", "01589d", "01246a"],
  },
  { name: "tuples-4", tuples: ["0123", "4567", "0145", "1256", "569a"] },
];

describe.each(SETS)("$name", ({ name, tuples }) => {
  const features = game.featureSets[name]!;

  slowTest("its active features are what the tuples' cells hold, in each of the eight views", () => {
    forEachPosition(game, 5, (state) => {
      const expected = new Map<string, number>();
      for (const view of viewsOf(tilesOf(game, state))) {
        const cells = view.flat();
        for (const tuple of tuples) {
          const held = Array.from(tuple, (cell) => cells[parseInt(cell, 16)] || ".").join(" ");
          expected.set(`${tuple}: ${held}`, (expected.get(`${tuple}: ${held}`) ?? 0) + 1);
        }
      }
      const found = new Map(
        [...read(features, state)].map(([feature, sum]) => [features.describe(feature), sum]),
      );
      expect(found).toEqual(expected);
    });
  });

  test("tiles above 32768 are taken for it", () => {
    const [high, cut] = ["131072 65536", "32768 32768"].map((tiles) =>
      read(features, game.parseState(`${tiles} . . / . . . . / . . . . / . . 2 4`)),
    );
    expect(high).toEqual(cut);
  });

  test("it has a table for each tuple, and is for the usual board alone", () => {
    expect(features.size).toBe(tuples.length * 16 ** tuples[0]!.length);
    expect(features.maxActive).toBe(8 * tuples.length);
    expect(createGame({ id: "2048", height: 3 }).featureSets).not.toHaveProperty(name);
  });
});

/** The values of the simple features, line by line. */
function measureSlowly(board: number[][]) {
  const lines = [...board, ...turned(board)].map((line) =>
    line.filter((tile) => tile > 0).map((tile) => Math.log2(tile)),
  );
  const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);
  const steps = (line: number[]) => line.slice(1).map((exponent, at) => exponent - line[at]!);
  const against = (line: number[]) => {
    const rising = sum(steps(line).filter((step) => step > 0));
    const falling = 0 - sum(steps(line).filter((step) => step < 0));
    return Math.min(rising, falling);
  };
  const merges = (line: number[]) => (line.join(",").match(/\b(\d+),\1\b/g) ?? []).length;
  const highest = Math.max(...board.flat());
  const ends = [board[0]!, board.at(-1)!].flatMap((row) => [row[0]!, row.at(-1)!]);
  return {
    empty: board.flat().filter((tile) => tile === 0).length,
    merges: sum(lines.map(merges)),
    disorder: sum(lines.map(against)),
    roughness: sum(lines.map((line) => sum(steps(line).map(Math.abs)))),
    corner: highest > 0 && ends.includes(highest) ? 1 : 0,
    highest,
  };
}

slowTest.each([
  { rows: 4, columns: 4 },
  { rows: 2, columns: 3 },
  { rows: 5, columns: 4 },
])("the simple features are those of a slow count on $rows x $columns", (shape) => {
  const played = createGame({ id: "2048", height: shape.rows, width: shape.columns });
  const simple = played.featureSets.simple!;
  const cells = shape.rows * shape.columns;
  forEachPosition(played, 5, (state) => {
    const found = read(simple, state);
    const { highest, corner, ...counts } = measureSlowly(tilesOf(played, state));
    const values = [...Object.values(counts).map((count) => count / cells), corner];
    values.forEach((value, feature) => expect(found.get(feature) ?? 0).toBeCloseTo(value, 6));
    const tops = [...found.keys()].filter((feature) => feature >= 5);
    expect(tops.map((feature) => simple.describe(feature))).toEqual(
      highest === 0 ? [] : [`highest tile ${highest}`],
    );
  });
});

describe("order", () => {
  const order = game.heuristics.order!;
  const value = (text: string) => order.evaluate(game.parseState(text), 0);

  test("likes what people like", () => {
    const rest = "/ . . . . / . . . . / . . 2 4";
    // Sorted lines, like neighbours, room.
    expect(value(`64 32 16 8 ${rest}`)).toBeGreaterThan(value(`32 64 8 16 ${rest}`));
    expect(value(`64 64 8 4 ${rest}`)).toBeGreaterThan(value(`64 8 64 4 ${rest}`));
    expect(value(`128 . . . ${rest}`)).toBeGreaterThan(value(`64 . . 64 ${rest}`));
  });

  test("is the same in all views, and on lines of five too", () => {
    const large = createGame({ id: "2048", width: 5, height: 5 });
    for (const played of [game, large]) {
      let number = 0;
      forEachPosition(played, 2, (state) => {
        if (number++ % 20 !== 0) return;
        const text = played.formatState(state);
        const [, tail = ""] = text.split(" score");
        const values = viewsOf(tilesOf(played, state)).map((view) => {
          const board = view.map((row) => row.map((tile) => tile || ".").join(" ")).join(" / ");
          return played.heuristics.order!.evaluate(played.parseState(`${board} score${tail}`), 0);
        });
        for (const other of values) expect(other).toBeCloseTo(values[0]!, 6);
      });
    }
  });

  test("is expected points: the score is part of it, point for point", () => {
    const board = "8 4 . . / . . . . / . . . . / . . . .";
    const gap = value(`${board} score 20`) - value(`${board} score 12`);
    expect(gap).toBeCloseTo(8, 1);
  });
});

test("no position of a good game is worth more than what order allowed some plies before", () => {
  const order = game.heuristics.order!;
  const player = createPlayer(game, "greedy:evaluator=order");
  const random = createRandom("2048 at most");
  const state = game.start();
  const bounds: number[][] = [];
  while (state.toMove !== TERMINAL) {
    if (state.toMove !== CHANCE) {
      const { action } = ask(player, game, { state, seed: String(bounds.length) });
      bounds.push([1, 2, 3].map((plies) => order.atMost!(state, 0, plies)));
      state.apply(action);
    } else stepRandomly(game, state, random);
    const value = state.toMove === TERMINAL ? state.returns(0) : order.evaluate(state, 0);
    const most = [1, 2, 3].flatMap((plies, at) => bounds.slice(0 - plies).map((bound) => bound[at]!));
    expect(value).toBeLessThanOrEqual(Math.min(...most));
  }
  expect(bounds.length).toBeGreaterThan(200);
});

/** Whole games of an agent; returns their scores. */
function playOut(spec: string, games: number): number[] {
  const player = createPlayer(game, spec);
  return Array.from({ length: games }, (_, number) => {
    const random = createRandom("2048 agent", number);
    const state = game.start();
    for (let ply = 0; state.toMove !== TERMINAL; ply++) {
      if (state.toMove === CHANCE) stepRandomly(game, state, random);
      else state.apply(ask(player, game, { state, seed: `${number} ${ply}` }).action);
    }
    return state.returns(0);
  });
}

slowTest("two plies of expectimax with it score many times what random play does", () => {
  // The mean of 200 games was 40,000; 185 of a million games of random play came to more than 4,000.
  const scores = playOut("expectimax:depth=2,evaluator=order,deepening=false", 3);
  expect(Math.min(...scores)).toBeGreaterThan(4000);
});
