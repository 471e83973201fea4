import { describe, expect, test } from "vitest";
import { crc32c, formatEvents } from "../../../src/training/sweep/export-events.ts";

describe("CRC-32C", () => {
  // RFC 3720, B.4, and the check value of the catalogue of checksums.
  test.each([
    ["32 zeros", new Uint8Array(32), 0x8a9136aa],
    ["32 times 255", new Uint8Array(32).fill(255), 0x62a8ab43],
    ["0 to 31", Uint8Array.from({ length: 32 }, (_, at) => at), 0x46dd794e],
    ["31 to 0", Uint8Array.from({ length: 32 }, (_, at) => 31 - at), 0x113fdb5c],
    ["123456789", Buffer.from("123456789"), 0xe3069283],
  ])("of %s is as published", (_, data, checksum) => {
    expect(crc32c(data)).toBe(checksum);
  });
});

/** The fields of a Protocol Buffers message: their numbers, and values as they are written. */
function fieldsOf(data: Buffer): [number, number | Buffer][] {
  const fields: [number, number | Buffer][] = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = data[at++]!;
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < data.length) {
    const tag = varint();
    const take = (length: number) => data.subarray(at, (at += length));
    const read = { 0: varint, 1: () => take(8), 2: () => take(varint()), 5: () => take(4) }[tag % 8]!;
    fields.push([Math.floor(tag / 8), read()]);
  }
  return fields;
}

/** The data of the records; throws if a checksum is wrong. */
function recordsOf(file: Uint8Array): Buffer[] {
  const data = Buffer.from(file);
  const records: Buffer[] = [];
  for (let at = 0; at < data.length;) {
    const length = Number(data.readBigUInt64LE(at));
    const parts = [data.subarray(at, at + 8), data.subarray(at + 12, at + 12 + length)] as const;
    const sums = [data.readUInt32LE(at + 8), data.readUInt32LE(at + 12 + length)];
    for (const [place, part] of parts.entries()) {
      const unmasked = (sums[place]! - 0xa282ead8 + 2 ** 32) % 2 ** 32;
      expect(((unmasked << 15) | (unmasked >>> 17)) >>> 0).toBe(crc32c(part));
    }
    records.push(parts[1]);
    at += 16 + length;
  }
  return records;
}

describe("an event file", () => {
  const events = [
    { time: 1700000000.5, step: 0, scalars: { elo: -12.5, missing: undefined } },
    { time: 1700000100, step: 1_000_000, scalars: { elo: 300, "TD error": 0.25, none: NaN } },
  ];

  test("begins as every event file does: with the length and checksum of its version", () => {
    const head = Buffer.from(formatEvents([]));
    expect(head.subarray(0, 13).toString("hex")).toBe("1800000000000000a37f4b2209");
    expect(head.subarray(12, 36).toString("latin1")).toContain("brain.Event:2");
  });

  test("has the time, the step and the finite figures of each event", () => {
    const [, ...records] = recordsOf(formatEvents(events));
    const read = records.map((record) => {
      const [time, step, summary] = fieldsOf(record);
      const values = fieldsOf(summary![1] as Buffer).map(([, value]) => {
        const [tag, figure] = fieldsOf(value as Buffer);
        return [(tag![1] as Buffer).toString(), (figure![1] as Buffer).readFloatLE()];
      });
      expect([time![0], step![0], summary![0]]).toEqual([1, 2, 5]);
      return { time: (time![1] as Buffer).readDoubleLE(), step: step![1], values };
    });
    expect(read).toEqual([
      { time: 1700000000.5, step: 0, values: [["elo", -12.5]] },
      {
        time: 1700000100,
        step: 1_000_000,
        values: [
          ["elo", 300],
          ["TD error", 0.25],
        ],
      },
    ]);
  });
});
