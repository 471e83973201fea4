import { expect, test } from "vitest";
import { createGame } from "../../../src/games/index.ts";

const game = createGame("2048");
const small = createGame({ id: "2048", width: 3, height: 2 });

test("the start, written and drawn", () => {
  expect(small.formatState(small.start())).toBe(". . . / . . . score 0 tile");
  expect(small.formatState(small.parseState("start"))).toBe(". . . / . . . score 0 tile");
  expect(small.render(small.parseState("2 . 128 / . 4 . score 768"))).toBe(
    [
      "+------+------+------+",
      "|    2 |      |  128 |",
      "+------+------+------+",
      "|      |    4 |      |",
      "+------+------+------+",
      "score 768",
    ].join("\n"),
  );
  const state = game.parseState("131072 . . . / . . . . / . . . . / . . . . tile");
  expect(game.render(state).split("\n")[0]).toBe("+--------+--------+--------+--------+");
  expect(game.render(state)).toMatch(/score 2097152, a tile is to come$/);
  expect(small.render(small.parseState("2 4 8 / 4 8 2"))).toMatch(/over$/);
});

test("without a score all tiles came as twos, and with one it says how many were fours", () => {
  const board = "2 8 . / . 16 .";
  expect(small.parseState(board).returns(0)).toBe(64);
  for (let score = 64; score >= 40; score -= 4)
    expect(small.formatState(small.parseState(`${board} score ${score}`))).toBe(`${board} score ${score}`);
});

test.each([
  ["", "not 4 rows of 4 cells"],
  ["no such position", "not of the form"],
  [". . . . / . . . . / . . . . tile", "not 4 rows of 4 cells"],
  [". . . . / . . . / . . . . / . . . . tile", "not 4 rows of 4 cells"],
  ["2 2 . . / . 3 . . / . . . . / . . . .", '"3" is no tile'],
  ["2 2 . . / . 1 . . / . . . . / . . . .", '"1" is no tile'],
  ["2 2 . . / . -2 . . / . . . . / . . . .", '"-2" is no tile'],
  ["2 2 . . / . 2.0 . . / . . . . / . . . .", '"2.0" is no tile'],
  ["262144 2 . . / . . . . / . . . . / . . . .", "no game comes to 262144; at most 131072"],
  [
    "131072 131072 . . / . . . . / . . . . / . . . .",
    "no game comes to 131072 beside 1 as high or higher; at most 65536",
  ],
  ["2 . . . / . . . . / . . . . / . . . . score 0", "1 tiles; a game begins with two"],
  ["2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 4 2 tile", "no room for a tile to come"],
  ["2 8 . . / . . . . / . . . . / . . . . score 20", "bring 8 to 16 in steps of 4"],
  ["2 8 . . / . . . . / . . . . / . . . . score 4", "bring 8 to 16 in steps of 4"],
  ["2 8 . . / . . . . / . . . . / . . . . score 10", "bring 8 to 16 in steps of 4"],
  ["2 8 . . / . . . . / . . . . / . . . . score 16 tiles", "not of the form"],
])("the impossible position %s is refused", (text, message) => {
  expect(() => game.parseState(text)).toThrow(message);
});

test("moves and tiles that are not possible are refused with those that are", () => {
  const state = small.parseState("2 4 8 / . . .");
  expect(() => small.parseAction("up", state)).toThrow('"up" is not possible here; allowed: down');
  state.apply(small.parseAction("down", state));
  expect(() => small.parseAction("r2c1=2", state)).toThrow(
    "allowed: r1c1=2 r1c2=2 r1c3=2 r1c1=4 r1c2=4 r1c3=4",
  );
});

test("directions are read in any capitals and by their first letter", () => {
  const state = small.parseState(". 4 . / . 2 .");
  for (const text of ["left", "Left", "LEFT", "l", "L"])
    expect(small.formatAction(small.parseAction(text, state), state)).toBe("left");
  expect(small.formatAction(small.parseAction("r", state), state)).toBe("right");
  expect(() => small.parseAction("le", state)).toThrow('"le" is not possible here; allowed: right left');
  expect(() => small.parseAction("u", state)).toThrow('"up" is not possible here; allowed: right left');
  const tile = small.parseState("2 . . / . . . tile");
  expect(tile.toMove).toBe(-1);
  expect(() => small.parseAction("r", tile)).toThrow(/^"r" is not possible here; allowed: r1c2=2/);
  expect(small.formatAction(small.parseAction("R1C2=4", tile), tile)).toBe("r1c2=4");
});

test("boards are two to five cells wide and high", () => {
  expect(() => createGame({ id: "2048", height: 6 })).toThrow("height: must be at most 5, got 6");
  expect(() => createGame({ id: "2048", width: 1 })).toThrow("width: must be at least 2, got 1");
  const game = createGame({ id: "2048", width: 2, height: 3 });
  expect(game.formatState(game.start()).split(" score")[0]).toBe(". . / . . / . .");
});
