import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { createGame } from "../../../src/games/index.ts";
import { describeResult, possibleActions } from "../../../src/games/contract/notation.ts";
import { slowTest } from "../../support/thorough.ts";

const game = createGame("checkers");

test("the start, written and drawn", () => {
  const state = game.start();
  expect(game.formatState(state)).toBe("B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12");
  expect(game.formatState(game.parseState("start"))).toBe(game.formatState(state));
  expect(game.formatState(game.parseState("b:B1-12:W21-32:H0:F1."))).toBe(game.formatState(state));
  expect(game.render(game.parseState("W:W21,K32:BK1,12:H3"))).toBe(
    [
      "   ⛃   ·   ·   ·   1-4",
      " ·   ·   ·   ·     5-8",
      "   ·   ·   ·   ⛂   9-12",
      " ·   ·   ·   ·     13-16",
      "   ·   ·   ·   ·   17-20",
      " ⛀   ·   ·   ·     21-24",
      "   ·   ·   ·   ·   25-28",
      " ·   ·   ·   ⛁     29-32",
      " White to move, 3 without progress",
    ].join("\n"),
  );
});

test("a capture is written by its ends, and read by its ends or its path", () => {
  const state = game.parseState("W:W22:B18,11");
  const [action] = possibleActions(game, state);
  expect(game.formatAction(action!, state)).toBe("22x8");
  expect(game.parseAction("22x8", state)).toBe(action);
  expect(game.parseAction(" 22x15x8 ", state)).toBe(action);
  expect(() => game.parseAction("22-15", state)).toThrow('"22-15" is not possible here; allowed: 22x8');
});

test("captures with the same ends are told apart by their paths", () => {
  const state = game.parseState("W:WK2:B6,7,14,15");
  expect(() => game.parseAction("2x2", state)).toThrow(
    '"2x2" can be any of 2x9x18x11x2 2x11x18x9x2; name the path',
  );
  for (const action of possibleActions(game, state))
    expect(game.parseAction(game.formatAction(action, state), state)).toBe(action);
});

test("a jump is told from a longer capture with the same ends", () => {
  const state = game.parseState("W:WK10:BK7,K14,K22,K23,K15");
  const texts = Array.from(possibleActions(game, state), (action) => game.formatAction(action, state));
  expect(texts).toContain("10x3");
  expect(texts.filter((text) => /^10x.*x3$/.test(text)).length).toBe(2);
  for (const [at, action] of possibleActions(game, state).entries())
    expect(game.parseAction(texts[at]!, state)).toBe(action);
  expect(() => game.parseAction("10-3", state)).toThrow(/^"10-3" can be any of 10x3 10x/);
});

slowTest("every written action reads back, among many kings in reach of each other", () => {
  let together = 0;
  for (let number = 0; number < 10_000; number++) {
    const random = createRandom("checkers kings", number);
    const squares = Array.from({ length: 32 }, (_, square) => square + 1);
    const draw = (count: number) =>
      Array.from({ length: count }, () => `K${squares.splice(random.below(squares.length), 1)[0]}`).join(",");
    const state = game.parseState(`W:W${draw(1 + random.below(3))}:B${draw(3 + random.below(9))}`);
    const ends = new Set<string>();
    for (const action of possibleActions(game, state)) {
      const text = game.formatAction(action, state);
      expect(game.parseAction(text, state), `${text} in ${game.formatState(state)}`).toBe(action);
      const squaresOfText = text.split(/[x-]/);
      const short = `${squaresOfText[0]} ${squaresOfText.at(-1)}`;
      if (ends.has(short)) together++;
      ends.add(short);
    }
  }
  expect(together).toBeGreaterThan(20);
});

test("a capture may be typed with - for x, a move with spaces around it", () => {
  const state = game.parseState("W:W22:B18,11");
  const [action] = possibleActions(game, state);
  for (const text of ["22-8", "22X8", " 22-15-8 "]) expect(game.parseAction(text, state)).toBe(action);
  expect(game.formatAction(game.parseAction(" 11-15", game.start()), game.start())).toBe("11-15");
  expect(() => game.parseAction("11x15", game.start())).toThrow(/^"11x15" is not possible here/);
});

test.each([
  ["B:W16-32:B1-12", "White has 17 pieces"],
  ["B:W21-32:B1-13", "Black has 13 pieces"],
  ["B:W21:B21", "square 21 is named twice"],
  ["B:W33:B1", '"33" in White\'s pieces; allowed: squares 1 to 32'],
  ["B:W5-2:B1", '"5-2" in White\'s pieces'],
  ["B:WX9:B1", '"X9" in White\'s pieces'],
  ["B:W21:B29", "Black's man on 29"],
  ["B:W3:B1", "White's man on 3"],
  ["B:W21", "has no part B"],
  ["B:W21:B1:B2", "two parts B"],
  ["B:W21:B1:Q5", '"Q5" in "B:W21:B1:Q5" is no part of a position'],
  ["B:W21:B1:H41", "drawn after 40 moves"],
  ["B:W:B1", "White, who has just moved, has no pieces"],
  ["21,22:1,2", "begins with no B: or W: for the turn"],
  ["B:WK32:BK1 moves 1-9", '"1-9" is not possible here; allowed: 1-5 1-6'],
])("the impossible position %s is refused", (text, message) => {
  expect(() => game.parseState(text)).toThrow(message);
});

test("a position can be over", () => {
  for (const [text, black] of [
    ["B:W25,30:B21", -1],
    ["W:W12:B3,8", 1],
    ["B:WK32:B", -1],
    ["B:WK32:BK1:H40", 0],
  ] as const) {
    const state = game.parseState(text);
    expect([text, state.toMove, state.returns(0)]).toEqual([text, -2, black]);
    expect(game.formatState(state)).toBe(text);
  }
});

test("how a game ended is said", () => {
  const result = (text: string, of = game) => describeResult(of, of.parseState(text));
  expect(result("B:W25,30:B21")).toBe("player 2 has won (player 1 cannot move)");
  expect(result("W:W12:B3,8")).toBe("player 1 has won (player 2 cannot move)");
  expect(result("B:WK32:BK1:H40")).toBe("a draw (40 moves without progress)");
  const repeating = createGame({ id: "checkers", repetitions: 2 });
  expect(result("B:WK32:BK1 moves 1-5 32-27 5-1 27-32", repeating)).toBe(
    "a draw (position repeated 2 times)",
  );
});

test("the moves without progress are part of the position", () => {
  const words = ["", ":H1", ":H2"].map((quiet) => {
    const state = game.parseState(`B:WK32:BK1${quiet}`);
    return `${state.hashLow} ${state.hashHigh}`;
  });
  expect(new Set(words).size).toBe(3);
});
