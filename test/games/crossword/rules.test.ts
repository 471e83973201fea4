import { expect, test } from "vitest";
import { TERMINAL } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import type { CrosswordState } from "../../../src/games/crossword/state.ts";
import { createGame } from "../../../src/games/index.ts";

const game = createGame("crossword");

/** The points of the last turn, and the position. */
function after(text: string): { state: CrosswordState; points: number } {
  const state = game.parseState(text) as CrosswordState;
  const before = game.parseState(text.slice(0, text.lastIndexOf(","))) as CrosswordState;
  const player = before.toMove;
  return { state, points: state.scores[player]! - before.scores[player]! };
}

test("the first word: a letter doubled on D8, the word doubled in the middle", () => {
  // T 2 x 1, R 1, A 1, I 1, N 1, S 1, and all of it twice.
  expect(after("AEINRST, DEGLNOP, 8D TRAINS").points).toBe(14);
});

test("a blank has no points, and its square still doubles the word", () => {
  // T 2, R 1, A 1, I 1, n 0, S 1.
  expect(after("AEIRST?, DEGLNOP, 8D TRAInS").points).toBe(12);
});

test("seven tiles at once are worth 50 more", () => {
  // 8D RETAINS: R 2 x 1, then six points, E8 to J8; twice.
  expect(after("AEINRST, DEGLNOP, 8D RETAINS").points).toBe(66);
});

test("a word beside a word counts the words across it, and premium squares count once", () => {
  // NO below I and N: N doubled on G9 in both of its words: NO 2 + 1, IN 1 + 2, NO 1 + 1.
  const { state, points } = after("AEINRST, DEGLNOP, 8D TRAINS, AAAAAA, 9G NO");
  expect(points).toBe(8);
  expect([...state.scores]).toEqual([14, 8]);
  // The third word runs over the middle, which is taken: N1 O1 D2 down from H8, and the double letter of its own square is none.
  const third = after("AEINRST, DEGLNOP, 8D TRAINS, AAADII, 9G NO, BB, H8 NOD");
  expect(third.points).toBe(4);
});

test("one tile that makes words both ways is one play", () => {
  const state = game.parseState("AEINRST, DEGLNOP, 8D TRAINS, AAAAAA, 9G NO, BB") as CrosswordState;
  const names = [...possibleActions(game, state)].map((action) => game.formatAction(action, state));
  expect(new Set(names).size).toBe(names.length);
});

test("exchanges name each set of tiles once, and the bag has a whole rack", () => {
  const state = game.parseState("EEIIII?, DEGLNOP") as CrosswordState;
  const exchanges = [...possibleActions(game, state)]
    .map((action) => game.formatAction(action, state))
    .filter((name) => name.startsWith("-"));
  // 0 to 2 E, 0 to 4 I, 0 or 1 blank, without the empty set.
  expect(exchanges).toHaveLength(3 * 5 * 2 - 1);
  expect(new Set(exchanges).size).toBe(exchanges.length);
  expect(exchanges).toContain("-EEI?");
  const few = createGame({ id: "crossword", rack: 2, letters: { a: [5, 1] }, words: ["aa"] });
  const low = few.parseState("AA, AA") as CrosswordState;
  expect([...possibleActions(few, low)].map((action) => few.formatAction(action, low))).toEqual([
    "pass",
    "8G AA",
    "8H AA",
    "H7 AA",
    "H8 AA",
  ]);
});

test("exchanged tiles are in the bag after the others are drawn", () => {
  const small = createGame({
    id: "crossword",
    rack: 1,
    letters: { a: [1, 1], b: [1, 1], c: [1, 1] },
    words: ["ab"],
  });
  const state = small.parseState("A, B, -A") as CrosswordState;
  expect([...possibleActions(small, state)].map((tile) => small.formatAction(tile, state))).toEqual(["C"]);
  expect(small.formatState(small.parseState("A, B, -A, C, -B, A"))).toBe("A, B, -A, C, -B, A");
});

test("a player who goes out gains the points of the other's tiles, which the other loses", () => {
  const small = createGame({
    id: "crossword",
    rack: 2,
    letters: { a: [2, 1], b: [1, 3], z: [1, 10] },
    words: ["ab"],
  });
  const state = small.parseState("AB, AZ, 8G AB") as CrosswordState;
  expect(state.toMove).toBe(TERMINAL);
  // Twice 4 points on the middle, and 50 for the whole rack; then A and Z.
  expect([state.finalScore(0), state.finalScore(1)]).toEqual([58 + 11, -11]);
  expect([state.returns(0), state.returns(1)]).toEqual([1, -1]);
  expect(small.describeEnding!(state)).toBe("69 : -11");
});

test("a round of passes, or two rounds without a play, end the game, and everybody loses its tiles", () => {
  const passed = game.parseState("EEIIIIQ, DEGLNOP, pass, pass") as CrosswordState;
  expect(passed.toMove).toBe(TERMINAL);
  expect([passed.finalScore(0), passed.finalScore(1)]).toEqual([-16, -11]);
  expect(passed.returns(1)).toBe(1);
  const three = "EEIIIIQ, DEGLNOP, pass, -D, D, pass, ";
  expect(game.parseState(`${three}-D, A`).toMove).toBe(TERMINAL);
  expect(game.parseState(`${three}9H GO`.replace("9H", "8H")).toMove).not.toBe(TERMINAL);
});

test("of three players two share a win", () => {
  const three = createGame({ id: "crossword", players: 3, rack: 1, letters: { a: [2, 1], z: [1, 9] } });
  const state = three.parseState("A, Z, A, pass, pass, pass") as CrosswordState;
  expect([0, 1, 2].map((player) => state.returns(player))).toEqual([1 / 4, -1 / 2, 1 / 4]);
});

test.each([
  ["AEINRST, DEGLNOP, 8D TRAIND", /part 3, "8D TRAIND" is not possible here/],
  ["AEINRST, DEGLNOP, 1A TRAINS", /part 3/],
  ["QQAAAAA", /part 1, "Q" is not possible here/],
  ["", /part 1/],
])("%s is no position", (text, message) => {
  expect(() => game.parseState(text)).toThrow(message);
});

test.each([
  [{ layout: ["..", ".."] }, /as many rows/],
  [{ players: 4, rack: 7, letters: { a: [27, 1] } }, /a rack for each player/],
  [{ words: ["Ab"] }, /words/],
])("the options %j are refused", (options, message) => {
  expect(() => createGame({ id: "crossword", ...options })).toThrow(message);
});
