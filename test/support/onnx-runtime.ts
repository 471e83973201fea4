import process from "node:process";
import { test } from "vitest";
import { loadRuntime } from "../../src/specs/files/onnx-runtime.ts";
import { slowTest } from "./thorough.ts";

const isInstalled = isThere();

function isThere(): boolean {
  try {
    loadRuntime();
    return true;
  } catch {
    return process.env["AGON_ONNX"] === "1";
  }
}

type RuntimeTest = (name: string, run: () => Promise<void> | void) => void;

const leftOut: RuntimeTest = (name, run) =>
  test.skip(`${name} (left out: there is no onnxruntime-node here)`, run);

/** A test that needs onnxruntime-node. Where it is missing, the test's name says so; with AGON_ONNX=1 it fails. */
export const runtimeTest: RuntimeTest = isInstalled ? test : leftOut;

/** As `runtimeTest`; it takes long. */
export const slowRuntimeTest: RuntimeTest = isInstalled ? slowTest : leftOut;
