import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { InputError } from "../base/errors.ts";
import type { AgentSpec } from "../agents/agent.ts";
import { BOOK_NAME, TABLES_NAME } from "../agents/tables-and-book.ts";
import { STRATEGY_NAME } from "../agents/without-search.ts";
import { readJson } from "./files/documents.ts";
import { hashOf, hashOfFile } from "./files/hashes.ts";
import { filesOfWeights } from "./files/weights-file.ts";
import { codeFiles, hashCode } from "./plugins/portable-code.ts";

/*
 * A name in a spec refers to something built in, or to a file. The key in front of the name and the ending of the name
 * decide which. This file is the only one that looks at them.
 */

/** The rules for all files of one kind. */
interface KindOfFile {
  /** The keys under which specs name such files. Specs of agents have all of them but `game` and `features`. */
  readonly keys: readonly string[];
  /** Matches the names that are paths of such files. */
  readonly pattern: RegExp;
  /** The ending of the copies in the folder of a run. */
  readonly extension: string;
  /** Returns the paths of the file and of the files that belong to it; throws InputError. */
  files(path: string): string[];
  /** Hashes the content of all these files. */
  hash(path: string): string;
  /** Returns the paths of the files with code that this file needs. */
  code(path: string): string[];
}

/** The rules for a file to which no other files belong. */
const alone = {
  files: (path: string) => [path],
  hash: hashOfFile,
  code: () => [],
};

/** Every kind of file that a spec may name. A name belongs to the first kind whose key and pattern fit. */
export const FILE_KINDS = {
  code: {
    keys: ["game", "agent", "evaluator", "features"],
    pattern: /\.[cm]?[jt]s$/,
    extension: ".ts",
    files: (path) => codeFiles([path]),
    hash: (path) => hashCode([path])!,
    code: (path) => [path],
  },
  // With the numbers, or the layers model, beside it.
  weights: {
    keys: ["evaluator"],
    pattern: /\.json$|\//,
    extension: ".json",
    files: filesOfWeights,
    hash: (path) => hashOf(...filesOfWeights(path).map(hashOfFile)),
    code: (path) => {
      const features = featuresOfWeights(path);
      return features === undefined ? [] : [features.path];
    },
  },
  tables: { keys: ["tables"], pattern: TABLES_NAME, extension: ".agon", ...alone },
  book: { keys: ["book"], pattern: BOOK_NAME, extension: ".json", ...alone },
  strategy: { keys: ["strategy"], pattern: STRATEGY_NAME, extension: ".json.gz", ...alone },
} as const satisfies Readonly<Record<string, KindOfFile>>;
type FileKind = keyof typeof FILE_KINDS;
/** A key of specs whose value may name a file. */
export type SpecKey = (typeof FILE_KINDS)[FileKind]["keys"][number];
const kinds: Readonly<Record<FileKind, KindOfFile>> = FILE_KINDS;

/** The thing that a name in a spec refers to. */
export type Reference =
  | {
      readonly kind: "built-in";
      readonly key: SpecKey;
      readonly name: string;
      /** See FileReference. */
      readonly code: readonly string[];
    }
  | FileReference;

/** A file that a spec names. */
export class FileReference {
  readonly kind: FileKind;
  readonly key: SpecKey;
  /** The name as the spec writes it. */
  readonly name: string;
  readonly path: string;
  private contentHash: string | undefined;

  constructor(kind: FileKind, key: SpecKey, { name, path }: { name: string; path: string }) {
    this.kind = kind;
    this.key = key;
    this.name = name;
    this.path = path;
  }

  /** The paths of the file and of the files that belong to it; throws InputError. */
  get files(): string[] {
    return kinds[this.kind].files(this.path);
  }

  /** The paths of the code that this file needs: the file itself, or the feature set that a weights file names. */
  get code(): string[] {
    return kinds[this.kind].code(this.path);
  }

  /** The ending of copies of this file. */
  get extension(): string {
    return kinds[this.kind].extension;
  }

  /** The hash of the content of all its files, computed when somebody first asks for it. */
  get hash(): string {
    return (this.contentHash ??= kinds[this.kind].hash(this.path));
  }
}

/** Resolves a name under a key; a relative path starts at `dir`. */
export function referTo(key: SpecKey, name: string, dir = "."): Reference {
  const kind = (Object.keys(kinds) as FileKind[]).find(
    (one) => kinds[one].keys.includes(key) && kinds[one].pattern.test(name),
  );
  if (kind === undefined) return { kind: "built-in", key, name, code: [] };
  return new FileReference(kind, key, { name, path: resolve(dir, name) });
}

/** Returns the absolute path of a file's name, and any other name itself. */
export function locateName(key: SpecKey, name: string, dir: string): string {
  const reference = referTo(key, name, dir);
  return reference.kind === "built-in" ? name : reference.path;
}

const AGENT_KEYS = [...new Set<SpecKey>(Object.values(FILE_KINDS).flatMap(({ keys }) => keys))].filter(
  (key) => key !== "game" && key !== "features",
);

/** Options of agents whose values are specs of agents. */
const INNER_KEYS = ["opponent", "search"] as const;

/** An agent's spec together with the files that it names, itself or in the agents among its options. Relative paths start at `dir`. */
export class ResolvedAgent {
  readonly spec: AgentSpec;
  readonly files: readonly FileReference[];
  /** The files that it names itself. */
  private readonly own: readonly FileReference[];
  private readonly inner: readonly (readonly [key: string, agent: ResolvedAgent])[];

  constructor(spec: AgentSpec, dir = ".") {
    this.spec = spec;
    this.own = AGENT_KEYS.flatMap((key) => {
      const name = spec[key];
      const reference = typeof name === "string" ? referTo(key, name, dir) : undefined;
      return reference === undefined || reference.kind === "built-in" ? [] : [reference];
    });
    this.inner = INNER_KEYS.flatMap((key) => {
      const inner = spec[key] as Partial<AgentSpec> | undefined | null;
      return typeof inner?.agent === "string" ? [[key, new ResolvedAgent(inner as AgentSpec, dir)]] : [];
    });
    this.files = [...this.own, ...this.inner.flatMap(([, { files }]) => files)];
  }

  /** The spec with the absolute paths of its files. */
  get located(): AgentSpec {
    return this.renamed(({ path }) => path);
  }

  /** The paths of all code that the agent needs: its own, its evaluator's, and the feature set of its weights. */
  get code(): string[] {
    return [...new Set(this.files.flatMap(({ code }) => code))];
  }

  /** Returns the spec with other names for its files. */
  renamed(nameOf: (file: FileReference) => string): AgentSpec {
    const names = this.own.map((file) => [file.key, nameOf(file)]);
    const agents = this.inner.map(([key, agent]) => [key, agent.renamed(nameOf)]);
    return { ...this.spec, ...Object.fromEntries([...names, ...agents]) };
  }
}

/**
 * The feature set of a weights file if it is the user's code: its name in the file, and its path. It stands at its path
 * in the training, or beside the weights; throws InputError if it is at neither place.
 */
export function featuresOfWeights(weights: string): { name: string; path: string } | undefined {
  const name = nameOfFeatures(weights);
  if (typeof name !== "string" || referTo("features", name).kind !== "code") return undefined;
  const file = basename(name);
  const path = [name, join(dirname(weights), file)].find((one) => existsSync(one));
  if (path !== undefined) return { name, path };
  throw new InputError(
    `${weights}: the feature set of these weights, ${name}, is not there, and not beside the weights; ` +
      `put ${file} into one of these places`,
  );
}

function nameOfFeatures(weights: string): unknown {
  try {
    return (readJson(weights) as { evaluator?: { features?: unknown } }).evaluator?.features;
  } catch {
    // Loading the weights reports the fault.
    return undefined;
  }
}
