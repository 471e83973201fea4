import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { formatPdn, pdnResult } from "../../../src/games/checkers/pdn.ts";
import { TERMINAL } from "../../../src/game/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { possibleActions } from "../../../src/game/notation.ts";

test("tags, then numbered moves and the result", () => {
  const text = formatPdn({
    tags: { Event: 'The "big" one', Black: "a", White: "b", Depth: "6" },
    moves: ["11-15", "23-19", "8-11"],
    result: "*",
  });
  expect(text).toBe(
    [
      '[Event "The \\"big\\" one"]',
      '[Site "?"]',
      '[Date "?"]',
      '[Round "?"]',
      '[Black "a"]',
      '[White "b"]',
      '[Result "*"]',
      '[GameType "21"]',
      '[Depth "6"]',
      "",
      "1. 11-15 23-19 2. 8-11 *",
      "",
    ].join("\n"),
  );
});

test("comments say what was thought", () => {
  const game = createGame("checkers");
  const state = game.start();
  const actions = ["11-15", "23-19"].map((move) => {
    const action = game.parseAction(move, state);
    state.apply(action);
    return action;
  });
  const thoughts = [{ value: -0.004, depth: 6, nodes: 1, timeMs: 100, line: [] }, undefined];
  const transcript = { event: "e", round: 1, names: ["a", "b"], actions, returns: [], forfeit: "", thoughts };
  const text = [...game.transcripts["pdn"]!.write([transcript])].join("");
  expect(text).toContain("\n1. 11-15 {0.00/6 0.1s} 23-19 *\n");
});

test("a game from a position in which White moves first", () => {
  const text = formatPdn({
    tags: {},
    moves: ["32-28", "1-5", "28-32"],
    result: "1/2-1/2",
    fen: "W:WK32:BK1",
  });
  expect(text).toContain('[SetUp "1"]\n[FEN "W:WK32:BK1"]');
  expect(text).toContain("\n1. ... 32-28 2. 1-5 28-32 1/2-1/2\n");
});

test("a win is written by colour", () => {
  expect([1, 0, -1].map(pdnResult)).toEqual(["0-1", "1/2-1/2", "1-0"]);
});

test("random games can be read back from their PDN, in lines of at most 80 columns", () => {
  const game = createGame("checkers");
  for (let number = 0; number < 20; number++) {
    const random = createRandom("pdn", number);
    const state = game.start();
    const moves: string[] = [];
    while (state.toMove !== TERMINAL) {
      const actions = possibleActions(game, state);
      const action = actions[random.below(actions.length)];
      moves.push(game.formatAction(action, state));
      state.apply(action);
    }
    const result = pdnResult(state.returns(0));
    const [, body = ""] = formatPdn({ tags: {}, moves, result }).split("\n\n");
    expect(Math.max(...body.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    const words = body.trim().split(/\s+/);
    expect(words.pop()).toBe(result);
    const again = game.start();
    for (const word of words.filter((text) => !text.endsWith(".")))
      again.apply(game.parseAction(word, again));
    expect(game.formatState(again)).toBe(game.formatState(state));
  }
});
