import { expect, test } from "vitest";
import { isDuel } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";

test.each([
  ["connect-four", {}, true],
  ["backgammon", {}, true],
  ["2048", {}, false],
  ["pig", { players: 3 }, false],
  ["connect-four", { zeroSum: false }, false],
  ["connect-four", { hiddenInformation: true }, false],
])("%s with %j: a duel, %s", (id, traits, expected) => {
  expect(isDuel({ ...createGame(id), ...traits })).toBe(expected);
});
