import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { InputError } from "../../base/errors.ts";

/*
 * The user's code decides how games go, so a run does not resume after the code has changed.
 */

/** Matches imports by a relative path. */
const RELATIVE_IMPORT = /\b(?:from|import|require)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g;
const EXTENSIONS = ["", ".ts", ".js", ".mts", ".mjs", ".cts", ".cjs", ".json", "/index.ts", "/index.js"];

/** Returns the files and all files that they import by relative paths, in the order of the imports. Packages are left out. */
export function codeFiles(files: readonly string[]): string[] {
  const found = new Set<string>();
  const add = (file: string) => {
    if (found.has(file)) return;
    found.add(file);
    for (const [, request = ""] of readFileSync(file, "utf8").matchAll(RELATIVE_IMPORT)) {
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
export function checkCode(files: readonly string[], hash: string | undefined): void {
  if (hash === undefined || hashCode(files) === hash) return;
  throw new InputError(
    `${files.join(" or ")}, or a file that it imports, has changed since the run was begun`,
  );
}
