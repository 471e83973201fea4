import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import { InputError } from "../../src/base/errors.ts";
import { loadEvaluator } from "../../src/evaluators/index.ts";
import { LinearEvaluator, OUTPUTS } from "../../src/evaluators/linear.ts";
import {
  describeWeights,
  loadWeights,
  saveWeights,
  type WeightsFile,
} from "../../src/evaluators/weights-file.ts";
import type { Game } from "../../src/games/game.ts";
import { createGame } from "../../src/games/index.ts";
import { randomPositions } from "../agents/play.ts";

const game = createGame("connect-four");
const features = game.featureSets["lines"]!;
const training = { method: "td-lambda", seed: "agon", games: 1000, date: "2026-01-01", alpha: 0.01 };

const folder = mkdtempSync(join(tmpdir(), "agon-weights-"));
const path = join(folder, "deep", "linear.json");
afterAll(() => rmSync(folder, { recursive: true }));

function createEvaluator(output: (typeof OUTPUTS)[number] = "tanh"): LinearEvaluator {
  const random = createRandom("weights");
  const weights = Float64Array.from({ length: features.size }, () => 2 * random.float() - 1);
  return new LinearEvaluator(game, features, { weights, output });
}

const good = describeWeights(game, createEvaluator(), training);
beforeEach(() => saveWeights(path, good));

/** The lines of the error that `path` is refused with, without its name at their start. */
function refusal(wanted: Game = game): string[] {
  try {
    loadWeights(path, wanted);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const lines = error.message.split("\n");
    expect(lines.every((line) => line.startsWith(`${path}: `))).toBe(true);
    return lines.map((line) => line.slice(path.length + 2));
  }
  throw new Error("the file was not refused");
}

describe("a saved evaluator", () => {
  test.each(OUTPUTS)("with output %s gives the same values when it is loaded, to nine digits", (output) => {
    const evaluator = createEvaluator(output);
    saveWeights(path, describeWeights(game, evaluator, training));
    const loaded = loadWeights(path, game);
    expect(loaded.output).toBe(output);
    for (const state of randomPositions(game, 20))
      expect(loaded.evaluate(state, 0)).toBeCloseTo(evaluator.evaluate(state, 0), 7);
  });

  test("saved again is the same file, byte for byte", () => {
    const first = readFileSync(path, "utf8");
    saveWeights(path, describeWeights(game, loadWeights(path, game), training));
    expect(readFileSync(path, "utf8")).toBe(first);
  });

  test("is JSON with a header for people and the weights on one line", () => {
    const text = readFileSync(path, "utf8");
    expect(JSON.parse(text)).toEqual(good);
    expect(good).toMatchObject({
      format: "agon-weights",
      formatVersion: 1,
      game: { id: "connect-four", version: game.version, options: { width: 7, height: 6 } },
      evaluator: { kind: "linear", features: "lines", size: features.size, output: "tanh" },
      training,
    });
    expect(text.split("\n").filter((line) => line.includes('"weights"'))).toHaveLength(1);
  });

  test("leaves no part of a file behind, and an older file is replaced", () => {
    saveWeights(path, { ...good, training: { ...training, games: 2000 } });
    expect(readdirSync(join(folder, "deep"))).toEqual(["linear.json"]);
    expect((JSON.parse(readFileSync(path, "utf8")) as WeightsFile).training.games).toBe(2000);
  });

  test("must be of the game that it is described for", () => {
    expect(() => describeWeights(createGame("pig"), createEvaluator(), training)).toThrow(
      "the evaluator's features are not pig's",
    );
  });
});

describe("a file is refused, saying what differs", () => {
  const { size } = features;
  const CASES: readonly (readonly [
    what: string,
    change: (file: WeightsFile) => object,
    problems: string[],
  ])[] = [
    [
      "game version",
      (file) => ({ game: { ...file.game, version: 99 } }),
      [`game version: the weights are for 99, wanted is ${game.version}`],
    ],
    [
      "game options",
      (file) => ({ game: { ...file.game, options: { width: 8, height: 6 } } }),
      ['game options: the weights are for {"width":8,"height":6}, wanted is {"width":7,"height":6}'],
    ],
    [
      "feature set",
      (file) => ({ evaluator: { ...file.evaluator, features: "line" } }),
      [
        expect.stringMatching(
          /^unknown feature set "line" \(did you mean "lines"\?\); allowed: lines/,
        ) as string,
      ],
    ],
    [
      "feature set version",
      (file) => ({ evaluator: { ...file.evaluator, featuresVersion: 0 } }),
      [`feature set version: the weights are for 0, wanted is ${features.version}`],
    ],
    [
      "feature set size",
      (file) => ({ evaluator: { ...file.evaluator, size: size - 1 }, weights: file.weights.slice(1) }),
      [`feature set size: the weights are for ${size - 1}, wanted is ${size}`],
    ],
    [
      "number of weights",
      (file) => ({ weights: file.weights.slice(1) }),
      [`number of weights: the file has ${size - 1}, its header says ${size}`],
    ],
    [
      "several things",
      (file) => ({
        game: { ...file.game, version: 99 },
        evaluator: { ...file.evaluator, featuresVersion: 0 },
        weights: [],
      }),
      [
        `game version: the weights are for 99, wanted is ${game.version}`,
        `feature set version: the weights are for 0, wanted is ${features.version}`,
        `number of weights: the file has 0, its header says ${size}`,
      ],
    ],
    ["format", () => ({ format: "other" }), ['format: must be agon-weights, got "other"']],
    ["format version", () => ({ formatVersion: 2 }), ["formatVersion: must be 1, got 2"]],
    [
      "kind",
      (file) => ({ evaluator: { ...file.evaluator, kind: "network" } }),
      ['evaluator.kind: must be linear, got "network"'],
    ],
    [
      "output",
      (file) => ({ evaluator: { ...file.evaluator, output: "tan" } }),
      ['evaluator.output: must be one of identity, tanh, logistic, got "tan" (did you mean "tanh"?)'],
    ],
    ["no weights", () => ({ weights: undefined }), ["weights: missing; must be a list"]],
    [
      "an unknown key",
      () => ({ weight: 1 }),
      [expect.stringMatching(/^weight: unknown key "weight"/) as string],
    ],
  ];

  test.each(CASES)("%s", (_, change, problems) => {
    writeFileSync(path, JSON.stringify({ ...good, ...change(good) }));
    expect(refusal()).toEqual(problems);
  });

  test("another game: that alone, since nothing else can be compared", () => {
    expect(refusal(createGame("tic-tac-toe"))).toEqual([
      "game: the weights are for connect-four, wanted is tic-tac-toe",
    ]);
  });

  test("a weight that is no number, such as the null that JSON makes of NaN", () => {
    saveWeights(path, {
      ...good,
      weights: good.weights.map((weight, at) => (at === 3 ? Number.NaN : weight)),
    });
    expect(refusal()).toEqual(["weights[3]: must be a number, got null"]);
    writeFileSync(path, readFileSync(path, "utf8").replace("null", "1e999"));
    expect(refusal()).toEqual(["weights[3]: must be a number, got Infinity"]);
  });

  test("broken JSON, no file, a folder", () => {
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.slice(0, text.length / 2));
    expect(refusal()[0]).toMatch(/^is not JSON: /);
    writeFileSync(path, "");
    expect(refusal()[0]).toMatch(/^is not JSON: /);
    writeFileSync(path, "[]");
    expect(refusal()).toEqual(["must be a mapping of keys to values, got []"]);
    rmSync(path);
    expect(existsSync(path)).toBe(false);
    expect(refusal()[0]).toMatch(/^cannot be read: ENOENT/);
    expect(() => loadWeights(folder, game)).toThrow(/cannot be read: EISDIR/);
  });
});

describe("an evaluator by name", () => {
  const state = game.parseState("4455");

  test("none has no opinion, a heuristic is the game's, a path is a weights file", () => {
    expect(loadEvaluator(game, "none").evaluate(state, 0)).toBe(0);
    expect(loadEvaluator(game, "threats")).toBe(game.heuristics["threats"]);
    expect(loadEvaluator(game, path)).toBeInstanceOf(LinearEvaluator);
  });

  test("another name is refused with the nearest", () => {
    expect(() => loadEvaluator(game, "threat")).toThrow(
      new InputError(
        'unknown evaluator "threat" (did you mean "threats"?); allowed: none, threats, or the path of a weights file',
      ),
    );
    expect(() => loadEvaluator(game, "toString")).toThrow(/unknown evaluator "toString"/);
  });
});
