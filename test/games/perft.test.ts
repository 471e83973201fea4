import { expect, test } from "vitest";
import { createGame } from "../../src/games/index.ts";
import { divide, perft } from "../../src/games/contract/perft.ts";
import { slowTest } from "../support/thorough.ts";

/** 255,168 games of tic-tac-toe, by their length of 5 to 9 plies: 1440, 5328, 47952, 72576, 127872 (published). */
const ENDED = [0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127872];

slowTest("a finished game has a leaf at its own depth only, or at every deeper one too", () => {
  const game = createGame("tic-tac-toe");
  let ended = 0;
  for (let depth = 1; depth <= 10; depth++) {
    const alone = perft(game, game.start(), depth);
    expect(perft(game, game.start(), depth, { finished: true })).toBe(alone + ended);
    ended += ENDED[depth] ?? 0;
  }
  expect(ended).toBe(255_168);
  expect(perft(game, game.start(), 10)).toBe(0);
});

test("at depth 0 there is one leaf, and below a finished game none, or one", () => {
  const game = createGame("tic-tac-toe");
  const won = game.parseState("xxx/oo./...");
  expect(perft(game, won, 0)).toBe(1);
  expect(perft(game, won, 3)).toBe(0);
  expect(perft(game, won, 3, { finished: true })).toBe(1);
});

/** No game of othello is shorter than 9 plies, and 228 end there. So the conventions first differ at depth 10. */
slowTest("othello to depth 10: published with finished games, 228 fewer without", () => {
  const game = createGame("othello");
  const leaves = (depth: number, finished: boolean) => {
    // The four first moves are mirror images of each other.
    const state = game.parseState("d3");
    return 4 * perft(game, state, depth - 1, { finished });
  };
  expect([leaves(9, false), leaves(9, true)]).toEqual([3005288, 3005288]);
  expect([leaves(10, false), leaves(10, true)]).toEqual([24571056, 24571284]);
});

test.each([false, true])("divide sums to perft, finished games counted: %s", (finished) => {
  const game = createGame("tic-tac-toe");
  const state = game.parseState("x.o/.x./...");
  const rows = divide(game, state, 5, { finished });
  expect(rows.map(({ action }) => action)).toEqual([1, 3, 5, 6, 7, 8]);
  const sum = rows.reduce((total, row) => total + row.leaves, 0);
  expect(sum).toBe(perft(game, state, 5, { finished }));
});
