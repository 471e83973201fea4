import { readFileSync } from "node:fs";
import { InputError, type Problem } from "../base/errors.ts";

/** Reads a file line by line, blank lines and # comments aside; throws InputError with every bad line. */
export function readLines<T>(path: string, parse: (line: string) => T): T[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new InputError(`cannot be read: ${(error as Error).message}`, path);
  }
  const parsed: T[] = [];
  const problems: Problem[] = [];
  for (const [index, raw] of text.split("\n").entries()) {
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
