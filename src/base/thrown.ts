/*
 * Exceptions in words, with the code that they come from. V8 writes a stack as lines `at name (file:line:column)`; a file is
 * a path or a file: URL.
 */

/** An error on one line: `TypeError: x is not a function`. */
export function describeError(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.split("\n")[0]!;
}

const UNREADABLE = "something that cannot be described";

/** A thrown value itself, or a text instead of a value that throws again when it is read. */
export function readableThrown(thrown: unknown): unknown {
  try {
    theirPlaceOf(thrown);
    describeError(thrown);
    return thrown;
  } catch {
    return UNREADABLE;
  }
}

/** A thrown value on one line, with the place in code that is not agon's. Never throws. */
export function describeThrown(thrown: unknown): string {
  try {
    const place = theirPlaceOf(thrown);
    return `${describeError(thrown)}${place === undefined ? "" : `, at ${place}`}`;
  } catch {
    return UNREADABLE;
  }
}

/** Describes a value that an agent gave, without running any code of the value. */
export function describeGiven(given: unknown): string {
  if (given === undefined) return "nothing";
  if (typeof given === "string")
    return JSON.stringify(given.length > 40 ? `${given.slice(0, 40)}...` : given);
  if (typeof given === "bigint")
    return given < 10n ** 40n && given > -(10n ** 40n) ? `${given}n` : "a bigint";
  if (typeof given === "number" || typeof given === "boolean" || given === null) return String(given);
  return typeof given === "object" ? "an object" : `a ${typeof given}`;
}

/** By the code of Node's or SQLite's error: the reason of the refusal, and the remedy. */
const REFUSALS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full; make room on it",
  EDQUOT: "your share of the disk is used up; make room in it",
  EFBIG: "the file would be larger than the disk or a limit of the shell (ulimit -f) allows",
  EACCES: "permission denied; look at who owns the file or its folder",
  EPERM: "the system does not permit it; look at who owns the file or its folder",
  EROFS: "the disk can only be read",
  ENOENT: "it is gone: somebody has removed or moved it or its folder",
  ENOTDIR: "a part of the path is no folder",
  EISDIR: "it is a folder, where a file is wanted",
  EMFILE: "too many files are open; raise the limit of the shell (ulimit -n), or take fewer workers",
  ENFILE: "too many files are open on this machine",
  EPIPE: "the program that reads it has ended",
  ENXIO: "nobody reads it",
  EIO: "the disk failed; look whether it is still there and whole",
  SQLITE_FULL: "the disk is full; make room on it",
  SQLITE_IOERR:
    "the disk refused it: it is full, gone or broken, or a limit of the shell (ulimit -f) is reached",
  SQLITE_READONLY:
    "it can no longer be written to; look whether the folder was moved or its permissions were changed",
  SQLITE_CANTOPEN: "it cannot be opened; look at who owns the folder, and whether it is gone",
  SQLITE_BUSY: "another program is using it; wait for that one's end",
};

/**
 * A refusal of the system and its remedy on one line: `runs/a/report.md: the disk is full; make room on it (ENOSPC)`.
 * Undefined for an error that does not come from the system.
 */
export function describeRefusal(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  // An error from another thread has lost everything but its message.
  const inMessage = /^(E[A-Z]+): .*?(?: '([^']*)')?$/s.exec(error.message) ?? [];
  const { code = inMessage[1] ?? "", path = inMessage[2] } = error as { code?: unknown; path?: unknown };
  if (typeof code !== "string") return undefined;
  // SQLITE_IOERR_WRITE is a kind of SQLITE_IOERR.
  const kind = /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? code;
  if (!Object.hasOwn(REFUSALS, kind)) return undefined;
  const where = typeof path === "string" && path !== "" ? `${path}: ` : "";
  return `${where}${REFUSALS[kind]} (${code})`;
}

/** The calls that led to an error, innermost first, as `file:line:column`, without those inside Node. */
export function placesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  return (error.stack ?? "").split("\n").flatMap((line) => {
    const place = /^\s+at (?:async )?(?:.*\()?(.+:\d+:\d+)\)?$/.exec(line)?.[1];
    if (place === undefined || place.startsWith("node:")) return [];
    return [decodeURIComponent(place.replace(/^file:\/\/(?:\/(?=[A-Za-z]:))?/, "")).replaceAll("\\", "/")];
  });
}

/** The innermost call in code that is neither agon's nor a package's; undefined if there is none. */
export function theirPlaceOf(error: unknown): string | undefined {
  // The folder of agon's own code, as it stands in stacks.
  const own = decodeURIComponent(new URL("../", import.meta.url).pathname).replace(/^\/(?=[A-Za-z]:)/, "");
  return placesOf(error).find((place) => !place.startsWith(own) && !place.includes("/node_modules/"));
}

/** The file of a place, without line and column. */
export function fileOfPlace(place: string): string {
  return place.replace(/:\d+:\d+$/, "");
}
