import { readdirSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { join, sep } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { readJson } from "../../specs/files/documents.ts";
import { check } from "../../base/check.ts";
import { InputError } from "../../base/errors.ts";
import { counted } from "../../base/text.ts";
import { pinningHere } from "../../arena/play/affinity.ts";
import { Store } from "../../arena/store/store.ts";
import { sandboxHere } from "../../players/sandbox.ts";
import { loadTensorFlow, type Backend } from "../../training/learn/tensorflow/backend.ts";
import { loadEvaluator } from "../../specs/evaluators.ts";
import { loadRuntime } from "../../specs/files/onnx-runtime.ts";
import { createGame } from "../../games/index.ts";

/** `note`: it works, but not as well as it could. `fault`: it does not work. */
type Verdict = "ok" | "note" | "fault";

/** A finding about one thing that agon needs. */
interface Diagnosis {
  readonly subject: string;
  readonly verdict: Verdict;
  readonly text: string;
}

type Found = readonly [Verdict, string];

const EXAMINATIONS: Readonly<Record<string, () => Found | Promise<Found>>> = {
  "Node.js": examineNode,
  system: () => examineSystem(process.platform, process.arch),
  cores: () => ["ok", `${availableParallelism()}, ${cpus()[0]?.model.trim() || "of unknown make"}`],
  "TensorFlow.js": examineTensorFlow,
  WebAssembly: examineWasm,
  onnxruntime: () => ["ok", `${loadRuntime().version}, for ONNX networks with operators that agon lacks`],
  SQLite: examineSqlite,
  weights: examineWeights,
  sandbox: examineSandbox,
  affinity: examineAffinity,
};

/** Examines all subjects. It never throws: each error becomes a diagnosis. */
export async function examine(): Promise<Diagnosis[]> {
  const diagnoses: Diagnosis[] = [];
  for (const [subject, run] of Object.entries(EXAMINATIONS)) {
    const [verdict, text] = await Promise.resolve().then(run).catch(fault);
    diagnoses.push({ subject, verdict, text });
  }
  return diagnoses;
}

/** A diagnosis on one line. */
export function formatDiagnosis({ subject, verdict, text }: Diagnosis): string {
  return `${verdict.padEnd(5)} ${subject.padEnd(14)}${text}`;
}

/** An InputError is a missing part of the installation: everything else works. */
function fault(error: unknown): Found {
  return [error instanceof InputError ? "note" : "fault", firstLine(error)];
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0]!;
}

/** Node.js has the feature if its version is one of those in package.json. */
function examineNode(): Found {
  const isEnough = process.features.require_module;
  return [isEnough ? "ok" : "fault", `${process.versions.node}; needed is 20.19, or 22.12 or later`];
}

/** @internal Exported for its test: a test runs on one system only. */
export function examineSystem(platform: string, arch: string): Found {
  const system = `${platform}, ${arch}`;
  return platform === "linux"
    ? ["ok", system]
    : ["note", `${system}; agon is tested on Linux, see "Limits" in README.md`];
}

const BACKEND_NAMES: Readonly<Record<Backend, string>> = {
  node: "native library",
  wasm: "WebAssembly",
  cpu: "plain JavaScript",
};

async function examineTensorFlow(): Promise<Found> {
  const { tf, backend, notes } = await loadTensorFlow();
  const uses = `${tf.version_core}, backend ${backend} (${BACKEND_NAMES[backend]})`;
  return [notes.length === 0 ? "ok" : "note", [uses, ...notes].join("; ")];
}

/** Which features of WebAssembly the backend `wasm` finds, even if another backend is in use. */
async function examineWasm(): Promise<Found> {
  const { tf, backend, notes } = await loadTensorFlow("wasm");
  if (backend !== "wasm") return ["note", notes.join("; ")];
  const has = async (flag: string) => ((await tf.env().getAsync(flag)) === true ? "yes" : "no");
  const simd = await has("WASM_HAS_SIMD_SUPPORT");
  const threads = await has("WASM_HAS_MULTITHREAD_SUPPORT");
  return [
    simd === "yes" ? "ok" : "note",
    `SIMD ${simd}, threads ${threads} (TensorFlow.js uses none of them on Node)`,
  ];
}

function examineSqlite(): Found {
  try {
    Store.inMemory().close();
  } catch (error) {
    // Nothing is played without it.
    return ["fault", firstLine(error)];
  }
  return ["ok", "the native library loads"];
}

function examineSandbox(): Found {
  const here = sandboxHere();
  return here.works
    ? ["ok", "programs may have `sandbox: true`"]
    : ["note", `no program can have one: ${here.reason}`];
}

function examineAffinity(): Found {
  const here = pinningHere();
  return here.works
    ? [
        "ok",
        `a config may have \`affinity: true\`: taskset works, and up to ${counted(here.cores.length, "worker")} have a core each`,
      ]
    : ["note", `no worker can have a core of its own: ${here.reason}`];
}

const weightsHeader = z.looseObject({ game: z.looseObject({ id: z.string(), options: z.looseObject({}) }) });

function examineWeights(): Found {
  const dir = fileURLToPath(new URL("../../../weights", import.meta.url));
  const names = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".json"),
  );
  const faults: string[] = [];
  let loaded = 0;
  for (const name of names) {
    const path = join(dir, name);
    const document = readJson(path);
    if ((document as { format?: unknown }).format !== "agon-weights") continue;
    try {
      const { id, options } = check(weightsHeader, document, path).game;
      loadEvaluator(createGame({ ...options, id }), path);
      loaded++;
    } catch (error) {
      faults.push(`${name.replaceAll(sep, "/")}: ${firstLine(error)}`);
    }
  }
  return faults.length === 0
    ? ["ok", `all ${loaded} files that ship load`]
    : ["fault", `${loaded} files that ship load, ${faults.length} do not: ${faults.join("; ")}`];
}
