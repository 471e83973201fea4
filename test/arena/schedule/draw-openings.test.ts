import { describe, expect, test } from "vitest";
import { analysePosition } from "../../../src/agents/analysis.ts";
import { drawOpenings } from "../../../src/arena/schedule/draw-openings.ts";
import type { Game } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { loadAgent } from "../../../src/specs/agents.ts";
import { everyFew, slowTest } from "../../support/thorough.ts";

const clock = () => 0;

function linesOf(game: Game, plies: number, count: number, seed = "s") {
  return drawOpenings(game, { plies, count, seed, clock });
}

describe("drawn openings", () => {
  // Connect four: OEIS A212693. Tic-tac-toe: C(9,2) * C(7,2). Chess: 20 * 20, none of which transpose.
  test.each(
    everyFew(
      [
        ["connect-four", 3, 238],
        ["connect-four", 4, 1120],
        ["tic-tac-toe", 4, 756],
        ["chess", 2, 400],
      ],
      2,
    ),
  )("%s has after %i plies %i positions, of each there is one line", async (id, plies, positions) => {
    const { openings, drawn } = await linesOf(createGame(id), plies, 10_000);
    expect(openings).toHaveLength(positions);
    expect(drawn).toBe(positions);
    for (const { actions } of openings) expect(actions).toHaveLength(plies);
  });

  test("are as many as were asked for, the same for a seed, others for another", async () => {
    const game = createGame("othello");
    const { openings } = await linesOf(game, 6, 50);
    expect(openings).toHaveLength(50);
    expect((await linesOf(game, 6, 50)).openings).toEqual(openings);
    expect((await linesOf(game, 6, 20)).openings).toEqual(openings.slice(0, 20));
    expect((await linesOf(game, 6, 50, "t")).openings).not.toEqual(openings);
  });

  test("leave lines out that end the game", async () => {
    // After (1,2): three lines of two plies go on, to two positions: (0,1) and (1,0).
    const { openings } = await linesOf(createGame({ id: "nim", piles: [1, 2] }), 2, 10);
    expect(openings).toHaveLength(2);
  });

  slowTest.each(["connect-four", "chess", "othello"])(
    "of %s that are balanced are those that a search finds so",
    async (id) => {
      const game = createGame(id);
      const [evaluator] = Object.keys(game.heuristics);
      const prepared = await loadAgent(game, { agent: "alpha-beta", nodes: 300, evaluator: evaluator! });
      const within = id === "connect-four" ? 0.05 : 0.01;
      const kept = await drawOpenings(game, {
        plies: 4,
        count: 15,
        seed: "b",
        clock,
        balance: { agent: prepared, within },
      });
      const all = await drawOpenings(game, { plies: 4, count: kept.drawn, seed: "b", clock });
      const balanced = [];
      for (const { actions } of all.openings) {
        const state = game.start();
        for (const action of actions) state.apply(action);
        const { value } = await analysePosition({ game, prepared, state, seed: "b", clock });
        if (Math.abs(value!) <= within) balanced.push({ actions, value: value! });
      }
      expect(kept.openings.map(({ value, ...rest }) => ({ ...rest, value: value! + 0 }))).toEqual(balanced);
      expect(kept.openings).toHaveLength(15);
      expect(kept.drawn).toBeGreaterThan(15);
    },
  );

  test("are refused for games with dice, and without values where they should be balanced", async () => {
    await expect(linesOf(createGame("pig"), 3, 5)).rejects.toThrow(
      /pig has chance in its first 3 plies.*randomPlies: 3/,
    );
    const three = createGame({ id: "nim", players: 3 });
    const balance = { agent: await loadAgent(three, { agent: "random" }), within: 1 };
    await expect(drawOpenings(three, { plies: 1, count: 1, seed: "s", clock, balance })).rejects.toThrow(
      "nim has 3 players; only games of two players",
    );
    const duel = createGame("connect-four");
    const random = { agent: await loadAgent(duel, { agent: "random" }), within: 1 };
    await expect(
      drawOpenings(duel, { plies: 1, count: 1, seed: "s", clock, balance: random }),
    ).rejects.toThrow("random tells no values");
  });
});
