import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { planTournament } from "../../src/arena/plan/config.ts";
import { playTournament } from "../../src/arena/tournament.ts";
import { saveStrategy } from "../../src/specs/files/strategy-file.ts";
import { createGame } from "../../src/games/index.ts";
import { BestResponder } from "../../src/agents/solve/best-response.ts";
import { Cfr } from "../../src/agents/solve/cfr.ts";
import { buildGameTree } from "../../src/agents/solve/game-tree.ts";
import { agon, temporaryFolder } from "../support/agon.ts";
import { slowTest } from "../support/thorough.ts";

const kuhn = createGame("kuhn");
const tree = buildGameTree(kuhn);

/** Writes a strategy of 2,000 iterations; returns the path. */
function writeStrategy(): string {
  const solver = new Cfr(tree, "cfr+");
  while (solver.iterations < 2000) solver.iterate();
  const { exploitability } = new BestResponder(tree).exploit(solver.averagePolicy());
  const path = join(temporaryFolder(), "kuhn.json.gz");
  saveStrategy(path, kuhn, {
    ...solver.state,
    algorithm: "cfr+",
    seed: "agon",
    exploitability,
    sets: tree.sets,
  });
  return path;
}

describe("a strategy that is played", () => {
  const config = (entrants: readonly unknown[], blocks: number) => ({
    name: "kuhn",
    game: "kuhn",
    blocks,
    entrants,
  });

  slowTest(
    "wins from the first seat what theory says, and is folded and called as often as it should be",
    async () => {
      const path = writeStrategy();
      const both = [
        { name: "one", agent: "strategy", strategy: path },
        { name: "other", agent: "strategy", strategy: path },
      ];
      const { records } = await playTournament(config(both, 4000) as never, { workers: 0 });
      const first = records.map(({ returns }) => returns[0]!);
      const mean = first.reduce((sum, value) => sum + value, 0) / first.length;
      // The standard deviation of a game is below 1.5 chips: four standard errors of 8,000 games are below 0.07.
      expect(Math.abs(mean + 1 / 18)).toBeLessThan(0.07);
      // The second player with a king always calls a bet, with a jack never.
      const answers = (card: number) =>
        new Set(
          records
            .filter(({ actions: [, own, bet] }) => own === card && bet === 1)
            .map(({ actions }) => actions[3]),
        );
      expect([answers(2), answers(0)]).toEqual([new Set([1]), new Set([0])]);
      // With a queen it calls one bet in three.
      const queen = records.filter(({ actions: [, own, bet] }) => own === 1 && bet === 1);
      const calls = queen.filter(({ actions }) => actions[3] === 1).length / queen.length;
      expect(Math.abs(calls - 1 / 3)).toBeLessThan(4 * Math.sqrt(2 / 9 / queen.length));
    },
  );

  slowTest("beats play at random, in a run that has its own copy of the file", async () => {
    const path = writeStrategy();
    const dir = join(temporaryFolder(), "run");
    const run = [
      "match",
      "kuhn",
      `strategy:strategy=${path}`,
      "random",
      "--blocks",
      "400",
      "--random-plies",
      "0",
    ];
    const { code, stdout } = await agon([...run, "--out", dir, "--workers", "1", "--json"]);
    expect(code).toBe(0);
    const { entrants } = JSON.parse(stdout) as { entrants: { name: string; meanReturn: number }[] };
    // It wins 0.14 a game, with a standard error of 0.025. The file's path is a part of the name, from which chance descends.
    expect(entrants.find(({ name }) => name.startsWith("strategy"))!.meanReturn).toBeGreaterThan(0);
    expect((await agon(["verify", dir])).code).toBe(0);
  });

  slowTest(
    "is a model of the others for agents that draw worlds; a run keeps the file of a model, too",
    async () => {
      const path = writeStrategy();
      const dir = join(temporaryFolder(), "run");
      const agent = `ismcts:simulations=50,opponent.agent=strategy,opponent.strategy=${path}`;
      const match = ["match", "kuhn", agent, "random", "--blocks", "20", "--random-plies", "0", "--out", dir];
      expect(await agon(match)).toMatchObject({ code: 0 });
      rmSync(path);
      expect((await agon(["verify", dir])).stdout).toContain("0 differ");
    },
  );

  test.each([
    [{ strategy: "nowhere.json.gz" }, /entrants\[0\]\.strategy: .*nowhere\.json\.gz/],
    [{ strategy: "nowhere.txt" }, /must be a strategy, which ends in \.json\.gz/],
    [{}, /strategy: missing/],
  ])("with %j is refused", async (options, message) => {
    await expect(planTournament(config([{ agent: "strategy", ...options }, "random"], 1))).rejects.toThrow(
      message,
    );
  });

  test("a strategy for another game is refused, and a game where all is seen", async () => {
    const path = writeStrategy();
    const nim = { ...config([{ agent: "strategy", strategy: path }, "random"], 1), game: "nim" };
    await expect(planTournament(nim)).rejects.toThrow(
      /strategy cannot play nim, which has no hidden information/,
    );
  });
});
