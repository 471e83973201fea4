import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { game as hex } from "../examples/hex/hex.ts";
import type { Report } from "../src/ratings/report.ts";
import { tupleFeatures } from "../src/evaluators/n-tuple.ts";
import { createRandom } from "../src/base/random.ts";
import { checkGame } from "../src/games/check/check-game.ts";
import { formatFinding } from "../src/games/check/finding.ts";
import { TERMINAL, type Game, type State } from "../src/games/contract/game.ts";
import { possibleActions } from "../src/games/contract/notation.ts";
import { perft } from "../src/games/contract/perft.ts";
import { decide } from "./agents/play.ts";
import { agon, temporaryFolder } from "./support/agon.ts";
import { slowTest, thorough } from "./support/thorough.ts";

const example = (name: string) => fileURLToPath(new URL(`../examples/hex/${name}`, import.meta.url));
const create = (size: number, swap = false): Game => hex.create({ size, swap });

/** Plays a random game from the start to its end. */
function playRandomly(game: Game, seed: number, visit: (state: State) => void): State {
  const random = createRandom("hex", game.options["size"] as number, seed);
  const state = game.start();
  visit(state);
  while (state.toMove !== TERMINAL) {
    const actions = possibleActions(game, state);
    state.apply(actions[random.below(actions.length)]);
    visit(state);
  }
  return state;
}

/** True if `symbol` connects its sides in rows of symbols: grown from one side until nothing is added. */
function isConnected(rows: readonly string[], symbol: string): boolean {
  const size = rows.length;
  const lines = symbol === "x" ? rows : rows.map((_, column) => rows.map((row) => row[column]).join(""));
  let reached = new Set(Array.from(lines[0]!).flatMap((cell, at) => (cell === symbol ? [at] : [])));
  for (;;) {
    const grown = new Set(reached);
    for (const cell of reached) {
      // Along the rows from top to bottom or, for o, along the columns: the board is its own mirror image.
      for (const step of [-size, 1 - size, size - 1, size, -1, 1]) {
        const next = cell + step;
        const columns = Math.abs((next % size) - (cell % size));
        if (next < 0 || next >= size * size || columns > 1) continue;
        if (lines[Math.floor(next / size)]![next % size] === symbol) grown.add(next);
      }
    }
    if (grown.size === reached.size) return [...reached].some((cell) => cell >= size * (size - 1));
    reached = grown;
  }
}

describe.each([
  [3, false],
  [4, true],
  [7, false],
  [11, true],
])("hex of size %i, swap %s", (size, swap) => {
  const game = create(size, swap);

  test("keeps the contract of a game", () => {
    expect(checkGame(game, { family: hex }).map(formatFinding)).toEqual([]);
  });

  test("somebody wins every game, as soon as his sides are connected and no sooner", () => {
    for (let seed = 0; seed < thorough(200, 40); seed++) {
      const end = playRandomly(game, seed, (state) => {
        const rows = game.formatState(state).split(" ")[0]!.split("/");
        const connected = ["x", "o"].map((symbol) => isConnected(rows, symbol));
        expect(connected).toEqual([state.returns(0) === 1, state.returns(1) === 1]);
        expect(state.toMove === TERMINAL).toBe(connected.includes(true));
      });
      expect([end.returns(0), end.returns(1)].toSorted((a, b) => a - b)).toEqual([-1, 1]);
    }
  });
});

test("hex: the picture says what the text says, the swap has no place, and cells are touched", () => {
  const game = create(5, true);
  const picture = game.picture!;
  const letters: Record<string, string> = { "": ".", "orange stone": "x", "blue stone": "o" };
  for (let seed = 0; seed < 5; seed++) {
    playRandomly(game, seed, (state) => {
      const said = picture.places.map((_, place) => letters[picture.describe(state, place)]);
      expect(said.join("")).toBe(game.formatState(state).split(" ")[0]!.replaceAll("/", ""));
      for (const action of possibleActions(game, state)) {
        const touched = picture.touches(state, action).map((place) => picture.places[place]!.name);
        expect(touched.join(" ") || "swap").toBe(game.formatAction(action, state));
      }
    });
  }
});

test("hex: n-tuples see a position as its half turn, and as the exchange of players, rows and columns", () => {
  const game = create(4, true);
  const board = game.tupleBoard!;
  const features = tupleFeatures(board, [[0, 1, 5], [2, 6], [15], [0, 5, 10, 15]]);
  const entries = (state: State) => {
    const index = new Int32Array(features.maxActive);
    features.extract(state, board.viewer!(state), index, new Float32Array(0));
    return [...index].toSorted((a, b) => a - b);
  };
  const exchanged = (text: string) => text.replaceAll(/[xo]/g, (stone) => (stone === "x" ? "o" : "x"));
  for (let seed = 0; seed < 20; seed++) {
    playRandomly(game, seed, (state) => {
      const [rows, turn] = game.formatState(state).split(" ");
      const lines = rows!.split("/");
      const columns = lines.map((_, column) => lines.map((row) => row[column]).join(""));
      const turned = Array.from(rows!).toReversed().join("");
      expect(entries(game.parseState(`${turned} ${turn}`))).toEqual(entries(state));
      const digits = new Uint8Array(board.cells);
      board.read(state, 0, digits);
      expect(Array.from(digits, (digit) => ".xo"[digit]).join("")).toBe(rows!.replaceAll("/", ""));
      // Without the swap only x may have more stones, so the other board is made by hand.
      board.read(state, 1, digits);
      expect(Array.from(digits, (digit) => ".xo"[digit]).join("")).toBe(exchanged(columns.join("")));
      expect(board.viewer!(state)).toBe(turn === "x" ? 1 : 0);
    });
  }
});

test("hex: a half turn keeps the value", () => {
  const game = create(3);
  for (const text of ["x../.../... o", "x../.o./... x", "x.o/.../..x o"]) {
    const value = decide(game, "alpha-beta:depth=20", game.parseState(text)).value;
    const turned = `${Array.from(text.slice(0, 11)).toReversed().join("")} ${text.at(-1)}`;
    expect(decide(game, "alpha-beta:depth=20", game.parseState(turned)).value).toBe(value);
  }
});

/** n (n - 1) ... with `factors` factors. */
function falling(n: number, factors: number): number {
  return Array.from({ length: factors }, (_, at) => n - at).reduce((product, factor) => product * factor, 1);
}

/** The straightest chains from top to bottom, one cell in each row: each goes down or down to the left. */
function shortestChains(size: number): number {
  let ways = Array.from({ length: size }, () => 1);
  for (let row = 1; row < size; row++) ways = ways.map((count, column) => count + (ways[column + 1] ?? 0));
  return ways.reduce((sum, count) => sum + count, 0);
}

describe("perft", () => {
  test.each([3, 4])("size %i: any order of moves, until the first player can have won", (size) => {
    const game = create(size);
    const cells = size * size;
    const fastest = 2 * size - 1;
    for (let depth = 1; depth <= Math.min(fastest, 5); depth++)
      expect(perft(game, game.start(), depth)).toBe(falling(cells, depth));
  });

  test("size 3: games that are over after five plies have no sixth", () => {
    const game = create(3);
    expect(shortestChains(3)).toBe(8);
    const over = shortestChains(3) * falling(3, 3) * falling(6, 2);
    expect(perft(game, game.start(), 6)).toBe(falling(9, 6) - over * 4);
  });

  test("the swap is one more action at the second ply, and leaves the first player all cells but one", () => {
    const game = create(5, true);
    expect(perft(game, game.start(), 2)).toBe(25 * 25);
    expect(perft(game, game.start(), 3)).toBe(25 * 24 * 23 + 25 * 24);
  });
});

describe("who wins", () => {
  /** The value for the player to move. */
  const solve = (game: Game, text?: string) =>
    decide(game, "alpha-beta:depth=20", text === undefined ? game.start() : game.parseState(text)).value;

  test("the first player, but with the swap the second", () => {
    expect(solve(create(3))).toBe(1);
    expect(solve(create(4))).toBe(1);
    expect(solve(create(3, true))).toBe(-1);
  });

  test("size 3: an opening is worth what it is worth turned by half, and the centre wins", () => {
    const game = create(3);
    const values = Array.from({ length: 9 }, (_, cell) => {
      const cells = Array.from(".........").with(cell, "x").join("");
      return solve(game, `${cells.replace(/...(?=.)/g, "$&/")} o`);
    });
    expect(values).toEqual(values.toReversed());
    expect(values[4]).toBe(-1);
    expect(values).toContain(1);
  });

  test("a bridge cannot be cut", () => {
    const game = create(4);
    // The two x in the middle have two ways to each other, to the top and to the bottom.
    expect(solve(game, "..../..x./..../ox.. o")).toBe(-1);
  });
});

test("the swap mirrors the first stone for the second player, and is possible once only", () => {
  const game = create(3, true);
  const state = game.start();
  state.apply(game.parseAction("c1", state));
  state.apply(game.parseAction("swap", state));
  expect(game.formatState(state)).toBe(".../.../o.. x");
  expect(() => game.parseAction("swap", state)).toThrow(/not possible here/);
  expect(() => create(3).parseState(".../.../o.. x")).toThrow(/1 o, which cannot be when x is to move/);
});

test.each([
  ["", /must be the rows/],
  ["... o", /is not 3 rows of 3 cells/],
  [".../.y./... o", /is not 3 rows of 3 cells/],
  [".../.x./... x", /has 1 x and 0 o/],
  ["xo./xo./x.. x", /has 3 x and 2 o/],
  ["xx./ooo/x.x o", /o has won/],
])("the position %j is refused", (text, message) => {
  expect(() => create(3).parseState(text)).toThrow(message);
});

slowTest("its tournament runs, and more simulations win more", async () => {
  const out = join(temporaryFolder(), "run");
  const { code, stdout } = await agon(["run", example("tournament.yaml"), "--out", out, "--json"]);
  expect(code).toBe(0);
  const { entrants } = JSON.parse(stdout) as Report;
  const scores = Object.fromEntries(entrants.map(({ name, score }) => [name, score]));
  expect(scores["uct-1000"]!).toBeGreaterThan(scores["uct-100"]!);
  expect(scores["uct-100"]!).toBeGreaterThan(scores["random"]!);
});
