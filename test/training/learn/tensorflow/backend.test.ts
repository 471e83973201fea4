import util from "node:util";
import { afterEach, describe, expect, test, vi } from "vitest";
import { loadTensorFlow } from "../../../../src/training/learn/tensorflow/backend.ts";
import { slowTest } from "../../../support/thorough.ts";

const NODE = "@tensorflow/tfjs-node";
const WASM = "@tensorflow/tfjs-backend-wasm";

/** `import` in which some packages cannot be loaded. */
function failing(errors: Readonly<Record<string, Error>>): (name: string) => Promise<unknown> {
  return async (name) => {
    if (errors[name] !== undefined) throw errors[name];
    return import(name);
  };
}

const noLibrary = new Error("libtensorflow.so.2: cannot open shared object file\n    and much more");

afterEach(() => vi.restoreAllMocks());

describe("the first backend that works is taken", () => {
  slowTest("WebAssembly where the native library does not load, with one line that says why", async () => {
    const { tf, backend, notes } = await loadTensorFlow("node", failing({ [NODE]: noLibrary }));
    expect(backend).toBe("wasm");
    expect(tf.getBackend()).toBe("wasm");
    expect(notes).toEqual([
      "node: libtensorflow.so.2: cannot open shared object file; docs/native-backend.md says how to build it",
    ]);
  });

  test("the native package is not there", async () => {
    const absent = new Error(`Cannot find package '${NODE}' imported from /somewhere/backend.js`);
    const { backend, notes } = await loadTensorFlow("node", failing({ [NODE]: absent }));
    expect(backend).toBe("wasm");
    expect(notes).toEqual([
      `node: ${NODE} is not installed; say: npm install ${NODE}; docs/native-backend.md says how to build it`,
    ]);
  });

  test("JavaScript where neither works", async () => {
    const { tf, backend, notes } = await loadTensorFlow(
      "node",
      failing({ [NODE]: noLibrary, [WASM]: new Error("no WebAssembly") }),
    );
    expect(backend).toBe("cpu");
    expect(tf.getBackend()).toBe("cpu");
    expect(notes).toEqual([expect.stringMatching(/^node: /), "wasm: no WebAssembly"]);
    expect(tf.tidy(() => tf.sum(tf.tensor1d([1, 2])).dataSync()[0])).toBe(3);
  });

  test("a package that brings no backend to this copy of TensorFlow.js is none", async () => {
    const { backend, notes } = await loadTensorFlow("node", async (name) =>
      name === NODE ? {} : import(name),
    );
    // Nothing before this test has loaded the native backend.
    expect(backend).toBe("wasm");
    expect(notes[0]).toContain("belongs to another copy of @tensorflow/tfjs-core");
  });

  test("those before the one that is preferred are not tried", async () => {
    const tried: string[] = [];
    const record = async (name: string) => {
      if (name.includes("backend")) tried.push(name);
      return import(name);
    };
    expect(await loadTensorFlow("cpu", record)).toMatchObject({ backend: "cpu", notes: [] });
    expect(await loadTensorFlow("wasm", record)).toMatchObject({ backend: "wasm", notes: [] });
    expect(tried).toEqual(["@tensorflow/tfjs-backend-cpu", WASM]);
  });

  test("an error where none works", async () => {
    await expect(
      loadTensorFlow("node", async (name) => {
        if (/backend|node/.test(name)) throw new Error("broken");
        return import(name);
      }),
    ).rejects.toThrow(/no backend of TensorFlow\.js works here: node: broken;.*; wasm: broken; cpu: broken/);
  });
});

test("loading and computing says nothing on the console and leaves no listeners", async () => {
  const said = [
    ...(["log", "info", "warn", "error"] as const).map((level) => vi.spyOn(console, level)),
    vi.spyOn(process.stdout, "write"),
    vi.spyOn(process.stderr, "write"),
  ];
  const count = () =>
    process.listenerCount("uncaughtException") + process.listenerCount("unhandledRejection");
  const before = count();
  for (const preference of ["node", "wasm", "cpu"] as const) {
    const { tf } = await loadTensorFlow(preference);
    tf.tidy(() => tf.matMul(tf.ones([2, 2]), tf.ones([2, 2])).dataSync());
  }
  for (const spy of said) expect(spy).not.toHaveBeenCalled();
  expect(count()).toBe(before);
});

test("what tfjs-node wants of util is there, on any version of Node", async () => {
  await loadTensorFlow("node");
  const { isNullOrUndefined, isArray } = util as unknown as Record<string, (value: unknown) => boolean>;
  expect([null, undefined, 0, "", Number.NaN].map(isNullOrUndefined!)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  expect([[], {}].map(isArray!)).toEqual([true, false]);
});
