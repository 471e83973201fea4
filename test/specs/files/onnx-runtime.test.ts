import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { InputError } from "../../../src/base/errors.ts";
import { createGame } from "../../../src/games/index.ts";
import { activate } from "../../../src/evaluators/network/network.ts";
import { equipGame, loadEvaluator } from "../../../src/specs/evaluators.ts";
import { importModel } from "../../../src/specs/files/import-model.ts";
import { loadOnnx } from "../../../src/specs/files/onnx-file.ts";
import { loadRuntime, openSession } from "../../../src/specs/files/onnx-runtime.ts";
import { referTo } from "../../../src/specs/references.ts";
import { randomPositions } from "../../agents/play.ts";
import { agon, temporaryFolder } from "../../support/agon.ts";
import { onnxFixture, onnxOutputs } from "../../support/onnx.ts";
import { runtimeTest, slowRuntimeTest } from "../../support/onnx-runtime.ts";

const attention = onnxFixture("attention");
const planes = fileURLToPath(new URL("../../../examples/pytorch/planes.ts", import.meta.url));

describe("onnxruntime", () => {
  for (const { network, inputs, outputs } of onnxOutputs)
    runtimeTest(`computes the network ${network}`, () => {
      const path = onnxFixture(network);
      const hosted = openSession(loadRuntime(), readFileSync(path), path);
      const layers = hosted.createLayers();
      // Other layers of the same network disturb nothing.
      const others = hosted.createLayers();
      for (const [at, sample] of inputs.entries()) {
        const index = Int32Array.from(sample, (_, feature) => feature);
        const features = { index, active: index.length, player: 0 };
        layers.look({ ...features, value: Float32Array.from(sample) });
        others.look({ ...features, value: new Float32Array(index.length) });
        const { answer } = layers;
        const policy = outputs["policy"]?.[at] ?? [];
        const logits = answer.slice(answer.length - policy.length);
        if (["chain", "attention"].includes(network)) activate("softmax", logits, logits.length);
        const given = [...answer.slice(0, answer.length - policy.length), ...logits];
        const wanted = [...(outputs["value"] ?? outputs["outcomes"])![at]!, ...policy];
        expect(given).toHaveLength(wanted.length);
        for (const [place, one] of wanted.entries()) expect(Math.abs(given[place]! - one)).toBeLessThan(1e-5);
      }
    });

  runtimeTest("knows by the operators at the ends what the outputs mean", () => {
    const endsOf = (name: string) => {
      const path = onnxFixture(name);
      const { inputs, units, activation, logits } = openSession(loadRuntime(), readFileSync(path), path);
      return { inputs, units, activation, logits };
    };
    expect(endsOf("chain")).toEqual({ inputs: 17, units: 10, activation: "tanh", logits: 9 });
    expect(endsOf("operators")).toEqual({ inputs: 120, units: 3, activation: "softmax", logits: 0 });
  });

  runtimeTest("is asked only for networks that agon cannot compute", () => {
    expect(loadOnnx(onnxFixture("residual"))).toHaveProperty("layers");
    expect(loadOnnx(attention)).toHaveProperty("createLayers");
  });

  runtimeTest("says why it cannot compute a network", () => {
    const bytes = Buffer.from(readFileSync(attention).toString("latin1").replace("Erf", "Erg"), "latin1");
    expect(() => openSession(loadRuntime(), bytes, "mine.onnx")).toThrow(
      /^onnxruntime cannot compute the network: .*Erg/,
    );
  });

  slowRuntimeTest("plays a match by value and policy", async () => {
    const cwd = temporaryFolder();
    const out = ["--features", planes, "--out", "mine.json"];
    expect(await agon(["import-model", attention, "--game", "connect-four", ...out], { cwd })).toMatchObject({
      code: 0,
    });
    expect((await agon(["inspect", "mine.json"], { cwd })).stdout).toContain(
      "not counted: onnxruntime computes the network",
    );
    const player = "mcts:simulations=10,priors=policy,evaluator=mine.json";
    const match = ["match", "connect-four", player, "random", "--blocks", "2", "--json"];
    const { stdout } = await agon(match, { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ games: 4, entrants: [{ forfeits: 0 }, { forfeits: 0 }] });
  });

  runtimeTest("evaluates positions of a game", async () => {
    const game = await equipGame(createGame("connect-four"), [referTo("features", planes)]);
    const out = `${temporaryFolder()}/mine.json`;
    const { evaluator } = importModel(attention, game, { features: planes, out, date: new Date(0) });
    expect(evaluator).toMatchObject({ kind: "onnx", head: "value", policy: true });
    const loaded = loadEvaluator(game, out);
    const layers = openSession(loadRuntime(), readFileSync(attention), attention).createLayers();
    const logits = new Float32Array(7);
    for (const state of randomPositions(game, 20)) {
      const [index, value] = [new Int32Array(84), new Float32Array(84).fill(1)];
      const active = game.featureSets[planes]!.extract(state, state.toMove, index, value);
      layers.look({ index, value, active, player: state.toMove });
      expect(loaded.evaluate(state, state.toMove)).toBeCloseTo(layers.answer[0]!, 5);
      expect(loaded.evaluate(state, 1)).toBe(0 - loaded.evaluate(state, 0));
      loaded.prefer!(state, Int32Array.of(0, 1, 2, 3, 4, 5, 6), 0, 7, logits);
      expect(logits).toEqual(Float32Array.from(layers.answer.subarray(1)));
    }
  });
});

describe("without onnxruntime-node", () => {
  const absent = () =>
    loadRuntime(() => {
      throw new Error("Cannot find module 'onnxruntime-node'\nRequire stack:");
    });

  test("a network with a part that agon lacks is refused by its name, with the way to play it", () => {
    const path = join(temporaryFolder(), "selu.onnx");
    const chain = readFileSync(onnxFixture("chain"), "latin1");
    expect(chain).toContain("\x04Relu");
    writeFileSync(path, chain.replace("\x04Relu", "\x04Selu"), "latin1");
    const way =
      "; onnxruntime-node, which has all operators of ONNX, is not installed; " +
      "`npm install --ignore-scripts onnxruntime-node` makes networks with them playable";
    expect(messageOf(() => loadOnnx(path, absent))).toMatch(
      new RegExp(
        `^${path}: node "relu2" \\(Selu\\) is an operator that cannot be read; can be: Add, .*${way}$`,
      ),
    );
    expect(messageOf(() => loadOnnx(attention, absent))).toBe(
      `${attention}: the weights "w8" are of ONNX's type 9; what can be read: float, double, int32, int64${way}`,
    );
  });

  test("a network with a mistake is refused as ever", () => {
    const path = join(temporaryFolder(), "cut.onnx");
    writeFileSync(path, readFileSync(attention).subarray(0, 5000));
    expect(messageOf(() => loadOnnx(path, absent))).toMatch(
      /^.*cut\.onnx: is no ONNX file, or is damaged: [^;]*$/,
    );
  });

  test("a damaged installation is told", () => {
    const broken = () => {
      throw new Error("libonnxruntime.so.1: no such file\nmore");
    };
    expect(messageOf(() => loadRuntime(broken))).toBe(
      "onnxruntime-node does not work here, where 1.22 or later is wanted: Error: libonnxruntime.so.1: no such file",
    );
  });
});

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return (error as InputError).message;
  }
  return "";
}
