import { Buffer } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";
import { InputError, type Problem } from "../../base/errors.ts";
import { sizeOf } from "../../specs/files/documents.ts";

/** Bytes that are read at once. A longer line makes the buffer grow. */
const CHUNK_BYTES = 2 ** 18;
const MAX_LINE_BYTES = 2 ** 26;
const LINE_FEED = 10;
const BYTE_ORDER_MARK = 0xefbbbf;

/** Takes a line: the bytes from `start` to before `end`, its line feed left out. The buffer changes afterwards. */
export type LineVisitor = (buffer: Buffer, start: number, end: number) => void;

/**
 * Calls `visit` for each line of a file, which may be larger than the memory. Throws InputError for a file that cannot be
 * read, and for a line of more than 64 MB.
 */
export function forEachLine(path: string, visit: LineVisitor): void {
  sizeOf(path);
  const file = openSync(path, "r");
  try {
    let buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    let kept = 0;
    let isFirst = true;
    for (;;) {
      if (kept === buffer.length) buffer = grown(buffer, path);
      const read = readSync(file, buffer, kept, buffer.length - kept, null);
      const end = kept + read;
      let start = isFirst && end >= 3 && buffer.readUIntBE(0, 3) === BYTE_ORDER_MARK ? 3 : 0;
      isFirst = false;
      for (let at = Math.max(start, kept); at < end; at++) {
        if (buffer[at] !== LINE_FEED) continue;
        visit(buffer, start, at);
        start = at + 1;
      }
      if (read === 0) {
        // The last line of a file may lack its line feed.
        if (start < end) visit(buffer, start, end);
        return;
      }
      buffer.copyWithin(0, start, end);
      kept = end - start;
    }
  } finally {
    closeSync(file);
  }
}

function grown(buffer: Buffer, path: string): Buffer<ArrayBuffer> {
  if (buffer.length >= MAX_LINE_BYTES)
    throw new InputError(`has a line of more than ${MAX_LINE_BYTES} bytes`, path);
  const larger = Buffer.allocUnsafe(2 * buffer.length);
  buffer.copy(larger);
  return larger;
}

/** Reading stops after this many problems. */
const MAX_PROBLEMS = 100;

/** The problems of a file of lines, each with its line. */
export class LineProblems {
  private readonly path: string;
  private readonly list: Problem[] = [];

  constructor(path: string) {
    this.path = path;
  }

  /** Throws InputError if there are a hundred problems. */
  add(line: number, message: string): void {
    this.list.push({ path: `line ${line}`, message });
    if (this.list.length === MAX_PROBLEMS) this.throwIfAny();
  }

  throwIfAny(): void {
    if (this.list.length > 0) throw new InputError(this.list, this.path);
  }
}
