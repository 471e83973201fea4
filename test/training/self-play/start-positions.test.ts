import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { CHANCE, TERMINAL, type Game } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { StartPositions, type StartOptions } from "../../../src/training/self-play/start-positions.ts";
import { expectFrequencies } from "../../support/frequencies.ts";
import { slowTest } from "../../support/thorough.ts";

const game = createGame("tic-tac-toe");
const NONE = { from: 0, to: 0 };

/** Counts for each position the games that began in it. */
function starts(played: Game, options: StartOptions | StartOptions[], games: number): Map<string, number> {
  const positions = new StartPositions(played, [options].flat(), createRandom("starts"));
  const state = played.start();
  const counts = new Map<string, number>();
  for (let number = 0; number < games; number++) {
    positions.setUp(state);
    expect(state.toMove).not.toBe(TERMINAL);
    const text = played.formatState(state);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

const stones = (state: string) => (state.match(/[xo]/g) ?? []).length;

test("without openings every game begins at its start", () => {
  expect(starts(game, { randomPlies: NONE }, 10)).toEqual(new Map([[".../.../...", 10]]));
});

test("after a number of random plies there are as many stones, anywhere", () => {
  const found = starts(game, { randomPlies: { from: 3, to: 3 } }, 2000);
  for (const state of found.keys()) expect(stones(state)).toBe(3);
  // Three stones, two of them x: 9 * 8 * 7 / 2 = 252 positions. On average 2,000 games leave out 0.09 of them.
  expect(found.size).toBeGreaterThan(248);
});

slowTest("from ... to: every number of plies is as likely", () => {
  const found = starts(game, { randomPlies: { from: 0, to: 4 } }, 18_000);
  const counts = [0, 0, 0, 0, 0];
  for (const [state, times] of found) counts[stones(state)]! += times;
  expectFrequencies(counts);
});

test("plies that would end the game are left out", () => {
  expect(starts(game, { randomPlies: { from: 9, to: 9 } }, 20)).toEqual(new Map([[".../.../...", 20]]));
});

describe("given positions", () => {
  const given = ["x../.o./...", "xo./.../...", ".../.x./...", "xox/.../..."];
  const states = given.map((text) => game.parseState(text));

  slowTest("begin all games, each as often", () => {
    const found = starts(game, { randomPlies: NONE, states }, 14_000);
    expect(new Set(found.keys())).toEqual(new Set(given));
    expectFrequencies([...found.values()]);
  });

  test("random plies go on from them, and where they would end the game it begins at the position", () => {
    const more = starts(game, { randomPlies: { from: 1, to: 1 }, states: states.slice(0, 1) }, 500);
    expect(more.size).toBe(7);
    for (const state of more.keys()) expect(state).toMatch(/^x..\/.o./);
    const late = ["xox/oxo/.x."].map((text) => game.parseState(text));
    // o, then x: two plies fill the board.
    expect(starts(game, { randomPlies: { from: 2, to: 2 }, states: late }, 20)).toEqual(
      new Map([["xox/oxo/.x.", 20]]),
    );
  });
});

slowTest("a mixture: each opening begins its share of the games", () => {
  const corner = [game.parseState("x../.../...")];
  const found = starts(
    game,
    [
      { share: 2, randomPlies: NONE },
      { share: 1, randomPlies: NONE, states: corner },
      { share: 3, randomPlies: { from: 4, to: 4 } },
    ],
    25_000,
  );
  const [empty, one] = [found.get(".../.../...")!, found.get("x../.../...")!];
  expectFrequencies([empty, one, 25_000 - empty - one], [2 / 6, 1 / 6, 3 / 6]);
  for (const state of found.keys()) expect([0, 1, 4]).toContain(stones(state));
});

test("chance before and between the plies is played, by its probabilities", () => {
  const game2048 = createGame("2048");
  const positions = new StartPositions(
    game2048,
    [{ randomPlies: { from: 1, to: 1 } }],
    createRandom("chance"),
  );
  const state = game2048.start();
  for (let number = 0; number < 50; number++) {
    positions.setUp(state);
    // Two tiles came, one move was made, and a tile is to come.
    expect(state.toMove).toBe(CHANCE);
    const tiles = game2048.formatState(state).match(/\b[24]\b/g) ?? [];
    expect(tiles.length).toBeLessThanOrEqual(2);
  }
  const pig = createGame("pig");
  const rolls = new StartPositions(pig, [{ randomPlies: NONE }], createRandom("die"));
  const counts = new Map<string, number>();
  for (let roll = 0; roll < 23_000; roll++) {
    const fresh = pig.start();
    fresh.apply(1);
    fresh.apply(rolls.draw(fresh));
    const text = pig.formatState(fresh);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  expect(counts.size).toBe(6);
  expectFrequencies([...counts.values()]);
});
