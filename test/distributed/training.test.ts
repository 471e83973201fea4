import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { agon, fixture, temporaryFolder, writeInto } from "../support/agon.ts";
import { startWorker } from "../support/queue.ts";
import { redisTest, startRedis } from "../support/redis.ts";
import { ratedGames } from "../training/runs.ts";
import { timeless } from "../support/stored-games.ts";

const CONFIG = {
  name: "queued",
  game: "connect-four",
  games: 400,
  evaluator: { kind: "linear", features: "lines", output: "tanh" },
  learner: { rule: "td", lambda: 0.6, stepSize: 0.02 },
  exploration: { epsilon: 0.1 },
  openings: { randomPlies: { from: 0, to: 6 } },
  checkpoints: 2,
  rating: {
    player: "greedy",
    pool: ["random", { agent: "greedy", evaluator: fixture("../../weights/connect-four/linear.json") }],
    blocks: 10,
  },
};

const textOf = (dir: string, name: string) => readFileSync(join(dir, name), "utf8");

describe("a training over a queue", () => {
  redisTest("has its checkpoints rated there, with the same curve and games as here", async () => {
    const { url } = await startRedis();
    const dir = temporaryFolder();
    const config = writeInto(dir, "queued.json", CONFIG);
    startWorker(url);
    const [queued, here] = [join(dir, "queued"), join(dir, "here")];
    const { code, stderr } = await agon(["train", config, "--out", queued, "--queue", url, "--quiet"]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    await agon(["train", config, "--out", here, "--rating-workers", "1", "--quiet"]);
    for (const name of ["curve.csv", "curve.md", "weights.json"])
      expect(textOf(queued, name)).toBe(textOf(here, name));
    expect(ratedGames(queued).map(timeless)).toEqual(ratedGames(here).map(timeless));
  });
});
