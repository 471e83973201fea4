import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { TERMINAL, type Transcript } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";

const checkers = createGame("checkers");

/** The PDN of a game whose moves are given as text. */
function write(moves: readonly string[], rest: Partial<Transcript> = {}): string {
  const state = checkers.start();
  const actions = moves.map((move) => {
    const action = checkers.parseAction(move, state);
    state.apply(action);
    return action;
  });
  const transcript = { event: "e", round: 1, names: ["a", "b"], actions, returns: [], forfeit: "", ...rest };
  return [...checkers.transcripts["pdn"]!.write([transcript])].join("");
}

test("tags, then numbered moves and the result", () => {
  const text = write(["11-15", "23-19", "8-11"], {
    event: 'The "big" one',
    returns: [1, -1],
    forfeit: "time-out by b",
  });
  expect(text).toBe(
    [
      '[Event "The \\"big\\" one"]',
      '[Site "?"]',
      '[Date "?"]',
      '[Round "1"]',
      '[Black "a"]',
      '[White "b"]',
      '[Result "0-1"]',
      '[GameType "21"]',
      '[Termination "time-out by b"]',
      "",
      "1. 11-15 23-19 2. 8-11 0-1",
      "",
    ].join("\n"),
  );
});

test("comments say what was thought", () => {
  const thoughts = [{ value: -0.004, depth: 6, nodes: 1, timeMs: 100, line: [] }, undefined];
  expect(write(["11-15", "23-19"], { thoughts })).toContain("\n1. 11-15 {0.00/6 0.1s} 23-19 *\n");
});

test("a win is written by colour", () => {
  const results = [1, 0, -1].map((black) =>
    write([], { returns: [black, 0 - black] })
      .trim()
      .split(/\s/)
      .at(-1),
  );
  expect(results).toEqual(["0-1", "1/2-1/2", "1-0"]);
});

test("random games can be read back from their PDN, in lines of at most 80 columns", () => {
  for (let number = 0; number < 20; number++) {
    const random = createRandom("pdn", number);
    const state = checkers.start();
    const moves: string[] = [];
    while (state.toMove !== TERMINAL) {
      const actions = possibleActions(checkers, state);
      const action = actions[random.below(actions.length)];
      moves.push(checkers.formatAction(action, state));
      state.apply(action);
    }
    const [, body = ""] = write(moves, { returns: [state.returns(0), state.returns(1)] }).split("\n\n");
    expect(Math.max(...body.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    const words = body.trim().split(/\s+/);
    expect(words.pop()).toBe(["1-0", "1/2-1/2", "0-1"][state.returns(0) + 1]);
    const again = checkers.start();
    for (const word of words.filter((text) => !text.endsWith(".")))
      again.apply(checkers.parseAction(word, again));
    expect(checkers.formatState(again)).toBe(checkers.formatState(state));
  }
});
