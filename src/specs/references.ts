import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { InputError } from "../base/errors.ts";
import type { AgentSpec } from "../agents/agent.ts";
import { BOOK_NAME, TABLES_NAME } from "../agents/tables-and-book.ts";
import { readJson } from "../files/documents.ts";
import { hashOf, hashOfFile } from "../files/hashes.ts";
import { filesOfWeights } from "../files/weights-file.ts";
import { codeFiles, hashCode } from "../plugins/code.ts";

/*
 * A name in a spec refers to something built in, or to a file. The key that it stands under and the end of the name say
 * to which: here, and nowhere else.
 */

/** The parts of specs that may name a file. */
export type SpecKey = "game" | "agent" | "evaluator" | "features" | "tables" | "book";

/** What all files of one kind have in common. */
interface KindOfFile {
  /** Where specs name such files. */
  readonly keys: readonly SpecKey[];
  /** Names that are paths of such files. */
  readonly pattern: RegExp;
  readonly extension: string;
  /** The file and all files beside it that belong to it; throws InputError. */
  files(path: string): string[];
  /** A hash of the content of all these files. */
  hash(path: string): string;
  /** The files with code that are loaded where this file is used. */
  code(path: string): string[];
}

const alone = {
  files: (path: string) => [path],
  hash: hashOfFile,
  code: () => [],
};

/** Every kind of file that a spec may name. Where several kinds may stand, the first whose pattern fits is meant. */
export const FILE_KINDS = {
  code: {
    keys: ["game", "agent", "evaluator", "features"],
    pattern: /\.[cm]?[jt]s$/,
    extension: ".ts",
    files: (path) => codeFiles([path]),
    hash: (path) => hashCode([path])!,
    code: (path) => [path],
  },
  weights: {
    keys: ["evaluator"],
    pattern: /\.json$|\//,
    extension: ".json",
    files: filesOfWeights,
    hash: (path) => hashOf(...filesOfWeights(path).map(hashOfFile)),
    code: (path) => {
      const features = featuresOfWeights(path);
      return features === undefined ? [] : [findFeatures(features, path)];
    },
  },
  tables: { keys: ["tables"], pattern: TABLES_NAME, extension: ".agon", ...alone },
  book: { keys: ["book"], pattern: BOOK_NAME, extension: ".json", ...alone },
} as const satisfies Readonly<Record<string, KindOfFile>>;
type FileKind = keyof typeof FILE_KINDS;
const kinds: Readonly<Record<FileKind, KindOfFile>> = FILE_KINDS;

/** What a name in a spec refers to. */
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
  /** The name in the spec. */
  readonly name: string;
  readonly path: string;
  private contentHash: string | undefined;

  constructor(kind: FileKind, key: SpecKey, { name, path }: { name: string; path: string }) {
    this.kind = kind;
    this.key = key;
    this.name = name;
    this.path = path;
  }

  /** Paths of the file and of all files that belong to it; throws InputError. */
  get files(): string[] {
    return kinds[this.kind].files(this.path);
  }

  /** Paths of the files with code that are loaded where this file is used: itself, or the features of weights. */
  get code(): string[] {
    return kinds[this.kind].code(this.path);
  }

  get extension(): string {
    return kinds[this.kind].extension;
  }

  /** A hash of the content of all its files, made when it is first asked for. */
  get hash(): string {
    return (this.contentHash ??= kinds[this.kind].hash(this.path));
  }
}

/** What `name` under `key` refers to; a relative path is taken from `dir`. */
export function referTo(key: SpecKey, name: string, dir = "."): Reference {
  const kind = (Object.keys(kinds) as FileKind[]).find(
    (one) => kinds[one].keys.includes(key) && kinds[one].pattern.test(name),
  );
  if (kind === undefined) return { kind: "built-in", key, name, code: [] };
  return new FileReference(kind, key, { name, path: resolve(dir, name) });
}

/** The name with the path of a file made absolute; any other name as it is. */
export function locateName(key: SpecKey, name: string, dir: string): string {
  const reference = referTo(key, name, dir);
  return reference.kind === "built-in" ? name : reference.path;
}

const AGENT_KEYS = ["agent", "evaluator", "tables", "book"] as const satisfies readonly SpecKey[];

/** An agent's spec with what it names. Relative paths in it are taken from a folder. */
export class ResolvedAgent {
  readonly spec: AgentSpec;
  readonly files: readonly FileReference[];

  constructor(spec: AgentSpec, dir = ".") {
    this.spec = spec;
    this.files = AGENT_KEYS.flatMap((key) => {
      const name = spec[key];
      const reference = typeof name === "string" ? referTo(key, name, dir) : undefined;
      return reference === undefined || reference.kind === "built-in" ? [] : [reference];
    });
  }

  /** The spec with the absolute paths of its files. */
  get located(): AgentSpec {
    return this.renamed(({ path }) => path);
  }

  /** Paths of all code that the agent needs: its own, that of its evaluator, and the features of its weights. */
  get code(): string[] {
    return [...new Set(this.files.flatMap(({ code }) => code))];
  }

  /** The spec with other names of its files. */
  renamed(nameOf: (file: FileReference) => string): AgentSpec {
    return { ...this.spec, ...Object.fromEntries(this.files.map((file) => [file.key, nameOf(file)])) };
  }
}

/** Whether any text in a config, which is not yet checked, names a file with code, in a short form too. */
export function namesCode(given: unknown): boolean {
  if (typeof given === "string")
    return given.split(/[:=,]/).some((part) => FILE_KINDS.code.pattern.test(part.trim()));
  if (typeof given !== "object" || given === null) return false;
  return Object.values(given).some(namesCode);
}

/** The name of the file with a feature set that a weights file was made for; undefined where it names none. */
export function featuresOfWeights(weights: string): string | undefined {
  try {
    const { features } = (readJson(weights) as { evaluator?: { features?: unknown } }).evaluator ?? {};
    const isCode = typeof features === "string" && referTo("features", features).kind === "code";
    return isCode ? features : undefined;
  } catch {
    // Whoever loads the weights says what is wrong.
    return undefined;
  }
}

/** Weights name their feature set by the path that it had in the training; the file may also lie beside the weights. */
export function findFeatures(name: string, weights: string): string {
  const beside = join(dirname(weights), basename(name));
  const found = [name, beside].find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new InputError(
    `${weights}: the feature set of these weights, ${name}, is not there, and not beside the weights; ` +
      `put ${basename(name)} into one of these places`,
  );
}
