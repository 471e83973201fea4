import { join } from "node:path";
import { describe, expect } from "vitest";
import { createGame } from "../../src/games/index.ts";
import { agon, fixture, temporaryFolder, writeInto } from "../support/agon.ts";
import { gamesOf, runOver, startWorker, withoutReportTimes } from "../support/servers/queue.ts";
import { redisTest, startRedis } from "../support/servers/redis.ts";
import { slow, thorough } from "../support/thorough.ts";

describe("a run over a queue", () => {
  const CONFIG = {
    name: "queued",
    game: "connect-four",
    seed: "queue",
    blocks: thorough(30, 8),
    openings: { randomPlies: 2 },
    entrants: [
      "random",
      { name: "shallow", agent: "alpha-beta", depth: 2, evaluator: "threats" },
      { name: "trained", agent: "greedy", evaluator: fixture("../../weights/connect-four/linear.json") },
      { name: "uct", agent: "mcts", simulations: 30 },
    ],
  };

  for (const counts of thorough([[1], [1, 1], [2, 1, 2]], [[2, 1]])) {
    slow(redisTest)(
      `gives what one worker of this machine gives, with ${counts.length} machines`,
      { timeout: 120_000 },
      async () => {
        const { url } = await startRedis();
        const dir = temporaryFolder();
        const config = writeInto(dir, "queued.json", CONFIG);
        for (const count of counts) startWorker(url, ["--workers", String(count)]);
        const queued = await runOver(url, config, join(dir, "queued"));
        const here = await agon([
          "run",
          config,
          "--out",
          join(dir, "here"),
          "--workers",
          "1",
          "--json",
          "-q",
        ]);
        expect(queued.stderr).toBe("");
        expect(withoutReportTimes(queued.stdout)).toEqual(withoutReportTimes(here.stdout));
        expect(gamesOf(join(dir, "queued"))).toEqual(gamesOf(join(dir, "here")));
      },
    );
  }

  redisTest("takes its positions and the tables that end games along", { timeout: 120_000 }, async () => {
    const { url } = await startRedis();
    const dir = temporaryFolder();
    const tables = await agon(["tables", "tic-tac-toe", "--out", join(dir, "all.agon"), "-q"]);
    expect(tables.code).toBe(0);
    const game = createGame("tic-tac-toe");
    const positions = [0, 4, 1].map((action) => {
      const state = game.start();
      state.apply(action);
      return game.formatState(state);
    });
    writeInto(dir, "list.fen", positions.join("\n"));
    const config = writeInto(dir, "positions.json", {
      name: "positions",
      game: "tic-tac-toe",
      blocks: thorough(3, 1),
      openings: { file: "list.fen" },
      adjudicate: { tables: "all.agon" },
      entrants: ["random", "mcts:simulations=3"],
    });
    startWorker(url, ["--workers", "1"]);
    const queued = await runOver(url, config, join(dir, "queued"));
    expect(queued.stderr).toBe("");
    await agon(["run", config, "--out", join(dir, "here"), "--workers", "1", "-q"]);
    const games = gamesOf(join(dir, "queued"));
    expect(games).toHaveLength(thorough(6, 2));
    expect(games).toEqual(gamesOf(join(dir, "here")));
    expect(new Set((games as readonly { ending: string }[]).map(({ ending }) => ending))).toEqual(
      new Set(["adjudicated"]),
    );
  });
});
