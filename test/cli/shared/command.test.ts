import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import { checkOptions } from "../../../src/cli/shared/command.ts";
import { agon, temporaryFolder, writeInto } from "../../support/agon.ts";
import { everyFew, slowTest } from "../../support/thorough.ts";

describe("options that yargs would take without a word", () => {
  const known = {
    key: { out: true, seed: true, state: true, "random-plies": true, json: true, dirs: true },
    boolean: ["json"],
    array: ["dirs"],
  };
  const check = (line: string) => () =>
    checkOptions(
      line.split(" ").map((word) => word.replace("''", "")),
      known,
    );

  test.each([
    "run x.yaml",
    "run x.yaml --out a --seed 1 --json",
    "run --out=a --random-plies=3 --json=true --json=false --no-json",
    "run --random-plies -3",
    "run --seed -.5",
    "play nim --state ''",
    "play nim --state=",
    "run -- --out a --out b",
    "rate --dirs a --dirs b",
    "run --unknown --unknown",
    // The second is the value of the first.
    "run --seed a --json",
  ])("%s: right", (line) => {
    expect(check(line)).not.toThrow();
  });

  test.each([
    ["run --out a --out b", "--out is given more than once; give it one value"],
    ["run --out=a x.yaml --out b", "--out is given more than once"],
    ["run --random-plies 1 --randomPlies 2", "--random-plies is given more than once"],
    ["run --out ''", "--out needs a value, such as --out VALUE"],
    ["run --out=", "--out needs a value"],
    ["run --out", "--out needs a value"],
    ["run --out --json", "--out needs a value"],
    ["run --out -q", "--out needs a value"],
    ["run --random-plies ''", "--random-plies needs a value"],
    ["run --no-seed", "--seed needs a value"],
    ["play nim --state", "--state needs a value"],
    ["run --json=maybe", '--json takes no value, got "maybe"'],
    ["run --json=", '--json takes no value, got ""'],
  ])("%s: wrong", (line, message) => {
    expect(check(line)).toThrow(message);
  });
});

/** Every command, and its options but for switches, by whether their value is a number. */
const COMMANDS: Readonly<Record<string, { args: string[]; texts: string[]; numbers: string[] }>> = {
  run: { args: ["t.json"], texts: ["out", "seed"], numbers: ["workers"] },
  rate: { args: ["run"], texts: ["format", "anchor"], numbers: [] },
  match: {
    args: ["nim", "random", "random"],
    texts: ["out", "seed"],
    numbers: ["blocks", "random-plies", "workers"],
  },
  train: { args: ["train.json"], texts: ["out"], numbers: ["workers"] },
  play: { args: ["nim"], texts: ["agent", "state", "seed", "save"], numbers: ["seat"] },
  analyze: {
    args: ["tic-tac-toe"],
    texts: ["agent", "state", "states", "seed", "svg"],
    numbers: ["multipv"],
  },
  tree: {
    args: ["nim"],
    texts: ["agent", "state", "seed", "iteration", "svg", "html"],
    numbers: ["depth", "width", "nodes"],
  },
  inspect: { args: ["w.json"], texts: ["match", "game"], numbers: ["top", "stage"] },
  "import-model": { args: ["m.json"], texts: ["game", "features", "out"], numbers: [] },
  perft: { args: ["nim", "2"], texts: ["state"], numbers: [] },
  check: {
    args: ["nim"],
    texts: ["game", "seed", "protocol"],
    numbers: ["games", "positions", "limit"],
  },
  verify: { args: ["run"], texts: [], numbers: ["sample"] },
  export: { args: ["run"], texts: ["format", "out"], numbers: [] },
};
const REQUIRED: Readonly<Record<string, string[]>> = {
  analyze: ["--agent", "random"],
  tree: ["--agent", "minimax:depth=1"],
  "import-model": ["--game", "nim", "--out", "o.json"],
};

/** The command with the options that it demands, but for `option`, whose words are `given`. */
function lineOf(command: string, option: string, given: readonly string[]): string[] {
  const demanded = REQUIRED[command] ?? [];
  const at = demanded.indexOf(`--${option}`);
  const others = at < 0 ? demanded : demanded.toSpliced(at, 2);
  return [command, ...COMMANDS[command]!.args, ...others, ...given];
}

/** Runs a command that is refused with one message, without a stack, with exit code 2. */
async function refused(args: readonly string[], cwd: string, message: RegExp): Promise<void> {
  const { code, stdout, stderr } = await agon(args, { cwd });
  expect({ args, code, stdout, stderr }).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(message) as string,
  });
  expect(stderr).not.toMatch(/^ +at /m);
}

const OPTIONS = Object.entries(COMMANDS).flatMap(([command, { texts, numbers }]) => [
  ...texts.map((option) => [command, option, "csv"] as const),
  ...numbers.map((option) => [command, option, "2"] as const),
]);

describe("the command line refuses, whatever the command", () => {
  test.each(everyFew(OPTIONS, 60))(
    "agon %s --%s: given twice, empty, with a dot",
    async (command, option, value) => {
      const cwd = temporaryFolder();
      const word = `--${option}`;
      await refused(
        lineOf(command, option, [word, value, word, value]),
        cwd,
        /^agon: --\S+ is given more than once/,
      );
      await refused(lineOf(command, option, [`--${option}`]), cwd, /^agon: --\S+ needs a value/);
      await refused(
        lineOf(command, option, [word, value, `${word}.x`, "1"]),
        cwd,
        /^agon: unknown option --/,
      );
      expect(readdirSync(cwd)).toEqual([]);
    },
  );

  slowTest.each([
    ["run", "out"],
    ["match", "out"],
    ["train", "out"],
    ["export", "out"],
    ["import-model", "out"],
    ["analyze", "svg"],
  ])("agon %s --%s: where nothing can be written", async (command, option) => {
    const cwd = temporaryFolder();
    const entrants = ["random", { agent: "random", name: "b" }];
    writeInto(cwd, "t.json", { name: "t", game: "nim", blocks: 1, entrants });
    const text = "{ name: t, game: tic-tac-toe, games: 10, evaluator: { kind: linear, features: lines }";
    const learner =
      "learner: { rule: td, lambda: 0, stepSize: 0.1 }, exploration: { kind: softmax, temperature: 1 }";
    writeInto(
      cwd,
      "train.json",
      `${text}, ${learner}, rating: { player: greedy, pool: [random], blocks: 1 } }`,
    );
    if (command === "export") await agon(["run", "t.json", "--out", "run", "-q"], { cwd });
    writeFileSync(join(cwd, "file.json"), "x");
    mkdirSync(join(cwd, "folder.json"));
    const isFile = ["export", "import-model", "analyze"].includes(command);
    const wrong = isFile
      ? [["folder.json", /is a folder; name a file\n$/] as const]
      : [["file.json", /^file\.json: is no folder: EEXIST.*; name another folder\n$/] as const];
    for (const [out, message] of [
      ...wrong,
      ["file.json/x.json", /^file\.json.*: is no folder: E\w+.*; name another folder\n$/] as const,
      ...(process.platform === "linux"
        ? [
            [
              "/proc/x/y.json",
              /^\/proc\/x.*: cannot be written into: E\w+.*; name another folder\n$/,
            ] as const,
          ]
        : []),
    ])
      await refused(lineOf(command, option, [`--${option}`, out]), cwd, message);
  });

  const DEVICES: readonly string[][] = [
    ["run", "/dev/zero"],
    ["run", "./pipe"],
    ["train", "./pipe"],
    ["inspect", "/dev/zero"],
    ["import-model", "/dev/zero", "--game", "nim", "--out", "o.json"],
    ["analyze", "nim", "--agent", "random", "--states", "/dev/zero"],
    ["check", "./zero.json", "--game", "nim"],
    ["check", "./zero.ts"],
    ["match", "nim", "random", "greedy:evaluator=./zero.json"],
  ];
  test.skipIf(process.platform === "win32").each(everyFew(DEVICES, 4))(
    "agon %s %s: a device or a pipe where a file is wanted",
    async (...args) => {
      const cwd = temporaryFolder();
      const names = ["zero.json", "zero.ts"];
      for (const name of names) symlinkSync("/dev/zero", join(cwd, name));
      execFileSync("mkfifo", [join(cwd, "pipe")]);
      await refused(
        args,
        cwd,
        /is a device, a pipe or a socket; write the content into a file and name that\n$/,
      );
      expect(readdirSync(cwd).toSorted()).toEqual(["pipe", ...names]);
    },
  );

  slowTest("a config may come from standard input, with paths from the working folder", async () => {
    const cwd = temporaryFolder();
    writeInto(cwd, "book.txt", "a1\nb2\n");
    const input =
      "name: piped\ngame: tic-tac-toe\nblocks: 1\nopenings: { file: book.txt }\nentrants: [random, { name: b, agent: random }]\n";
    const args = ["run", "-", "--out", "run", "--workers", "1", "-q", "--json"];
    const { code, stdout, stderr } = await agon(args, { cwd, input });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ games: 2 });
  });
});
