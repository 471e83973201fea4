import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { TERMINAL, type Game } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { hex } from "../../../src/games/hex/hex.ts";
import { measure, Way } from "../../../src/games/hex/judge.ts";
import { EMPTY, type HexState, neighboursOf } from "../../../src/games/hex/state.ts";
import { slowTest } from "../../support/thorough.ts";

const create = (size: number) => hex.create({ size, swap: false }) as Game<HexState>;

/** The length of a player's ways, and the cells on them. */
function way(state: HexState, player: number, ways: 1 | 2) {
  const found = new Way();
  measure(state, player, ways, found);
  return { length: found.length, cells: Array.from(found.cells.subarray(0, found.count)) };
}

/** The same by the definition: the distances are lowered until they fit. */
function waySlowly(state: HexState, player: number, ways: 1 | 2) {
  const { size, pointOf } = state.board;
  const touching = neighboursOf(state.board);
  const cells = [...touching.keys()];
  const lineOf = (cell: number) => (player === 0 ? Math.floor(cell / size) : cell % size);
  /** All cells that are reached from a cell over the player's stones, the stones included. */
  const around = (cell: number) => {
    const found = new Set([cell]);
    for (const at of found)
      if (at === cell || state.ownerOf(at) === player)
        for (const next of touching[at]!) if (state.ownerOf(next) !== 1 - player) found.add(next);
    return [...found];
  };
  const empty = cells.filter((cell) => state.points[pointOf[cell]] === EMPTY);
  const distances = (line: number) => {
    const isBeside = (cell: number) =>
      around(cell).some((at) => lineOf(at) === line && (at === cell || state.ownerOf(at) === player));
    const value = new Map(empty.map((cell) => [cell, isBeside(cell) ? 1 : Infinity]));
    for (let changed = true; changed;) {
      changed = false;
      for (const cell of empty) {
        const near = around(cell).filter((at) => at !== cell && value.has(at));
        const sorted = near.map((at) => value.get(at)!).toSorted((a, b) => (a < b ? -1 : 1));
        const fits = 1 + (sorted[ways - 1] ?? Infinity);
        if (fits < value.get(cell)!) {
          value.set(cell, fits);
          changed = true;
        }
      }
    }
    return value;
  };
  const [first, last] = [distances(0), distances(size - 1)];
  const sum = (cell: number) => first.get(cell)! + last.get(cell)! - 1;
  const length = Math.min(2 * size, ...empty.map(sum));
  return { length, cells: empty.filter((cell) => sum(cell) === length) };
}

slowTest.each([
  [4, 10],
  [6, 10],
  [9, 2],
])("the ways on %i rows are those of the definition", (size, games) => {
  const game = create(size);
  for (let number = 0; number < games; number++) {
    const random = createRandom("hex evaluation", number);
    const state = game.start();
    while (state.toMove !== TERMINAL) {
      for (const player of [0, 1])
        for (const ways of [1, 2] as const)
          expect(way(state, player, ways)).toEqual(waySlowly(state, player, ways));
      const actions = possibleActions(game, state);
      state.apply(actions[random.below(actions.length)]);
    }
  }
});

test("stones still needed, by hand", () => {
  const game = create(5);
  const start = game.start();
  expect([way(start, 0, 1).length, way(start, 0, 1).cells.length]).toEqual([5, 25]);
  // x has two cells left in its column of three; o goes round the column.
  const state = game.parseState("2x2/2x2/2x2/o4/o1o2 x");
  expect(way(state, 0, 1).length).toBe(2);
  expect(way(state, 1, 1).length).toBe(3);
  const won = game.parseState("x4/x4/x4/x3o/xooo1 o");
  expect([way(won, 0, 1).length, way(won, 1, 1).length]).toEqual([0, 10]);
});

test("a bridge is as good as a chain by second-best ways, until one of its two cells is taken", () => {
  const state = create(3).start();
  state.put(4, 0);
  expect(way(state, 0, 2).length).toBe(2);
  // c1 and a3 cut the bridges from b2 to both sides.
  state.put(2, 1);
  state.put(6, 1);
  expect(way(state, 0, 2).length).toBe(3);
  expect(way(state, 0, 1).length).toBe(2);
});

test.each(["distance", "two-distance"])(
  "%s: whoever is nearer is ahead, and the turn decides between equals",
  (name) => {
    const game = create(5);
    const { evaluate } = { evaluate: game.heuristics[name]!.evaluate.bind(game.heuristics[name]) };
    expect(evaluate(game.parseState("2x2/2x2/2x2/o4/o3o x"), 0)).toBeGreaterThan(0.3);
    expect(evaluate(game.start(), 0)).toBeGreaterThan(0);
    expect(evaluate(game.start(), 1)).toBe(-evaluate(game.start(), 0));
  },
);

test("paths: a player's stones less the other's, on cells of its own view", () => {
  const game = create(3);
  const features = game.featureSets["paths"]!;
  const index = new Int32Array(features.maxActive);
  const value = new Float32Array(features.maxActive);
  const read = (text: string, player: number) => {
    const end = features.extract(game.parseState(text), player, index, value);
    return Array.from({ length: end }, (_, at) => `${value[at]} ${features.describe(index[at]!)}`);
  };
  expect(read("b1 a2", 0).slice(0, 2)).toEqual(["1 stones on cells like b1", "-1 stones on cells like b1"]);
  expect(read("b1 b3", 1).slice(0, 2)).toEqual(["-1 stones on cells like b1", "1 stones on cells like a2"]);
  expect(read("b1 b3", 0)).toContain("1 to move");
});
