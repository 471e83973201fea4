import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { agon, temporaryFolder } from "../support/agon.ts";

const config = (path: string) => fileURLToPath(new URL(`../../configs/${path}`, import.meta.url));

/** Command lines that would write to `out`, and what is said of it. */
const LINES: readonly [args: (out: string) => string[], told: RegExp][] = [
  [
    (out) => ["run", config("tournaments/quick.yaml"), "--out", out],
    /^Would play 2240 games of connect-four by 8 entrants into .*out\.$/,
  ],
  [
    (out) => ["run", config("tournaments/suite.yaml"), "--out", out],
    /^Would play 240 games of connect-four by 4 entrants into .*connect-four\.\nWould play 120 games of othello/,
  ],
  [
    (out) => ["ablate", config("ablations/alpha-beta.yaml"), "--out", out],
    /of othello by \d+ entrants into .*othello-timeMs-2\.$/,
  ],
  [
    (out) => ["tune", config("tuning/connect-four-exploration.yaml"), "--out", out],
    /^Would play \d+ games of connect-four/,
  ],
  [
    (out) => ["match", "nim", "random", "alpha-beta:depth=3", "--out", out],
    /^Would play \d+ games of nim by 2 entrants/,
  ],
  [
    (out) => ["train", config("training/nim-linear.yaml"), "--out", out],
    /^Would train \S+ on \d+ games of self-play, into .*out\.$/,
  ],
  [
    (out) => ["openings", "chess", "--plies", "4", "--out", `${out}/a.txt`],
    /^Would write the file .*a\.txt\.$/,
  ],
  [(out) => ["tables", "nim", "--out", `${out}/a.json.gz`], /^Would write the file .*a\.json\.gz\.$/],
];

describe("--dry-run", () => {
  test.each(LINES)("%s writes nothing, and says what would be written", async (args, told) => {
    const dir = temporaryFolder();
    const { code, stdout, stderr } = await agon([...args(join(dir, "out")), "--dry-run"], { cwd: dir });
    expect(stderr).toBe("");
    expect(stdout.trimEnd()).toMatch(told);
    expect(code).toBe(0);
    expect(readdirSync(dir)).toEqual([]);
  });

  test("refuses what the command refuses, and counts the games that are there", async () => {
    const dir = temporaryFolder();
    const match = [
      "match",
      "nim",
      "random",
      "alpha-beta:depth=3",
      "--blocks",
      "3",
      "--out",
      join(dir, "run"),
    ];
    expect((await agon([...match, "--workers", "1"])).code).toBe(0);
    const again = await agon([...match, "--dry-run"]);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringMatching(/holds a run already/) as string });
    const { stdout } = await agon([...match, "--dry-run", "--resume"]);
    expect(stdout).toMatch(/into .*run, of which 6 are there\.$/m);
    const book = ["book", join(dir, "run"), "--out", join(dir, "book.json"), "--dry-run"];
    expect((await agon(book)).stdout).toMatch(/^Would write the file .*book\.json\.$/m);
    expect((await agon(["report", join(dir, "run"), "--dry-run"])).stdout).toMatch(/run\/report\.html\.$/m);
    expect((await agon(["export", join(dir, "run"), "--out", join(dir, "x.jsonl"), "--dry-run"])).code).toBe(
      0,
    );
    expect(existsSync(join(dir, "x.jsonl"))).toBe(false);
    expect(existsSync(join(dir, "book.json"))).toBe(false);
  });
});
