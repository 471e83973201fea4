import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Grades } from "../../src/arena/grading/grading.ts";
import { agon, startAgon, temporaryFolder, writeInto } from "../support/agon.ts";
import { storedGames } from "../support/stored-games.ts";
import { slowTest } from "../support/thorough.ts";
import { readXml } from "../support/xml.ts";

const example = (name: string) => fileURLToPath(new URL(`../../examples/grading/${name}`, import.meta.url));

/** A bot of the protocol in JavaScript whose answer to a question is an expression. */
const botWith = (answer: string, hello = "") => `
import { createInterface } from "node:readline";
const say = (message) => console.log(JSON.stringify(message));
createInterface({ input: process.stdin }).on("line", (line) => {
  const { type, legal } = JSON.parse(line);
  if (type === "hello") { ${hello} say({ type, protocol: 1, name: "bot", wants: "texts" }); }
  if (type === "decide") say({ type: "decision", action: ${answer} });
});`;

const TESTS = {
  name: "marks",
  game: "tic-tac-toe",
  games: 40,
  round: 2,
  tests: [{ against: "random", score: 60, margin: 30, points: 3 }],
};

async function gradeOf(bot: string, options: readonly string[] = [], config: object = TESTS) {
  const dir = temporaryFolder();
  const path = writeInto(dir, "grading.json", config);
  const args = ["grade", writeInto(dir, "bot.mjs", bot), "--config", path, "--workers", "1", "--quiet"];
  return agon([...args, ...options], { cwd: dir });
}

describe("a bot that does not play gets no points, with the reason", () => {
  test("where it does not start", async () => {
    const { code, stdout, stderr } = await gradeOf("process.exit(4);");
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout).toMatch(/^marks: 0 of 3 points\n\nFAILED {2}60% against random: 0 of 3 points\n/);
    expect(stdout).toContain(
      "The bot cannot play: program cannot be started: its process ended: exit code 4",
    );
  });

  slowTest.each([
    ["crashes", "process.exit(5)", "worker died", "its process ended: exit code 5"],
    ["throws", "nothing.at.all", "worker died", "nothing is not defined"],
    ["plays an illegal move", '"z9"', "illegal action", "z9 is not a legal action"],
  ])("where it %s", async (_, answer, ending, detail) => {
    const { code, stdout, stderr } = await gradeOf(botWith(answer), ["--format", "json"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    const { tests } = JSON.parse(stdout) as Grades;
    const [mark] = tests;
    expect(mark).toMatchObject({ passed: false, points: 0, verdict: "missed", wins: 0, score: 0 });
    expect(mark!.forfeits).toHaveLength(1);
    expect(mark!.forfeits[0]).toMatchObject({ ending, games: mark!.games });
    expect(mark!.forfeits[0]!.detail).toContain(detail);
    expect(stdout).not.toMatch(/\n\s+at .*:\d+/);
  });

  slowTest("where it is silent", async () => {
    const config = { ...TESTS, moveTimeoutMs: 200 };
    const { code, stdout } = await gradeOf(botWith('"a1"', "return;"), [], config);
    expect(code).toBe(1);
    expect(stdout).toContain("it did not say hello within 10000 ms");
  });
});

describe("marks for other programs", () => {
  const random = botWith("legal[0]");

  test("JUnit's XML has a test case for each test, and a failure where one was not passed", async () => {
    const hard = { against: "minimax:depth=9", score: 90, margin: 40, name: 'is "perfect" & <more>' };
    const config = { ...TESTS, tests: [{ ...TESTS.tests[0], score: 40, margin: 30 }, hard] };
    const dir = temporaryFolder();
    const out = join(dir, "deep/marks.xml");
    const { code, stdout } = await gradeOf(random, ["--format", "junit", "--out", out], config);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    const [suite] = readXml(readFileSync(out, "utf8").trim()).children;
    expect(suite!.attributes).toEqual({ name: "marks", tests: "2", failures: "1", errors: "0" });
    const [passed, failed] = suite!.children;
    expect(passed!.attributes).toEqual({ classname: "marks", name: "40% against random" });
    expect(passed!.children.map(({ name }) => name)).toEqual(["system-out"]);
    expect(failed!.attributes["name"]).toBe('is "perfect" & <more>');
    expect(failed!.children[0]!.name).toBe("failure");
    expect(failed!.children[0]!.attributes["message"]).toMatch(/^Its expected score is below 90%/);
  });

  slowTest("Gradescope's results have a score, its maximum and the output of each test", async () => {
    const config = { ...TESTS, tests: [{ ...TESTS.tests[0], score: 40, margin: 30 }] };
    const { code, stdout } = await gradeOf(random, ["--format", "gradescope"], config);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      tests: [
        {
          name: "40% against random",
          score: 3,
          max_score: 3,
          status: "passed",
          output: expect.stringMatching(/^Its expected score is above 10% .*\n\d+ games: /),
          output_format: "text",
          visibility: "visible",
        },
      ],
    });
  });
});

test("wrong input ends with exit code 2 and the place", async () => {
  const dir = temporaryFolder();
  const config = writeInto(dir, "grading.json", { ...TESTS, tests: [{ against: "randm", score: 60 }] });
  const wrong = await agon(["grade", "random", "--config", config]);
  expect(wrong).toMatchObject({ code: 2, stdout: "" });
  expect(wrong.stderr).toMatch(/grading.json:1:\d+: tests\[0\].against: unknown agent "randm"/);
  const right = writeInto(dir, "right.json", TESTS);
  const missing = await agon(["grade", join(dir, "none.py"), "--config", right]);
  expect(missing).toMatchObject({ code: 2, stdout: "" });
  expect(missing.stderr).toContain("none.py");
});

slowTest(
  "the examples pass and fail as docs/grading.md says",
  async () => {
    const marks = async (bot: string) => {
      const args = [example(bot), "--config", example("grading.yaml"), "--quiet"];
      const { code, stdout } = await agon(["grade", ...args]);
      return { code, stdout: stdout.trimEnd() };
    };
    expect(await marks("thumb.py")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^connect-four: 10 of 10 points/),
    });
    const docs = readFileSync(new URL("../../docs/grading.md", import.meta.url), "utf8");
    const { code, stdout } = await marks("edge.py");
    expect(code).toBe(1);
    // Random moves depend on the hash of Python's program.
    const figures = /^ +\d+ games: .*$/gm;
    expect(stdout.match(figures)).toHaveLength(3);
    expect(docs.replaceAll(figures, "")).toContain(`\`\`\`\n${stdout.replaceAll(figures, "")}\n\`\`\``);
  },
  120_000,
);

slowTest(
  "a grading that was killed goes on to the same marks",
  async () => {
    const dir = temporaryFolder();
    const config = writeInto(dir, "grading.json", {
      ...TESTS,
      games: 200,
      round: 10,
      tests: [
        { against: "random", score: 75, margin: 2 },
        { against: "minimax:depth=2", score: 50, margin: 2 },
      ],
    });
    const bot = writeInto(dir, "bot.mjs", botWith("legal[0]"));
    const args = ["grade", bot, "--config", config, "--format", "json", "--workers", "1", "--quiet"];
    const { stdout: undisturbed } = await agon([...args, "--runs", join(dir, "whole")]);
    const runs = join(dir, "runs");
    const { child, outcome } = startAgon([...args, "--runs", runs], { detached: true });
    onTestFinished(() => void child.kill("SIGKILL"));
    const first = join(runs, "1");
    await expect
      .poll(() => (existsSync(first) ? storedGames(first).length : 0), { timeout: 60_000 })
      .toBeGreaterThan(5);
    process.kill(-child.pid!, "SIGKILL");
    await outcome;
    const { stdout } = await agon([...args, "--runs", runs, "--resume"]);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(undisturbed));
  },
  120_000,
);
