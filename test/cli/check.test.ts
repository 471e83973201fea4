import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { CheckResult } from "../../src/games/check/finding.ts";
import { agon, fixture, temporaryFolder } from "../support/agon.ts";
import { everyFew, slowTest } from "../support/thorough.ts";

const example = (name: string) =>
  fileURLToPath(new URL(`../../examples/twenty-one/${name}`, import.meta.url));

/** The compiled program, in a process of its own. */
const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

describe("agon check", () => {
  slowTest("a game from outside with nothing wrong: one line, exit code 0", async () => {
    const { code, stdout } = await agon(["check", `${example("twenty-one.ts")}:last=9`]);
    expect(stdout).toMatch(/^twenty-one: \d+ checks, \d+ games, [\d,]+ positions, nothing wrong\n$/);
    expect(code).toBe(0);
  });

  slowTest("a broken one: what, where, what the contract demands, exit code 1", async () => {
    const { code, stdout } = await agon(["check", fixture("games/forgetful.ts")]);
    expect(stdout).toMatch(
      /^undo: undo does not restore the position: after "\+\d" and undo, .* \(moves so far: \+\d.*\)$/m,
    );
    expect(stdout).toContain("  the contract: undo restores everything that apply changed\n");
    expect(stdout).toMatch(/^forgetful: \d+ checks, .* positions, \d findings?\n$/m);
    expect(code).toBe(1);
  });

  slowTest("an endless loop is told with the place of the call, exit code 1", () => {
    const dir = temporaryFolder();
    const text = readFileSync(example("twenty-one.ts"), "utf8").replace(
      "apply(step: number): void {",
      "$& for (;;);",
    );
    expect(text).toContain("for (;;)");
    writeFileSync(join(dir, "loop.ts"), text);
    const command = [program, "check", join(dir, "loop.ts"), "--limit", "1"];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, {
      encoding: "utf8",
      timeout: 60_000,
    });
    expect(stdout).toMatch(
      /^returns-at-all: a call has not returned for 1 s: it stands in apply at .*loop\.ts:\d+:\d+\n/,
    );
    expect(stderr).toBe("");
    expect(status).toBe(1);
  });

  slowTest("findings as data, by a seed and a number of games", async () => {
    const args = ["check", fixture("games/forgetful.ts"), "--json", "--games", "3"];
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
    [["check", "-"], /^- is standard input, which agon check does not read: name a file\n$/],
    [["check", "hex-agon"], /hex-agon: is no game, agent or file that agon knows/],
    [["check", "hex-agon", "--as", "game"], /unknown game "hex-agon"/],
    [["check", "configs/training/nim-linear.yaml"], /nim-linear\.yaml: is a config, which agon plan checks/],
    [
      ["check", "bots/bot.py"],
      /bots\/bot\.py: is a program, checked by: agon check --game GAME -- python3 bots\/bot\.py/,
    ],
    [["check"], /name what to check: a game, an agent, an evaluator, or -- PROGRAM ARGUMENTS/],
    [["check", fixture("rounds/formats.mjs")], /say what it is: --as game, --as agent, --as evaluator/],
    [["check", "/no/such/game.ts"], /game\.ts cannot be loaded/],
    [["check", "nim", "--games", "0"], /--games must be a whole number of at least 1, got 0/],
    [["check", "random"], /random: name the game of the agent: --game GAME/],
    [["check", "alpha-beta:depth=2", "--game", "pig"], /alpha-beta cannot play pig, which has chance/],
    [["check", "threats", "--game", "nim"], /unknown evaluator "threats"/],
  ];
  test.each(everyFew(wrong, 3))("%j: exit code 2", async (args, message) => {
    const { code, stderr, stdout } = await agon(args);
    expect(stderr).toMatch(message);
    expect(stdout).toBe("");
    expect(code).toBe(2);
  });
});

test("agon check looks at an agent from outside", async () => {
  const args = ["check", example("counter.ts"), "--game", example("twenty-one.ts")];
  const { code, stdout } = await agon(args);
  expect(stdout).toMatch(/counter\.ts at twenty-one: 6 checks, 5 games, 5 positions, nothing wrong\n$/);
  expect(code).toBe(0);
});

slowTest("agon check looks at heuristics and weights", async () => {
  const weights = fileURLToPath(new URL("../../weights/connect-four/linear.json", import.meta.url));
  for (const evaluator of ["threats", weights]) {
    const { code, stdout } = await agon(["check", evaluator, "--game", "connect-four"]);
    expect(stdout).toMatch(/ at connect-four: 5 checks, \d+ games, \d+ positions, nothing wrong\n$/);
    expect(code).toBe(0);
  }
  // No opinion is 0, which no player of 2048 can fall below.
  const { code, stdout } = await agon(["check", "none", "--game", "2048", "--games", "3"]);
  expect(stdout).toMatch(/^range: the evaluator gives player 0 0; allowed is more than 0/);
  expect(code).toBe(1);
});
