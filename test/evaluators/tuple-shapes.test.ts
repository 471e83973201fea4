import { describe, expect, test } from "vitest";
import { check } from "../../src/base/check.ts";
import { tupleCells, tupleFeatures, tupleShapes, writeTuples } from "../../src/evaluators/n-tuple.ts";
import type { TupleBoard } from "../../src/games/contract/game.ts";
import { createGame, games } from "../../src/games/index.ts";

const othello = createGame("othello").tupleBoard!;
const connectFour = createGame("connect-four").tupleBoard!;

const write = (board: TupleBoard, shapes: unknown) => writeTuples(board, check(tupleShapes, shapes));
const keyOf = (cells: readonly number[]) => cells.toSorted((a, b) => a - b).join();

describe("straight lines", () => {
  /** Jaskowski, "Systematic n-tuple networks for Othello" (2014): tuples, and weights of all tables. */
  test.each([
    [2, 32, 288],
    [3, 24, 648],
    [4, 21, 1701],
  ])("othello, of %d squares: %d tuples with %d weights", (lines, tuples, weights) => {
    const written = write(othello, { lines });
    expect(written).toHaveLength(tuples);
    expect(tupleFeatures(othello, written).size).toBe(weights);
  });

  test("connect four: with their mirror images the 69 lines of four (Allis 1988)", () => {
    const written = write(connectFour, { lines: 4 });
    const images = new Set(
      written.flatMap((cells) =>
        connectFour.symmetries.map((symmetry) => keyOf(cells.map((cell) => symmetry[cell]!))),
      ),
    );
    expect(images.size).toBe(69);
    // No tuple is another's image.
    const whole = written.map((cells) =>
      connectFour.symmetries
        .map((symmetry) => keyOf(cells.map((cell) => symmetry[cell]!)))
        .toSorted()
        .join(" "),
    );
    expect(new Set(whole).size).toBe(written.length);
  });
});

test("blocks: 2x2 of othello are the 49 places in 10 classes of the 8 symmetries", () => {
  const written = write(othello, { rows: 2, columns: 2 });
  expect(written).toHaveLength(10);
  const places = new Set(
    written.flatMap((cells) =>
      othello.symmetries.map((symmetry) => keyOf(cells.map((cell) => symmetry[cell]!))),
    ),
  );
  expect(places.size).toBe(49);
  for (const [first] of written.map((cells) => cells.toSorted((a, b) => a - b)))
    expect(places).toContain(keyOf([first!, first! + 1, first! + 8, first! + 9]));
});

describe("shapes with neighbours", () => {
  const nameOf = (board: TupleBoard) => (cells: readonly number[]) =>
    cells.map((cell) => board.cellName(cell));

  test("connect four: the 36 lines of four, each with the cells below it", () => {
    const written = write(connectFour, { lines: 4, with: "below" });
    const lines = write(connectFour, { lines: 4 });
    expect(written).toHaveLength(36);
    expect(written.map((cells) => cells.slice(0, 4))).toEqual(lines);
    // Cells are named by column and row from below: nothing lies below row 1, and a column has one cell below it.
    for (const cells of written.map(nameOf(connectFour)))
      for (const [column, row] of cells.slice(0, 4).map((name) => name.split(",").map(Number)))
        expect(row === 1 || cells.includes(`${column},${row! - 1}`)).toBe(true);
    const names = written.map(nameOf(connectFour));
    expect(names).toContainEqual(["1,1", "2,1", "3,1", "4,1"]);
    expect(names).toContainEqual(["1,5", "1,4", "1,3", "1,2", "1,1"]);
    expect(names).toContainEqual(["1,2", "2,2", "3,2", "4,2", "1,1", "2,1", "3,1", "4,1"]);
    expect(write(connectFour, "supported-lines")).toEqual(written);
    expect(write(connectFour, ["supported-lines", [0]])).toEqual([...written, [0]]);
  });

  test("no cell comes twice, and symmetric ones share a table", () => {
    // A cell with all around it: the ten classes of squares of an 8x8 board, of 9, 6 or 4 cells.
    const around = write(othello, [{ rows: 1, columns: 1, with: "around" }]);
    expect(around).toHaveLength(10);
    expect(around.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([
      4, 6, 6, 6, 9, 9, 9, 9, 9, 9,
    ]);
    expect(write(othello, [{ rows: 1, columns: 2, with: "beside" }])[0]).toEqual([0, 1, 2]);
    expect(write(othello, [{ rows: 1, columns: 1, with: "above" }])[0]).toEqual([0]);
  });
});

test("every set of tuples of a game fits its board", () => {
  let sets = 0;
  for (const family of Object.values(games)) {
    const options = family.options.safeParse({});
    const board = options.success ? family.create(options.data).tupleBoard : undefined;
    for (const name of Object.keys(board?.tupleSets ?? {})) {
      const written = write(board!, name);
      expect(() => tupleFeatures(board!, written), name).not.toThrow();
      for (const cells of written) {
        expect(new Set(cells).size, name).toBe(cells.length);
        expect(Math.max(...cells), name).toBeLessThan(tupleCells(board!));
      }
      sets++;
    }
  }
  expect(sets).toBeGreaterThan(0);
});

test("othello: the patterns of Buro (1997), edges with X squares first", () => {
  const patterns = write(othello, "patterns");
  expect(patterns.map(({ length }) => length)).toEqual([10, 10, 9, 8, 8, 8, 8, 7, 6, 5, 4]);
  const shown = patterns.map((cells) => cells.map((cell) => othello.cellName(cell)).join(" "));
  expect(shown[0]).toBe("a1 b1 c1 d1 e1 f1 g1 h1 b2 g2");
  expect(shown[2]).toBe("a1 b1 c1 a2 b2 c2 a3 b3 c3");
  expect(shown.slice(-2)).toEqual(["d1 e2 f3 g4 h5", "e1 f2 g3 h4"]);
  expect(write(othello, "patterns-13").slice(0, 11)).toEqual(patterns);
  expect(createGame({ id: "othello", size: 6 }).tupleBoard!.tupleSets).toEqual({});
});

test("several shapes follow each other; walks are those of their seed", () => {
  const walks = { count: 3, length: 4, seed: "w" };
  const written = write(othello, [[0, 1], { lines: 8 }, walks]);
  expect(written[0]).toEqual([0, 1]);
  // Rows and columns in 4 classes, the two diagonals in one.
  expect(written).toHaveLength(1 + 5 + 3);
  expect(written.slice(6)).toEqual(write(othello, walks));
  expect(write(othello, { ...walks, seed: "v" })).not.toEqual(write(othello, walks));
});

test("what fits nowhere is refused", () => {
  expect(() => write(othello, { lines: 9 })).toThrow('{"lines":9} fits nowhere on the board');
  expect(() => write(connectFour, { rows: 7, columns: 1 })).toThrow("fits nowhere on the board");
  for (const huge of [2 ** 31, Number.MAX_SAFE_INTEGER]) {
    expect(() => write(connectFour, { lines: huge })).toThrow("fits nowhere on the board");
    expect(() => write(connectFour, { rows: 4, columns: huge })).toThrow("fits nowhere on the board");
    expect(() => write(connectFour, { rows: huge, columns: 1 })).toThrow("fits nowhere on the board");
  }
  expect(() => write(connectFour, { count: 1, length: 43 })).toThrow("a walk of 43 cells on a board of 42");
  expect(() => write(connectFour, "suported-lines")).toThrow(
    'unknown set of tuples "suported-lines" (did you mean "supported-lines"?)',
  );
  expect(() => write(othello, { line: 3 })).toThrow(/line/);
});
