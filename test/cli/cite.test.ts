import process from "node:process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RunReport } from "../../src/ratings/format-results.ts";
import { agon, temporaryFolder, writeInto } from "../support/agon.ts";
import { slowTest } from "../support/thorough.ts";

test("a run says in its files and its citation which program played it, where, when and by which command", async () => {
  const dir = join(temporaryFolder(), "run");
  const command = ["match", "tic-tac-toe", "random", "minimax:depth=1", "--blocks", "1", "--out", dir];
  await agon([...command, "--quiet"]);
  const { played } = JSON.parse(readFileSync(join(dir, "report.json"), "utf8")) as RunReport;
  expect(played).toEqual([
    expect.objectContaining({ agon: "0.1.0", node: process.version, processor: expect.any(String) }),
  ]);
  const [{ begun }] = played as NonNullable<typeof played>;
  expect(readFileSync(join(dir, "report.csv"), "utf8")).toMatch(/^rank,.*,played\n1,.*,"agon 0\.1\.0.*"\n/);
  const [line] = (await agon(["export", dir])).stdout.split("\n");
  expect(JSON.parse(line!)).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    ending: "finished",
    openingLength: expect.any(Number),
    program: expect.stringContaining("agon 0.1.0"),
  });
  const { stdout } = await agon(["cite", dir]);
  expect(stdout).toMatch(new RegExp(`^@software\\{agon${begun.slice(0, 4)},\n`));
  expect(stdout).toContain("2 games of tic-tac-toe between random, minimax:depth=1 were played on ");
});

slowTest("a training is cited like a run, also one of a sweep", async () => {
  const dir = temporaryFolder();
  const config = {
    name: "t",
    game: "tic-tac-toe",
    games: 10,
    evaluator: { kind: "linear", features: "lines" },
    learner: { rule: "td", lambda: 0, stepSize: 0.1 },
    exploration: { kind: "epsilon-greedy", epsilon: 0.1 },
    checkpoints: 1,
    rating: { player: { agent: "greedy" }, pool: ["random"], blocks: 1 },
  };
  const train = async (name: string, more: object = {}) => {
    const path = writeInto(dir, `${name}.json`, { ...config, ...more });
    await agon(["train", path, "--out", join(dir, name), "--workers", "1", "--quiet"]);
  };
  await train("one");
  await train("sweep", { sweep: { seeds: ["a", "b"] } });
  for (const folder of ["one", "sweep/seeds/a"])
    expect((await agon(["cite", join(dir, folder)])).stdout).toMatch(
      / games of tic-tac-toe between random, 0 games, 10 games were played on .* by agon 0\.1\.0 /,
    );
});
