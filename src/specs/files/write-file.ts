import { randomUUID } from "node:crypto";
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { InputError } from "../../base/errors.ts";

/** The content of a file, whole or in pieces. */
type Content = string | Uint8Array | Iterable<string>;

/**
 * Writes a file whole or not at all; makes its folder if needed. After it returns, the content is on the disk and
 * survives a power cut. If it throws, as on a full disk, the file is unchanged. A symbolic link stays, and the file behind
 * it is written, with the mode that it has. A device, a pipe or the output of a process gets the content as it comes.
 */
export function writeWhole(path: string, content: Content): void {
  const { target, descriptor } = destinationOf(path);
  const before = lookAt(path, statSync);
  try {
    // A redirected output goes on behind what was written before; what is no file cannot be replaced.
    if (descriptor !== undefined && before?.isFile() === true) put(descriptor, content);
    else if (before !== undefined && !before.isFile()) put(path, content);
    else replace(target, content, before);
  } catch (error) {
    // The error of a full disk names no file.
    throw Object.assign(error as Error, { path });
  }
}

/** Writes to a file, which must be new if `mode` is given, or behind what an open one has. */
function put(to: string | number, content: Content, mode?: number): void {
  const file = typeof to === "number" ? to : openSync(to, mode === undefined ? "w" : "wx", mode);
  try {
    const isWhole = typeof content === "string" || content instanceof Uint8Array;
    for (const piece of isWhole ? [content] : content) writeFileSync(file, piece);
    if (mode !== undefined) fsyncSync(file);
  } finally {
    if (file !== to) closeSync(file);
  }
}

function replace(path: string, content: Content, before: Stats | undefined): void {
  const folder = dirname(path);
  // A file of the user's may have any name, and several processes may write the same file.
  const part = `${path}.${randomUUID()}.part`;
  makeFolders(folder);
  try {
    put(part, content, before === undefined ? 0o666 : 0o600);
    if (before !== undefined) likeBefore(part, before);
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  syncFolder(folder);
}

/** Gives the new file owner and mode of the one that it replaces. */
function likeBefore(part: string, { mode, uid, gid }: Stats): void {
  const { uid: own, gid: ownGroup } = statSync(part);
  try {
    if (uid !== own || gid !== ownGroup) chownSync(part, uid, gid);
  } catch {
    // Only root may give a file away.
  }
  chmodSync(part, mode & 0o7777);
}

/** The status of a path; undefined if nothing can be there, which the making of its folder tells. */
function lookAt(path: string, look: typeof statSync): Stats | undefined {
  try {
    return look(path);
  } catch {
    return undefined;
  }
}

/** The most links that are followed, as in Linux. */
const MOST_LINKS = 40;
/** The names of a process's own open files. */
const DESCRIPTOR = /^\/(?:dev|proc\/(?:self|\d+))\/fd\/(\d+)$/;

/**
 * The file behind symbolic links, which may not be there yet, or the open file of this process that they lead to. Where
 * there is no link, it is the path as it was given, which messages name.
 */
function destinationOf(path: string): { target: string; descriptor?: number } {
  let target = path;
  for (let links = 0; links < MOST_LINKS; links++) {
    const [, descriptor] = DESCRIPTOR.exec(resolve(target)) ?? [];
    if (descriptor !== undefined) return { target, descriptor: Number(descriptor) };
    if (lookAt(target, lstatSync)?.isSymbolicLink() !== true) break;
    target = resolve(dirname(target), readlinkSync(target));
  }
  return { target };
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
    makeFolder(dirname(destinationOf(path).target));
  }
  try {
    // Only opening the file tells for sure; "a" changes nothing in it.
    closeSync(openSync(path, "a"));
  } catch (error) {
    throw new InputError(`cannot be written: ${(error as Error).message}; name another file`, path);
  }
  // A link may lead to where nothing is: it stays.
  if (!isThere) rmSync(destinationOf(path).target);
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
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    // Another process may have made the parent meanwhile.
    if (!existsSync(dirname(path))) makeFolders(dirname(path));
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
