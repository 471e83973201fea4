import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { createGame } from "../../../src/games/index.ts";
import { LastSquares } from "../../../src/games/othello/search.ts";
import type { OthelloState } from "../../../src/games/othello/state.ts";
import { randomPositions } from "../../agents/play.ts";
import { plainMargin } from "./plain-margin.ts";

describe.each([4, 6, 8] as const)("the last squares of a board of size %i", (size) => {
  const game = createGame({ id: "othello", size, score: "discs" });
  const last = new LastSquares(size);
  const positions = (
    randomPositions(game, 300, { plies: size * size, seed: "last" }) as OthelloState[]
  ).filter((state) => last.isNear(state));

  test("have the margin of plain search", () => {
    expect(positions.length).toBeGreaterThan(20);
    for (const state of positions) {
      const before = game.formatState(state);
      const margin = plainMargin(game, state);
      expect(last.value(state, -64, 64), before).toBe(margin);
      expect(game.formatState(state)).toBe(before);
    }
  });

  test("are bounded on the right side of a window", () => {
    const random = createRandom("windows", size);
    for (const state of positions) {
      const margin = plainMargin(game, state);
      const alpha = random.below(2 * size * size) - size * size + 0.25;
      const beta = alpha + (random.below(2) === 0 ? 2 ** -20 : random.below(40));
      const value = last.value(state, alpha, beta);
      if (value >= beta) expect(margin).toBeGreaterThanOrEqual(value);
      else if (value <= alpha) expect(margin).toBeLessThanOrEqual(value);
      else expect(value).toBe(margin);
    }
  });
});
