import { createHash, hash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";

/** The first 24 hexadecimal digits of the SHA-256 of the parts. A separator keeps the parts apart. */
export function hashOf(...parts: readonly (string | number)[]): string {
  return hash("sha256", parts.join("\u001f"), "hex").slice(0, 24);
}

/** The SHA-256 of a content: 64 hexadecimal digits. */
export function sha256(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Bytes of a file that are read at a time: a file of weights may be larger than the memory. */
const PART_BYTES = 2 ** 20;

/** The SHA-256 of a file's content: 64 hexadecimal digits. Throws if the file cannot be read. */
export function hashOfFile(path: string): string {
  const sum = createHash("sha256");
  const part = new Uint8Array(PART_BYTES);
  const file = openSync(path, "r");
  try {
    for (let read = readSync(file, part); read > 0; read = readSync(file, part))
      sum.update(part.subarray(0, read));
  } finally {
    closeSync(file);
  }
  return sum.digest("hex");
}
