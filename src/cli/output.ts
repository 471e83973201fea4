import process from "node:process";

/** Writes a result to standard output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Writes what is not a result - progress, hints, errors - to standard error. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}
