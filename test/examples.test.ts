import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Report } from "../src/ratings/report.ts";
import { agon, temporaryFolder } from "./support/agon.ts";
import { slowTest } from "./support/thorough.ts";

const example = (name: string) => fileURLToPath(new URL(`../examples/twenty-one/${name}`, import.meta.url));

slowTest("a game and an agent from outside play a tournament, which can be verified", async () => {
  const out = join(temporaryFolder(), "run");
  const { code, stdout } = await agon(["run", example("tournament.yaml"), "--out", out, "--json"]);
  expect(code).toBe(0);
  const report = JSON.parse(stdout) as Report;
  expect(report).toMatchObject({ game: 'twenty-one {"last":21}', games: 240 });
  const scores = Object.fromEntries(report.entrants.map(({ name, score }) => [name, score]));
  // The counter plays perfectly: it wins every game that it is not lost in from the opening on.
  expect(scores["counter"]!).toBeGreaterThan(0.7);
  expect(scores["random"]!).toBeLessThan(0.25);
  expect((await agon(["verify", out])).stdout).toContain("100 of 100 games verified, 0 differ");
});

slowTest("the example's game can be counted, analysed and played like any other", async () => {
  const game = example("twenty-one.ts");
  const rows = JSON.parse((await agon(["perft", game, "3", "--json"])).stdout) as { leaves: number }[];
  expect(rows.map(({ leaves }) => leaves)).toEqual([3, 9, 27]);
  const args = ["analyze", `${game}:last=9`, "--agent", "minimax:depth=9", "--state", "2 1", "--json"];
  expect(JSON.parse((await agon(args)).stdout)).toMatchObject({ action: "+2", value: 1 });
});

test("the agent of docs/add-an-agent.md is the example", () => {
  const page = readFileSync(new URL("../docs/add-an-agent.md", import.meta.url), "utf8");
  const file = new URL("../examples/one-move/one-move.ts", import.meta.url);
  expect(/```ts\n(.*?)```/s.exec(page)![1]).toBe(readFileSync(file, "utf8"));
});
