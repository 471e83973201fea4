import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { InputError } from "../../src/base/errors.ts";
import { namedEvaluator } from "../../src/evaluators/index.ts";
import { LinearEvaluator } from "../../src/evaluators/linear.ts";
import { describeWeights } from "../../src/evaluators/stored-weights.ts";
import { createGame } from "../../src/games/index.ts";
import { equipGame, findEvaluator, loadEvaluator } from "../../src/specs/evaluators.ts";
import { referTo } from "../../src/specs/references.ts";
import { saveWeights } from "../../src/specs/files/weights-file.ts";
import { temporaryFolder, writeInto } from "../support/agon.ts";

const game = createGame("connect-four");

test("none values all positions alike, a heuristic is the game's", () => {
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
      new InputError(`unknown evaluator "${path}"; allowed: none, threats; no file can be named here`),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("another name is refused with the nearest", () => {
  const others = {
    namedEvaluator: "; no file can be named here",
    loadEvaluator: ", or the path of a weights file",
  };
  for (const find of [namedEvaluator, loadEvaluator]) {
    expect(() => find(game, "threat")).toThrow(
      new InputError(
        `unknown evaluator "threat" (did you mean "threats"?); allowed: none, threats${others[find.name as keyof typeof others]}`,
      ),
    );
    expect(() => find(game, "toString")).toThrow(/unknown evaluator "toString"/);
  }
});

describe("a file of the user's", () => {
  const page = readFileSync(new URL("../../docs/add-an-evaluator.md", import.meta.url), "utf8");
  const blocks = Array.from(page.matchAll(/```ts\n(.*?)```/gs), ([, code]) => code!);
  const file = (code: string) => writeInto(temporaryFolder(), "mine.ts", code);

  test("is an evaluator under its path; the page's examples are whole", async () => {
    const path = file(blocks[0]!);
    const evaluator = await findEvaluator(game, path);
    expect(evaluator.evaluate(game.start(), 0)).toBe(0);
    const equipped = await equipGame(
      game,
      [path, "threats"].map((name) => referTo("evaluator", name)),
    );
    expect(Object.keys(equipped.heuristics)).toEqual([...Object.keys(game.heuristics), path]);
    expect(equipped).toMatchObject({ id: game.id, maxActions: game.maxActions });
    expect(Object.keys(game.heuristics)).not.toContain(path);
    expect(() => loadEvaluator(game, path)).toThrow(`files with code cannot be loaded here, got ${path}`);
  });

  test("is a feature set under its path", async () => {
    const path = file(blocks[1]!);
    const equipped = await equipGame(
      game,
      [path, "lines"].map((name) => referTo("features", name)),
    );
    expect(equipped.featureSets[path]).toMatchObject({ size: 1, version: 1 });
    expect(equipped.featureSets["lines"]).toBe(game.featureSets["lines"]);
    expect(await equipGame(game, [referTo("features", "lines"), referTo("evaluator", "none")])).toBe(game);
  });

  test.each([
    [
      "evaluate: (state, player) => 0",
      "evalute: () => 0",
      /^FILE: the result of `create`: evaluate: missing; must be a function$/,
    ],
    [
      "create: (game)",
      "creates: (game)",
      /^FILE: evaluator must be made by defineEvaluator: create: .*\n.*unknown key "creates" \(did you mean "create"\?\)/,
    ],
    [
      "export const evaluator",
      "export const heuristic",
      /^FILE must export `evaluator`, or a default, made by defineEvaluator; it exports heuristic$/,
    ],
    ["connect-four", "chess", /^FILE does not fit connect-four, which has other rules than connect-four$/],
  ])("with %s as %s is refused", async (from, to, message) => {
    const path = file(blocks[0]!.replace(from, to));
    const refused = await findEvaluator(game, path).catch((error: Error) =>
      error.message.replaceAll(path, "FILE"),
    );
    expect(refused).toMatch(message);
  });
});
