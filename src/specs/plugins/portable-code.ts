import { readFileSync, existsSync, statSync } from "node:fs";
import { basename, dirname, resolve, sep } from "node:path";
import { Script } from "node:vm";
import { InputError } from "../../base/errors.ts";
import { sizeOf } from "../files/documents.ts";
import { createHash } from "node:crypto";

/** The most bytes of one file of code. */
const MOST_BYTES = 2_000_000;

/** A file of the user's as the body of a function of `exports`, `require` and `module`. */
interface PortableFile {
  /** By request in the code: the key of the imported file. */
  readonly imports: Record<string, string>;
  readonly body: string;
}

/**
 * The user's files, with all that they import, as one script that runs without a disk. A file has a key, such as
 * `0/kalah.ts`: a number for its folder, and its name. The script names no folder of this machine.
 */
export class PortableCode {
  private readonly files = new Map<string, PortableFile>();
  private readonly folders: string[] = [];

  /** Adds a file with its imports; returns its key. Throws InputError if it needs more than files and agon. */
  async add(path: string): Promise<string> {
    const transform = await loadTransform();
    const added = new Map<string, PortableFile>();
    const key = this.addTo(added, path, transform);
    for (const [one, file] of added) this.files.set(one, file);
    return key;
  }

  /** The script: it sets `agonModules`. Undefined without a file. */
  get script(): string | undefined {
    if (this.files.size === 0) return undefined;
    const modules = Array.from(this.files, ([key, { imports, body }]) => {
      return `${JSON.stringify(key)}:[${JSON.stringify(imports)},${functionOf(body)}]`;
    });
    return `self.agonModules={${modules.join(",\n")}};\n`;
  }

  private addTo(added: Map<string, PortableFile>, path: string, transform: Transform): string {
    const key = this.keyOf(path);
    if (this.files.has(key) || added.has(key)) return key;
    const name = basename(path);
    const refuse = (problem: string) => new InputError(problem, name);
    if (sizeOf(path) > MOST_BYTES) throw refuse(`has more than ${MOST_BYTES / 1e6} MB, too much for a page`);
    const source = readFileSync(path, "utf8");
    const isJson = name.endsWith(".json");
    const body = isJson ? `module.exports=JSON.parse(${JSON.stringify(source)})` : transform(source, key);
    const problem = isJson ? jsonError(source) : codeError(body);
    if (problem !== undefined) throw refuse(problem);
    const file: PortableFile = { imports: {}, body };
    added.set(key, file);
    for (const request of isJson ? [] : requestsIn(body)) {
      if (request === "agon-arena") continue;
      if (!/^\.{1,2}\//.test(request))
        throw refuse(
          `imports "${request}"; in a page, code may import files by relative paths, and agon-arena`,
        );
      const next = importedFile(path, request);
      if (next === undefined) throw refuse(`imports "${request}", which is not there`);
      file.imports[request] = this.addTo(added, next, transform);
    }
    return key;
  }

  private keyOf(path: string): string {
    const folder = dirname(path);
    if (!this.folders.includes(folder)) this.folders.push(folder);
    return `${this.folders.indexOf(folder)}/${basename(path)}`;
  }
}

/** Turns a source into the body of a CommonJS module; lines stay where they are. */
type Transform = (source: string, key: string) => string;

async function loadTransform(): Promise<Transform> {
  const { createJiti } = await import("jiti");
  const jiti = createJiti(import.meta.url, { fsCache: false });
  return (source, key) =>
    jiti.transform({
      source: source.replace(/^#!.*/, ""),
      // The code may ask for its own name, which is the key.
      filename: `/${key}`,
      ts: key.endsWith("ts"),
      babel: { comments: false, generatorOpts: { jsescOption: { minimal: true } } },
    });
}

function functionOf(body: string): string {
  return `function(exports,require,module){${body}\n}`;
}

function jsonError(source: string): string | undefined {
  try {
    JSON.parse(source);
    return undefined;
  } catch (error) {
    return `is no JSON: ${(error as Error).message}`;
  }
}

/** The reason why a body does not run in a function; undefined if it does. */
function codeError(body: string): string | undefined {
  const [, failure] = /^exports\.__JITI_ERROR__ = (\{.*\})$/s.exec(body) ?? [];
  if (failure !== undefined) {
    const { message, line } = JSON.parse(failure) as { message: string; line: number };
    return `cannot be read: ${message.trim()}, at line ${line}`;
  }
  if (body.includes("jitiImport(")) return "imports while it runs; write `import` at its top";
  try {
    new Script(`(${functionOf(body)})`);
    return undefined;
  } catch (error) {
    return `cannot run in a page: ${(error as Error).message}`;
  }
}

/** The names that a body requires. */
function requestsIn(body: string): string[] {
  return Array.from(body.matchAll(/\brequire\((?:("(?:[^"\\]|\\.)*")|'([^']*)')\)/g), ([, quoted, plain]) =>
    quoted === undefined ? plain! : (JSON.parse(quoted) as string),
  );
}

/*
 * The user's code decides how games go, so a run does not resume after the code has changed.
 */

/**
 * Matches imports by a relative path, those of types and within comments too. A parser would need the types stripped first;
 * each Node strips them by its own means, and a run may go on with another Node.
 */
const RELATIVE_IMPORT =
  /\b(?:from|import|require)(?:[\s(]|\/\/.*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*(["'`])(\.{1,2}\/[^"'`$]+)\1/g;
const EXTENSIONS = ["", ".ts", ".js", ".mts", ".mjs", ".cts", ".cjs", ".json", "/index.ts", "/index.js"];

/** Returns the files and all files that they import by relative paths, in the order of the imports. Packages are left out. */
export function codeFiles(files: readonly string[]): string[] {
  const found = new Set<string>();
  const add = (file: string) => {
    if (found.has(file)) return;
    found.add(file);
    for (const [, , request = ""] of readFileSync(file, "utf8").matchAll(RELATIVE_IMPORT)) {
      const next = importedFile(file, request);
      if (next !== undefined) add(next);
    }
  };
  for (const file of files) add(file);
  return [...found];
}

/** The file that `file` imports by a relative path; undefined if there is none. */
export function importedFile(file: string, request: string): string | undefined {
  const path = resolve(dirname(file), request);
  // TypeScript may name a file as it will be compiled: ./x.js for ./x.ts.
  const written = path.replace(/\.([cm]?)js$/, ".$1ts");
  return [...EXTENSIONS.map((extension) => `${path}${extension}`), written].find(isFile);
}

/** Hashes the content of `codeFiles`; the names of the files do not count. Returns undefined if no file is given. */
export function hashCode(files: readonly string[]): string | undefined {
  if (files.length === 0) return undefined;
  const hash = createHash("sha256");
  for (const file of codeFiles(files)) {
    const text = readFileSync(file, "utf8");
    hash.update(`${text.length}\n${text}`);
  }
  return hash.digest("hex").slice(0, 24);
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

/** Throws InputError if the code has changed since `hash` was made. */
export function checkCode(
  files: readonly string[],
  hash: string | undefined,
  now: string | undefined = hashCode(files),
): void {
  if (hash !== undefined && now !== hash) throw new InputError(describeChange(files, hash, now));
}

/** The message that files of the user's or a program have changed, with both hashes. */
export function describeChange(files: readonly string[], before?: string, now?: string): string {
  const [there, here] = [before, now].map((hash) => hash?.slice(0, 12) ?? "no hash");
  const imports = files.some((file) => /\.[cm]?[jt]s$/.test(file)) ? ", or a file that it imports," : "";
  return `${files.join(" or ")}${imports} has changed since the run was begun: ${there} there, ${here} now`;
}

/** The deepest folder that has all the files below it. */
export function commonFolder(files: readonly string[]): string {
  return files
    .map((file) => dirname(file))
    .reduce(
      (common, folder) => {
        let shared = common;
        while (folder !== shared && !folder.startsWith(shared.endsWith(sep) ? shared : `${shared}${sep}`))
          shared = dirname(shared);
        return shared;
      },
      files[0] === undefined ? sep : dirname(files[0]),
    );
}
