import { crc32, deflateRawSync } from "node:zlib";
import { InputError } from "../../base/errors.ts";

/*
 * NumPy's files: a `.npy` is a header and the numbers of an array (NEP 1), a `.npz` a zip of them (APPNOTE 6.3, without Zip64).
 */

/** An array of a `.npz`, row by row. */
export interface NamedArray {
  readonly name: string;
  /** Numbers, or texts of ASCII. */
  readonly data: Uint8Array | Int8Array | Int32Array | Float32Array | readonly string[];
  /** The length of a row, in arrays of two dimensions. */
  readonly columns?: number | undefined;
}

/** More bytes need sizes of more than 32 bits. */
const MOST_BYTES = 2 ** 32 - 1;

/** The bytes of a `.npz`; throws InputError if they are 4 GB or more. */
export function formatNpz(arrays: readonly NamedArray[]): Uint8Array {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const array of arrays) {
    const plain = formatNpy(array);
    const packed = deflateRawSync(plain);
    const name = Buffer.from(`${array.name}.npy`);
    if (Math.max(plain.length, at + packed.length) > MOST_BYTES)
      throw new InputError("an .npz of 4 GB or more cannot be written; export fewer games");
    // Version 2.0, no flags, deflate, midnight of 1 January 1980, checksum, sizes, and no extra field.
    const entry = [20, 0, 8, 0, 33, crc32(plain), packed.length, plain.length, name.length, 0];
    const about = fields("2222244422", entry);
    directory.push(fields("42", [0x02014b50, 20]), about, fields("22244", [0, 0, 0, 0, at]), name);
    const file = Buffer.concat([fields("4", [0x04034b50]), about, name, packed]);
    files.push(file);
    at += file.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const { length: count } = arrays;
  const end = fields("42222442", [0x06054b50, 0, 0, count, count, size, at, 0]);
  return Buffer.concat([...files, ...directory, end]);
}

/** Whole numbers, little endian; `widths` has the bytes of each. */
function fields(widths: string, values: readonly number[]): Buffer {
  return Buffer.concat(
    values.map((value, at) => {
      const width = Number(widths[at]);
      const bytes = Buffer.alloc(width);
      bytes.writeUIntLE(value, 0, width);
      return bytes;
    }),
  );
}

function formatNpy({ data, columns }: NamedArray): Buffer {
  const { type, bytes, length } = Array.isArray(data) ? texts(data) : numbers(data as Float32Array);
  const shape = columns === undefined ? `${length},` : `${length / columns}, ${columns}`;
  const header = `{'descr': '${type}', 'fortran_order': False, 'shape': (${shape}), }`;
  // The numbers begin at a multiple of 64 bytes, after a line break.
  const padded = `${header.padEnd(Math.ceil((header.length + 11) / 64) * 64 - 11)}\n`;
  return Buffer.concat([
    Buffer.from("\u0093NUMPY\u0001\u0000", "latin1"),
    fields("2", [padded.length]),
    Buffer.from(padded),
    bytes,
  ]);
}

function numbers(data: Uint8Array | Int8Array | Int32Array | Float32Array) {
  const kind =
    data instanceof Uint8Array
      ? "|u"
      : data instanceof Int8Array
        ? "|i"
        : data instanceof Int32Array
          ? "<i"
          : "<f";
  const { buffer, byteOffset, byteLength, length, BYTES_PER_ELEMENT: width } = data;
  return { type: `${kind}${width}`, bytes: Buffer.from(buffer, byteOffset, byteLength), length };
}

/** Texts, each filled up with zeros to the length of the longest. */
function texts(data: readonly string[]) {
  const width = Math.max(1, ...data.map((text) => text.length));
  const bytes = Buffer.from(data.map((text) => text.padEnd(width, "\0")).join(""), "latin1");
  return { type: `|S${width}`, bytes, length: data.length };
}
