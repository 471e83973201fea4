import { describe, expect, test } from "vitest";
import type { Agent } from "../../../src/agents/agent.ts";
import { createRandom } from "../../../src/base/random.ts";
import { createGame } from "../../../src/games/index.ts";
import { Explorer } from "../../../src/training/self-play/explorer.ts";
import { SearchMoves } from "../../../src/training/self-play/search.ts";
import { StartPositions } from "../../../src/training/self-play/start-positions.ts";
import { expectFrequencies } from "../../support/frequencies.ts";

describe("the ordinal law", () => {
  test.each([
    [0, [1, 1, 1]],
    // 1/2 + 1/2 / 3; of the third that is left 1/2 + 1/2 / 2; and what is left then.
    [0.5, [8, 3, 1]],
    [1, [1, 0, 0]],
  ])("with exploitation %d takes ranks as %j", (exploitation, wanted) => {
    const random = createRandom("ordinal");
    const explorer = new Explorer();
    explorer.begin({ exploration: { kind: "ordinal", exploitation }, games: 1 }, 0);
    const counts = wanted.map(() => 0);
    for (let draw = 0; draw < 12_000; draw++) counts[explorer.drawRank(3, random)]!++;
    const sum = wanted.reduce((total, one) => total + one, 0);
    for (const [rank, share] of wanted.entries()) {
      if (share === 0) expect(counts[rank]).toBe(0);
      else expect(Math.abs(counts[rank]! / 12_000 - share / sum)).toBeLessThan(0.02);
    }
  });

  test("the exploitation changes over the games", () => {
    const explorer = new Explorer();
    const exploration = { kind: "ordinal", exploitation: { from: 0, to: 1, shape: "linear" } } as const;
    const seen = [0, 1, 2].map((number) => {
      explorer.begin({ exploration, games: 3 }, number);
      return explorer.exploitation;
    });
    expect(seen).toEqual([0, 0.5, 1]);
  });
});

test("ranks are those of the values, whatever the agent decides for", () => {
  const game = createGame("connect-four");
  // The safest action is the third best one.
  const values = [-1, 0.25, 0.5, 0];
  const asked: (number | undefined)[] = [];
  const agent: Agent = {
    choose(_, { ranked }) {
      asked.push(ranked);
      const ranking = [3, 0, 1, 2].map((action) => ({ action, value: values[action]!, line: [action] }));
      return { action: 3, nodes: 4, line: [3], ranking };
    },
  };
  const random = createRandom("ordinal moves");
  const starts = new StartPositions(game, [{ randomPlies: { from: 0, to: 0 } }], random);
  const play = (exploitation: number) => {
    const exploration = new Explorer();
    exploration.exploitation = exploitation;
    return new SearchMoves(game, { searcher: { agent, budget: {} }, starts, random, exploration });
  };
  expect(play(1).next(game.start())).toBe(2);
  expect(asked).toEqual([game.maxActions]);
  const counts = [0, 0, 0, 0];
  const uniform = play(0);
  for (let draw = 0; draw < 14_000; draw++) counts[uniform.next(game.start())]!++;
  expectFrequencies(counts);
});
