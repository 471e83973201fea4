import { describe, expect, test } from "vitest";
import { TERMINAL } from "../../../src/games/contract/game.ts";
import { game, position } from "./positions.ts";

const START = "4HPwATDgc/ABMA";

describe("position ids", () => {
  test("the start", () => {
    expect(game.formatState(game.start())).toBe(`${START}:start`);
    for (const text of ["start", `${START}:start`]) {
      const state = game.parseState(text);
      expect(state.opening).toBe(true);
      expect(state.hashLow).toBe(game.start().hashLow);
    }
    const rolling = game.parseState(START);
    expect(game.formatState(rolling)).toBe(`${START}:x:roll`);
    expect(rolling.opening).toBe(false);
    expect(rolling.hashLow).not.toBe(game.start().hashLow);
  });

  test("an opening as GNU Backgammon prints it: 3-2 played 24/21 13/11, the other to play 4-1", () => {
    const state = game.start();
    for (const text of ["o:3-2", "24/21 13/11", "4-1"]) state.apply(game.parseAction(text, state));
    expect(game.formatState(state)).toBe("4HPkASLgc/ABMA:x:4-1");
    expect(game.formatAction(game.parseAction("8/4*/3", state), state)).toBe("8/4*/3");
  });

  test("a position as GNU Backgammon draws it, with X on roll", () => {
    const state = game.parseState("sOfgEwDg8+AIBg:x:roll");
    expect(game.render(state)).toBe(
      [
        " +13-14-15-16-17-18------19-20-21-22-23-24-+",
        " | x        x  o    |   | o  o  x          |",
        " | x           o    |   | o  o  x          |",
        " | x           o    |   | o                |",
        " |                  |   | o                |",
        " |                  |   |                  |",
        " |                  |BAR|                  |",
        " | o                |   | x                |",
        " | o           x    |   | x                |",
        " | o           x    |   | x                |",
        " | o           x    |   | x                |",
        " | o     o     x    |   | x                |",
        " +12-11-10--9--8--7-------6--5--4--3--2--1-+",
        " x: 159 pips, 0 off, o: 138 pips, 0 off; x to roll",
      ].join("\n"),
    );
    expect(game.formatState(state)).toBe("sOfgEwDg8+AIBg:x:roll");
  });

  test("men on the bar, men off, and points with more than five men are drawn", () => {
    const state = position({ 25: 2, 6: 7, 1: 1 }, { 25: 1, 3: 6 }, [6, 2]);
    expect(game.render(state)).toBe(
      [
        " +13-14-15-16-17-18------19-20-21-22-23-24-+",
        " |                  | o |          o       |",
        " |                  |   |          o       |",
        " |                  |   |          o       |",
        " |                  |   |          o       |",
        " |                  |   |          6       |",
        " |                  |BAR|                  |",
        " |                  |   | 7                |",
        " |                  |   | x                |",
        " |                  |   | x                |",
        " |                  | x | x                |",
        " |                  | x | x              x |",
        " +12-11-10--9--8--7-------6--5--4--3--2--1-+",
        " x: 93 pips, 5 off, o: 43 pips, 8 off; x to play 6-2",
      ].join("\n"),
    );
  });

  test.each([
    ["4HPwATDgc/ABM", "no position id"],
    ["4HPwATDgc/ABMB", "no position id"],
    ["////////////Aw", "more than 15 men"],
    ["4HPwATDgc/ABMA:z", "x or o"],
    ["4HPwATDgc/ABMA:xo", "x or o"],
    ["4HPwATDgc/ABMA:x:3-1:q", "such as 4HPwATDgc/ABMA:x:3-1"],
    ["4HPwATDgc/ABMA:x:7-1", 'dice "7-1"'],
    ["AAAAAAAAAAAAAA", "no men left"],
    [game.formatState(position({}, { 6: 1 })).replace("x:roll", "o:roll"), "no men left|is over"],
    [game.formatState(position({ 6: 1 }, {})), 'write "over"'],
  ])("%s is refused: %s", (text, problem) => {
    expect(() => game.parseState(text)).toThrow(new RegExp(problem));
  });

  test("both players on one point, or shut out together, are refused", () => {
    const clash = game.formatState(position({ 6: 1 }, { 19: 1 }));
    expect(() => game.parseState(clash)).toThrow(/both players on one point/);
    const closed = { 25: 1, 1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2 };
    const shut = game.formatState(position(closed, closed));
    expect(() => game.parseState(shut)).toThrow(/closed board/);
  });

  test("a finished game", () => {
    const state = position({ 1: 1 }, { 6: 15 }, [2, 1]);
    state.apply(game.parseAction("1/off", state));
    const text = game.formatState(state);
    expect(text).toMatch(/:o:over$/);
    expect(game.parseState(text).toMove).toBe(TERMINAL);
    expect(game.render(state)).toContain("x wins 2");
  });
});

describe("turns", () => {
  test.each([
    ["3-1", "8/5 6/5", ["8/5 6/5", "6/5 8/5", "6/5,8/5", " 6/5  8/5 "]],
    ["3-1", "24/20", ["24/20", "24/21 21/20", "24/23/20", "21/20 24/21"]],
    ["1-1", "8/7(2) 6/5(2)", ["6/5(2) 8/7(2)", "8/7 8/7 6/5 6/5", "6/5 8/7 6/5 8/7"]],
    ["6-6", "24/18(2) 13/7(2)", ["13/7(2) 24/18(2)"]],
    ["4-4", "24/16(2)", ["24/20(2) 20/16(2)", "24/16 24/16", "24/20/16(2)"]],
  ])("at the start %s: %s is read from every way of writing it", (dice, canonical, ways) => {
    const state = game.parseState(`${START}:x:${dice}`);
    for (const text of ways) expect(game.formatAction(game.parseAction(text, state), state)).toBe(canonical);
  });

  test("bar and off have numbers too, in either case", () => {
    const entering = position({ 25: 1, 6: 4 }, { 2: 1, 19: 2 }, [4, 2]);
    const action = game.parseAction("bar/23* 6/2", entering);
    for (const text of ["25/23 6/2", "BAR/23 6/2", "6/2 bar/23*"])
      expect(game.parseAction(text, entering)).toBe(action);
    const leaving = position({ 6: 2 }, { 2: 2 }, [6, 5]);
    expect(game.parseAction("6/0 6/1", leaving)).toBe(game.parseAction("6/off 6/1", leaving));
  });

  test("hits may go unmarked where they cannot be avoided, but not be invented", () => {
    const state = position({ 14: 1, 20: 2 }, { 17: 1, 2: 2 }, [6, 5]);
    expect(game.formatAction(game.parseAction("14/8 8/3", state), state)).toBe("14/8*/3");
    expect(game.formatAction(game.parseAction("14/3", state), state)).toBe("14/3");
    expect(() => game.parseAction("14/9*/3", state)).toThrow(/not possible/);
    const either = position({ 14: 1 }, { 16: 1, 17: 1 }, [6, 5]);
    expect(() => game.parseAction("14/3", either)).toThrow(/name the point/);
    expect(game.formatAction(game.parseAction("14/9/3", either), either)).toBe("14/9*/3");
    const forced = position({ 14: 1 }, { 16: 2, 17: 1 }, [6, 5]);
    expect(game.formatAction(game.parseAction("14/3", forced), forced)).toBe("14/8*/3");
  });

  test("only the first of two men hits", () => {
    const state = position({ 10: 2 }, { 18: 1, 21: 2 }, [3, 3]);
    expect(game.formatAction(game.parseAction("10/7*(2)", state), state)).toBe("10/7* 10/7");
  });

  test("an unplayable roll is a pass, and nothing else is", () => {
    const shut = position({ 25: 1 }, { 1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2 }, [6, 1]);
    for (const text of ["pass", "cannot move", "-"]) expect(game.parseAction(text, shut)).toBe(0);
    const open = game.parseState(`${START}:x:3-1`);
    for (const text of ["pass", "8/5", "8/4 8/4", "8/5 6/4", "26/23 6/5", "8/5(5)", "8/-1", ""])
      expect(() => game.parseAction(text, open)).toThrow(/is not possible here; allowed: 6\/2, /);
  });

  test("rolls", () => {
    const state = game.parseState(`${START}:o:roll`);
    for (const text of ["6-2", "2-6", "62", "26"])
      expect(game.formatAction(game.parseAction(text, state), state)).toBe("6-2");
    const start = game.start();
    expect(game.formatAction(game.parseAction("o:26", start), start)).toBe("o:6-2");
    for (const text of ["6-2", "x:3-3", "y:3-1", "x:7-1"])
      expect(() => game.parseAction(text, start)).toThrow(/allowed: x:2-1/);
    expect(() => game.parseAction("x:6-2", state)).toThrow(/allowed: 1-1 2-1/);
  });
});
