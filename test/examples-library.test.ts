import { execFile } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

test("a program trains and plays a tournament through the built package", async () => {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ["node_modules/jiti/lib/jiti-cli.mjs", "examples/library.ts"],
    { cwd: root },
  );
  expect(stderr).toBe("");
  // The learning curve has the untrained evaluator, the trained one and its pool.
  expect(stdout.match(/^\| (0|500|random|counter) /gm)).toEqual([
    "| 0 ",
    "| 500 ",
    "| random ",
    "| counter ",
    // The mean return against each of the two, for both evaluators.
    "| 0 ",
    "| 500 ",
  ]);
  expect(stdout).toContain('twenty-one {"last":21}: 240 games');
  const scores = new Map(
    Array.from(
      stdout.matchAll(/^ *\d +(counter|trained|random) +-?\d+ +\S+ +160 +([\d.]+)/gm),
      ([, name, score]) => [name!, Number(score)],
    ),
  );
  expect([...scores.keys()].toSorted()).toEqual(["counter", "random", "trained"]);
  expect(scores.get("trained")!).toBeGreaterThan(60);
  expect(scores.get("random")!).toBeLessThan(20);
});
