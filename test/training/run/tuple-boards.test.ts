import { expect, test } from "vitest";
import { createGame, games } from "../../../src/games/index.ts";
import type { TrainingConfig } from "../../../src/training/plan/config.ts";
import { trainFromConfig } from "../../../src/training/run/train.ts";
import { contents, folders, requestOf, TINY } from "../runs.ts";
import { everyFew } from "../../support/thorough.ts";

const newDir = folders();
const ids = Object.keys(games).filter((id) => id !== "tree" && createGame(id).tupleBoard !== undefined);

test.each(everyFew(ids, 3))("an n-tuple network learns from a few games of %s", async (game) => {
  const config: TrainingConfig = {
    ...TINY,
    game,
    games: 8,
    checkpoints: 1,
    evaluator: { kind: "n-tuple", output: "tanh", tuples: [{ lines: 3 }, { count: 4, length: 3 }] },
    learner: { lambda: 0, stepSize: 0.5, normalized: true, coherence: true },
    rating: { pool: ["random"], player: "greedy", blocks: 1 },
  };
  const dir = newDir();
  const { finished, decisions } = await trainFromConfig(requestOf(dir, config));
  expect(finished).toBe(true);
  expect(decisions).toBeGreaterThan(40);
  // Both players use the same weights: some weight is above 0 and some below.
  const { weights } = contents(dir)["weights.json"] as { weights: number[] };
  expect(Math.max(...weights)).toBeGreaterThan(0);
  expect(Math.min(...weights)).toBeLessThan(0);
});
