import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";
import util from "node:util";
import { InputError } from "../../base/errors.ts";

/** What TensorFlow.js computes with, fastest in training first: its native library, WebAssembly, JavaScript. */
export const BACKENDS = ["node", "wasm", "cpu"] as const;
export type Backend = (typeof BACKENDS)[number];

export type TensorFlow = typeof import("@tensorflow/tfjs-core") & typeof import("@tensorflow/tfjs-layers");

export interface LoadedTensorFlow {
  readonly tf: TensorFlow;
  readonly backend: Backend;
  /** One line for each backend that was tried before: its name and why it does not work here. */
  readonly notes: readonly string[];
}

type Import = (name: string) => Promise<unknown>;

/** The package that brings a backend, and the name that TensorFlow.js knows it by. */
const PACKAGES = {
  node: { name: "@tensorflow/tfjs-node", backend: "tensorflow" },
  wasm: { name: "@tensorflow/tfjs-backend-wasm", backend: "wasm" },
  cpu: { name: "@tensorflow/tfjs-backend-cpu", backend: "cpu" },
} as const satisfies Record<Backend, { name: string; backend: string }>;

const WASM_FILES = ["tfjs-backend-wasm.wasm", "tfjs-backend-wasm-simd.wasm"];

/**
 * Loads TensorFlow.js with the first backend that works here, from `preference` on. Nothing of it is
 * loaded before. A backend that does not work is a note, never an error; InputError only where none does.
 * @param importModule stands in for `import` in tests
 */
export async function loadTensorFlow(
  preference: Backend = "node",
  importModule: Import = (name) => import(name),
): Promise<LoadedTensorFlow> {
  const [core, layers] = await Promise.all([
    import("@tensorflow/tfjs-core"),
    import("@tensorflow/tfjs-layers"),
  ]);
  const tf = { ...core, ...layers };
  // Keeps it from advertising other backends on the console.
  tf.env().set("PROD", true);
  const notes: string[] = [];
  for (const backend of BACKENDS.slice(BACKENDS.indexOf(preference))) {
    try {
      await start(backend, tf, importModule);
      return { tf, backend, notes };
    } catch (error) {
      notes.push(`${backend}: ${reason(error, backend)}`);
    }
  }
  throw new InputError(`no backend of TensorFlow.js works here: ${notes.join("; ")}`);
}

async function start(backend: Backend, tf: TensorFlow, importModule: Import): Promise<void> {
  const { name, backend: registered } = PACKAGES[backend];
  if (backend === "node") prepareNative();
  const module = await importModule(name);
  if (backend === "wasm") locateWasm(module as typeof import("@tensorflow/tfjs-backend-wasm"));
  const factory = tf.findBackendFactory(registered);
  if (factory === null) throw new Error(`${name} belongs to another copy of @tensorflow/tfjs-core`);
  const started = await withoutNewListeners(() => tf.setBackend(registered));
  if (started) return;
  // TensorFlow.js keeps the reason to itself: have it fail once more.
  await factory();
  throw new Error(`${name} does not start`);
}

/**
 * tfjs-node 4.22 calls two functions of `util` that Node warns of, or has removed (isNullOrUndefined in
 * version 23). The library itself writes to standard error unless told not to.
 */
function prepareNative(): void {
  Object.assign(util, {
    isNullOrUndefined: (value: unknown) => value === null || value === undefined,
    isArray: Array.isArray,
  });
  process.env["TF_CPP_MIN_LOG_LEVEL"] ??= "2";
}

/** Names the .wasm files that the package itself holds. */
function locateWasm({ setWasmPaths }: typeof import("@tensorflow/tfjs-backend-wasm")): void {
  const dir = dirname(createRequire(import.meta.url).resolve(PACKAGES.wasm.name));
  const missing = WASM_FILES.find((file) => !existsSync(join(dir, file)));
  if (missing !== undefined) throw new Error(`${join(dir, missing)} is missing`);
  setWasmPaths(join(dir, "/"));
}

/** The WASM module makes itself the judge of all unhandled errors of the process: takes that back. */
async function withoutNewListeners<T>(run: () => Promise<T>): Promise<T> {
  const events = ["uncaughtException", "unhandledRejection"] as const;
  const before = events.map((event) => new Set<unknown>(process.listeners(event as never)));
  try {
    return await run();
  } finally {
    for (const [at, event] of events.entries())
      for (const listener of process.listeners(event as never) as (() => void)[])
        if (!before[at]!.has(listener)) process.off(event, listener);
  }
}

/** One line. */
function reason(error: unknown, backend: Backend): string {
  const message = error instanceof Error ? error.message : String(error);
  const { name } = PACKAGES[backend];
  const isAbsent = /^Cannot find (package|module)/.test(message) && message.includes(name);
  const hint = backend === "node" ? "; docs/native-backend.md says how to get it" : "";
  return `${isAbsent ? `${name} is not installed` : message.split("\n")[0]!.trim().replace(/\.$/, "")}${hint}`;
}
