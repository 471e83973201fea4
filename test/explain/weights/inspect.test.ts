import { fileURLToPath } from "node:url";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { InputError } from "../../../src/base/errors.ts";
import { createRandom } from "../../../src/base/random.ts";
import { saveWeights } from "../../../src/specs/files/weights-file.ts";
import { inspectWeights } from "../../../src/report/inspect-weights.ts";
import type { Inspection } from "../../../src/explain/weights/inspect.ts";
import { flatten, modelFeatures } from "../../../src/evaluators/models.ts";
import { saveLayersModel } from "../../../src/specs/files/layers-model-file.ts";
import { describeWeights, type StoredModel } from "../../../src/evaluators/stored-weights.ts";
import type { Game } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { createGame } from "../../../src/games/index.ts";
import { temporaryFolder } from "../../support/agon.ts";
import { randomNetwork } from "../../support/networks.ts";
import { slowTest } from "../../support/thorough.ts";

const training = { method: "by hand", seed: "agon", games: 7, date: "2026-01-01" };

/** A weights file in a folder of its own. */
function save(game: Game, model: StoredModel, weights: Float32Array): string {
  const path = join(temporaryFolder(), "weights.json");
  saveWeights(path, describeWeights(game, model, training), weights);
  return path;
}

function linear(
  game: Game,
  features: string,
  stages: number[] = [],
): Extract<StoredModel, { kind: "linear" }> {
  const { version, size } = game.featureSets[features]!;
  return { kind: "linear", features, featuresVersion: version, size, output: "tanh", stages };
}

function nTuple(
  game: Game,
  tuples: number[][],
  stages: number[] = [],
): Extract<StoredModel, { kind: "n-tuple" }> {
  const model = { kind: "n-tuple", tuples, output: "tanh", stages } as const;
  return { ...model, stages, size: modelFeatures(game, { ...model, stages }).size };
}

function network(game: Game, features: string): Extract<StoredModel, { kind: "network" }> {
  const { version, size } = game.featureSets[features]!;
  const shape = { hidden: [3], activation: "relu", head: "value" } as const;
  return { kind: "network", features, featuresVersion: version, size, ...shape, hidden: [3] };
}

const values = ({ heatMaps }: Inspection, name: string) => heatMaps.find((map) => map.name === name)!.rows;

describe("linear evaluators", () => {
  const game = createGame("chess");
  const model = linear(game, "positional");
  const weights = Float32Array.from({ length: model.size }, (_, at) => at - 100);

  test("header, counts, largest weights and a map for each piece", () => {
    const path = save(game, model, weights);
    const found = inspectWeights(path, game, { top: 2 });
    expect(found).toMatchObject({
      game: { id: "chess", version: game.version, options: game.options },
      evaluator: model,
      training,
      bytes: readFileSync(path).length,
      weights: { count: 626, nonZero: 625, notFinite: 0 },
      positive: [
        { name: "to move, endgame", stage: 1, weight: 525 },
        { name: "to move, middle game", stage: 1, weight: 524 },
      ],
      negative: [
        { name: "pawns, middle game", stage: 1, weight: -100 },
        { name: "pawns, endgame", stage: 1, weight: -99 },
      ],
    });
    expect(found.heatMaps.map(({ name }) => name)).toEqual(
      ["pawn", "knight", "bishop", "rook", "queen", "king"].flatMap((kind) => [
        `${kind}, middle game`,
        `${kind}, endgame`,
      ]),
    );
    expect(values(found, "pawn, middle game")[7]!.slice(0, 2)).toEqual([-90, -88]);
    expect(values(found, "king, endgame")[0]![7]).toBe(287);
    expect(found.network).toBeUndefined();
  });

  test("features without squares have maps of what is observed in random games: the middle counts in connect four", () => {
    const path = fileURLToPath(new URL("../../../weights/connect-four/linear.json", import.meta.url));
    const found = inspectWeights(path, createGame("connect-four"), { top: 1 });
    expect(found.heatMaps.map(({ name }) => name)).toEqual([".", "x", "o", "next"]);
    expect(found.heatMaps[0]!.measure).toBe(
      "mean weighted sum of positions of random games with it there, less that of all",
    );
    const own = values(found, "x");
    const column = (at: number) => own.map((row) => row[at] ?? 0);
    expect(Math.max(...column(3))).toBe(Math.max(...own.flat().map((value) => value ?? -Infinity)));
    for (const [at, value] of column(3).entries())
      for (const edge of [0, 6]) expect(value).toBeGreaterThan(column(edge)[at]!);
  });

  test("where nothing lies on the board there are no maps", () => {
    const pig = createGame("pig");
    const race = linear(pig, "race");
    expect(inspectWeights(save(pig, race, new Float32Array(race.size)), pig, { top: 3 })).toMatchObject({
      weights: { count: race.size, nonZero: 0 },
      positive: [],
      negative: [],
      heatMaps: [],
    });
  });
});

describe("stages", () => {
  const game = createGame("othello");
  const model = linear(game, "squares", [20, 40]);
  const weights = Float32Array.from(
    { length: 3 * model.size },
    (_, at) => 100 * Math.floor(at / model.size) + 1,
  );
  const path = () => save(game, model, weights);

  test("all of them: named by their progress, maps the mean of theirs", () => {
    const found = inspectWeights(path(), game, { top: 1 });
    const { unit, max } = game.phase!;
    expect(found.stages).toMatchObject([
      { stage: 1, unit, from: 0, to: 19, rootMeanSquare: 1 },
      { stage: 2, unit, from: 20, to: 39, rootMeanSquare: 101 },
      { stage: 3, unit, from: 40, to: max, rootMeanSquare: 201 },
    ]);
    expect(found.positive).toMatchObject([{ stage: 3, weight: 201 }]);
    expect(found.weights.count).toBe(3 * model.size);
    expect(new Set(values(found, "discs").flat())).toEqual(new Set([101]));
    expect(found.heatMaps[0]!.measure).toMatch(/mean of 3 stages$/);
  });

  test("one of them", () => {
    const found = inspectWeights(path(), game, { top: 1, stage: 2 });
    expect(found.stages).toMatchObject([{ stage: 2, from: 20, to: 39 }]);
    expect(found.positive).toMatchObject([{ stage: 2, weight: 101 }]);
    expect(found.weights.count).toBe(model.size);
    expect(new Set(values(found, "discs").flat())).toEqual(new Set([101]));
  });

  test.each([0, 4, 1.5, NaN])("%d is none of them", (stage) => {
    expect(() => inspectWeights(path(), game, { top: 1, stage })).toThrow(
      new InputError(`stage must be a whole number from 1 to 3, got ${stage}`),
    );
  });
});

describe("n-tuple networks", () => {
  const game = createGame("connect-four");

  test("a map for each content of a cell, where the cell lies; the mean over the stages that learned there", () => {
    // Cell 0 is below on the left, its image below on the right.
    const model = nTuple(game, [[0]], [10]);
    // An entry for each turn and content; all that was learned is x's turn.
    const none = [0, 0, 0, 0];
    const stagesOf = [
      [1, 2, 0, 0],
      [5, 0, 9, 0],
    ].flatMap((learned) => [...none, ...learned, ...none, ...none]);
    const found = inspectWeights(save(game, model, Float32Array.from(stagesOf)), game, { top: 9 });
    expect(found.heatMaps.map(({ name }) => name)).toEqual([".", "x", "o", "next"]);
    const corners = (name: string) => [values(found, name)[5]![0], values(found, name)[5]![6]];
    expect(corners(".")).toEqual([(-0.5 - 2) / 2, (-0.5 - 2) / 2]);
    expect(corners("x")).toEqual([0.5, 0.5]);
    expect(corners("o")).toEqual([2, 2]);
    expect(corners("next")).toEqual([NaN, NaN]);
    expect(
      values(found, "x")
        .flat()
        .filter((value) => !Number.isNaN(value)),
    ).toHaveLength(2);
    expect(found.positive[0]).toEqual({ name: "turn=x 1,1=o", feature: 6, stage: 2, weight: 9 });
  });

  slowTest("tables in a file of their own are read, and their bytes counted", () => {
    const model = nTuple(game, [[0, 1, 2, 3, 4, 5, 6, 7, 8]]);
    const random = createRandom("big");
    const path = save(
      game,
      model,
      Float32Array.from({ length: model.size }, () => random.float()),
    );
    const found = inspectWeights(path, game, { top: 1, match: "1,1=x 1,2=x" });
    expect(found.weights).toEqual({ count: 4 ** 10, nonZero: 4 ** 10, notFinite: 0 });
    expect(found.positive[0]!.name).toMatch(/^turn=\S+ 1,1=x 1,2=x /);
    expect(found.bytes).toBe(
      readFileSync(path).length + readFileSync(path.replace(".json", ".f32.gz")).length,
    );
    // The header has each tuple on one line.
    expect(readFileSync(path, "utf8")).toContain("\n      [0, 1, 2, 3, 4, 5, 6, 7, 8]\n");
  });

  test("weights that are not finite are refused, with the first of them", () => {
    const model = nTuple(game, [[0, 1, 2, 3, 4, 5, 6, 7, 8]]);
    const weights = new Float32Array(model.size).fill(1);
    weights.set([NaN, Infinity, 2], 5);
    const path = save(game, model, weights);
    expect(() => inspectWeights(path, game, { top: 1 })).toThrow(
      "weights[5]: must be a number that float32 can hold, got NaN",
    );
  });
});

describe("networks", () => {
  const game = createGame("backgammon");
  const model = network(game, "tesauro");
  const layers = randomNetwork(
    { inputs: 198, hidden: [3], hiddenActivation: "relu", outputs: 1, outputActivation: "tanh" },
    "inspect",
  );

  test("the same from a weights file and from a layers model", () => {
    const path = save(game, model, flatten(layers));
    const found = inspectWeights(path, game, { top: 4 });
    expect(found).toMatchObject({
      weights: {
        count: 198 * 3 + 3 + 3 + 1,
        nonZero: flatten(layers).filter((one) => one !== 0).length,
        notFinite: 0,
      },
      stages: [],
      positive: [],
      network: {
        layers: [
          { inputs: 198, units: 3 },
          { units: 1, activation: "tanh" },
        ],
        unreadInputs: 0,
      },
    });
    expect(found.network!.inputs).toHaveLength(4);
    const { kernel } = layers.layers[0]!;
    expect(values(found, "own men by point")[23]![0]).toBeCloseTo(
      Math.abs(kernel[0]!) + Math.abs(kernel[1]!) + Math.abs(kernel[2]!),
      6,
    );

    const header = describeWeights(game, model, training);
    const other = join(temporaryFolder(), "weights.json");
    saveLayersModel(other.replace(".json", ".model.json"), layers);
    writeFileSync(other, JSON.stringify({ ...header, weights: { model: "weights.model.json" } }));
    const { bytes, ...same } = inspectWeights(other, game, { top: 4 });
    expect(bytes).toBeGreaterThan(4 * found.weights.count);
    expect(same.network!.inputs.map(({ name }) => name)).toEqual(
      found.network!.inputs.map(({ name }) => name),
    );
    expect(same.weights).toEqual(found.weights);
  });

  test("layers that do not fit the features, and stages, are refused", () => {
    const path = save(game, model, flatten(layers));
    expect(() => inspectWeights(path, game, { top: 1, stage: 1 })).toThrow("stage: a network has no stages");
    const header = describeWeights(game, model, training);
    const small = randomNetwork(
      { inputs: 5, hidden: [3], hiddenActivation: "relu", outputs: 1, outputActivation: "tanh" },
      "small",
    );
    saveLayersModel(path.replace(".json", ".model.json"), small);
    writeFileSync(path, JSON.stringify({ ...header, weights: { model: "weights.model.json" } }));
    expect(() => inspectWeights(path, game, { top: 1 })).toThrow(
      "the network has 5 inputs, the feature set 198 features",
    );
  });
});

describe("policies", () => {
  const game = createGame("tic-tac-toe");
  const head = game.policyHead!;
  const model = { ...network(game, "lines"), policy: true as const, policyVersion: head.version };
  const size = (model.size + 1) * 3 + (3 + 1) * (1 + 9);
  // Of no inputs, so that each position has the value 1 / 2, and the action of number n the weight n + 1.
  const weights = new Float32Array(size);
  weights.set([Math.atanh(0.5), ...Array.from({ length: 9 }, (_, at) => Math.log(at + 1))], size - 10);
  const path = () => save(game, model, weights);

  test("their size and version, and the likeliest of the legal actions", () => {
    const state = game.parseState("x../.../..o");
    const found = inspectWeights(path(), game, { top: 3, state });
    expect(found).toMatchObject({ policy: { actions: 9, version: head.version } });
    const { value, policy } = found.position!;
    expect(value).toBeCloseTo(0.5, 6);
    const likely = (one: number) => ({ action: one, weight: 1 + head.index(one, state) });
    const all = Array.from(possibleActions(game, state), likely).toSorted((a, b) => b.weight - a.weight);
    const sum = all.reduce((total, { weight }) => total + weight, 0);
    expect(policy!.map(({ action }) => game.parseAction(action, state))).toEqual(
      all.slice(0, 3).map(({ action }) => action),
    );
    for (const [at, { probability }] of policy!.entries())
      expect(probability).toBeCloseTo(all[at]!.weight / sum, 6);
  });

  test("those of tables: their weights, and the likeliest actions by the positions after them", () => {
    const tables = { ...linear(game, "lines"), policy: true as const };
    const both = new Float32Array(2 * tables.size);
    both[0] = 2;
    both.fill(0.5, tables.size, tables.size + 3);
    const state = game.start();
    const found = inspectWeights(save(game, tables, both), game, { top: 9, state });
    expect(found).toMatchObject({
      weights: { count: tables.size, nonZero: 1, notFinite: 0 },
      policy: { count: tables.size, nonZero: 3 },
    });
    expect(found.positive.map(({ weight }) => weight)).toEqual([2]);
    const shares = found.position!.policy!.map(({ probability }) => probability);
    expect(shares).toHaveLength(9);
    expect(shares.reduce((sum, share) => sum + share)).toBeCloseTo(1, 6);
    expect(() => inspectWeights(save(game, tables, both.slice(1)), game, { top: 1 })).toThrow(
      `number of weights: the file has ${both.length - 1}, its header says ${both.length}`,
    );
  });

  test("none where the weights have none, or nobody is to move", () => {
    const plain = linear(game, "lines");
    const found = inspectWeights(save(game, plain, new Float32Array(plain.size)), game, {
      top: 1,
      state: game.start(),
    });
    expect(found.policy).toBeUndefined();
    expect(found.position).toEqual({ state: ".../.../...", value: 0 });
    const over = game.parseState("xxx/oo./...");
    expect(() => inspectWeights(path(), game, { top: 1, state: over })).toThrow(
      'the game is over in "xxx/oo./...": player 1 has won',
    );
  });
});

test("without stages there is none to choose", () => {
  const game = createGame("othello");
  const model = linear(game, "squares");
  const path = save(game, model, new Float32Array(model.size));
  expect(() => inspectWeights(path, game, { top: 1, stage: 1 })).toThrow(
    "stage: these weights have no stages",
  );
});

describe("what is no weights file", () => {
  const game = createGame("tic-tac-toe");
  const refusal = (content: object) => {
    const path = join(temporaryFolder(), "x.json");
    writeFileSync(path, JSON.stringify(content));
    expect(() => inspectWeights(path, game, { top: 1 })).toThrow(InputError);
    try {
      inspectWeights(path, game, { top: 1 });
    } catch (error) {
      return (error as Error).message.replaceAll(path, "x.json");
    }
    return "";
  };

  test("is refused in one line", () => {
    expect(refusal({ name: "x", version: "1.0.0" })).toBe("x.json: format: missing; must be agon-weights");
    expect(refusal({ format: "layers-model", formatVersion: 1, modelTopology: {} })).toBe(
      'x.json: format: must be agon-weights, got "layers-model"',
    );
  });

  test("and so is a file of a later version", () => {
    expect(refusal({ format: "agon-weights", formatVersion: 3, other: {} })).toBe(
      "x.json: formatVersion: must be 2, got 3",
    );
  });
});
