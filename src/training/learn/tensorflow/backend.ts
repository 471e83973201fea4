import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
// oxlint-disable-next-line no-restricted-imports -- TensorFlow reads its log level from the environment, and adds listeners to the process, which are removed
import process from "node:process";
import util from "node:util";
import { InputError } from "../../../base/errors.ts";

/** The backends of TensorFlow.js, fastest in training first: its native library, WebAssembly, JavaScript. */
export const BACKENDS = ["node", "wasm", "cpu"] as const;
export type Backend = (typeof BACKENDS)[number];

/** The parts of TensorFlow.js that are used. */
export type TensorFlow = typeof import("@tensorflow/tfjs-core") & typeof import("@tensorflow/tfjs-layers");

interface LoadedTensorFlow {
  readonly tf: TensorFlow;
  readonly backend: Backend;
  /** One line for each backend that was tried and does not work here: its name and the reason. */
  readonly notes: readonly string[];
}

type Import = (name: string) => Promise<unknown>;

/** The packages that every backend needs. */
const PARTS = ["@tensorflow/tfjs-core", "@tensorflow/tfjs-layers"];

/** For each backend its package, and the name that TensorFlow.js has for it. */
const PACKAGES = {
  node: { name: "@tensorflow/tfjs-node", backend: "tensorflow" },
  wasm: { name: "@tensorflow/tfjs-backend-wasm", backend: "wasm" },
  cpu: { name: "@tensorflow/tfjs-backend-cpu", backend: "cpu" },
} as const satisfies Record<Backend, { name: string; backend: string }>;

const WASM_FILES = ["tfjs-backend-wasm.wasm", "tfjs-backend-wasm-simd.wasm"];

/**
 * Loads TensorFlow.js with the first backend that works here; the backends before `preference` are not tried.
 * A backend that does not work becomes a note. Throws InputError if none works.
 * @param importModule replaces `import` in tests
 */
export async function loadTensorFlow(
  preference: Backend = "node",
  importModule: Import = (name) => import(name),
): Promise<LoadedTensorFlow> {
  const [core, layers] = await Promise.all(PARTS.map((name) => importPart(name, importModule)));
  const tf = { ...core, ...layers } as TensorFlow;
  // Without this, it recommends other backends on the console.
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

/** Imports a part without which no backend works. Users install TensorFlow.js themselves. */
async function importPart(name: string, importModule: Import): Promise<object> {
  try {
    return (await importModule(name)) as object;
  } catch (error) {
    if (!isAbsent(error, name)) throw error;
    throw new InputError(
      `\`engine: tensorflow\` needs TensorFlow.js, which is not installed; say: npm install ${[...PARTS, PACKAGES.wasm.name].join(" ")}`,
    );
  }
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
  // TensorFlow.js does not say why it failed: the factory throws the reason.
  await factory();
  throw new Error(`${name} does not start`);
}

/**
 * tfjs-node 4.22 calls two functions of `util`: Node warns of one, and version 23 removed the other
 * (isNullOrUndefined). Both are put back. TF_CPP_MIN_LOG_LEVEL keeps the library from writing to standard error.
 */
function prepareNative(): void {
  Object.assign(util, {
    isNullOrUndefined: (value: unknown) => value === null || value === undefined,
    isArray: Array.isArray,
  });
  process.env["TF_CPP_MIN_LOG_LEVEL"] ??= "2";
}

/** Tells the WASM backend that its .wasm files are inside its package. */
function locateWasm({ setWasmPaths }: typeof import("@tensorflow/tfjs-backend-wasm")): void {
  const dir = dirname(createRequire(import.meta.url).resolve(PACKAGES.wasm.name));
  const missing = WASM_FILES.find((file) => !existsSync(join(dir, file)));
  if (missing !== undefined) throw new Error(`${join(dir, missing)} is missing`);
  setWasmPaths(join(dir, "/"));
}

/** Runs `run`, then removes the listeners for unhandled errors that it added: the WASM module adds some for the whole process. */
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

/** The reason why a backend does not work, in one line. */
function reason(error: unknown, backend: Backend): string {
  const message = error instanceof Error ? error.message : String(error);
  const { name } = PACKAGES[backend];
  const hint = backend === "node" ? "; docs/native-backend.md says how to build it" : "";
  if (isAbsent(error, name)) return `${name} is not installed; say: npm install ${name}${hint}`;
  return message.split("\n")[0]!.trim().replace(/\.$/, "") + hint;
}

function isAbsent(error: unknown, name: string): boolean {
  const message = error instanceof Error ? error.message : String(error);
  return /^Cannot find (package|module)/.test(message) && message.includes(name);
}
