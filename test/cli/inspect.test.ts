import { copyFileSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { agon, temporaryFolder, writeInto } from "../support/agon.ts";
import { elements, readXml } from "../support/xml.ts";
import { everyFew, slowTest } from "../support/thorough.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const shipped = readdirSync(join(root, "weights"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".json"))
  .map((name) => ({ name, path: join(root, "weights", name) }))
  .filter(({ path }) => readFileSync(path, "utf8").startsWith('{\n  "format": "agon-weights"'));
const ticTacToe = join(root, "weights", "tic-tac-toe", "linear.json");

interface Result {
  readonly weights: { readonly count: number; readonly nonZero: number };
  readonly positive: readonly { readonly name: string; readonly weight: number }[];
  readonly negative: readonly { readonly name: string; readonly weight: number }[];
  readonly heatMaps: readonly { readonly name: string; readonly rows: readonly (number | null)[][] }[];
}

const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await agon(["inspect", ...args, "--json"]);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Result;
};

describe("agon inspect", () => {
  slowTest("finds a game of the user's in the training that the weights come from", async () => {
    const dir = temporaryFolder();
    copyFileSync(join(root, "examples/twenty-one/twenty-one.ts"), join(dir, "own.ts"));
    const path = writeInto(dir, "training.json", {
      name: "own",
      game: { id: "./own.ts", last: 9 },
      games: 20,
      evaluator: { features: "remainder" },
      learner: { lambda: 0.7, stepSize: 0.1 },
      exploration: { epsilon: 0.1 },
      checkpoints: 1,
      rating: { pool: ["random"], player: "greedy", blocks: 1 },
    });
    const trained = await agon(["train", path, "--out", join(dir, "out"), "--workers", "1"]);
    expect(trained).toMatchObject({ code: 0 });
    for (const weights of ["weights.json", "checkpoints/20.json"]) {
      const { code, stdout } = await agon(["inspect", join(dir, "out", weights)]);
      expect({ code, stdout }).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("twenty-one") as string,
      });
    }
  });

  test.each(everyFew(shipped, 8))("weights/$name: header and largest weights", async ({ path }) => {
    const { code, stdout, stderr } = await agon(["inspect", path]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^ {2}game {7}\S+.*, version \d+$/m);
    expect(stdout).toMatch(/^ {2}weights {4}[\d,]+, [\d,]+ of them not zero \(\d+\.\d%\)$/m);
    // Who won every game has a score, and no Elo.
    expect(stdout).toMatch(
      /^ {2}rating {5}(-?\d+ Elo, 95% interval -?\d+ to -?\d+|score 100\.0%, 95% interval \d+\.\d to 100\.0%)/m,
    );
    expect(stdout).toMatch(
      /^(Largest weights above zero|Inputs with the largest total weight.*)\n {2}\+?\d/m,
    );
    // Nobody watches a terminal here.
    expect(stdout).not.toContain("\u001b");
  });

  test("the command of README.md shows heat maps", async () => {
    const { stdout } = await agon(["inspect", join(root, "weights/connect-four/linear.json")]);
    expect(stdout).toMatch(/^By place on the board: mean weighted sum/m);
    expect(stdout).toMatch(/\bx: mean [-+]\d/);
  });

  test("a file of agon's own that is named in another folder is found by the message", async () => {
    const cwd = temporaryFolder();
    const elsewhere = async (name: string) => (await agon(["inspect", name], { cwd })).stderr;
    const own = /^weights\/nim\/linear\.json: cannot be read: ENOENT.*; agon's own is (.*)$/m;
    const found = own.exec(await elsewhere("weights/nim/linear.json"))![1]!;
    expect(realpathSync(join(cwd, found))).toBe(join(root, "weights/nim/linear.json"));
    expect(await elsewhere("weights/none.json")).toMatch(
      /^weights\/none\.json: cannot be read: ENOENT[^;]*$/,
    );
    expect(await elsewhere("package.json")).not.toContain("agon's own");
  });

  slowTest("lists the weights that the file has, largest first, --top of them, by name", async () => {
    const { weights } = JSON.parse(readFileSync(ticTacToe, "utf8")) as { weights: number[] };
    const { positive, negative, weights: counts } = await json(ticTacToe, "--top", "3");
    const sorted = weights.toSorted((a, b) => b - a);
    const rounded = (list: readonly number[]) => list.map((weight) => Math.fround(weight));
    expect(positive.map(({ weight }) => weight)).toEqual(rounded(sorted.slice(0, 3)));
    expect(negative.map(({ weight }) => weight)).toEqual(rounded(sorted.slice(-3).toReversed()));
    expect(positive[0]!.name).toBe("open lines with two stones of the player to move");
    expect(counts).toEqual({ count: 17, nonZero: 17, notFinite: 0 });
    const { stdout } = await agon(["inspect", ticTacToe, "--match", "corners"]);
    expect(stdout.match(/^ {2}[-+]\d.*$/gm)).toEqual([
      "  +0.0682  corners of the player who waits",
      "  +0.0146  corners of the player to move",
    ]);
  });

  const wrong: [string[], RegExp][] = [
    [["no-such.json"], /^no-such\.json: cannot be read: ENOENT/],
    [["README.md"], /README\.md: is not JSON/],
    [["package.json"], /package\.json: format: missing; must be agon-weights/],
    [["weights/tic-tac-toe/linear.json", "--top", "0"], /^--top must be a whole number of at least 1, got 0/],
    [["weights/tic-tac-toe/linear.json", "--stage", "1"], /^stage: these weights have no stages/],
    [
      ["weights/tic-tac-toe/linear.json", "--game", "nim"],
      /game: the weights are for tic-tac-toe, wanted is nim/,
    ],
    [["weights/tic-tac-toe/linear.json", "--state", "xxx/oo./..."], /^the game is over in "xxx/],
    [[], /Not enough non-option arguments/],
  ];
  test.each(everyFew(wrong, 6))("%j: exit code 2 and what is wrong", async (args, message) => {
    const { code, stdout, stderr } = await agon(["inspect", ...args], { cwd: root });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });

  slowTest("a changed header is refused with where it differs", async () => {
    const file = JSON.parse(readFileSync(ticTacToe, "utf8")) as { game: object };
    const refusal = async (change: object) => {
      const path = writeInto(temporaryFolder(), "changed.json", { ...file, ...change });
      const { code, stderr } = await agon(["inspect", path]);
      expect(code).toBe(2);
      return stderr.replace(path, "changed.json").trimEnd();
    };
    expect(await refusal({ formatVersion: 3 })).toBe("changed.json: formatVersion: must be 2, got 3");
    expect(await refusal({ game: { ...file.game, id: "nimm" } })).toMatch(
      /^changed\.json: game\.id: unknown game "nimm" \(did you mean "nim"\?\); .*; give a game of your own with --game$/,
    );
    expect(await refusal({ game: { ...file.game, options: { size: 4 } } })).toMatch(
      /^changed\.json: game\.options\.size: unknown key "size"/,
    );
    expect(await refusal({ game: { ...file.game, version: 99 } })).toMatch(
      /^changed\.json: game version: the weights are for 99, wanted is 1$/,
    );
  });

  slowTest("weights for a game of the user's, which --game names", async () => {
    const path = writeInto(temporaryFolder(), "mine.json", {
      format: "agon-weights",
      formatVersion: 2,
      game: { id: "twenty-one", version: 1, options: { last: 9 } },
      evaluator: { kind: "linear", features: "remainder", featuresVersion: 1, size: 4, output: "tanh" },
      training: { method: "by hand", seed: "x", games: 0, date: "2026-01-01" },
      weights: [1, -2, 0, 0.5],
    });
    const game = `${join(root, "examples", "twenty-one", "twenty-one.ts")}:last=9`;
    expect(await json(path, "--game", game)).toMatchObject({
      positive: [
        { name: "0 left over four", weight: 1 },
        { name: "3 left over four", weight: 0.5 },
      ],
      negative: [{ name: "1 left over four", weight: -2 }],
    });
  });
});

slowTest("a training leaves a picture of its curve, and weights whose board can be looked at", async () => {
  const dir = temporaryFolder();
  const path = writeInto(dir, "tiny.json", {
    name: "tiny",
    game: { id: "connect-four", width: 4, height: 4 },
    games: 200,
    evaluator: {
      kind: "n-tuple",
      tuples: [
        [0, 1, 4, 5],
        [0, 4, 8, 12],
      ],
      output: "tanh",
      stages: [6],
    },
    learner: { rule: "td", lambda: 0, stepSize: 0.01 },
    exploration: { epsilon: 0.1 },
    checkpoints: 2,
    rating: { player: "greedy", pool: ["random"], blocks: 2 },
  });
  const out = join(dir, "run");
  expect(await agon(["train", path, "--out", out, "--workers", "1"])).toMatchObject({ code: 0 });
  const svg = readXml(readFileSync(join(out, "curve.svg"), "utf8"));
  expect(elements(svg, "text", "title")[0]!.text).toBe("tiny: connect-four");
  // Three checkpoints, in two charts.
  expect(elements(svg, "circle")).toHaveLength(6);

  const weights = join(out, "weights.json");
  const { stdout } = await agon(["inspect", weights, "--top", "2"]);
  expect(stdout).toMatch(/^Stage +stones +weights +not zero +root mean square$/m);
  expect(stdout).toMatch(/^By place on the board: mean of the learned entries.*; mean of 2 stages$/m);
  expect(stdout).toMatch(/^\.: mean \S+ +x: mean .*\n +1 +2 +3 +4 .*\n4( +(-|[-+]?\d\.\d+)){4} +4 /m);
  const { heatMaps } = await json(weights, "--stage", "1");
  expect(heatMaps.map(({ name }) => name)).toEqual([".", "x", "o", "next"]);
  // The board's mirror image is worth the same.
  for (const { rows } of heatMaps) for (const row of rows) expect(row.toReversed()).toEqual(row);
  const wrong = await agon(["inspect", weights, "--stage", "3"]);
  expect(wrong).toMatchObject({
    code: 2,
    stdout: "",
    stderr: "stage must be a whole number from 1 to 2, got 3\n",
  });
});
