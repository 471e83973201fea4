import { expect, test } from "vitest";
import type { Game, Layout } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";
import { randomPositions } from "../agents/play.ts";
import { sampleGames, sampleName } from "./samples.ts";

/** The number at each place, as [row, column, number]. */
function places({ rows }: Layout): [number, number, number][] {
  return rows.flatMap((numbers, row) =>
    numbers.flatMap((number, column): [number, number, number][] =>
      number === undefined ? [] : [[row, column, number]],
    ),
  );
}

function expectRectangle({ rows, rowNames, columnNames }: Layout): void {
  for (const row of rows) expect(row).toHaveLength(rows[0]!.length);
  if (rowNames !== undefined) expect(rowNames).toHaveLength(rows.length);
  if (columnNames !== undefined) expect(columnNames).toHaveLength(rows[0]!.length);
}

const games = sampleGames.map((spec) => [sampleName(spec), createGame(spec)] as const);
const boards = games.flatMap(([name, { tupleBoard: board }]) =>
  board?.layout === undefined ? [] : [[name, { ...board, layout: board.layout }] as const],
);
const grids = games.flatMap(([name, { featureSets }]) =>
  Object.entries(featureSets).flatMap(([set, features]) =>
    (features.grids ?? []).map((grid) => [name, set, { features, grid }] as const),
  ),
);

test.each(boards)("%s: every cell of the board lies in one place, beside its neighbours", (name, board) => {
  const { layout, neighbours, context } = board;
  const cells = [...neighbours.keys()].filter((cell) => cell !== context);
  expectRectangle(layout);
  const found = places(layout).toSorted((a, b) => a[2] - b[2]);
  expect(found.map(([, , cell]) => cell)).toEqual([...cells]);
  for (const [row, column, cell] of found) {
    const near = found.filter(
      ([r, c, other]) => other !== cell && Math.max(Math.abs(r - row), Math.abs(c - column)) === 1,
    );
    // Rows of hexagons lean: a cell does not touch those on the upper left and on the lower right of its square.
    const leans = name.includes("hex");
    const touching = near.filter(([r, c]) => !leans || r - row !== c - column);
    expect(touching.map(([, , other]) => other)).toEqual(neighbours[cell]);
  }
});

test.each(grids)("%s, %s: the grid is a rectangle of features", (_, __, { features, grid }) => {
  expectRectangle(grid);
  for (const [, , feature] of places(grid)) {
    expect(feature).toBeGreaterThanOrEqual(0);
    expect(feature).toBeLessThan(features.size);
  }
});

/** The board as the game writes it, a sign for each cell, by the signs of its digits. */
function drawn(game: Game, signs: string, state: ReturnType<Game["start"]>, viewer: number): string[] {
  const { tupleBoard: board } = game;
  const digits = new Uint8Array(board!.cells);
  board!.read(state, viewer, digits);
  return board!.layout!.rows.map((row) => row.map((cell) => signs[digits[cell!]]).join(""));
}

test("connect four: cells lie where the position's own notation has them", () => {
  const game = createGame("connect-four");
  for (const state of randomPositions(game, 50)) {
    const rows = game.formatState(state).split("/");
    const wide = rows.map((row) => row.replaceAll(/\d/g, (count) => ".".repeat(Number(count))));
    expect(drawn(game, ".xo.", state, 0)).toEqual(wide);
  }
});

test("othello: cells lie where the position's own notation has them", () => {
  const game = createGame("othello");
  for (const state of randomPositions(game, 50)) {
    const signs = game.formatState(state).slice(0, 64);
    expect(drawn(game, "-XO", state, 0).join("")).toBe(signs);
    expect(drawn(game, "-OX", state, 1).join("")).toBe(signs);
  }
});

/** The features' names in a grid, row by row. */
function names(id: string, set: string, grid: number): (string | undefined)[][] {
  const features = createGame(id).featureSets[set]!;
  return features.grids![grid]!.rows.map((row) =>
    row.map((feature) => (feature === undefined ? undefined : features.describe(feature))),
  );
}

test("chess: a1 is below on the left, for each piece", () => {
  for (const [kind, name] of ["pawn", "knight", "bishop", "rook", "queen", "king"].entries())
    expect(names("chess", "positional", 2 * kind)).toEqual(
      [8, 7, 6, 5, 4, 3, 2, 1].map((rank) =>
        ["ah", "bg", "cf", "de", "de", "cf", "bg", "ah"].map(
          ([near, far]) => `${name} on ${near}${rank} or ${far}${rank}, middle game`,
        ),
      ),
    );
});

test("checkers: dark squares 1 to 32, the first row's second one is 1", () => {
  const board = createGame("checkers").tupleBoard!;
  const [first, second] = board.layout!.rows.map((row) =>
    row.map((cell) => (cell === undefined ? undefined : board.cellName(cell))),
  );
  expect(first).toEqual([undefined, "1", undefined, "2", undefined, "3", undefined, "4"]);
  expect(second).toEqual(["5", undefined, "6", undefined, "7", undefined, "8", undefined]);
  expect(board.layout!.rows.flat().filter((cell) => cell !== undefined)).toEqual(
    Array.from({ length: 32 }, (_, cell) => cell),
  );
});

test("othello: squares that are alike have one feature", () => {
  const rows = names("othello", "squares", 0);
  const name = (square: string) => `discs on squares like ${square}`;
  expect(rows[0]).toEqual(["a1", "b1", "c1", "d1", "d1", "c1", "b1", "a1"].map(name));
  expect(rows[2]).toEqual(["c1", "c2", "c3", "d3", "d3", "c3", "c2", "c1"].map(name));
  expect(rows.map((row) => row[0])).toEqual(rows[0]);
  expect(rows.toReversed()).toEqual(rows);
});

test("breakthrough: the owner's first row is below, mirror images together", () => {
  const rows = names("breakthrough", "advancement", 0);
  expect(rows[7]).toEqual([1, 2, 3, 4, 4, 3, 2, 1].map((side) => `piece in row 1, ${side} from the side`));
  expect(rows[0]![2]).toBe("piece in row 8, 3 from the side");
});

test("backgammon: points from 24 down, by how many men", () => {
  const rows = names("backgammon", "tesauro", 1);
  expect(rows[0]).toEqual([
    "their blot on point 24",
    "their made on point 24",
    "their three men on point 24",
    "their men beyond three / 2 on point 24",
  ]);
  expect(rows[23]![0]).toBe("their blot on point 1");
});
