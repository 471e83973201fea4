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

  test.each(["cfr+", "external-sampling"])(
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
