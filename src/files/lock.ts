import { createHash, randomBytes } from "node:crypto";
import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { InputError } from "../base/errors.ts";

/** A file of this name in a folder says which process writes there. */
const FILE_NAME = "agon.lock";
/** What another process does with a lock takes less than this. After it, what is there was left by a process that died. */
const PATIENCE_MS = 2000;
const PAUSE_MS = 20;

/** Who holds a lock, as its file says it. */
interface Holder {
  /** Tells this lock from all others. */
  readonly id: string;
  /** Number of the process. */
  readonly pid: number;
  /** Name of its machine. */
  readonly host: string;
  /** When the lock was made, ISO 8601. */
  readonly since: string;
  /** When the process began, in ticks after the start of the machine; null where the system does not tell. */
  readonly begun: string | null;
}

/** A folder that no other process writes into. */
export interface FolderLock {
  /** Throws where the lock is gone: the folder was removed or moved, or the lock was. What is written there would be lost. */
  check(): void;
  /** Lets others in. */
  release(): void;
}

/**
 * Locks a folder that exists. Throws InputError, which names the process that holds it. The lock of a process that is gone
 * is taken over.
 */
export function lockFolder(dir: string): FolderLock {
  const path = join(dir, FILE_NAME);
  const id = randomBytes(8).toString("hex");
  const { pid } = process;
  const mine: Holder = { id, pid, host: hostname(), since: new Date().toISOString(), begun: beginOf(pid) };
  const text = `${JSON.stringify(mine)}\n`;
  let waitedMs = 0;
  const pause = () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    waitedMs += PAUSE_MS;
  };
  while (!create(path, text) || readText(path) !== text) {
    const found = readText(path);
    if (found === undefined) continue;
    const holder = parseHolder(found);
    if (holder !== undefined && isAlive(holder)) throw new InputError(describeHolder(path, holder), dir);
    // A lock that names nobody was made a moment ago, or a power cut has emptied it.
    if (holder === undefined && waitedMs < PATIENCE_MS) pause();
    else if (!takeAway(path, found)) {
      if (waitedMs >= PATIENCE_MS) throw new InputError(`remove the file ${claimOf(path, found)}`, dir);
      pause();
    }
  }
  return {
    check: () => {
      if (readText(path) === text) return;
      throw Object.assign(new Error(`ENOENT: the lock of this process is gone, '${path}'`), {
        code: "ENOENT",
        path,
      });
    },
    release: () => {
      if (readText(path) === text) rmSync(path, { force: true });
    },
  };
}

/** Whether a process writes into the folder now, as far as one can tell. Nothing is changed. */
export function isLocked(dir: string): boolean {
  const holder = holderOf(dir);
  return holder !== undefined && isAlive(holder);
}

/** Whether the process that locked the folder is gone, and left its lock. */
export function isAbandoned(dir: string): boolean {
  const holder = holderOf(dir);
  return holder !== undefined && !isAlive(holder);
}

/** Who locked the folder, alive or not; undefined where nobody did, or the lock names nobody. */
function holderOf(dir: string): Holder | undefined {
  const found = readText(join(dir, FILE_NAME));
  return found === undefined ? undefined : parseHolder(found);
}

/** Makes a file that is not there; false where it is. */
function create(path: string, text: string): boolean {
  let file: number;
  try {
    file = openSync(path, "wx");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
  try {
    writeSync(file, text);
  } catch (error) {
    rmSync(path, { force: true });
    throw Object.assign(error as Error, { path });
  } finally {
    closeSync(file);
  }
  return true;
}

/**
 * Removes the lock whose text is `found`, and no other. Of several processes that found it at the same time, only the one
 * that makes the claim may remove it; false for the others. What they find next is another lock.
 */
function takeAway(path: string, found: string): boolean {
  const claim = claimOf(path, found);
  if (!create(claim, "")) return false;
  if (readText(path) === found) rmSync(path, { force: true });
  rmSync(claim, { force: true });
  return true;
}

/** The file that a process makes before it removes a lock of this text. */
function claimOf(path: string, found: string): string {
  return `${path}.${createHash("sha256").update(found).digest("hex").slice(0, 16)}`;
}

/** Whether the holder may still be writing: of a process on another machine nobody can tell. */
function isAlive({ host, pid, begun }: Holder): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process may not be sent signals, but it is there.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  // A later process may have got the number of the holder.
  const now = beginOf(pid);
  return begun === null || now === null || begun === now;
}

/** When a process began; null where the system does not tell, "gone" where the process has ended. */
function beginOf(pid: number): string | null {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === undefined) return null;
  // The name of the program, in parentheses, may hold blanks. After it come the third field and those that follow.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // A process that ended stays in the table until its parent has asked for its exit code.
  return fields[0] === "Z" || fields[0] === "X" ? "gone" : (fields[19] ?? null);
}

function describeHolder(path: string, { pid, host, since }: Holder): string {
  const who = `process ${pid} on ${host} has been writing here since ${since}; wait for its end`;
  return host === hostname()
    ? `${who}, or stop it`
    : `${who}. If that process is gone, remove the file ${path}`;
}

function parseHolder(text: string): Holder | undefined {
  try {
    const { id, pid, host, since, begun } = JSON.parse(text) as Partial<Holder>;
    const isWhole = id !== undefined && pid !== undefined && host !== undefined && since !== undefined;
    return isWhole ? { id, pid, host, since, begun: begun ?? null } : undefined;
  } catch {
    return undefined;
  }
}

/** The text of a file; undefined where there is none. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}
