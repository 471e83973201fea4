import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { InputError } from "../base/errors.ts";
import type { AgentSpec } from "../agents/agent.ts";
import { TABLES_NAME } from "../agents/tables-and-book.ts";
import { engines } from "../players/engines.ts";
import { STRATEGY_NAME } from "../agents/without-search.ts";
import { readJson } from "./files/documents.ts";
import { hashOf, hashOfFile } from "./files/hashes.ts";
import { filesOfWeights } from "./files/weights-file.ts";
import { checkCode, codeFiles, hashCode } from "./plugins/portable-code.ts";

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
  book: { keys: ["book"], pattern: /\.json$/, extension: ".json", ...alone },
  // Its copy must keep its ending, by which it is read.
  polyglot: { keys: ["book"], pattern: /\.bin$/, extension: ".bin", ...alone },
  strategy: { keys: ["strategy"], pattern: STRATEGY_NAME, extension: ".json.gz", ...alone },
  // A file, or a folder with all its files, that a program needs: `locateAgent` lists those that its command names.
  program: {
    keys: ["files"],
    pattern: /./,
    extension: "",
    files: filesBelow,
    hash: (path) => hashOf(...filesBelow(path).flatMap((file) => [relative(path, file), hashOfFile(file)])),
    code: () => [],
  },
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

/** Throws InputError if the code or the files of an agent have changed since `hash` was made. */
export function checkAgentCode(agent: ResolvedAgent, hash: string | undefined): void {
  if (hash === undefined) return;
  const files = agent.files.filter(isCode).map(({ path }) => path);
  checkCode(files.length > 0 ? files : agent.code, hash, agent.codeHash);
}

/** Names that nobody means as a part of a program: hidden ones, and what interpreters and package managers write. */
const NO_PART = /^(?:\..*|__pycache__|node_modules)$/;

/** The file itself, or all files of the folder in the order of their names. Throws InputError if it is not there. */
export function filesBelow(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new InputError("is not there", path);
  if (!found.isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => !NO_PART.test(name));
  return names.toSorted().flatMap((name) => filesBelow(join(path, name)));
}

/** True for files of the user's that play: they stay where they are, and the plan has the hash of their content. */
export function isCode({ kind }: Pick<FileReference, "kind">): boolean {
  return kind === "code" || kind === "program";
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
    const isProgram = Object.hasOwn(engines, spec.agent);
    // An agent of the user's may have an option of that name.
    this.own = AGENT_KEYS.filter((key) => key !== "files" || isProgram).flatMap((key) =>
      [spec[key]].flat().flatMap((name) => {
        const reference = typeof name === "string" ? referTo(key, name, dir) : undefined;
        return reference === undefined || reference.kind === "built-in" ? [] : [reference];
      }),
    );
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

  /** The hash of all that is the user's own and decides: code, and the files of a program. Undefined without any. */
  get codeHash(): string | undefined {
    const files = this.files.filter(({ kind }) => kind === "program");
    const code = hashCode(this.code);
    return files.length === 0 ? code : hashOf(code ?? "", ...files.map(({ hash }) => hash));
  }

  /** Returns the spec with other names for its files. A program's files have them in its command, too. */
  renamed(nameOf: (file: FileReference) => string): AgentSpec {
    const names: [string, unknown][] = this.own
      .filter(({ kind }) => kind !== "program")
      .map((file) => [file.key, nameOf(file)]);
    const program = new Map(
      this.own.flatMap((file) => (file.kind === "program" ? [[file.name, nameOf(file)]] : [])),
    );
    if (program.size > 0) {
      names.push(["files", [...program.values()]]);
      const command = this.spec["command"];
      const words = Array.isArray(command) ? command : [];
      names.push(["command", words.map((word: string) => program.get(word) ?? word)]);
    }
    const agents = this.inner.map(([key, agent]) => [key, agent.renamed(nameOf)]);
    return { ...this.spec, ...Object.fromEntries([...names, ...agents]) };
  }
}

/**
 * The feature set of a weights file if it is the user's code: its name in the file, and its path. It stands at its path in the
 * training, or beside the weights, as in the folder of a run or of a training. The one beside the weights counts if they
 * differ; throws InputError if it is at neither place.
 */
export function featuresOfWeights(weights: string): { name: string; path: string } | undefined {
  const name = nameOfFeatures(weights);
  if (typeof name !== "string" || referTo("features", name).kind !== "code") return undefined;
  const file = basename(name);
  const copy = join(dirname(weights), file);
  // The original may need packages that are found from its place alone.
  const isOriginal = existsSync(name) && (!existsSync(copy) || hashCode([name]) === hashCode([copy]));
  const path = isOriginal ? name : [copy].find((one) => existsSync(one));
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
