/*
 * Protocol buffers, read without a schema (https://protobuf.dev/programming-guides/encoding). Whoever reads a message
 * knows the numbers and kinds of its fields.
 */

/** A field as it stands in a message: a whole number, or the bytes of anything else. */
type Field = number | Uint8Array;

/** A message whose fields are asked for by number. Throws RangeError for bytes that are no message. */
export class Message {
  private readonly fields = new Map<number, Field[]>();

  constructor(bytes: Uint8Array) {
    const cursor = new Cursor(bytes);
    while (!cursor.isAtEnd) {
      const key = cursor.varint();
      const number = Math.floor(key / 8);
      const field = readField(cursor, key % 8);
      const list = this.fields.get(number);
      if (list === undefined) this.fields.set(number, [field]);
      else list.push(field);
    }
  }

  /** The whole numbers of a repeated field, packed or not. */
  integers(number: number): number[] {
    return this.all(number).flatMap((field) => {
      if (typeof field === "number") return [field];
      const cursor = new Cursor(field);
      const values: number[] = [];
      while (!cursor.isAtEnd) values.push(cursor.varint());
      return values;
    });
  }

  integer(number: number, otherwise = 0): number {
    return this.integers(number).at(-1) ?? otherwise;
  }

  /** The float32 numbers of a repeated field, packed or not. */
  floats(number: number): number[] {
    return this.blocks(number).flatMap((bytes) => [...floatsOf(bytes)]);
  }

  /** The bytes of each entry of a repeated field. */
  blocks(number: number): Uint8Array[] {
    return this.all(number).map((field) => {
      if (typeof field === "number") throw new RangeError(`field ${number} has a number in place of bytes`);
      return field;
    });
  }

  messages(number: number): Message[] {
    return this.blocks(number).map((bytes) => new Message(bytes));
  }

  texts(number: number): string[] {
    return this.blocks(number).map((bytes) => new TextDecoder().decode(bytes));
  }

  text(number: number): string {
    return this.texts(number).at(-1) ?? "";
  }

  private all(number: number): readonly Field[] {
    return this.fields.get(number) ?? [];
  }
}

/** The bytes as float32, little endian. Throws RangeError if their number is no multiple of 4. */
export function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer);
}

function readField(cursor: Cursor, kind: number): Field {
  switch (kind) {
    case 0:
      return cursor.varint();
    case 1:
      return cursor.take(8);
    case 2:
      return cursor.take(cursor.varint());
    case 5:
      return cursor.take(4);
    default:
      throw new RangeError(`there is no field of kind ${kind}`);
  }
}

class Cursor {
  private readonly bytes: Uint8Array;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }

  /** A signed whole number of 64 bits; beyond 2^53 it is rounded. */
  varint(): number {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.take(1)[0]!;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(BigInt.asIntN(64, value));
    }
    throw new RangeError("a number has more than ten bytes");
  }

  take(count: number): Uint8Array {
    const end = this.at + count;
    if (count < 0 || end > this.bytes.length)
      throw new RangeError(`it ends ${end - this.bytes.length} bytes too early`);
    const taken = this.bytes.subarray(this.at, end);
    this.at = end;
    return taken;
  }
}
