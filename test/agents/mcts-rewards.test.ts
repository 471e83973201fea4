import { expect, test } from "vitest";
import { createGame } from "../../src/games/index.ts";
import { decide, randomPositions } from "./play.ts";

const game = createGame({ id: "2048", rows: 3, columns: 3 });

test("where rewards come along the way the declared range is no matter, only what is seen", () => {
  for (const state of randomPositions(game, 10)) {
    const decisions = [1 / 4, 1, 1024].map((factor) => {
      const declared = { ...game, maxReturn: factor * game.maxReturn };
      return decide(declared, "mcts:simulations=300", state);
    });
    const [{ value, ...first }] = decisions as [(typeof decisions)[0]];
    for (const decision of decisions)
      expect(decision).toEqual({ ...first, value: expect.closeTo(value!, 6) });
  }
});
