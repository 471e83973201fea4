import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  filesOfLayersModel,
  loadLayersModel,
  saveLayersModel,
} from "../../../src/specs/files/layers-model-file.ts";
import { randomNetwork } from "../../support/networks.ts";

const SMALL = {
  inputs: 3,
  hidden: [2],
  hiddenActivation: "relu",
  outputs: 1,
  outputActivation: "tanh",
} as const;

function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), "agon-model-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
}

test("a network is read as it was saved, over the files of another", () => {
  const dir = scratch();
  const network = randomNetwork(SMALL);
  const path = join(dir, "deep", "expert.model.json");
  saveLayersModel(path, randomNetwork({ ...SMALL, hidden: [7, 7] }));
  saveLayersModel(path, network);
  expect(loadLayersModel(path)).toEqual(network);
  expect(readdirSync(join(dir, "deep")).toSorted()).toEqual(["expert.model.json", "expert.weights.bin"]);
});

test("files that are missing, no JSON, or of two models", () => {
  const dir = scratch();
  const path = join(dir, "x.model.json");
  expect(() => loadLayersModel(path)).toThrow(/x\.model\.json: cannot be read: ENOENT/);
  saveLayersModel(path, randomNetwork(SMALL));
  saveLayersModel(join(dir, "y.model.json"), randomNetwork({ ...SMALL, inputs: 4 }));
  writeFileSync(join(dir, "x.weights.bin"), readFileSync(join(dir, "y.weights.bin")));
  expect(() => loadLayersModel(path)).toThrow(/x\.weights\.bin: is too large: 52 bytes; at most 44 are read/);
  writeFileSync(join(dir, "x.weights.bin"), new Uint8Array(40));
  expect(() => loadLayersModel(path)).toThrow(/the weights files have 40 bytes, the manifest describes 44/);
  rmSync(join(dir, "x.weights.bin"));
  expect(() => loadLayersModel(path)).toThrow(/x\.weights\.bin: cannot be read: ENOENT/);
  writeFileSync(path, "{");
  expect(() => loadLayersModel(path)).toThrow(/x\.model\.json: is not JSON/);
  expect(existsSync(`${path}.part`)).toBe(false);
});

test.each(["../x.weights.bin", "/etc/hostname", "a/../../x", "..\\x", "."])(
  "a model that names %s is refused: files stay in its folder",
  (name) => {
    const path = join(scratch(), "x.model.json");
    saveLayersModel(path, randomNetwork(SMALL));
    const json = readFileSync(path, "utf8").replace('"x.weights.bin"', JSON.stringify(name));
    writeFileSync(path, json);
    const refused = `names the file ${JSON.stringify(name)}; files must be in the same folder or below it`;
    expect(() => loadLayersModel(path)).toThrow(refused);
    expect(() => filesOfLayersModel(path)).toThrow(refused);
  },
);
