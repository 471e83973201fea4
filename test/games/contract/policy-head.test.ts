import { expect, test } from "vitest";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { createGame } from "../../../src/games/index.ts";

test("breakthrough: both players' first moves have the same numbers, as each sees them", () => {
  const game = createGame("breakthrough");
  const { index } = game.policyHead!;
  const state = game.start();
  const numbers = () => [...possibleActions(game, state)].map((action) => index(action, state)).toSorted();
  const black = numbers();
  state.apply(game.parseAction("a2a3", state)!);
  expect(numbers()).toEqual(black);
});
