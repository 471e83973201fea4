import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agon, temporaryFolder } from "../support/agon.ts";
import { slowTest } from "../support/thorough.ts";

slowTest("agon positions draws positions, keeps them in a file, and asks agents", async () => {
  const out = join(temporaryFolder(), "threes.txt");
  const sample = [
    "positions",
    "--game",
    "tic-tac-toe",
    "--sample",
    "12",
    "--plies",
    "2-5",
    "--against",
    "solver",
  ];
  const made = await agon([...sample, "--out", out]);
  expect(made).toMatchObject({ code: 0, stdout: "" });
  const text = readFileSync(out, "utf8");
  expect(text).toMatch(
    /^# 12 positions: plies 2-5 by random, seed agon; points are values by solver\ngame: tic-tac-toe\n/,
  );
  const agents = ["--agent", "minimax:depth=9", "--agent", "minimax:depth=1"];
  const { stdout } = await agon(["positions", out, ...agents, "--json"]);
  const { game, scores, asked } = JSON.parse(stdout);
  expect(game).toBe("tic-tac-toe");
  expect(scores).toMatchObject([
    { file: "threes.txt", agent: "minimax:depth=9", positions: 12, right: 12, share: 1, loss: 0 },
    { agent: "minimax:depth=1", positions: 12 },
  ]);
  expect(scores[1].right).toBeLessThan(12);
  expect(asked[1].answers).toHaveLength(12);
  const { stdout: table } = await agon(["positions", out, ...agents, "--failed"]);
  expect(table).toMatch(/minimax:depth=9 +12 of 12 +100\.0/);
  expect(table).toContain("Wrong: minimax:depth=1, threes.txt");
  const { stdout: markdown } = await agon(["positions", out, out, ...agents, "--format", "markdown"]);
  expect(markdown).toMatch(/^\| all \| minimax:depth=9 \| 24 of 24 \| 100\.0 \|/m);
});

test("agon positions says what is missing", async () => {
  const path = join(temporaryFolder(), "bare.txt");
  writeFileSync(path, "3,5,7 0\n");
  const fails = async (...words: string[]) => (await agon(["positions", ...words])).stderr;
  expect(await fails("--agent", "random")).toContain("name files of positions");
  expect(await fails(path, "--agent", "random")).toContain("names no game; write a line such as game: conn");
  expect(await fails(path, "--game", "nim", "--agent", "random")).toContain("--against finds what is right");
  expect(await fails(path, "--game", "nim")).toContain("name an agent that is asked");
  expect(await fails(path, "--game", "nim", "--agent", "random", "--against", "me")).toContain(
    '--against is "me"; allowed: solver, or a file of tables',
  );
  expect(await fails("--game", "nim", "--sample", "3", "--agent", "random", "--plies", "5-2")).toContain(
    "--plies must be a number or a range such as 9-13",
  );
  const judged = await agon(["positions", path, "--game", "nim", "--agent", "random", "--against", "solver"]);
  expect(judged.code).toBe(0);
});
