import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { Script } from "node:vm";
import { InputError } from "../../base/errors.ts";
import { sizeOf } from "../files/documents.ts";
import { importedFile } from "./code.ts";

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
