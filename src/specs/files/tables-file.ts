import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { z } from "zod";
import { check } from "../../base/check.ts";
import { InputError } from "../../base/errors.ts";
import type { Game } from "../../games/contract/game.ts";
import { endgamesOf } from "../../games/endgames/retrograde.ts";
import { WholeGameTable } from "../../games/endgames/whole-game.ts";
import {
  countDistances,
  ClassTables,
  type ClassTable,
  type TableCounts,
  type EndgameTables,
  UNKNOWN,
} from "../../games/endgames/endgame-tables.ts";
import { readBytes } from "./documents.ts";
import { writeWhole } from "./write-file.ts";
import { sha256 } from "./hashes.ts";

/*
 * A file of endgame tables begins with a line of JSON that names the game. Parts follow. A part is a line of JSON, then
 * the number of packed bytes that this line tells. docs/endgames.md describes the format.
 */

const FORMAT = "agon-tables";
const FORMAT_VERSION = 1;
/** The longest line of JSON, in characters. */
const MOST_LINE = 64 * 2 ** 10;
/** The most entries of a part. No larger table can be built. */
const MOST_ENTRIES = 2 ** 28;
/** The name of the part that holds a whole game. */
export const WHOLE_GAME = "all positions";

const count = z.int().min(0).max(MOST_ENTRIES);

const headerSchema = z.strictObject({
  format: z.literal(FORMAT),
  formatVersion: z.literal(FORMAT_VERSION),
  game: z.strictObject({
    id: z.string(),
    version: z.int(),
    options: z.record(z.string(), z.unknown()).optional(),
  }),
  /** `Endgames.version`, where positions are numbered by classes. */
  numbering: z.int().optional(),
});
type Header = z.output<typeof headerSchema>;

const partSchema = z.strictObject({
  name: z.string(),
  entries: count,
  /** Bytes of a distance. */
  width: z.union([z.literal(1), z.literal(2)]),
  packed: z
    .int()
    .min(0)
    .max(2 ** 32),
  sha256: z.string(),
  wins: count,
  draws: count,
  losses: count,
  longest: count,
});

/** One table of a file: an endgame class, or all positions of the game. */
export interface TablePart extends TableCounts {
  readonly name: string;
  /** Its size in the file, in bytes. */
  readonly packed: number;
}

/** A part with its packed bytes. */
interface PackedPart {
  readonly head: z.output<typeof partSchema>;
  readonly bytes: Uint8Array;
}

/** The endgame tables of one game in a file. */
export class TablesFile {
  private readonly path: string;
  private readonly game: Game;
  private readonly header: Header;
  private readonly packed = new Map<string, PackedPart>();

  private constructor(path: string, game: Game, header: Header) {
    this.path = path;
    this.game = game;
    this.header = header;
  }

  /** Makes an empty file. It comes to the disk with its first table. */
  static empty(path: string, game: Game, { isWhole }: { isWhole: boolean }): TablesFile {
    return new TablesFile(path, game, headerFor(game, isWhole));
  }

  /** Reads a file without unpacking its tables. Throws InputError if it is for another game, or cut short. */
  static read(path: string, game: Game): TablesFile {
    const content = readBytes(path);
    const reader = new LineReader(content, path);
    const header = check(headerSchema, reader.json(), path);
    if (header.game.id !== game.id)
      throw new InputError(`is for another game: ${header.game.id}; wanted: ${game.id}`, path);
    const wanted = headerFor(game, header.numbering === undefined);
    const [given, fits] = [header, wanted].map((one) => JSON.stringify([one.game, one.numbering]));
    if (given !== fits) throw new InputError(`is for another game: ${given}; wanted: ${fits}`, path);
    const file = new TablesFile(path, game, header);
    while (!reader.isAtEnd()) {
      const head = check(partSchema, reader.json(), path);
      file.packed.set(head.name, { head, bytes: reader.bytes(head.packed) });
    }
    return file;
  }

  /** True if the table has all positions of the game, found by their hashes instead of classes. */
  get isWhole(): boolean {
    return this.header.numbering === undefined;
  }

  has(name: string): boolean {
    return this.packed.has(name);
  }

  get parts(): TablePart[] {
    return Array.from(this.packed.values(), ({ head }) => head);
  }

  /** Unpacks the table of a class. Throws InputError if it is damaged. */
  classTable(name: string): ClassTable {
    const of = endgamesOf(this.game).classNamed(name);
    const { head, bytes } = this.packed.get(name)!;
    if (head.entries !== of.size)
      throw new InputError(`${name}: must have ${of.size} entries, has ${head.entries}`, this.path);
    return { of, distances: distancesOf(this.unpack({ head, bytes }, 0), head) };
  }

  /** Unpacks all tables of the file for look-ups. Throws InputError if one is damaged. */
  load(): EndgameTables {
    const whole = this.packed.get(WHOLE_GAME);
    if (!this.isWhole) {
      const tables = Array.from(this.packed.keys(), (name) => this.classTable(name));
      return new ClassTables(endgamesOf(this.game), tables);
    }
    if (whole === undefined) throw new InputError("has no table", this.path);
    const bytes = this.unpack(whole, 8);
    const { entries } = whole.head;
    return new WholeGameTable({
      low: new Int32Array(bytes.slice(0, 4 * entries).buffer),
      high: new Int32Array(bytes.slice(4 * entries, 8 * entries).buffer),
      distances: distancesOf(bytes.subarray(8 * entries), whole.head),
    });
  }

  /** Adds a class and writes the file. */
  addClass({ of, distances }: ClassTable): void {
    this.add(of.name, distances, new Uint8Array());
  }

  /** Adds all positions of the game and writes the file. */
  addWhole({ positions: { low, high, distances } }: WholeGameTable): void {
    this.add(WHOLE_GAME, distances, Buffer.concat([bytesOf(low), bytesOf(high)]));
  }

  private add(name: string, distances: Int16Array, before: Uint8Array): void {
    const counts = countDistances(distances);
    const width = counts.longest <= 127 ? 1 : 2;
    const entries = width === 1 ? new Int8Array(distances.length) : new Int16Array(distances.length);
    // An index without a position repeats the distance before it, because such bytes compress best.
    for (let at = 0, last = 0; at < distances.length; at++) {
      if (distances[at] !== UNKNOWN) last = distances[at];
      entries[at] = last;
    }
    const plain = Buffer.concat([before, bytesOf(entries)]);
    const bytes = brotliCompressSync(plain, {
      params: {
        // Hashes do not compress, so a fast level is enough.
        [constants.BROTLI_PARAM_QUALITY]: before.length > 0 ? 5 : 9,
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    });
    const head = {
      name,
      entries: distances.length,
      width,
      packed: bytes.length,
      sha256: sha256(plain),
      ...counts,
    } as const;
    this.packed.set(name, { head, bytes });
    const lines = Array.from(this.packed.values(), (part) => [line(part.head), part.bytes]);
    writeWhole(this.path, Buffer.concat([line(this.header), ...lines.flat()]));
  }

  /** Unpacks a part and checks it; `keyBytes` stand before the distance for each entry. */
  private unpack({ head, bytes }: PackedPart, keyBytes: number): Uint8Array {
    const size = head.entries * (keyBytes + head.width);
    let plain: Uint8Array;
    try {
      plain = brotliDecompressSync(bytes, { maxOutputLength: Math.max(1, size) });
    } catch (error) {
      throw new InputError(`${head.name}: cannot be unpacked: ${(error as Error).message}`, this.path);
    }
    if (plain.length !== size || sha256(plain) !== head.sha256)
      throw new InputError(`${head.name}: damaged: the checksum is not the one in the file`, this.path);
    // A copy, because a Buffer may share its memory with others.
    return new Uint8Array(plain);
  }
}

/** Loads the tables of a file for agents. Throws InputError if it is for another game, or damaged. */
export function loadTables(path: string, game: Game): EndgameTables {
  return TablesFile.read(path, game).load();
}

function headerFor(game: Game, isWhole: boolean): Header {
  const { id, version, options } = game;
  const common = { format: FORMAT, formatVersion: FORMAT_VERSION } as const;
  // The options as the file has them: values of JSON, with sorted keys.
  const given = Object.fromEntries(
    Object.entries(JSON.parse(JSON.stringify(options)) as object).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  return isWhole
    ? { ...common, game: { id, version, options: given } }
    : { ...common, game: { id, version }, numbering: endgamesOf(game).version };
}

/** Reads lines and bytes in order. */
class LineReader {
  private readonly content: Buffer;
  private readonly path: string;
  private at = 0;

  constructor(content: Buffer, path: string) {
    this.content = content;
    this.path = path;
  }

  isAtEnd(): boolean {
    return this.at === this.content.length;
  }

  /** Parses the next line. */
  json(): unknown {
    const end = this.content.indexOf(10, this.at);
    const text = this.content.subarray(this.at, end).toString();
    if (end < 0 || text.length > MOST_LINE) throw this.noTables();
    this.at = end + 1;
    try {
      return JSON.parse(text);
    } catch {
      throw this.noTables();
    }
  }

  bytes(length: number): Uint8Array {
    const bytes = this.content.subarray(this.at, this.at + length);
    if (bytes.length < length) throw new InputError("is damaged: it ends too soon", this.path);
    this.at += length;
    return bytes;
  }

  private noTables(): InputError {
    return new InputError("is no file of tables; `agon tables` makes them", this.path);
  }
}

function line(value: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

function distancesOf(bytes: Uint8Array, { width, entries }: { width: 1 | 2; entries: number }): Int16Array {
  const { buffer } = bytes.slice(0, entries * width);
  return width === 1 ? Int16Array.from(new Int8Array(buffer)) : new Int16Array(buffer);
}

function bytesOf({ buffer, byteOffset, byteLength }: Int8Array | Int16Array | Int32Array): Uint8Array {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}
