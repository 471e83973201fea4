import { describe, expect, test } from "vitest";
import { game as kalah } from "../examples/kalah/kalah.ts";
import { createRandom } from "../src/base/random.ts";
import { checkGame } from "../src/checks/check-game.ts";
import { formatFinding } from "../src/checks/finding.ts";
import { TERMINAL, type Game, type GameFamily } from "../src/game/game.ts";
import { possibleActions } from "../src/game/notation.ts";
import { perft } from "../src/game/perft.ts";
import { decide } from "./agents/play.ts";
import { fastKalah } from "./support/fast-kalah.ts";

const create = (family: GameFamily, pits: number, stones: number): Game => family.create({ pits, stones });
const SIZES = [
  [6, 4],
  [3, 3],
  [1, 5],
  [4, 8],
  [8, 2],
] as const;

test.each(SIZES)("kalah of %i pits with %i stones keeps the contract of a game", (pits, stones) => {
  expect(
    checkGame(create(kalah as GameFamily, pits, stones), { family: kalah as GameFamily }).map(formatFinding),
  ).toEqual([]);
});

test.each(SIZES)("kalah of %i pits with %i stones is the same game by the fast contract", (pits, stones) => {
  const simple = create(kalah as GameFamily, pits, stones);
  const fast = create(fastKalah as GameFamily, pits, stones);
  for (let seed = 0; seed < 30; seed++) {
    const random = createRandom("kalah", seed);
    const [one, other] = [simple.start(), fast.start()];
    for (let ply = 0; ; ply++) {
      expect(simple.formatState(one)).toBe(fast.formatState(other));
      expect([one.toMove, one.returns(0), one.returns(1)]).toEqual([
        other.toMove,
        other.returns(0),
        other.returns(1),
      ]);
      if (one.toMove === TERMINAL) break;
      const actions = possibleActions(simple, one);
      expect(actions).toEqual(possibleActions(fast, other));
      const action = actions[random.below(actions.length)];
      one.apply(action);
      other.apply(action);
    }
  }
  for (const depth of [1, 3, 5])
    expect(perft(simple, simple.start(), depth)).toBe(perft(fast, fast.start(), depth));
});

describe("results of Irving, Donkers and Uiterwijk (Solving Kalah, 2000) for the first player", () => {
  const RESULTS: Readonly<Record<string, number>> = { W: 1, D: 0, L: -1 };
  /** By pits, then by stones, from 1. */
  const TABLE = ["DLWLWD", "WLLLWW", "DWW", "WW"];
  const boards = TABLE.flatMap((row, at) =>
    Array.from(row).map((result, stones) => [at + 1, stones + 1, result] as const),
  );
  test.each(boards)("%i pits, %i stones: %s", (pits, stones, result) => {
    for (const family of [kalah, fastKalah] as GameFamily[]) {
      const { value } = decide(create(family, pits, stones), "alpha-beta:depth=60");
      expect(value).toBe(RESULTS[result]);
    }
  });
});
