import { describe, expect, test } from "vitest";
import { TournamentOpenings } from "../../../src/arena/schedule/openings.ts";
import { TERMINAL, type Game } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";

function openingsOf(game: Game, randomPlies: number, count: number, match = "m"): number[][] {
  const openings = new TournamentOpenings(game, { randomPlies }, "openings").pairing(match);
  return Array.from({ length: count }, () => openings.next());
}

function endsGame(game: Game, opening: readonly number[]): boolean {
  const state = game.start();
  for (const action of opening) state.apply(action);
  return state.toMove === TERMINAL;
}

const different = (openings: readonly (readonly number[])[]) => new Set(openings.map(String)).size;

describe("random openings", () => {
  test("are all different while there are enough: 250 of the 343 of connect four", () => {
    const openings = openingsOf(createGame("connect-four"), 3, 250);
    expect(different(openings)).toBe(250);
    for (const opening of openings) expect(opening).toHaveLength(3);
  });

  test("come again when a game has fewer, each of them before that", () => {
    const openings = openingsOf(createGame("tic-tac-toe"), 1, 60);
    expect(different(openings.slice(0, 9))).toBe(9);
    expect(different(openings)).toBe(9);
  });

  test("never end the game, though some random lines of that length do", () => {
    // After (1,2) three lines go on: 1-1 2-1, 2-1 1-1 and 2-1 2-1. Two end the game: 1-1 2-2 and 2-2 1-1.
    const game = createGame({ id: "nim", piles: [1, 2] });
    const openings = openingsOf(game, 2, 200);
    for (const opening of openings) expect(endsGame(game, opening)).toBe(false);
    // The draws that find no new line any more may end with one that ends the game.
    const empty = openings.filter((opening) => opening.length === 0);
    expect(empty.length).toBeLessThanOrEqual(1);
    expect(different(openings) - different(empty)).toBe(3);
  });

  test("are empty where every line of that length ends the game", () => {
    const game = createGame({ id: "nim", piles: [1, 1] });
    expect(openingsOf(game, 2, 5)).toEqual([[], [], [], [], []]);
  });

  test("count plies, not chance events, which are part of them", () => {
    const game = createGame("pig");
    for (const opening of openingsOf(game, 2, 20)) {
      const state = game.start();
      let plies = 0;
      for (const action of opening) {
        if (state.toMove >= 0) plies++;
        state.apply(action);
      }
      expect(plies).toBe(2);
    }
  });

  test("differ between matches, and are the same for the same one", () => {
    const game = createGame("connect-four");
    expect(openingsOf(game, 3, 20, "a")).toEqual(openingsOf(game, 3, 20, "a"));
    expect(openingsOf(game, 3, 20, "a")).not.toEqual(openingsOf(game, 3, 20, "b"));
  });
});

test("listed lines are taken in turn, as copies", () => {
  const lines = [[1, 2], [3]];
  const openings = new TournamentOpenings(createGame("connect-four"), { lines }, "s").pairing("m");
  const taken = Array.from({ length: 5 }, () => openings.next());
  expect(taken).toEqual([[1, 2], [3], [1, 2], [3], [1, 2]]);
  taken[0]!.push(9);
  expect(lines).toEqual([[1, 2], [3]]);
});

test("in random order each pairing walks the same circle of all lines, from a place of its own", () => {
  const lines = Array.from({ length: 100 }, (_, line) => [line]);
  const book = new TournamentOpenings(createGame("connect-four"), { lines, order: "random" }, "s");
  const walks = Array.from({ length: 20 }, (_, pairing) => {
    const openings = book.pairing(`pairing ${pairing}`);
    return Array.from({ length: 200 }, () => openings.next()[0]!);
  });
  const [first] = walks;
  expect(first!.slice(0, 100)).not.toEqual(lines.flat());
  expect(first!.slice(0, 100).toSorted((a, b) => a - b)).toEqual(lines.flat());
  for (const walk of walks) {
    const begin = first!.indexOf(walk[0]!);
    expect(walk.slice(0, 100)).toEqual(first!.slice(begin, begin + 100));
    expect(walk.slice(100)).toEqual(walk.slice(0, 100));
  }
  // Twenty places of a hundred are 18.2 different ones on average, and fewer than 13 with a probability below 1 in 10,000.
  expect(new Set(walks.map(([begin]) => begin)).size).toBeGreaterThan(12);
  const again = new TournamentOpenings(createGame("connect-four"), { lines, order: "random" }, "s");
  expect(again.pairing("pairing 3").next()).toEqual([walks[3]![0]]);
});
