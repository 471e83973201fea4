import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { InputError } from "../../../../src/base/errors.ts";
import { ExactLayers, type Layers } from "../../../../src/evaluators/network/exact-layers.ts";
import { GraphLayers } from "../../../../src/evaluators/network/graph-layers.ts";
import type { GraphNetwork } from "../../../../src/evaluators/network/graph-network.ts";
import { activate } from "../../../../src/evaluators/network/network.ts";
import { parseOnnxFile, UnknownPart } from "../../../../src/evaluators/network/onnx/onnx-model.ts";
import { asChain, lastOperator, parseOnnx } from "../../../../src/evaluators/network/onnx/onnx-network.ts";
import { onnxFixture, onnxOutputs } from "../../../support/onnx.ts";

const bytesOf = (name: string) => readFileSync(onnxFixture(name));
/** The last one has operators that only onnxruntime computes. */
const stored = onnxOutputs.filter(({ network }) => network !== "attention");

/** The outputs for one sample: the value's, activated, and the policy's. */
function answerOf(
  layers: Layers,
  sample: readonly number[],
  { activation, outputs, logits }: GraphNetwork,
): { value: number[]; logits: number[] } {
  const index = Int32Array.from(sample, (_, at) => at);
  layers.look({ index, value: Float32Array.from(sample), active: sample.length, player: 0 });
  const answer = layers.answer.slice(0, outputs.length);
  activate(activation, answer, outputs.length - logits);
  return {
    value: Array.from(answer.subarray(0, outputs.length - logits)),
    logits: Array.from(answer.subarray(outputs.length - logits)),
  };
}

function softmax(logits: readonly number[]): number[] {
  const values = Float64Array.from(logits);
  activate("softmax", values, values.length);
  return [...values];
}

function expectClose(given: readonly number[], wanted: readonly number[]): void {
  expect(given).toHaveLength(wanted.length);
  for (const [at, one] of wanted.entries()) expect(Math.abs(given[at]! - one)).toBeLessThan(1e-5);
}

describe.each(stored)("the ONNX network $network", ({ network, inputs, outputs }) => {
  test("has the outputs that onnxruntime gives", () => {
    const graph = parseOnnx(bytesOf(network));
    const layers = new GraphLayers(graph);
    for (const [at, sample] of inputs.entries()) {
      const { value, logits } = answerOf(layers, sample, graph);
      expectClose(value, (outputs["value"] ?? outputs["outcomes"])![at]!);
      const policy = outputs["policy"];
      if (policy !== undefined) expectClose(network === "chain" ? softmax(logits) : logits, policy[at]!);
    }
  });
});

test("a network of dense layers is a chain, with the same answers", () => {
  const graph = parseOnnx(bytesOf("chain"));
  const chain = asChain(graph)!;
  expect(chain.layers.map(({ units, activation }) => [units, activation])).toEqual([
    [12, "relu"],
    [8, "sigmoid"],
    [10, "tanh"],
  ]);
  const [exact, placed] = [new ExactLayers(chain, 17), new GraphLayers(graph)];
  exact.load(chain);
  for (const sample of stored[0]!.inputs) {
    const [one, other] = [answerOf(exact, sample, graph), answerOf(placed, sample, graph)];
    expectClose(one.value, other.value);
    expectClose(one.logits, other.logits);
  }
});

describe("a file that cannot be read is refused in a sentence:", () => {
  const refusal = (bytes: Uint8Array): string => {
    try {
      parseOnnx(bytes, "mine.onnx");
    } catch (error) {
      expect(error).toBeInstanceOf(InputError);
      return (error as InputError).message;
    }
    return "read";
  };
  /** The file of the chain with one text in place of another as long as it. */
  const changed = (from: string, to: string) => {
    const text = bytesOf("chain").toString("latin1");
    expect(text).toContain(from);
    return Buffer.from(text.replace(from, to), "latin1");
  };
  const firstWeight = () => {
    const [value] = parseOnnxFile(bytesOf("chain"), "").constants().get("w0")!.values;
    return Buffer.from(Float32Array.of(value!).buffer).toString("latin1");
  };

  test.each([
    ["another text", Buffer.from("no network"), "mine.onnx: is no ONNX file, or is damaged: "],
    ["nothing", Buffer.of(), "mine.onnx: is no ONNX file, or is damaged: it has no graph with an opset"],
    ["an opset", changed("B\x04\n\0\x10\x11", "B\x04\n\0\x10\x05"), "has opset 5; what can be read: 9 to 26"],
    [
      "an operator",
      changed("\x07Sigmoid", "\x07Softmin"),
      'mine.onnx: node "sigmoid4" (Softmin) is an operator that cannot be read; can be: Add, ',
    ],
    [
      "a shape",
      changed("\x08\x11\x08\x0c\x10\x01", "\x08\x0c\x08\x11\x10\x01"),
      'node "matmul0" (MatMul) multiplies the shape [1, 17] by weights of the shape [12, 17]',
    ],
    ["NaN", changed(firstWeight(), "\0\0\xc0\x7f"), 'the weights "w0" are not all finite numbers'],
    ["a missing value", changed("\x02w1", "\x02wX"), 'reads "wX", which no node before it computes'],
  ])("%s", (_, bytes, message) => {
    expect(refusal(bytes)).toContain(message);
  });

  test("an operator is a part that onnxruntime may know, and a mistake is none", () => {
    const refused = (bytes: Uint8Array) => {
      try {
        parseOnnx(bytes);
        return undefined;
      } catch (error) {
        return error;
      }
    };
    expect(refused(changed("\x07Sigmoid", "\x07Softmin"))).toBeInstanceOf(UnknownPart);
    expect(refused(changed(firstWeight(), "\0\0\xc0\x7f"))).not.toBeInstanceOf(UnknownPart);
    expect(refused(bytesOf("attention"))).toBeInstanceOf(UnknownPart);
  });

  test("a part of a file, whatever its length", () => {
    const whole = bytesOf("chain");
    for (let length = 0; length < whole.length; length += 11)
      expect(refusal(whole.subarray(0, length))).toContain("mine.onnx: ");
  });
});

test("the operators at the ends are known, behind those that change shapes alone", () => {
  const lastOf = (name: string, output: string) => lastOperator(parseOnnxFile(bytesOf(name), ""), output);
  expect(lastOf("chain", "value")).toBe("Tanh");
  expect(lastOf("residual", "policy")).toBe("Gemm");
  expect(lastOf("residual", "flatten29")).toBe("Relu");
  expect(lastOf("residual", "none")).toBeUndefined();
});

test("a network with convolutions is no chain", () => {
  expect(asChain(parseOnnx(bytesOf("residual")))).toBeUndefined();
});
