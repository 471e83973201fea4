import { createHash, randomBytes } from "node:crypto";
import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
// oxlint-disable-next-line no-restricted-imports -- a lock names its process, and asks whether it lives
import process from "node:process";
import { InputError } from "../../base/errors.ts";

/** The file that says which process writes into a folder. */
const FILE_NAME = "agon.lock";
/** Handling a lock takes another process less than this. A lock that stays unfinished longer belongs to a dead process. */
const PATIENCE_MS = 2000;
const PAUSE_MS = 20;

/** The process that holds a lock, as the file describes it. */
interface Holder {
  /** Random digits that no other lock has. */
  readonly id: string;
  /** Number of the process. */
  readonly pid: number;
  /** Name of its machine. */
  readonly host: string;
  /** The time when the lock was made, ISO 8601. */
  readonly since: string;
  /** The start of the process, in ticks after the start of the machine; null if the system does not tell. */
  readonly begun: string | null;
}

/** A lock that keeps other processes out of a folder. */
export interface FolderLock {
  /** Throws if the lock is gone, because it or its folder was removed or moved. Later writes would be lost. */
  check(): void;
  /** Lets other processes in. */
  release(): void;
}

/**
 * Locks an existing folder. Throws InputError that names the process which holds the lock. The lock of a dead process is
 * removed.
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
    // A lock without a holder was made a moment ago, or a power cut has emptied it.
    if (holder === undefined && waitedMs < PATIENCE_MS) pause();
    else if (!takeAway(path, found, text)) {
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

/** True if a living process has locked the folder. */
export function isLocked(dir: string): boolean {
  const holder = holderOf(dir);
  return holder !== undefined && isAlive(holder);
}

/** True if a dead process left its lock in the folder. */
export function isAbandoned(dir: string): boolean {
  const holder = holderOf(dir);
  return holder !== undefined && !isAlive(holder);
}

/** The process that locked the folder, alive or dead; undefined without a lock, or if the lock names no process. */
function holderOf(dir: string): Holder | undefined {
  const found = readText(join(dir, FILE_NAME));
  return found === undefined ? undefined : parseHolder(found);
}

/** Makes a new file; returns false if the file exists. */
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
 * Removes the lock whose text is `found`, and no other. If several processes find it at the same time, only the process
 * that makes the claim removes it; the others get false. A claim is a lock itself: that of a dead process is removed alike.
 * @param mine the text of this process
 */
function takeAway(path: string, found: string, mine: string): boolean {
  const claim = claimOf(path, found);
  if (!create(claim, mine)) {
    const claimed = readText(claim);
    const holder = claimed === undefined ? undefined : parseHolder(claimed);
    if (holder !== undefined && !isAlive(holder)) takeAway(claim, claimed!, mine);
    return false;
  }
  if (readText(path) === found) rmSync(path, { force: true });
  rmSync(claim, { force: true });
  return true;
}

/** The path of the claim: the file that a process makes before it removes a lock of this text. */
function claimOf(path: string, found: string): string {
  return `${path}.${createHash("sha256").update(found).digest("hex").slice(0, 16)}`;
}

/** True if the holder may be alive. A process on another machine counts as alive. */
function isAlive({ host, pid, begun }: Holder): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // A process of another user refuses signals, but it exists.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  // Another process may have the holder's number now.
  const now = beginOf(pid);
  return begun === null || now === null || begun === now;
}

/** The start of a process; null if the system does not tell, "gone" if the process has ended. */
function beginOf(pid: number): string | null {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === undefined) return null;
  // The program's name, in parentheses, may contain blanks. The third field follows it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // An ended process stays in the system's table until its parent reads the exit code.
  return fields[0] === "Z" || fields[0] === "X" ? "gone" : (fields[19] ?? null);
}

function describeHolder(path: string, { pid, host, since, begun }: Holder): string {
  const who = `process ${pid} on ${host} has been writing here since ${since}; wait for its end`;
  if (host !== hostname()) return `${who}. If that process is gone, remove the file ${path}`;
  // Only Linux tells when a process began. Elsewhere another program may have the number of a dead holder.
  return begun === null
    ? `${who}, or stop it. If process ${pid} is another program, remove the file ${path}`
    : `${who}, or stop it`;
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

/** Reads a file; returns undefined if there is none. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}
