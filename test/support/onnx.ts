import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The path of an ONNX file among the fixtures. */
export const onnxFixture = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/onnx/${name}.onnx`, import.meta.url));

/** For each of these files some inputs, and by output what onnxruntime gives for each of them. */
export const onnxOutputs = readFileSync(new URL("../fixtures/onnx/outputs.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as OnnxOutputs);

interface OnnxOutputs {
  readonly network: string;
  readonly inputs: readonly (readonly number[])[];
  readonly outputs: Readonly<Record<string, readonly (readonly number[])[]>>;
}
