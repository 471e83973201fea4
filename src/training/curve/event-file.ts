/*
 * The event files that TensorBoard reads: records (length, checksum, data, checksum; little endian) of Event messages of
 * Protocol Buffers. Formats: tensorflow/core/lib/io/record_writer.h, tensorflow/core/util/event.proto and
 * tensorflow/core/framework/summary.proto.
 */

/** Figures of one moment of a training. */
export interface ScalarEvent {
  /** Seconds since 1970. */
  readonly time: number;
  /** The step of the horizontal axis, a whole number from 0. */
  readonly step: number;
  /** Figures by their tags; those that are not finite are left out. */
  readonly scalars: Readonly<Record<string, number | undefined>>;
}

/** The whole event file. */
export function formatEvents(events: readonly ScalarEvent[]): Uint8Array {
  const first = message([
    [1, double(events[0]?.time ?? 0)],
    [3, text("brain.Event:2")],
  ]);
  return Buffer.concat([first, ...events.map(eventMessage)].map(record));
}

function eventMessage({ time, step, scalars }: ScalarEvent): Buffer {
  const values = Object.entries(scalars).flatMap(([tag, value]): Field[] =>
    value === undefined || !Number.isFinite(value)
      ? []
      : [
          [
            1,
            bytes(
              message([
                [1, text(tag)],
                [2, float(value)],
              ]),
            ),
          ],
        ],
  );
  return message([
    [1, double(time)],
    [2, { type: 0, data: varint(step) }],
    [5, bytes(message(values))],
  ]);
}

/** A value as Protocol Buffers write it, with its wire type. */
interface Wire {
  readonly type: 0 | 1 | 2 | 5;
  readonly data: Buffer;
}
/** The number of a field and its value. */
type Field = readonly [number, Wire];

function message(fields: readonly Field[]): Buffer {
  return Buffer.concat(fields.flatMap(([number, { type, data }]) => [varint(number * 8 + type), data]));
}

function double(value: number): Wire {
  const data = Buffer.alloc(8);
  data.writeDoubleLE(value);
  return { type: 1, data };
}

function float(value: number): Wire {
  const data = Buffer.alloc(4);
  data.writeFloatLE(value);
  return { type: 5, data };
}

function bytes(data: Buffer): Wire {
  return { type: 2, data: Buffer.concat([varint(data.length), data]) };
}

function text(value: string): Wire {
  return bytes(Buffer.from(value));
}

/** A whole number in groups of seven bits, the lowest first. */
function varint(value: number): Buffer {
  const groups: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) groups.push((rest % 128) + 128);
  return Buffer.from([...groups, rest]);
}

function record(data: Buffer): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(data.length));
  return Buffer.concat([length, maskedChecksum(length), data, maskedChecksum(data)]);
}

/** The checksum of a record: CRC-32C, rotated and moved, as a checksum of data with checksums in it would be weak. */
function maskedChecksum(data: Buffer): Buffer {
  const checksum = crc32c(data);
  const rotated = ((checksum >>> 15) | (checksum << 17)) >>> 0;
  const masked = Buffer.alloc(4);
  masked.writeUInt32LE((rotated + 0xa282ead8) % 2 ** 32);
  return masked;
}

/**
 * CRC-32C (Castagnoli et al. 1993), bit by bit.
 * @internal tests compare it with published values
 */
export function crc32c(data: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of data) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0x82f63b78 : 0);
  }
  return (rest ^ 0xffffffff) >>> 0;
}
