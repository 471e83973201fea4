import { expect, test } from "vitest";
import { createGame } from "../../../src/games/index.ts";

const game = createGame({ id: "breakthrough", width: 3, height: 5 });

test("the start, written and drawn", () => {
  const state = game.start();
  expect(game.formatState(state)).toBe("bbb/bbb/3/www/www b");
  expect(game.formatState(game.parseState("start"))).toBe(game.formatState(state));
  expect(game.render(state)).toBe(
    [" 5 ● ● ●", " 4 ● ● ●", " 3 · · ·", " 2 ○ ○ ○", " 1 ○ ○ ○", "   a b c", " Black to move"].join("\n"),
  );
});

test("captures carry a star", () => {
  const state = game.parseState("3/b2/1w1/3/w2 b");
  const actions = new Int32Array(game.maxActions);
  const names = Array.from(actions.subarray(0, state.legalActions(actions, 0)), (action) =>
    game.formatAction(action, state),
  );
  expect(names).toEqual(["a4a3", "a4b3*"]);
  expect(() => game.parseAction("a4b3", state)).toThrow('"a4b3" is not possible here; allowed: a4a3 a4b3*');
});

test.each([
  ["bbb/bbb/3/www/www", "must be the rows, then b or w to move"],
  ["bbb/bbb/3/www b", "is not 5 rows of 3 squares"],
  ["bbb/bbb/4/www/www b", "is not 5 rows of 3 squares"],
  ["bbb/bbb/1x1/www/www b", '"x" in'],
  ["bbb/bbb/b2/www/www b", "Black has 7 pieces"],
  ["3/bww/3/3/b2 b", "Black has won"],
  ["3/b2/3/3/bb1 w", "Black has broken through twice"],
  ["3/3/b2/3/3 b", "Black has won"],
  ["w2/1b1/3/3/b2 w", "White has won"],
])("the impossible position %s is refused", (text, message) => {
  expect(() => game.parseState(text)).toThrow(message);
});

test("a position can be over", () => {
  for (const [text, black] of [
    ["3/1w1/3/3/b2 w", 1],
    ["w2/1b1/3/3/3 b", -1],
    ["3/3/b2/3/3 w", 1],
  ] as const) {
    const state = game.parseState(text);
    expect([text, state.toMove, state.returns(0)]).toEqual([text, -2, black]);
    expect(game.formatState(state)).toBe(text);
  }
});
