import { expect, test } from "vitest";
import { createGame } from "../../../src/games/index.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { PASS } from "../../../src/games/othello/state.ts";

const game = createGame("othello");
const START = `${"-".repeat(27)}OX------XO${"-".repeat(27)} X`;

test("the start, written and drawn", () => {
  const state = game.start();
  expect(game.formatState(state)).toBe(START);
  expect(game.render(state)).toBe(
    [
      "   a b c d e f g h",
      " 1 · · · · · · · ·",
      " 2 · · · · · · · ·",
      " 3 · · · + · · · ·",
      " 4 · · + ○ ● · · ·",
      " 5 · · · ● ○ + · ·",
      " 6 · · · · + · · ·",
      " 7 · · · · · · · ·",
      " 8 · · · · · · · ·",
      " ● 2  ○ 2  Black to move",
    ].join("\n"),
  );
});

test("other ways to write a position", () => {
  const text =
    "-------- -------- --X----- ---XX--- ---OXX-- ---O---- -------- --------".replaceAll(" ", "") + " O";
  for (const other of [
    "f5d6c3",
    "F5 d6 C3",
    "......../......../..*...../...**.../...o**../...o..../......../......../ o",
    text.replaceAll("X", "b").replaceAll("O", "w"),
  ])
    expect(game.formatState(game.parseState(other))).toBe(text);
  expect(game.formatState(game.parseState("start"))).toBe(START);
});

test("a player who cannot play passes, and a transcript may leave that out", () => {
  const small = createGame({ id: "othello", size: 4 });
  const state = small.parseState("b1c1d1a1a3");
  expect(small.formatState(state)).toBe("OXXX-XX-XXO----- O");
  expect(small.render(state)).toContain("White to move, who must pass");
  expect(Array.from(possibleActions(small, state), (action) => small.formatAction(action, state))).toEqual([
    "pass",
  ]);
  for (const text of ["pass", "Pass", " PASS "]) expect(small.parseAction(text, state)).toBe(PASS);
  for (const text of ["b1c1d1a1a3passd4", "b1c1d1a1a3d4"])
    expect(small.formatState(small.parseState(text))).toBe("OXXX-XX-XXX----X O");
  const end = small.parseState("b1c1d1a1a3d4");
  expect([end.toMove, end.returns(0), end.returns(1)]).toEqual([-2, 1, -1]);
  expect(small.render(end)).toContain(" ● 9  ○ 1  game over");
});

test.each([
  ["", "has 0 signs; a 8x8 board has 64"],
  [START.slice(1), "has 64 signs"],
  [START.replace("X", "?"), '"?" in'],
  [`${START.slice(0, -1)}-`, 'ends with "-"'],
  [START.replace("OX", "--"), "d4 is empty"],
  ["f5f6e6f4a1", 'a1 in "f5f6e6f4a1" is not possible there; allowed:'],
  ["d3d3", "d3 in"],
])("the impossible position %s is refused", (text, message) => {
  expect(() => game.parseState(text)).toThrow(message);
});

test("moves", () => {
  const state = game.start();
  expect(game.formatAction(19, state)).toBe("d3");
  expect(game.parseAction(" C4 ", state)).toBe(26);
  expect(() => game.parseAction("PASS", state)).toThrow('"PASS" is not possible here; allowed: d3 c4 f5 e6');
  expect(() => game.parseAction("pass", state)).toThrow('"pass" is not possible here; allowed: d3 c4 f5 e6');
});
