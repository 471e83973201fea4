import { expect, test } from "vitest";
import { TERMINAL, type State } from "../../../src/games/contract/game.ts";
import { openLines } from "../../../src/games/tic-tac-toe/judge.ts";
import { TicTacToeState } from "../../../src/games/tic-tac-toe/state.ts";
import { ticTacToe } from "../../../src/games/tic-tac-toe/tic-tac-toe.ts";
import { slowTest } from "../../support/thorough.ts";

const game = ticTacToe.create({});
const read = (text: string) => game.parseState(text) as TicTacToeState;

/** Calls `visit` at every position of the complete game tree. */
function walk(state: State, visit: () => void): void {
  visit();
  if (state.toMove === TERMINAL) return;
  const actions = new Int32Array(9);
  const count = state.legalActions(actions, 0);
  for (let at = 0; at < count; at++) {
    state.apply(actions[at]);
    walk(state, visit);
    state.undo();
  }
}

slowTest("255,168 games end, 131,184 by x, 77,904 by o, 46,080 drawn; 5,478 positions, as published", () => {
  const state = game.start();
  const results = new Map<number, number>();
  const texts = new Set<string>();
  const hashes = new Set<string>();
  walk(state, () => {
    texts.add(game.formatState(state));
    hashes.add(`${state.hashLow}/${state.hashHigh}`);
    if (state.toMove === TERMINAL) results.set(state.returns(0), (results.get(state.returns(0)) ?? 0) + 1);
  });
  expect(Object.fromEntries(results)).toEqual({ "1": 131_184, "-1": 77_904, "0": 46_080 });
  expect(texts.size).toBe(5_478);
  expect(hashes.size).toBe(5_478);
  for (const text of texts) expect(game.formatState(game.parseState(text))).toBe(text);
});

test("open lines: E = 4 with x in the centre, and counts made by hand", () => {
  const boards = {
    ".../.../...": 0,
    ".../.x./...": 4,
    "x../.../...": 3,
    ".x./.../...": 2,
    "x../.o./...": -1,
    "xo./.../...": 1,
    "xox/xoo/oxx": 0,
  };
  for (const [text, expected] of Object.entries(boards))
    expect([text, openLines(read(text))]).toEqual([text, expected]);
  expect(game.heuristics["open-lines"]!.evaluate(read(".../.x./..."), 1)).toBe(-0.4);
});

test("features are what a hand counts", () => {
  const features = game.featureSets["lines"]!;
  const index = new Int32Array(features.maxActive);
  const value = new Float32Array(features.maxActive);
  const seen = (text: string, player: number) => {
    const count = features.extract(read(text), player, index, value);
    return Object.fromEntries(
      Array.from({ length: count }, (_, at) => [features.describe(index[at]), value[at]]),
    );
  };
  // x a1 c3, o b2: x's open lines are the rows 1 and 3 and the columns a and c; a3 and c1 lie on two.
  expect(seen("x../.o./..x", 1)).toEqual({
    "open lines with one stone of the player who waits": -4,
    "empty cells where two open lines with one stone cross of the player who waits": -2,
    "corners of the player who waits": -2,
    "open lines with one stone of the player to move": 3,
    "centre of the player to move": 1,
    "to move": 1,
  });
  expect(seen("xox/.../xo.", 0)).toMatchObject({
    "open lines with two stones of the player who waits": 2,
    "two or more open lines with two stones of the player who waits": 1,
    "open lines with two stones of the player to move": -1,
    "edges of the player to move": -2,
    "to move": -1,
  });
});

test("positions that cannot be are refused in words", () => {
  expect(() => read("x.o/...")).toThrow(/not three rows of three/);
  expect(() => read("x.x/.../...")).toThrow(/2 x and 0 o; x moves first/);
  expect(() => read("xxx/ooo/...")).toThrow(/both players have three/);
  expect(() => read("xxx/oo./o..")).toThrow(/"x" has three in a line .* yet the other moved last/);
  expect(() => read("xxx/oo./...")).not.toThrow();
});
