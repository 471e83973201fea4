import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { TERMINAL, type FeatureSet, type Game } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import {
  newCounts,
  readCounts,
  mobilityStability,
  weightedSquares,
  weightedSquaresHeuristic,
} from "../../../src/games/othello/judge.ts";
import { othello } from "../../../src/games/othello/othello.ts";
import { squareClasses, type OthelloState } from "../../../src/games/othello/state.ts";
import { twinMoves, type TwinPosition } from "./twin.ts";
import { everyFew } from "../../support/thorough.ts";

function create(size: 4 | 6 | 8): Game<OthelloState> {
  return othello.create({ size, score: "result" }) as Game<OthelloState>;
}

const game = create(8);

/** Visits the positions of random games. */
function forEachPosition(of: Game<OthelloState>, games: number, visit: (state: OthelloState) => void): void {
  for (let number = 0; number < games; number++) {
    const random = createRandom("othello evaluation", number);
    const state = of.start();
    while (state.toMove !== TERMINAL) {
      visit(state);
      const actions = possibleActions(of, state);
      state.apply(actions[random.below(actions.length)]);
    }
  }
}

function rowsOf(state: OthelloState): string[] {
  const text = game.formatState(state).split(" ")[0]!;
  return Array.from({ length: state.size }, (_, row) => text.slice(row * state.size, (row + 1) * state.size));
}

test("the weighted piece counter is the sum of the published table over the board", () => {
  const table = [
    [1.0, -0.25, 0.1, 0.05, 0.05, 0.1, -0.25, 1.0],
    [-0.25, -0.25, 0.01, 0.01, 0.01, 0.01, -0.25, -0.25],
    [0.1, 0.01, 0.05, 0.02, 0.02, 0.05, 0.01, 0.1],
    [0.05, 0.01, 0.02, 0.01, 0.01, 0.02, 0.01, 0.05],
  ];
  const weights = [...table, ...table.toReversed()];
  forEachPosition(game, 5, (state) => {
    let sum = 0;
    rowsOf(state).forEach((cells, row) =>
      Array.from(cells).forEach((cell, column) => {
        sum += (cell === "X" ? 1 : cell === "O" ? -1 : 0) * weights[row]![column]!;
      }),
    );
    expect(weightedSquares(state)).toBeCloseTo(sum, 10);
  });
  const corner = game.parseState(`X${"-".repeat(26)}OX------XO${"-".repeat(27)} X`);
  expect(weightedSquares(corner)).toBe(1);
  expect(weightedSquaresHeuristic.evaluate(corner, 1)).toBe(-0.5);
});

test("the squares fall into ten classes of the usual size, six and three on smaller boards", () => {
  expect([8, 6, 4].map((size) => squareClasses(size).length)).toEqual([10, 6, 3]);
});

/** Grows stable discs disc by disc, as the definition says. */
function stableDiscs(rows: readonly string[], colour: string): number {
  const stable = new Set<string>();
  const lines = [
    [0, 1],
    [1, 0],
    [1, 1],
    [1, -1],
  ] as const;
  for (let grown = true; grown;) {
    grown = false;
    rows.forEach((cells, row) =>
      Array.from(cells).forEach((cell, column) => {
        if (cell !== colour || stable.has(`${row},${column}`)) return;
        const safe = (r: number, c: number) => rows[r]?.[c] === undefined || stable.has(`${r},${c}`);
        if (
          lines.every(([down, right]) => safe(row + down, column + right) || safe(row - down, column - right))
        ) {
          stable.add(`${row},${column}`);
          grown = true;
        }
      }),
    );
  }
  return stable.size;
}

function exposedDiscs(rows: readonly string[], colour: string): number {
  const last = rows.length - 1;
  let count = 0;
  for (const row of [0, last])
    for (const column of [0, last]) {
      if (rows[row]![column] !== "-") continue;
      for (const down of [-1, 0, 1])
        for (const right of [-1, 0, 1])
          if (rows[row + down]?.[column + right] === colour) count += Math.abs(down) + Math.abs(right);
    }
  return count;
}

function potentialMoves(rows: readonly string[], others: string): number {
  let count = 0;
  rows.forEach((cells, row) =>
    Array.from(cells).forEach((cell, column) => {
      if (cell !== "-") return;
      const near = [-1, 0, 1].flatMap((down) =>
        [-1, 0, 1].map((right) => rows[row + down]?.[column + right]),
      );
      if (near.includes(others)) count++;
    }),
  );
  return count;
}

test.each(everyFew([4, 6, 8] as const, 2))(
  "moves, potential moves, corners, stable and exposed discs of size %i, counted slowly",
  (size) => {
    const counts = newCounts();
    let stable = 0;
    forEachPosition(create(size), 12, (state) => {
      const rows = rowsOf(state);
      for (const [player, turn, other] of [
        [0, "X", "O"],
        [1, "O", "X"],
      ] as const) {
        readCounts(state, player, counts);
        const corners = [rows[0], rows.at(-1)].flatMap((cells) => [cells?.[0], cells?.at(-1)]);
        const position: TwinPosition = { rows, turn };
        expect(counts).toEqual({
          moves: twinMoves(position).length,
          potential: potentialMoves(rows, other),
          corners: corners.filter((cell) => cell === turn).length,
          stable: stableDiscs(rows, turn),
          exposed: exposedDiscs(rows, turn),
        });
        stable = Math.max(stable, counts.stable);
      }
    });
    expect(stable).toBeGreaterThan(4);
  },
);

test("mobility and stability, by hand", () => {
  // After f5 Black has e4, d5, e5 and f5, White d4: White can play at d6, f4 and f6; Black could at c3, c4 and d3.
  const state = game.parseState("f5");
  const counts = newCounts();
  readCounts(state, 1, counts);
  expect(counts).toEqual({ moves: 3, potential: 13, corners: 0, stable: 0, exposed: 0 });
  readCounts(state, 0, counts);
  expect(counts).toEqual({ moves: 3, potential: 5, corners: 0, stable: 0, exposed: 0 });
  const sum = 4 * (5 - 13);
  expect(mobilityStability.evaluate(state, 0)).toBeCloseTo(sum / (100 - sum), 12);
});

function read(features: FeatureSet<OthelloState>, state: OthelloState, player: number): string[] {
  const index = new Int32Array(features.maxActive);
  const value = new Float32Array(features.maxActive);
  const count = features.extract(state, player, index, value);
  return Array.from({ length: count }, (_, at) => `${index[at]}:${value[at]}`).toSorted();
}

test("the features squares, by hand", () => {
  const features = game.featureSets["squares"]!;
  const named = read(features, game.parseState("f5"), 0).map((pair) => {
    const [feature, value] = pair.split(":");
    return [features.describe(Number(feature)), Number(value)] as const;
  });
  expect(Object.fromEntries(named.filter(([, value]) => value !== 0))).toEqual({
    "discs on squares like d4": 3 - 1,
    "discs on squares like d3": 1,
    "potential moves": 5 - 13,
    "to move": -1,
    // 59 squares are empty, so that White fills the last one.
    "last empty square": -1,
  });
});

test("the features are the same on a turned or mirrored board", () => {
  const features = game.featureSets["squares"]!;
  forEachPosition(game, 3, (state) => {
    const rows = rowsOf(state);
    const turn = "XO"[state.turn]!;
    const transposed = rows.map((_, row) => rows.map((cells) => cells[row]).join(""));
    const mirrored = rows.map((cells) => Array.from(cells).toReversed().join(""));
    for (const other of [transposed, mirrored, mirrored.toReversed()]) {
      const twin = game.parseState(`${other.join("")} ${turn}`);
      expect(read(features, twin, 0)).toEqual(read(features, state, 0));
    }
  });
});

test("where discs count, heuristics are in discs", () => {
  const inDiscs = othello.create({ size: 8, score: "discs" }) as Game<OthelloState>;
  forEachPosition(game, 2, (state) => {
    for (const [name, heuristic] of Object.entries(game.heuristics))
      expect(inDiscs.heuristics[name]!.evaluate(state, 1)).toBe(64 * heuristic.evaluate(state, 1));
  });
});
