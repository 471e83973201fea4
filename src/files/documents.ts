import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join, normalize, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { CST, Lexer, parseDocument, Parser } from "yaml";
import { InputError, type Problem } from "../base/errors.ts";

/** Limits of documents. People write far smaller and flatter ones; larger ones could take any time and memory. */
const MAX_DOCUMENT_BYTES = 16 * 2 ** 20;
const MAX_DEPTH = 200;

/** Reads a YAML or JSON file; throws InputError with the line of each syntax error. */
export function readDocument(path: string): unknown {
  const text = readBytes(path, MAX_DOCUMENT_BYTES).toString();
  checkDepth(text, path);
  try {
    const document = parseDocument(text);
    if (document.errors.length > 0) {
      throw new InputError(
        document.errors.map(({ message }) => ({
          path: "",
          message: message.split("\n")[0]!.replace(/:$/, ""),
        })),
        path,
      );
    }
    const value: unknown = document.toJS();
    checkAliases(value, path);
    return value;
  } catch (error) {
    // The parser throws this for an alias without a target, and for one that repeats too much.
    if (error instanceof ReferenceError) throw new InputError(aliasProblem(error.message), path);
    throw error;
  }
}

function aliasProblem(message: string): string {
  return message.startsWith("Excessive")
    ? "repeats itself through its aliases more than 100 times; write it out"
    : message;
}

/**
 * Throws InputError for a text that is nested too deeply: `parseDocument` is recursive and could run out of stack. The
 * syntax tree that this function walks is built without recursion.
 */
function checkDepth(text: string, path: string): void {
  checkBrackets(text, path);
  const left: { readonly token: unknown; readonly depth: number }[] = [];
  for (const token of new Parser().parse(text)) left.push({ token, depth: 0 });
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { token, depth } = next;
    const { value, items } = (token ?? {}) as {
      value?: unknown;
      items?: { key?: unknown; value?: unknown }[];
    };
    const inner = items === undefined ? depth : depth + 1;
    if (inner > MAX_DEPTH) throw tooDeep(path);
    if (typeof value === "object") left.push({ token: value, depth });
    for (const item of items ?? [])
      left.push({ token: item.key, depth: inner }, { token: item.value, depth: inner });
  }
}

/** Throws InputError for too many open brackets, or dashes on a line. With them even the syntax tree would take long. */
function checkBrackets(text: string, path: string): void {
  let open = 0;
  let dashes = 0;
  let before = "";
  for (const lexeme of new Lexer().lex(text)) {
    const isText = before === CST.SCALAR;
    before = lexeme;
    if (isText) continue;
    if (lexeme === "[" || lexeme === "{") open++;
    else if (lexeme === "]" || lexeme === "}") open--;
    else if (lexeme === "-") dashes++;
    else if (lexeme.includes("\n")) dashes = 0;
    if (Math.max(open, dashes) > MAX_DEPTH) throw tooDeep(path);
  }
}

/** Throws InputError for a value that contains itself. */
function checkAliases(value: unknown, path: string): void {
  const around = new Set<object>();
  const checked = new Set<object>();
  const visit = (inner: unknown): void => {
    if (typeof inner !== "object" || inner === null || checked.has(inner)) return;
    if (around.has(inner)) throw new InputError("an alias stands inside what it names", path);
    around.add(inner);
    for (const part of Object.values(inner)) visit(part);
    around.delete(inner);
    checked.add(inner);
  };
  visit(value);
}

function tooDeep(path: string): InputError {
  return new InputError(
    `is nested too deeply; at most ${MAX_DEPTH} lists and mappings inside each other`,
    path,
  );
}

/** The most bytes of a file of lines, such as positions. The whole file is in memory. */
const MAX_LINES_BYTES = 64 * 2 ** 20;

/**
 * Parses each line of a file, except blank lines and # comments. Throws InputError with every bad line, or if the file is
 * larger than 64 MB.
 */
export function readLines<T>(path: string, parse: (line: string) => T): T[] {
  const parsed: T[] = [];
  const problems: Problem[] = [];
  for (const [index, raw] of readBytes(path, MAX_LINES_BYTES).toString().split("\n").entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    try {
      parsed.push(parse(line));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push({ path: `line ${index + 1}`, message: error.message });
    }
  }
  if (problems.length > 0) throw new InputError(problems, path);
  return parsed;
}

/**
 * Writes a file whole or not at all; makes its folder if needed. After it returns, the content is on the disk and
 * survives a power cut. If it throws, as on a full disk, the file is unchanged.
 */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const folder = dirname(path);
  const part = `${path}.part`;
  makeFolders(folder);
  try {
    writeFileSync(part, content, { flush: true });
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    // The error of a full disk names no file.
    throw Object.assign(error as Error, { path });
  }
  syncFolder(folder);
}

/** Makes a folder and its parents if needed. Throws InputError if that fails, or if the folder cannot be written into. */
export function makeFolder(path: string): void {
  try {
    makeFolders(path);
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const what = code === "EEXIST" || code === "ENOTDIR" ? "is no folder" : "cannot be written into";
    throw new InputError(`${what}: ${(error as Error).message}; name another folder`, path);
  }
}

/** Throws InputError if the file cannot be written; makes its folder if needed. */
export function checkWritable(path: string): void {
  const isThere = existsSync(path);
  if (isThere) {
    const stats = statSync(path);
    if (stats.isDirectory()) throw new InputError("is a folder; name a file", path);
    // Opening a pipe would tell its reader that the data ends.
    if (!stats.isFile()) return;
  } else {
    makeFolder(dirname(path));
  }
  try {
    // Only opening the file tells for sure; "a" changes nothing in it.
    closeSync(openSync(path, "a"));
  } catch (error) {
    throw new InputError(`cannot be written: ${(error as Error).message}; name another file`, path);
  }
  if (!isThere) rmSync(path);
}

/** Makes folders. The `recursive` of mkdir never ends if the system calls a folder missing, as Linux does in /proc. */
function makeFolders(path: string): void {
  const make = () => {
    try {
      mkdirSync(path);
    } catch (error) {
      if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
    }
  };
  try {
    make();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || existsSync(dirname(path))) throw error;
    makeFolders(dirname(path));
    make();
  }
}

/** Puts the names of a folder's files on the disk. Windows cannot do that. */
function syncFolder(path: string): void {
  let folder: number | undefined;
  try {
    folder = openSync(path, "r");
    fsyncSync(folder);
  } catch {
    // The file is renamed; the system decides when that reaches the disk.
  } finally {
    if (folder !== undefined) closeSync(folder);
  }
}

/** Reads a file. Throws InputError if it cannot be read, or, before it takes memory, if it is larger than `mostBytes`. */
export function readBytes(path: string, mostBytes = Infinity): Buffer {
  const size = sizeOf(path);
  if (size > mostBytes)
    throw new InputError(`is too large: ${size} bytes; at most ${mostBytes} are read`, path);
  try {
    return readFileSync(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** The size of a file in bytes. Throws InputError for folders, devices and pipes: reading a pipe may never end. */
export function sizeOf(path: string): number {
  let stats: Stats;
  try {
    stats = statSync(path);
  } catch (error) {
    throw unreadable(path, error);
  }
  if (stats.isFile()) return stats.size;
  throw new InputError(
    stats.isDirectory()
      ? "is a folder; name a file"
      : "is a device, a pipe or a socket; write the content into a file and name that",
    path,
  );
}

function unreadable(path: string, error: unknown): InputError {
  const own = existsSync(path) ? undefined : shippedAs(path);
  const hint = own === undefined ? "" : `; agon's own is ${own}`;
  return new InputError(`cannot be read: ${(error as Error).message}${hint}`, path);
}

/** The folder of the program: of the clone, or of the installed package. */
const PROGRAM = fileURLToPath(new URL("../../", import.meta.url));
/** The folders of it whose files documents name. */
const SHIPPED = ["configs", "examples", "weights"];

/** The file of that name that comes with agon; undefined if none does. */
function shippedAs(path: string): string | undefined {
  const inside = relative("", path);
  const own = join(PROGRAM, inside);
  return SHIPPED.includes(inside.split(sep)[0]!) && existsSync(own) ? relative("", own) : undefined;
}

/** The path of the file `name` in the folder of `path`, or below. Throws InputError if the name leads out of that folder. */
export function beside(path: string, name: string): string {
  const inside = normalize(name);
  if (inside === "." || isAbsolute(inside) || inside.split(sep)[0] === ".." || name.includes("\\"))
    throw new InputError(
      `names the file ${JSON.stringify(name)}; files must be in the same folder or below it`,
      path,
    );
  return join(dirname(path), inside);
}

/** The most bytes of a JSON file. More weights than that are in files of their own. */
const MOST_JSON_BYTES = 64 * 2 ** 20;

/** Reads a JSON file. Throws InputError if it cannot be read, is larger than 64 MB, or is not JSON. */
export function readJson(path: string): unknown {
  const text = readBytes(path, MOST_JSON_BYTES).toString();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(`is not JSON: ${(error as Error).message}`, path);
  }
}
