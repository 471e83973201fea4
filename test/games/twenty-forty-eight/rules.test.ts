import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { CHANCE, TERMINAL, type Game } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { LargeBoard } from "../../../src/games/twenty-forty-eight/board.ts";
import { lineOf } from "../../../src/games/twenty-forty-eight/line.ts";
import { SmallBoard } from "../../../src/games/twenty-forty-eight/small-board.ts";
import { stepRandomly } from "../../agents/play.ts";
import { twinMoves, twinSlide, twinText, twinTiles, type TwinBoard } from "./twin.ts";
import { everyFew, slowTest, thorough } from "../../support/thorough.ts";

const SHAPES = [
  { rows: 4, columns: 4 },
  { rows: 2, columns: 2 },
  { rows: 3, columns: 3 },
  { rows: 2, columns: 4 },
  { rows: 4, columns: 3 },
  { rows: 5, columns: 5 },
  { rows: 3, columns: 5 },
  { rows: 5, columns: 4 },
];

test.each(everyFew(SHAPES, 4))("plays like its twin on $rows x $columns", (shape) => {
  const game = createGame({ id: "2048", height: shape.rows, width: shape.columns });
  const probabilities = new Float64Array(game.maxActions);
  for (let number = 0; number < thorough(10, 3); number++) {
    const random = createRandom("2048 twin", shape.rows, shape.columns, number);
    const state = game.start();
    let board: TwinBoard = Array.from({ length: shape.rows }, () => Array<number>(shape.columns).fill(0));
    let score = 0;
    for (let tiles = 0; ;) {
      const actions = possibleActions(game, state);
      const names = Array.from(actions, (action) => game.formatAction(action, state));
      expect(game.formatState(state)).toMatch(`${twinText(board)} score ${score}`);
      expect(state.returns(0)).toBe(score);
      if (state.toMove === CHANCE) {
        const outcomes = twinTiles(board);
        state.chanceOutcomes!(new Int32Array(game.maxActions), probabilities, 0);
        expect(names.toSorted()).toEqual([...outcomes.keys()].toSorted());
        const chosen = random.weighted(probabilities, 0, names.length);
        const { probability, board: after } = outcomes.get(names[chosen]!)!;
        expect(probabilities[chosen]).toBeCloseTo(probability, 14);
        board = after;
        tiles++;
        state.apply(actions[chosen]);
        if (tiles === 1) expect(state.toMove).toBe(CHANCE);
      } else {
        const moves = twinMoves(board);
        expect(names).toEqual([...moves.keys()]);
        expect(state.toMove).toBe(moves.size === 0 ? TERMINAL : 0);
        if (moves.size === 0) break;
        const chosen = random.below(names.length);
        const move = moves.get(names[chosen]!)!;
        board = move.board;
        score += move.gain;
        state.apply(actions[chosen]);
      }
    }
  }
});

/** Boards with tiles of all sizes, about a third of the cells empty. */
function randomBoards(count: number, { rows, columns }: { rows: number; columns: number }): number[][][] {
  const random = createRandom("2048 boards", rows, columns);
  return Array.from({ length: count }, () => {
    const spread = 1 + random.below(rows * columns);
    return Array.from({ length: rows }, () =>
      Array.from({ length: columns }, () => (random.below(3) === 0 ? 0 : 1 + random.below(spread))),
    );
  });
}

slowTest.each(SHAPES)("boards move as naive rows and columns do on $rows x $columns", (shape) => {
  const small = Math.max(shape.rows, shape.columns) <= 4;
  const kinds = small ? [new SmallBoard(shape), new LargeBoard(shape)] : [new LargeBoard(shape)];
  const names = ["up", "right", "down", "left"];
  for (const exponents of randomBoards(1000, shape)) {
    const tiles = exponents.map((row) => row.map((exponent) => (exponent === 0 ? 0 : 2 ** exponent)));
    const moves = twinMoves(tiles);
    const merges = (rows: readonly (readonly number[])[]) =>
      rows.flat().reduce((sum, tile) => sum + (tile === 0 ? 0 : (Math.log2(tile) - 1) * tile), 0);
    for (const board of kinds) {
      const place = () => {
        board.lines.set(exponents.map(lineOf));
        board.writeColumns();
      };
      place();
      const before = board.merges();
      const legal = board.moves();
      const slid = names.map((_, direction) => {
        place();
        board.slide(direction);
        const rows = Array.from(board.lines.subarray(0, shape.rows));
        const columns = Array.from(board.lines.subarray(5, 5 + shape.columns));
        return { rows, columns, gain: board.merges() - before };
      });
      const expected = names.map((name) => {
        const { board: after, gain } = moves.get(name) ?? { board: tiles, gain: 0 };
        const rows = after.map((row) => row.map((tile) => (tile === 0 ? 0 : Math.log2(tile))));
        const columns = rows[0]!.map((_, column) => rows.map((row) => row[column]!));
        return { rows: rows.map(lineOf), columns: columns.map(lineOf), gain };
      });
      expect(slid).toEqual(expected);
      expect(before).toBe(merges(tiles));
      expect(names.filter((_, direction) => ((legal >> direction) & 1) === 1)).toEqual([...moves.keys()]);
    }
  }
});

test.each([
  [[2, 2, 2, 2], [4, 4, 0, 0], 8],
  [[2, 2, 4, 0], [4, 4, 0, 0], 4],
  [[4, 2, 2, 0], [4, 4, 0, 0], 4],
  [[2, 2, 2, 0], [4, 2, 0, 0], 4],
  [[2, 0, 0, 2], [4, 0, 0, 0], 4],
  [[32768, 32768, 65536, 0], [65536, 65536, 0, 0], 65536],
])("a tile merges once in a move: %j to the left becomes %j", (line, moved, gain) => {
  expect(twinSlide(line)).toEqual({ line: moved, gain });
  const game = createGame("2048");
  const rest = " / . . . . / . . . . / . . 2 4";
  const text = (tiles: number[]) => tiles.map((tile) => tile || ".").join(" ") + rest;
  const state = game.parseState(text(line));
  const before = state.returns(0);
  state.apply(game.parseAction("left", state));
  expect(game.formatState(state)).toMatch(text(moved).replace(". . 2 4", "2 4 . ."));
  expect(state.returns(0) - before).toBe(gain);
  state.undo();
  expect(state.returns(0)).toBe(before);
});

test("three alike merge at the side that they move to", () => {
  const game = createGame("2048");
  const after = (direction: string) => {
    const state = game.parseState(". 2 2 2 / . . . . / . . . . / . . . .");
    state.apply(game.parseAction(direction, state));
    return game.formatState(state).split(" / ")[0];
  };
  expect([after("left"), after("right")]).toEqual(["4 2 . .", ". . 2 4"]);
});

test("a game begins with two tiles, and each tile that comes is a 2 nine times in ten, anywhere", () => {
  const game = createGame({ id: "2048", width: 2, height: 3 });
  const state = game.start();
  const actions = possibleActions(game, state);
  const probabilities = new Float64Array(game.maxActions);
  expect(state.chanceOutcomes!(new Int32Array(game.maxActions), probabilities, 0)).toBe(12);
  expect(Array.from(probabilities)).toEqual([
    ...Array<number>(6).fill(expect.closeTo(0.15, 14)),
    ...Array<number>(6).fill(expect.closeTo(1 / 60, 14)),
  ]);
  expect(Array.from(actions, (action) => game.formatAction(action, state)).slice(4, 8)).toEqual([
    "r3c1=2",
    "r3c2=2",
    "r1c1=4",
    "r1c2=4",
  ]);
  state.apply(game.parseAction("r2c2=4", state));
  expect(state.toMove).toBe(CHANCE);
  state.apply(game.parseAction("r1c1=2", state));
  expect([state.toMove, game.formatState(state)]).toEqual([0, "2 . / . 4 / . . score 0"]);
});

test("the game is over when nothing moves", () => {
  const game = createGame({ id: "2048", width: 2, height: 2 });
  const state = game.parseState("4 2 / 8 . tile");
  state.apply(game.parseAction("r2c2=2", state));
  expect(state.toMove).toBe(0);
  state.undo();
  state.apply(game.parseAction("r2c2=4", state));
  expect([state.toMove, state.returns(0)]).toEqual([TERMINAL, 20]);
});

function playRandomly(game: Game, games: number): number[] {
  const random = createRandom("2048 random play", JSON.stringify(game.options));
  return Array.from({ length: games }, () => {
    const state = game.start();
    while (state.toMove !== TERMINAL) stepRandomly(game, state, random);
    return state.returns(0);
  });
}

slowTest("random play scores about 1,090", () => {
  // A million games gave 1,094.3 (standard deviation 534), 6,000 games of an independent program 1,095 +- 7.
  // The mean of 4,000 games has a standard deviation of 8.4: a right program is off by five of them, 42,
  // less than once in a million times.
  const scores = playRandomly(createGame("2048"), 4000);
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  expect(Math.abs(mean - 1094.3)).toBeLessThan(42);
});

test("the bounds hold at the fullest board that there can be", () => {
  for (const [rows, columns] of [
    [2, 2],
    [4, 4],
    [5, 5],
  ] as const) {
    const game = createGame({ id: "2048", height: rows, width: columns });
    const cells = rows * columns;
    const tiles = Array.from({ length: cells }, (_, cell) => 2 ** (cells + 1 - cell));
    const board = Array.from({ length: rows }, (_, row) =>
      tiles.slice(row * columns, (row + 1) * columns).join(" "),
    );
    const state = game.parseState(board.join(" / "));
    expect([state.toMove, state.returns(0)]).toEqual([TERMINAL, game.maxReturn]);
    // Nothing but twos: each ply adds one, two come before the first.
    const sum = tiles.reduce((all, tile) => all + tile, 0);
    expect(game.maxPlies).toBe(sum / 2 - 2);
  }
});

test("the longest games on the smallest board keep to the bounds", () => {
  // Every game of 2 x 2: 2^5 - 4 = 28 plies and 3 * 2^6 + 4 = 196 points at most.
  const game = createGame({ id: "2048", width: 2, height: 2 });
  const random = createRandom("2048 small");
  let longest = 0;
  let most = 0;
  for (let number = 0; number < 3000; number++) {
    const state = game.start();
    let plies = 0;
    for (; state.toMove !== TERMINAL; stepRandomly(game, state, random)) if (state.toMove === 0) plies++;
    longest = Math.max(longest, plies);
    most = Math.max(most, state.returns(0));
  }
  expect(longest).toBeGreaterThan(14);
  expect(longest).toBeLessThanOrEqual(game.maxPlies);
  expect(most).toBeLessThanOrEqual(game.maxReturn);
});

test("the hash knows the board and whether a tile is to come, and not the score", () => {
  const game = createGame("2048");
  const hashes = [
    "4 2 . . / . . . . / . . . . / . . . . score 0",
    "4 2 . . / . . . . / . . . . / . . . . score 4",
    "4 2 . . / . . . . / . . . . / . . . . score 0 tile",
    "2 4 . . / . . . . / . . . . / . . . . score 0",
    "4 . . . / 2 . . . / . . . . / . . . . score 0",
  ].map((text) => {
    const { hashLow, hashHigh } = game.parseState(text);
    return `${hashLow} ${hashHigh}`;
  });
  expect(hashes[0]).toBe(hashes[1]);
  expect(new Set(hashes).size).toBe(4);
});

test("on a board with a fifth row every cell counts for the hash", () => {
  const game = createGame({ id: "2048", width: 5, height: 5 });
  const empty = game.start();
  const seen = new Set<string>();
  const actions = possibleActions(game, empty);
  for (const action of actions) {
    empty.apply(action);
    seen.add(`${empty.hashLow} ${empty.hashHigh}`);
    empty.undo();
  }
  expect(seen.size).toBe(50);
});
