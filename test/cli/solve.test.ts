import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agon, temporaryFolder } from "../support/agon.ts";
import { slowTest } from "../support/thorough.ts";

describe("agon solve", () => {
  test("prints exploitability as it goes, and writes a strategy", async () => {
    const out = join(temporaryFolder(), "kuhn.json.gz");
    const { code, stdout } = await agon([
      "solve",
      "kuhn",
      "--algorithm",
      "cfr",
      "--iterations",
      "100",
      "--out",
      out,
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain(
      "kuhn: 58 histories (4 chance, 24 decisions, 30 ends), information sets 6 and 6",
    );
    expect(stdout).toMatch(/^ +1 +0\.458333 /m);
    expect(stdout).toMatch(/^ +10 +0\.0686988 /m);
    expect(stdout).toMatch(/^ +100 +0\.00822598 /m);
    expect(existsSync(out)).toBe(true);
  });

  test("--buckets merges hands of like strength, goes on to the byte, and the strategy plays", async () => {
    const dir = temporaryFolder();
    const game = "holdem:limit=true,streets=2,raises=2";
    const run = async (out: string, iterations: number, more: readonly string[] = ["--buckets", "4"]) =>
      agon(
        ["solve", game, "--algorithm", "external-sampling", "--iterations", String(iterations)].concat(
          ["--out", join(dir, out)],
          more,
        ),
      );
    const { code, stdout } = await run("whole.json.gz", 20);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ +20 +\d+$/m);
    await run("parts.json.gz", 8);
    await run("parts.json.gz", 20, ["--buckets", "4", "--resume"]);
    const [whole, parts] = ["whole.json.gz", "parts.json.gz"].map((name) => readFileSync(join(dir, name)));
    expect(parts!.equals(whole!)).toBe(true);
    const other = await run("parts.json.gz", 30, ["--buckets", "5", "--resume"]);
    expect(other.stderr).toContain("--seed agon --buckets 4; name these, or another file");
    const match = await agon(
      [
        "match",
        game,
        "strategy:strategy=whole.json.gz",
        "random",
        "--random-plies",
        "0",
        "--blocks",
        "3",
        "--json",
      ],
      { cwd: dir },
    );
    expect(JSON.parse(match.stdout)).toMatchObject({ games: 6 });
  });

  test.each([
    [["holdem"], "--buckets needs --algorithm external-sampling or outcome-sampling, got cfr+"],
    [["leduc", "--algorithm", "external-sampling"], "--buckets: leduc has no abstraction"],
  ])("--buckets that fit nothing are refused: %s", async (given, message) => {
    const { code, stderr } = await agon(["solve", ...given, "--buckets", "4"]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test.each(["cfr+", "external-sampling", "outcome-sampling"])(
    "%s that is gone on with writes the same file to the byte",
    async (algorithm) => {
      const dir = temporaryFolder();
      const run = async (out: string, iterations: number, ...more: string[]) => {
        const args = [
          "solve",
          "kuhn",
          "--algorithm",
          algorithm,
          "--iterations",
          String(iterations),
          "--out",
          join(dir, out),
        ];
        expect((await agon([...args, ...more])).code).toBe(0);
      };
      await run("whole.json.gz", 60);
      await run("parts.json.gz", 25);
      await run("parts.json.gz", 60, "--resume");
      expect(readFileSync(join(dir, "parts.json.gz"))).toEqual(readFileSync(join(dir, "whole.json.gz")));
    },
  );

  slowTest("refuses games without hidden information, and files that are none of its own", async () => {
    const dir = temporaryFolder();
    const out = join(dir, "a.json.gz");
    writeFileSync(out, "x");
    const refused = async (args: readonly string[], message: RegExp) => {
      const { code, stderr } = await agon(["solve", ...args]);
      expect(stderr).toMatch(message);
      expect(code).toBe(2);
    };
    await refused(["tic-tac-toe"], /tic-tac-toe has no hidden information/);
    await refused(["kuhn", "--out", out], /is there already; go on with --resume/);
    await refused(["kuhn", "--out", out, "--resume"], /is no strategy of agon solve/);
    await refused(["kuhn", "--out", join(dir, "b.json.gz"), "--resume"], /b\.json\.gz/);
    await refused(["kuhn", "--resume"], /name it/);
    await refused(["kuhn", "--out", "x.txt"], /must end in \.json\.gz/);
    await refused(["kuhn", "--iterations", "0"], /--iterations must be/);
    const kuhn = join(dir, "k.json.gz");
    expect((await agon(["solve", "kuhn", "--iterations", "3", "--out", kuhn])).code).toBe(0);
    await refused(
      ["kuhn", "--out", kuhn, "--resume", "--algorithm", "cfr"],
      /was begun with --algorithm cfr\+/,
    );
  });
});
