import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agon, fixture, temporaryFolder, writeInto } from "../../support/agon.ts";
import { everyFew, slowTest } from "../../support/thorough.ts";

/** Runs a tournament of an agent against one whose file has this code. */
async function runWith(code: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const cwd = temporaryFolder();
  writeInto(cwd, "mine.mjs", code);
  const entrants = ["random", "./mine.mjs"];
  const config = { name: "own", game: "tic-tac-toe", blocks: 1, memoryMb: 256, entrants };
  const outcome = await agon(["run", writeInto(cwd, "own.json", config), "--out", "run"], { cwd });
  expect(existsSync(join(cwd, "run"))).toBe(false);
  return outcome;
}

describe("an agent's file is refused before the first game, with the cause", () => {
  const wrong: [string, string, RegExp][] = [
    [
      "throws",
      "const x = 1;\nthrow new Error('not today');",
      /mine\.mjs cannot be loaded: not today, at .*:2:7/,
    ],
    ["hangs", "for (;;);", /mine\.mjs cannot be made: time-out: .* within 20000 ms/],
    [
      "ends its process",
      "process.exit(5);",
      /mine\.mjs cannot be made: .*called process\.exit\(5\), at .*mine\.mjs:1/,
    ],
    [
      "kills its process",
      "process.kill(process.pid, 'SIGKILL');",
      /cannot be loaded: its process ended: SIGKILL/,
    ],
    [
      "takes memory",
      "const all = []; for (;;) all.push(new Uint8Array(2 ** 22).fill(1));",
      /took more than 256 MB/,
    ],
  ];
  slowTest.each(everyFew(wrong, 2))("%s when it is loaded", async (_, code, message) => {
    const { code: exit, stdout, stderr } = await runWith(code);
    expect(stderr).toMatch(message);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
  });

  slowTest("whose agent cannot be made", async () => {
    const agent = `${fixture("agents/bad.ts")}:deed=create throws`;
    const { code, stderr } = await agon(["match", "tic-tac-toe", "random", agent, "--blocks", "1"]);
    expect(stderr).toMatch(
      /agon match: entrants\[1\]: .* cannot be made: RangeError: bad deed, at .*bad\.ts:/,
    );
    expect(code).toBe(2);
  });
});

test("what is wrong with the config is said as ever", async () => {
  const agent = fixture("agents/bad.ts");
  const { code, stderr } = await agon(["match", "tic-tac-toe", "randm", `${agent}:ded=x`, "--blocks", "0"]);
  expect(stderr.split("\n")).toEqual([
    expect.stringMatching(/^agon match: blocks: /),
    expect.stringMatching(
      /^agon match: entrants\[0\]\.agent: unknown agent "randm" \(did you mean "random"\?\)/,
    ),
    expect.stringMatching(/^agon match: entrants\[1\]\.ded: unknown key "ded" \(did you mean "deed"\?\)/),
    "",
  ]);
  expect(code).toBe(2);
});

slowTest("an agent of a training's pool that ends the process is refused before the training", async () => {
  const dir = temporaryFolder();
  writeInto(dir, "mine.mjs", "process.exit(5);");
  const config = writeInto(dir, "training.json", {
    name: "t",
    game: "tic-tac-toe",
    games: 100,
    evaluator: { kind: "linear", features: "lines" },
    learner: { rule: "td", lambda: 0.7, stepSize: 0.01 },
    rating: { player: "greedy", pool: ["random", "./mine.mjs"], blocks: 1 },
  });
  const { code, stderr } = await agon(["train", config, "--out", join(dir, "out")]);
  expect(stderr).toMatch(
    /training\.json: rating\.pool\[1\]: \.\/mine\.mjs cannot be made: .*called process\.exit\(5\)/,
  );
  expect({ code, exists: existsSync(join(dir, "out")) }).toEqual({ code: 2, exists: false });
});
