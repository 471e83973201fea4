import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { InputError } from "../../src/base/errors.ts";
import { namedEvaluator } from "../../src/evaluators/index.ts";
import { LinearEvaluator } from "../../src/evaluators/linear.ts";
import { describeWeights } from "../../src/evaluators/stored-weights.ts";
import { createGame } from "../../src/games/index.ts";
import { loadEvaluator, resolveEvaluatorName } from "../../src/specs/evaluators.ts";
import { saveWeights } from "../../src/specs/weights-file.ts";

const game = createGame("connect-four");

test("none has no opinion, a heuristic is the game's", () => {
  for (const find of [namedEvaluator, loadEvaluator]) {
    expect(find(game, "none").evaluate(game.parseState("4455"), 0)).toBe(0);
    expect(find(game, "threats")).toBe(game.heuristics["threats"]);
  }
});

test("a path is a weights file; where files cannot be read, that is said", () => {
  const folder = mkdtempSync(join(tmpdir(), "agon-evaluators-"));
  try {
    const path = join(folder, "linear.json");
    const { version, size } = game.featureSets["lines"]!;
    const model = { kind: "linear", features: "lines", output: "tanh", stages: [] as number[] } as const;
    saveWeights(
      path,
      describeWeights(
        game,
        { ...model, featuresVersion: version, size },
        { method: "none", seed: "", games: 0, date: "" },
      ),
      new Float32Array(size),
    );
    expect(loadEvaluator(game, path)).toBeInstanceOf(LinearEvaluator);
    expect(() => namedEvaluator(game, path)).toThrow(
      new InputError(`weights files cannot be read here, got ${path}`),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("another name is refused with the nearest", () => {
  for (const find of [namedEvaluator, loadEvaluator]) {
    expect(() => find(game, "threat")).toThrow(
      new InputError(
        'unknown evaluator "threat" (did you mean "threats"?); allowed: none, threats, or the path of a weights file',
      ),
    );
    expect(() => find(game, "toString")).toThrow(/unknown evaluator "toString"/);
  }
});

test("only paths are taken from a folder", () => {
  expect(resolveEvaluatorName("weights/x.json", "/a")).toBe(resolve("/a/weights/x.json"));
  expect(resolveEvaluatorName("/b/x.json", "/a")).toBe("/b/x.json");
  expect(resolveEvaluatorName("threats", "/a")).toBe("threats");
});
