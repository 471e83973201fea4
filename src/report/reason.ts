import { basename } from "node:path";
import { InputError } from "../base/errors.ts";

/*
 * The words of errors in a page. A page may be passed on, or be served to others: it names no folder of this machine, and
 * has no error of Node or of the database.
 */

/** Faults of files and of stores, by the codes of Node and SQLite. */
const FAULTS: readonly (readonly [code: RegExp, reason: string])[] = [
  [/^SQLITE_(BUSY|LOCKED)/, "another program has locked the store"],
  [/^SQLITE_(CANTOPEN|PERM|AUTH)|^EACCES$|^EPERM$/, "the server may not read it"],
  [/^SQLITE/, "is damaged"],
  [/^ENOENT$/, "a file is missing"],
  [/^E[A-Z]+$/, "a file cannot be read"],
];

/** The reason of an error, with the name of its file. */
export function reasonOf(error: unknown): string {
  const { cause } = error as Error;
  const { code = "" } = (cause ?? error) as { code?: unknown };
  const [, fault] = FAULTS.find(([pattern]) => pattern.test(String(code))) ?? [];
  if (!(error instanceof InputError)) return fault ?? "a fault of the program or of your code";
  return cause === undefined
    ? withoutFolders(error.message, [error.source])
    : `${basename(error.source)}: ${fault ?? "cannot be opened"}`;
}

/** Node's errors in a text: a code, words, and what was asked of which file. */
const OF_NODE = /\bE[A-Z]+: ([^,\n]+), \w+(?: '[^'\n]*')?(?: -> '[^'\n]*')?/g;
/** Absolute paths of at least two parts. The last part goes on to the next sign. */
const PATH =
  /(^|[\s"'`(=:])(?:file:\/\/)?(?:[A-Za-z]:)?(?:[\\/](?=[^\s\\/])[^\\/\n"'`:,()]+)+[\\/]([^\\/\n"'`:,()]+)/g;

/** A text with the names of files instead of their paths, and without codes of Node. */
export function withoutFolders(text: string, files: readonly string[] = []): string {
  const named = files
    .filter((file) => file !== "")
    .reduce((shorter, file) => shorter.replaceAll(file, basename(file)), text);
  return named.replace(OF_NODE, "$1").replace(PATH, "$1$2");
}
