import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { readOpenings } from "../../src/arena/plan/opening-file.ts";
import { createGame } from "../../src/games/index.ts";
import { agon, temporaryFolder } from "../support/agon.ts";
import { slowTest } from "../support/thorough.ts";

slowTest("agon openings writes a file that a tournament reads", async () => {
  const out = join(temporaryFolder(), "book.txt");
  const words = ["openings", "connect-four", "--plies", "5", "--count", "12", "--out", out];
  const { code, stdout, stderr } = await agon([...words, "--balanced", "0.1"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(stderr).toMatch(
    /^Written to .*book\.txt: 12 openings of \d+ positions drawn, value at most 0\.1 from zero by alpha/,
  );
  const text = readFileSync(out, "utf8");
  expect(text).toMatch(/^# 12 openings of connect-four: 5 random plies, seed agon, value/);
  const values = [...text.matchAll(/^[\d ]+ # (-?\d\.\d{4})$/gm)].map(([, value]) => Math.abs(Number(value)));
  expect(values).toHaveLength(12);
  expect(Math.max(...values)).toBeLessThanOrEqual(0.1);
  const { lines: openings = [] } = await readOpenings(createGame("connect-four"), out);
  expect(openings).toHaveLength(12);
  for (const line of openings) expect(line).toHaveLength(5);
  const few = await agon(["openings", "tic-tac-toe", "--plies", "1", "--count", "12", "--out", out]);
  expect(few.stderr).toContain("Only 9 of 12: no more were found among 9 positions");
  const alone = await agon([...words, "--agent", "random"]);
  expect(alone).toMatchObject({ code: 2, stderr: "--agent finds values, which only --balanced asks for\n" });
});
