import { describe, expect, test } from "vitest";
import { formatFinding } from "../../src/games/check/finding.ts";
import { checkGame } from "../../src/games/check/check-game.ts";
import { createGame, games } from "../../src/games/index.ts";
import { sampleGames, sampleName } from "./samples.ts";
import { slowTest, thorough } from "../support/thorough.ts";

/** Random games of each check. */
const GAMES = thorough(6, 2);

describe.each(sampleGames.map((spec) => [sampleName(spec), spec] as const))(
  "game contract: %s",
  (_, spec) => {
    const game = createGame(spec);

    slowTest("fulfils every check", () => {
      expect(checkGame(game, { games: GAMES }).map(formatFinding)).toEqual([]);
    });

    test("its options make the same game again", () => {
      expect(createGame({ id: game.id, ...game.options }).options).toEqual(game.options);
    });

    test("has a feature set and a heuristic", () => {
      expect(Object.keys(game.featureSets).length).toBeGreaterThan(0);
      expect(Object.keys(game.heuristics).length).toBeGreaterThan(0);
    });
  },
);

test("games are listed under their own id, and an unknown one is refused with the nearest", () => {
  for (const [id, family] of Object.entries(games)) expect(family.id).toBe(id);
  expect(() => createGame("conect-four")).toThrow(
    /unknown game "conect-four" \(did you mean "connect-four"\?\)/,
  );
});
