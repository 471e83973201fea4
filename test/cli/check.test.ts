import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { CheckResult } from "../../src/games/check/finding.ts";
import { agon, fixture } from "../support/agon.ts";
import { everyFew, slowTest, thorough } from "../support/thorough.ts";

const example = (name: string) =>
  fileURLToPath(new URL(`../../examples/twenty-one/${name}`, import.meta.url));

describe("agon check-game", () => {
  test("a game from outside with nothing wrong: one line, exit code 0", async () => {
    const { code, stdout } = await agon(["check-game", `${example("twenty-one.ts")}:last=9`]);
    expect(stdout).toMatch(/^twenty-one: \d+ checks, \d+ games, [\d,]+ positions, nothing wrong\n$/);
    expect(code).toBe(0);
  });

  test("a broken one: what, where, what the contract demands, exit code 1", async () => {
    const { code, stdout } = await agon(["check-game", fixture("games/forgetful.ts")]);
    expect(stdout).toMatch(
      /^undo: undo does not restore the position: after "\+\d" and undo, .* \(moves so far: \+\d.*\)$/m,
    );
    expect(stdout).toContain("  the contract: undo restores everything that apply changed\n");
    expect(stdout).toMatch(/^forgetful: \d+ checks, .* positions, \d findings?\n$/m);
    expect(code).toBe(1);
  });

  slowTest("findings as data, by a seed and a number of games", async () => {
    const args = ["check-game", fixture("games/forgetful.ts"), "--json", "--games", "3"];
    const { code, stdout } = await agon(args);
    const result = JSON.parse(stdout) as CheckResult & { subject: string };
    expect(result.subject).toBe("forgetful");
    expect(result.checks).toContain("options");
    expect(result.findings.map(({ check }) => check)).toContain("undo");
    expect(code).toBe(1);
    expect((await agon(args)).stdout).toBe(stdout);
    expect((await agon([...args, "--seed", "other"])).stdout).not.toBe(stdout);
  });

  const wrong: [string[], RegExp][] = [
    [["check-game", "hex-agon"], /unknown game "hex-agon"/],
    [["check-game", "/no/such/game.ts"], /game\.ts cannot be loaded/],
    [["check-game", "nim", "--games", "0"], /--games must be a whole number of at least 1, got 0/],
    [["check-agent", "random"], /Missing required argument: game/],
    [["check-agent", "alpha-beta:depth=2", "--game", "pig"], /alpha-beta cannot play pig, which has chance/],
    [["check-evaluator", "nim", "threats"], /unknown evaluator "threats"/],
  ];
  test.each(everyFew(wrong, 3))("%j: exit code 2", async (args, message) => {
    const { code, stderr, stdout } = await agon(args);
    expect(stderr).toMatch(message);
    expect(stdout).toBe("");
    expect(code).toBe(2);
  });
});

test("agon check-agent looks at an agent from outside", async () => {
  const args = ["check-agent", example("counter.ts"), "--game", example("twenty-one.ts")];
  const { code, stdout } = await agon(args);
  expect(stdout).toMatch(/counter\.ts at twenty-one: 6 checks, 5 games, 5 positions, nothing wrong\n$/);
  expect(code).toBe(0);
});

slowTest("agon check-evaluator looks at heuristics and weights", async () => {
  const weights = fileURLToPath(new URL("../../weights/connect-four/linear.json", import.meta.url));
  for (const evaluator of thorough(["threats", weights], [weights])) {
    const { code, stdout } = await agon(["check-evaluator", "connect-four", evaluator]);
    expect(stdout).toMatch(/ at connect-four: 5 checks, \d+ games, \d+ positions, nothing wrong\n$/);
    expect(code).toBe(0);
  }
  // No opinion is 0, which no player of 2048 can fall below.
  const { code, stdout } = await agon(["check-evaluator", "2048", "none", "--games", "3"]);
  expect(stdout).toMatch(/^range: the evaluator gives player 0 0; allowed is more than 0/);
  expect(code).toBe(1);
});
