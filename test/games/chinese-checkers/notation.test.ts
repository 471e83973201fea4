import { expect, test } from "vitest";
import { createGame } from "../../../src/games/index.ts";

const game = createGame({ id: "chinese-checkers", side: 2, players: 3, maxRounds: 20 });

test("the start, written and drawn", () => {
  const state = game.start();
  expect(game.formatState(state)).toBe("A/AA/7/6/5/C4B/CC3BB/2/1 A 1");
  expect(game.formatState(game.parseState("start"))).toBe(game.formatState(state));
  expect(game.render(state)).toBe(
    [
      "a        A",
      "b       A A",
      "c  . . . . . . .",
      "d   . . . . . .",
      "e    . . . . .",
      "f   C . . . . B",
      "g  C C . . . B B",
      "h       . .",
      "i        .",
      "A to move, round 1 of 20; steps left: A 20, B 20, C 20",
    ].join("\n"),
  );
});

test("moves name both ends, the cells of a row counted from the left", () => {
  const state = game.start();
  const actions = new Int32Array(game.maxActions);
  const names = Array.from(actions.subarray(0, state.legalActions(actions, 0)), (action) =>
    game.formatAction(action, state),
  );
  expect(names).toEqual(["a1-c3", "a1-c5", "b1-c3", "b1-c4", "b2-c4", "b2-c5"]);
  expect(game.parseAction(" b2-c5 ", state)).toBe((2 << 7) | 7);
  for (const text of ["b2-c6", "b2", "c5-b2", "b2-c5-d5", "pass", "b2-z9", "a1-a1"]) {
    expect(() => game.parseAction(text, state)).toThrow(
      `"${text}" is not possible here; allowed: a1-c3 a1-c5 b1-c3 b1-c4 b2-c4 b2-c5`,
    );
  }
});

test("a position can be over, by a win or by the last round", () => {
  for (const [text, end] of [
    ["1/2/7/6/5/C4B/CC3BB/AA/A B 9", "A has won"],
    ["A/AA/7/6/5/C4B/CC3BB/2/1 A 21", "over after 20 rounds"],
  ] as const) {
    const state = game.parseState(text);
    expect([text, state.toMove]).toEqual([text, -2]);
    expect(game.formatState(state)).toBe(text);
    expect(game.render(state)).toContain(end);
  }
});

const BOARD = "A/AA/7/6/5/C4B/CC3BB/2/1";

test.each([
  [BOARD, "must be the rows, who is to move (A to C), and the round"],
  [`${BOARD} D 1`, "must be the rows, who is to move (A to C), and the round"],
  [`${BOARD} A one`, "must be the rows, who is to move (A to C), and the round"],
  [`${BOARD} A 0`, "round 0 in"],
  [`${BOARD} B 21`, "round 21 in"],
  ["A/AA/7/6/5/C4B/CC3BB/2 A 1", "has 8 rows; this star has 9"],
  ["A/AA/8/6/5/C4B/CC3BB/2/1 A 1", "row 3 of"],
  ["A/AA/7/6/5/D4B/CC3BB/2/1 A 1", '"D" in'],
  ["A/A1/7/6/5/C4B/CC3BB/2/1 A 1", "A has 2 men in"],
  ["1/2/BB5/B5/5/C5/CC5/AA/A A 9", "A and B have both arrived in"],
])("the impossible position %s is refused", (text, message) => {
  expect(() => game.parseState(text)).toThrow(message);
});

test("options are checked", () => {
  expect(() => createGame({ id: "chinese-checkers", players: 5 })).toThrow(
    "must be one of 2, 3, 4, 6, got 5",
  );
  expect(() => createGame({ id: "chinese-checkers", side: 5 })).toThrow("must be at most 4, got 5");
  expect(() => createGame({ id: "chinese-checkers", rounds: 5 })).toThrow('unknown key "rounds"');
});
