import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join, normalize, sep } from "node:path";
import { parseDocument } from "yaml";
import { InputError, type Problem } from "../base/errors.ts";

/** Reads a YAML or JSON file; throws InputError with the line of each syntax error. */
export function readDocument(path: string): unknown {
  const document = parseDocument(readBytes(path).toString());
  if (document.errors.length > 0) {
    throw new InputError(
      document.errors.map(({ message }) => ({
        path: "",
        message: message.split("\n")[0]!.replace(/:$/, ""),
      })),
      path,
    );
  }
  return document.toJS();
}

/** Parses each line of a file, except blank lines and # comments; throws InputError with every bad line. */
export function readLines<T>(path: string, parse: (line: string) => T): T[] {
  const parsed: T[] = [];
  const problems: Problem[] = [];
  for (const [index, raw] of readBytes(path).toString().split("\n").entries()) {
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
 * Writes a file whole or not at all, and its folder where there is none. When it returns, the content is on the disk
 * and survives a power cut. When it throws, as on a full disk, the file is as it was before.
 */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const folder = dirname(path);
  const part = `${path}.part`;
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(part, content, { flush: true });
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  syncFolder(folder);
}

/** Puts the names of a folder's files on the disk, where the system can do that: Windows cannot. */
function syncFolder(path: string): void {
  let folder: number | undefined;
  try {
    folder = openSync(path, "r");
    fsyncSync(folder);
  } catch {
    // The rename was done; the system itself decides when it reaches the disk.
  } finally {
    if (folder !== undefined) closeSync(folder);
  }
}

/**
 * The content of a file; throws InputError if it cannot be read, or is larger than `mostBytes`, which is looked at before
 * memory is taken.
 */
export function readBytes(path: string, mostBytes = Infinity): Buffer {
  let size: number;
  try {
    ({ size } = statSync(path));
    if (size <= mostBytes) return readFileSync(path);
  } catch (error) {
    throw new InputError(`cannot be read: ${(error as Error).message}`, path);
  }
  throw new InputError(`has ${size} bytes; at most ${mostBytes} are read`, path);
}

/**
 * The path of a file that the file at `path` names by `name`: in the same folder, or below it. Throws InputError for a
 * name that leads out of that folder.
 */
export function beside(path: string, name: string): string {
  const inside = normalize(name);
  if (inside === "." || isAbsolute(inside) || inside.split(sep)[0] === ".." || name.includes("\\"))
    throw new InputError(
      `names the file ${JSON.stringify(name)}; files must be in the same folder or below it`,
      path,
    );
  return join(dirname(path), inside);
}

/** The most bytes of a JSON file: larger numbers of weights are kept in files of their own. */
const MOST_JSON_BYTES = 64 * 2 ** 20;

/** The value in a JSON file; throws InputError if it cannot be read, is larger than 64 MB or is not JSON. */
export function readJson(path: string): unknown {
  const text = readBytes(path, MOST_JSON_BYTES).toString();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(`is not JSON: ${(error as Error).message}`, path);
  }
}
