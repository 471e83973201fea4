import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { InputError } from "../../../src/base/errors.ts";
import type { NetworkEvaluator } from "../../../src/evaluators/network/network-evaluator.ts";
import { LinearEvaluator, OUTPUTS } from "../../../src/evaluators/linear.ts";
import {
  describeWeights,
  type StoredModel,
  type WeightsFile,
} from "../../../src/evaluators/stored-weights.ts";
import {
  filesOfWeights,
  loadHeader,
  loadNumbers,
  loadWeights,
  saveWeights,
} from "../../../src/specs/files/weights-file.ts";
import type { Game } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { saveLayersModel } from "../../../src/specs/files/layers-model-file.ts";
import { randomPositions } from "../../agents/play.ts";
import { randomNetwork } from "../../support/networks.ts";
import { slowTest } from "../../support/thorough.ts";

const game = createGame("connect-four");
const features = game.featureSets["lines"]!;
const training = { method: "td-lambda", seed: "agon", games: 1000, date: "2026-01-01", alpha: 0.01 };

const folder = mkdtempSync(join(tmpdir(), "agon-weights-"));
const path = join(folder, "deep", "linear.json");
afterAll(() => rmSync(folder, { recursive: true }));

function modelOf(output: (typeof OUTPUTS)[number] = "tanh"): StoredModel {
  const { version, size } = features;
  return { kind: "linear", features: "lines", output, stages: [], featuresVersion: version, size };
}

function randomWeights(size: number): Float32Array {
  const random = createRandom("weights");
  return Float32Array.from({ length: size }, () => 2 * random.float() - 1);
}

const values = randomWeights(features.size);
const header = describeWeights(game, modelOf(), training);
/** The content of the file. */
const good: WeightsFile = {
  ...header,
  weights: Array.from(values, (weight) => Number(weight.toPrecision(9))),
};
const numbers = good.weights as number[];
beforeEach(() => saveWeights(path, header, values));

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
  test.each(OUTPUTS)("with output %s is the same when it is loaded, to the last bit", (output) => {
    saveWeights(path, describeWeights(game, modelOf(output), training), values);
    const loaded = loadWeights(path, game) as LinearEvaluator;
    expect(loaded.output).toBe(output);
    expect(loaded.weights).toEqual(values);
    const evaluator = new LinearEvaluator(game, features, { weights: values, output });
    for (const state of randomPositions(game, 20))
      expect(loaded.evaluate(state, 0)).toBe(evaluator.evaluate(state, 0));
  });

  test("keeps every float32 that there may be", () => {
    const bits = Uint32Array.from(randomWeights(features.size), (weight) => ((weight + 1) * 2 ** 31) >>> 0);
    bits.set([0, 1, 0x80000001, 0x7f7fffff, 0x00800000]);
    // All but NaN and infinity.
    const odd = new Float32Array(bits.buffer).map((weight) => (Number.isFinite(weight) ? weight : 1));
    saveWeights(path, header, odd);
    expect((loadWeights(path, game) as LinearEvaluator).weights).toEqual(odd);
  });

  test("saved again is the same file, byte for byte", () => {
    const first = readFileSync(path, "utf8");
    saveWeights(path, header, (loadWeights(path, game) as LinearEvaluator).weights);
    expect(readFileSync(path, "utf8")).toBe(first);
  });

  test("is JSON with a header for people and the weights on one line", () => {
    const text = readFileSync(path, "utf8");
    const sha256 = createHash("sha256").update(new Uint8Array(values.buffer)).digest("hex");
    expect(JSON.parse(text)).toEqual({ ...good, sha256 });
    expect(good).toMatchObject({
      format: "agon-weights",
      formatVersion: 2,
      game: { id: "connect-four", version: game.version, options: { width: 7, height: 6 } },
      evaluator: { kind: "linear", features: "lines", size: features.size, output: "tanh" },
      training,
    });
    expect(text.split("\n").filter((line) => line.includes('"weights"'))).toHaveLength(1);
  });

  test("leaves no part of a file behind, and an older file is replaced", () => {
    saveWeights(path, { ...header, training: { ...training, games: 2000 } }, values);
    expect(readdirSync(join(folder, "deep"))).toEqual(["linear.json"]);
    expect((JSON.parse(readFileSync(path, "utf8")) as WeightsFile).training.games).toBe(2000);
    expect(loadHeader(path).training.games).toBe(2000);
  });
});

describe("many weights, or stages", () => {
  // Every tuple of connect four looks at one cell more: whose turn it is.
  const TUPLES = [[0, 6, 12, 18, 24, 30, 36, 1]];
  const large: StoredModel = { kind: "n-tuple", tuples: TUPLES, output: "tanh", stages: [20], size: 4 ** 9 };
  const many = randomWeights(2 * 4 ** 9);
  const largePath = join(folder, "large", "tuples.json");
  const beside = join(folder, "large", "tuples.f32.gz");
  beforeEach(() => saveWeights(largePath, describeWeights(game, large, training), many));

  test("are kept in a file beside, to the last bit", () => {
    expect(readdirSync(join(folder, "large"))).toEqual(["tuples.f32.gz", "tuples.json"]);
    expect(filesOfWeights(largePath)).toEqual([largePath, beside]);
    const loaded = loadWeights(largePath, game) as LinearEvaluator;
    expect(loaded.stages).toEqual([20]);
    expect(Buffer.compare(Buffer.from(loaded.weights.buffer), Buffer.from(many.buffer))).toBe(0);
    const bits = (numbers: ArrayLike<number>) => Buffer.from(Float32Array.from(numbers).buffer);
    expect(Buffer.compare(bits(loadNumbers(largePath)), bits(many))).toBe(0);
  });

  slowTest("are refused where that file is missing or damaged", () => {
    const bytes = readFileSync(beside);
    writeFileSync(beside, bytes.subarray(0, bytes.length / 2));
    expect(() => loadWeights(largePath, game)).toThrow(/tuples\.json: .*tuples\.f32\.gz cannot be read: /);
    writeFileSync(beside, gzipSync(new Uint8Array(4 * 4 ** 9)));
    expect(() => loadWeights(largePath, game)).toThrow(
      `number of weights: the file has ${4 ** 9}, its header says ${2 * 4 ** 9}`,
    );
    for (const at of [0, 7, many.length - 1]) {
      const odd = many.slice();
      odd[at] = Number.NaN;
      writeFileSync(beside, gzipSync(new Uint8Array(odd.buffer)));
      expect(() => loadWeights(largePath, game)).toThrow(
        `weights[${at}]: must be a number that float32 can hold, got NaN`,
      );
    }
    rmSync(beside);
    expect(() => loadWeights(largePath, game)).toThrow(
      /tuples\.json: .*large.tuples\.f32\.gz: cannot be read: ENOENT/,
    );
  });

  test("are refused for other tables, cells or stages", () => {
    const refuse = (change: object) => {
      const evaluator = { ...large, ...change };
      writeFileSync(largePath, JSON.stringify({ ...header, evaluator, weights: { file: "tuples.f32.gz" } }));
      return () => loadWeights(largePath, game);
    };
    expect(refuse({ size: 4 ** 8 })).toThrow(
      `number of table entries: the weights are for ${4 ** 8}, wanted is ${4 ** 9}`,
    );
    expect(refuse({ tuples: [[0, 6], [1]] })).toThrow(
      `number of table entries: the weights are for ${4 ** 9}, wanted is 80`,
    );
    expect(refuse({ tuples: [[0, 6, 12, 18, 24, 30, 36, 42]] })).toThrow(
      /tuples\[0\]: there is no cell 42; cells are 0 to 41/,
    );
    expect(refuse({ stages: [43] })).toThrow(/stages: must be ascending numbers of [a-z ]+, at most 42/);
    expect(refuse({})).not.toThrow();
  });
});

describe("weights are refused before they take memory, or when they are damaged", () => {
  const table: StoredModel = { kind: "n-tuple", tuples: [[0, 1]], output: "tanh", stages: [], size: 64 };
  const write = (weights: object, rest: object = {}) => {
    const file = { ...describeWeights(game, { ...table, ...rest } as StoredModel, training), weights };
    writeFileSync(path, JSON.stringify(file));
  };

  slowTest("a file of few bytes that unpacks to many", () => {
    const bomb = gzipSync(new Uint8Array(50_000_000));
    expect(bomb.length).toBeLessThan(100_000);
    writeFileSync(join(folder, "deep", "bomb.gz"), bomb);
    write({ file: "bomb.gz" });
    expect(refusal()).toEqual([
      `${join(folder, "deep", "bomb.gz")} has more than the 64 weights of the header`,
    ]);
  });

  test("a size that no game has", () => {
    write({ file: "bomb.gz" }, { size: 1e12 });
    expect(refusal()).toEqual([expect.stringMatching(/^evaluator\.size: must be at most 1073741824/)]);
  });

  test("files outside the folder", () => {
    for (const key of ["file", "model"]) {
      write({ [key]: "../../x" });
      const error = 'names the file "../../x"; files must be in the same folder or below it';
      expect(() => filesOfWeights(path)).toThrow(`${path}: ${error}`);
    }
  });

  test("a digit that was changed, in the text and in a packed file", () => {
    const text = readFileSync(path, "utf8");
    const at = text.indexOf(".", text.indexOf('"weights"')) + 1;
    const digit = text[at] === "1" ? "2" : "1";
    writeFileSync(path, text.slice(0, at) + digit + text.slice(at + 1));
    expect(refusal()).toEqual(["the weights are damaged: their checksum is not the one in the file"]);
    const packed = Float32Array.from({ length: 64 }, (_, entry) => entry);
    writeFileSync(join(folder, "deep", "packed.gz"), gzipSync(new Uint8Array(packed.buffer)));
    write({ file: "packed.gz" });
    expect(() => loadNumbers(path)).not.toThrow();
    const sha256 = createHash("sha256").update("other").digest("hex");
    const file = JSON.parse(readFileSync(path, "utf8")) as object;
    writeFileSync(path, JSON.stringify({ ...file, sha256 }));
    expect(() => loadNumbers(path)).toThrow("the weights are damaged");
  });

  test("numbers that float32 cannot hold", () => {
    const odd = [...numbers];
    odd[2] = 1e39;
    writeFileSync(path, JSON.stringify({ ...good, weights: odd }));
    expect(refusal()).toEqual(["weights[2]: must be a number that float32 can hold, got Infinity"]);
  });

  test("a network with other layers than its header says", () => {
    const network = randomNetwork({
      inputs: features.size,
      hidden: [24],
      hiddenActivation: "relu",
      outputs: 1,
      outputActivation: "tanh",
    });
    saveLayersModel(join(folder, "deep", "net.model.json"), network);
    const shape = { kind: "network", features: "lines", activation: "relu", head: "value" } as const;
    const { version: featuresVersion, size } = features;
    const say = (hidden: number[], activation: "relu" | "tanh") => {
      const model: StoredModel = { ...shape, hidden, activation, featuresVersion, size };
      writeFileSync(
        path,
        JSON.stringify({ ...describeWeights(game, model, training), weights: { model: "net.model.json" } }),
      );
    };
    say([16], "relu");
    expect(refusal()).toEqual(["hidden: the header says [16], the weights have [24]"]);
    say([24], "tanh");
    expect(refusal()).toEqual(["activation: the header says tanh, the weights have relu"]);
    say([24], "relu");
    expect(() => loadWeights(path, game)).not.toThrow();
  });
});

describe("a policy", () => {
  const policyHead = { version: 3, size: 5000, index: (action: number) => action };
  const wide: Game = { ...game, policyHead };
  const shape = { kind: "network", hidden: [20], activation: "relu", head: "value", policy: true } as const;
  const model: StoredModel = {
    ...shape,
    hidden: [20],
    features: "lines",
    featuresVersion: features.version,
    size: features.size,
    policyVersion: policyHead.version,
  };
  const units = [features.size, 20, 1 + policyHead.size] as const;
  const count = (units[0] + 1) * units[1] + (units[1] + 1) * units[2];
  const save = (weights: Float32Array) => saveWeights(path, describeWeights(wide, model, training), weights);

  slowTest("may have many actions", () => {
    const weights = randomWeights(count);
    save(weights);
    expect(filesOfWeights(path)).toHaveLength(2);
    expect(loadNumbers(path)).toEqual(weights);
    expect((loadWeights(path, wide) as NetworkEvaluator).prefer).toBeDefined();
  });

  test("of other numbers of actions, of another size or of another board is refused", () => {
    save(randomWeights(count));
    expect(refusal({ ...wide, policyHead: { ...policyHead, version: 4 } })).toEqual([
      "version of the numbers of actions: the weights are for 3, wanted is 4",
    ]);
    expect(refusal({ ...wide, policyHead: undefined })).toEqual([
      "version of the numbers of actions: the weights are for 3, wanted is none",
    ]);
    expect(refusal({ ...wide, policyHead: { ...policyHead, size: 5001 } })).toEqual([
      `number of weights: there are ${count}, layers of ${units[0]}, 20, 5002 units need ${count + 21}`,
    ]);
    expect(refusal(createGame({ id: "connect-four", width: 6 }))[0]).toMatch(/^game options: the weights/);
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
      (file) => ({ evaluator: { ...file.evaluator, size: size - 1 }, weights: numbers.slice(1) }),
      [`feature set size: the weights are for ${size - 1}, wanted is ${size}`],
    ],
    [
      "number of weights",
      () => ({ weights: numbers.slice(1) }),
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
    ["format version", () => ({ formatVersion: 3 }), ["formatVersion: must be 2, got 3"]],
    [
      "kind",
      (file) => ({ evaluator: { ...file.evaluator, kind: "networc" } }),
      [
        'evaluator.kind: must be one of linear, n-tuple, network, onnx, got "networc" (did you mean "network"?)',
      ],
    ],
    [
      "output",
      (file) => ({ evaluator: { ...file.evaluator, output: "tan" } }),
      ['evaluator.output: must be one of identity, tanh, logistic, got "tan" (did you mean "tanh"?)'],
    ],
    [
      "no weights",
      () => ({ weights: undefined }),
      ["weights: missing; must be a list or a mapping of keys to values"],
    ],
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
    saveWeights(
      path,
      header,
      values.map((weight, at) => (at === 3 ? Number.NaN : weight)),
    );
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
    expect(() => loadWeights(folder, game)).toThrow(/: is a folder; name a file$/);
  });
});
