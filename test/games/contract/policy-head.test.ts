import { expect, test } from "vitest";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { createGame } from "../../../src/games/index.ts";

test("breakthrough: both players' first moves have the same numbers, as each sees them", () => {
  const game = createGame("breakthrough");
  const head = game.policyHead!;
  const state = game.start();
  const numbers = () =>
    [...possibleActions(game, state)].map((action) => head.index(action, state)).toSorted((a, b) => a - b);
  const black = numbers();
  state.apply(game.parseAction("a7a6", state)!);
  expect(numbers()).toEqual(black);
});
