import { Buffer, isAscii, isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { extname } from "node:path";
import { Readable } from "node:stream";
import zlib from "node:zlib";
import { InputError } from "../../base/errors.ts";
import { refuseBinary, sizeOf, STANDARD_INPUT } from "./documents.ts";

/*
 * Files that other programs have written: results, games, positions. They may be compressed, larger than the memory, and in
 * another encoding than UTF-8. This is the one place that decides on that.
 */

/** The ending of a file's name in small letters, such as `.pgn`, that of a compression left out. */
export function endingOf(path: string): string {
  return extname(path.replace(/\.(?:gz|zst)$/i, "")).toLowerCase();
}

/** Bytes that are read at once. A longer line makes the buffer grow. */
const CHUNK_BYTES = 2 ** 18;
const MAX_LINE_BYTES = 2 ** 26;
const LINE_FEED = 10;

/** Takes a line: the bytes from `start` to before `end`, its line feed left out. The buffer changes afterwards. */
export type LineVisitor = (buffer: Buffer, start: number, end: number) => void;

/**
 * Calls `visit` for each line of a file, or of standard input. Throws InputError for a file that cannot be read, and for a
 * line of more than 64 MB.
 */
export async function forEachLine(path: string, visit: LineVisitor): Promise<void> {
  let kept: Buffer = Buffer.alloc(0);
  for await (const chunk of chunksOf(path)) {
    const buffer = kept.length === 0 ? chunk : Buffer.concat([kept, chunk]);
    let start = 0;
    for (;;) {
      const end = buffer.indexOf(LINE_FEED, Math.max(start, start === 0 ? kept.length : 0));
      if (end < 0) break;
      visit(buffer, start, end);
      start = end + 1;
    }
    kept = buffer.subarray(start);
    if (kept.length > MAX_LINE_BYTES)
      throw new InputError(`has a line of more than ${MAX_LINE_BYTES} bytes`, path);
  }
  // The last line of a file may lack its line feed.
  if (kept.length > 0) visit(kept, 0, kept.length);
}

/** The most bytes of a text that is in memory whole. */
const MAX_TEXT_BYTES = 2 ** 28;

/** A text from elsewhere. */
export interface ForeignText {
  readonly text: string;
  /** Notes for the user on how it was read. */
  readonly notes: readonly string[];
}

/**
 * Reads a text of up to 256 MB: UTF-8, else the encoding that the file declares as `declaredIn` finds it, else Windows-1252,
 * which Latin-1 is a part of. Throws InputError if it cannot be read.
 */
export async function readForeign(
  path: string,
  declaredIn?: (begin: string) => string | undefined,
): Promise<ForeignText> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunksOf(path)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_TEXT_BYTES)
      throw new InputError(`is too large: at most ${MAX_TEXT_BYTES} bytes are read`, path);
  }
  const bytes = Buffer.concat(chunks);
  if (isUtf8(bytes)) return { text: bytes.toString(), notes: [] };
  refuseBinary(bytes, path);
  const declared = declaredIn?.(bytes.toString("latin1", 0, 4096));
  const decoder = (declared !== undefined && decoderOf(declared)) || WINDOWS_1252;
  return { text: decoder.decode(bytes), notes: [`${path}: is not UTF-8; it is read as ${decoder.encoding}`] };
}

const UTF_8 = new TextDecoder("utf-8", { fatal: true });
const WINDOWS_1252 = new TextDecoder("windows-1252");

/** The decoder of an encoding that the file may be in; undefined for UTF-8, which it is not, and for unknown ones. */
function decoderOf(encoding: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    const decoder = new TextDecoder(encoding.trim());
    return decoder.encoding === "utf-8" ? undefined : decoder;
  } catch {
    return undefined;
  }
}

/** Decodes the lines of a file that is not in memory whole: each is UTF-8, or else Windows-1252. */
export class LineDecoder {
  /** True from the first line that is not UTF-8. */
  private isForeign = false;

  decode(buffer: Buffer, start: number, end: number): string {
    const bytes = buffer.subarray(start, end);
    if (isAscii(bytes)) return bytes.toString("latin1");
    try {
      return UTF_8.decode(bytes);
    } catch {
      this.isForeign = true;
      return WINDOWS_1252.decode(bytes);
    }
  }

  /** Notes for the user on how the file was read. */
  notes(path: string): string[] {
    return this.isForeign ? [`${path}: lines that are not UTF-8 are read as windows-1252`] : [];
  }
}

/** The bytes of a file, or of standard input, unpacked and without a byte order mark. UTF-16, which the mark or the first sign tells, comes as UTF-8. */
async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  let utf16: InstanceType<typeof TextDecoder> | undefined;
  let isFirst = true;
  for await (const chunk of bytesOf(path)) {
    let bytes = chunk;
    if (isFirst) {
      isFirst = false;
      if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) bytes = bytes.subarray(3);
      else if (bytes[0] === 0xff && bytes[1] === 0xfe) utf16 = new TextDecoder("utf-16le");
      else if (bytes[0] === 0xfe && bytes[1] === 0xff) utf16 = new TextDecoder("utf-16be");
      // No text has a NUL: the other byte of a sign in UTF-16 without a mark.
      else if (bytes[0]! > 0 && bytes[1] === 0) utf16 = new TextDecoder("utf-16le");
      else if (bytes[0] === 0 && bytes[1]! > 0) utf16 = new TextDecoder("utf-16be");
    }
    yield utf16 === undefined ? bytes : Buffer.from(utf16.decode(bytes, { stream: true }));
  }
}

async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  if (path !== STANDARD_INPUT) sizeOf(path);
  const file = createReadStream(path, {
    highWaterMark: CHUNK_BYTES,
    ...(path === STANDARD_INPUT && { fd: 0, autoClose: false }),
  });
  try {
    const chunks = file[Symbol.asyncIterator]() as AsyncIterableIterator<Buffer>;
    const { value: first, done } = await chunks.next();
    if (done === true) return;
    const whole = followedBy(first, chunks);
    const unpacked = unpackerFor(first, path);
    if (unpacked === undefined) return yield* whole;
    // `pipe` passes no errors on.
    const packed = Readable.from(whole).on("error", (error) => unpacked.destroy(error));
    for await (const chunk of packed.pipe(unpacked) as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`cannot be read: ${(error as Error).message}`, path);
  } finally {
    file.destroy();
  }
}

async function* followedBy(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

type Unpacker = NodeJS.ReadWriteStream & Readable;

const GZIP = "1f8b";
const ZSTANDARD = "28b52ffd";

/** The unpacker of a file by its first bytes, whatever its name; undefined for one that is not packed. */
function unpackerFor(bytes: Buffer, path: string): Unpacker | undefined {
  const begin = bytes.toString("hex", 0, 4);
  if (begin.startsWith(GZIP)) return zlib.createGunzip();
  if (begin !== ZSTANDARD) return undefined;
  const create = (zlib as { createZstdDecompress?: () => Unpacker }).createZstdDecompress;
  if (create !== undefined) return create();
  throw new InputError("needs Node 22.15 or later to be unpacked; unpack it with: unzstd", path);
}
