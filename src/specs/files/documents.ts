import { existsSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { Buffer, isUtf8 } from "node:buffer";
import { dirname, isAbsolute, join, normalize, relative, sep, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { InputError, MAX_TOLD, type Problem } from "../../base/errors.ts";
import { type DocumentText, parseDocumentText } from "./document-text.ts";

/** The most bytes of a config. Weights, books and positions are files of their own, with other readers. */
const MAX_CONFIG_BYTES = 2 ** 20;

/** The name that stands for standard input; the command line also takes `-`. */
export const STANDARD_INPUT = "/dev/stdin";

/** The text of standard input, which can be read once. */
let input: Buffer | undefined;

/** The folder that relative paths of a config are taken from: its own, or the current one for standard input. */
export function configFolder(path: string): string {
  return path === STANDARD_INPUT ? resolve(".") : dirname(resolve(path));
}

/** Reads a config, in YAML or JSON, of up to a megabyte; throws InputError with the place of each syntax error. */
export function readDocument(path: string): unknown {
  return readPlaces(path).value;
}

function readPlaces(path: string): DocumentText {
  return parseDocumentText(readText(path, MAX_CONFIG_BYTES), path);
}

/** The file of a document, for messages and for relative paths in it. */
export interface Source {
  /** Folder that relative paths are taken from. */
  readonly baseDir: string;
  /** The file's path; empty for a document in memory. */
  readonly source: string;
}

/** Reads a config and makes what it plans. Throws InputError; problems of the config have their line and column. */
export async function planDocument<T>(
  path: string,
  plan: (document: unknown, from: Source) => T | Promise<T>,
): Promise<T> {
  const { value, placeOf } = readPlaces(path);
  try {
    return await plan(value, { baseDir: configFolder(path), source: path });
  } catch (error) {
    if (!(error instanceof InputError) || error.source !== path) throw error;
    const told = error.problems.slice(0, MAX_TOLD);
    const placed = told.map((problem) => ({ ...problem, place: placeOf(problem.path) }));
    throw new InputError([...placed, ...error.problems.slice(MAX_TOLD)], path);
  }
}

/** The most bytes of a file of lines, such as positions. The whole file is in memory. */
const MAX_LINES_BYTES = 64 * 2 ** 20;

/**
 * Parses each line of a file, except blank lines and # comments. Throws InputError with every bad line, or if the file is
 * larger than 64 MB.
 */
export function readLines<T>(path: string, parse: (line: string) => T): T[] {
  return parseLines(readText(path, MAX_LINES_BYTES), path, parse);
}

/**
 * Parses the lines of a text that `path` has, as `readLines` does.
 * @param passOver takes the problem of a line, which is then left out [all problems are thrown at the end]
 */
export function parseLines<T>(
  text: string,
  path: string,
  parse: (line: string) => T,
  passOver?: (problem: Problem) => void,
): T[] {
  const parsed: T[] = [];
  const problems: Problem[] = [];
  const add = (problem: Problem) => void problems.push(problem);
  for (const [index, raw] of text.split("\n").entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    try {
      parsed.push(parse(line));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      (passOver ?? add)({ path: `line ${index + 1}`, message: error.message });
    }
  }
  if (problems.length > 0) throw new InputError(problems, path);
  return parsed;
}

/** Reads a file. Throws InputError if it cannot be read, or, before it takes memory, if it is larger than `mostBytes`. */
export function readBytes(path: string, mostBytes = Infinity): Buffer {
  if (path === STANDARD_INPUT) return (input ??= readFileSync(0));
  const size = sizeOf(path);
  if (size > mostBytes)
    throw new InputError(`is too large: ${size} bytes; at most ${mostBytes} are read`, path);
  try {
    return readFileSync(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Throws InputError for bytes that are no text in any encoding: they have zeros, without the mark of UTF-16. */
export function refuseBinary(bytes: Uint8Array, path: string): void {
  if (bytes.includes(0) && bytes[0]! < 0xfe)
    throw new InputError(
      "is no text: a file of another kind, such as a book of another program or a picture",
      path,
    );
}

/** Reads a text; throws as `readBytes` does, and if the file is not UTF-8. */
export function readText(path: string, mostBytes: number): string {
  const bytes = readBytes(path, mostBytes);
  const text = bytes.toString();
  if (isUtf8(bytes)) return text;
  refuseBinary(bytes, path);
  // Each wrong byte became a sign of its own, so the bytes of the text differ there first.
  const again = Buffer.from(text);
  const at = bytes.findIndex((byte, index) => byte !== again[index]);
  const line = bytes.subarray(0, at).toString("latin1").split("\n").length;
  const column = at - bytes.lastIndexOf("\n", Math.max(0, at - 1));
  const shown = bytes[at]!.toString(16).padStart(2, "0");
  throw new InputError(
    `is not UTF-8: line ${line}, byte ${column} is 0x${shown}; save the file as UTF-8`,
    path,
  );
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
export const PROGRAM = fileURLToPath(new URL("../../../", import.meta.url));
/** The folders of it whose files documents name. */
const SHIPPED = ["configs", "examples", "weights"];

/** The file of that name that comes with agon; undefined if none does. */
function shippedAs(path: string): string | undefined {
  const inside = relative("", path);
  const own = join(PROGRAM, inside);
  return SHIPPED.includes(inside.split(sep)[0]!) && existsSync(own) ? relative("", own) : undefined;
}

/**
 * The path of the file `name` in the folder of `path`, or below. Throws InputError if the name, or a symbolic link on its
 * way, leads out of that folder.
 */
export function beside(path: string, name: string): string {
  const inside = normalize(name);
  if (inside === "." || isAbsolute(inside) || inside.split(sep)[0] === ".." || name.includes("\\"))
    throw new InputError(
      `names the file ${JSON.stringify(name)}; files must be in the same folder or below it`,
      path,
    );
  const found = join(dirname(path), inside);
  const [real, folder] = [realPath(found), realPath(dirname(path))];
  if (real !== undefined && folder !== undefined && !isInside(real, folder))
    throw new InputError(
      `names the file ${JSON.stringify(name)}, a symbolic link to ${real}; files must be in the same folder or below it`,
      path,
    );
  return found;
}

/** The path without symbolic links; undefined if there is nothing. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function isInside(path: string, folder: string): boolean {
  const from = relative(folder, path);
  return from !== ".." && !from.startsWith(`..${sep}`) && !isAbsolute(from);
}

/** The most bytes of a JSON file. More weights than that are in files of their own. */
const MOST_JSON_BYTES = 64 * 2 ** 20;

/** Reads a JSON file. Throws InputError if it cannot be read, is larger than 64 MB, or is not JSON. */
export function readJson(path: string): unknown {
  const text = readText(path, MOST_JSON_BYTES);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(`is not JSON: ${(error as Error).message}`, path);
  }
}
