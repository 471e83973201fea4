import { existsSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { z } from "zod";
import { Store } from "../../arena/store/store.ts";
import { check } from "../../base/check.ts";
import { InputError } from "../../base/errors.ts";
import { readJson } from "../../specs/files/documents.ts";
import { writeWhole } from "../../specs/files/write-file.ts";
import { LOSSES, lossesOf } from "../../ratings/sections/curve.ts";
import { loadNumbers } from "../../specs/files/weights-file.ts";
import { trainingSchema } from "../plan/config.ts";
import { Explorer } from "../self-play/explorer.ts";
import { stepSizeAt } from "../self-play/game-settings.ts";
import { checkpointPath, curveOf, learningFigures, rightShares } from "../curve/curve.ts";
import { isSweepFolder, ratedTrainings } from "./sweep-folder.ts";

/*
 * The event files that TensorBoard reads: records (length, checksum, data, checksum; little endian) of Event messages of
 * Protocol Buffers. Formats: tensorflow/core/lib/io/record_writer.h, tensorflow/core/util/event.proto and
 * tensorflow/core/framework/summary.proto.
 */

/** Figures of one moment of a training. */
interface ScalarEvent {
  /** Seconds since 1970. */
  readonly time: number;
  /** The step of the horizontal axis, a whole number from 0. */
  readonly step: number;
  /** Figures by their tags; those that are not finite are left out. */
  readonly scalars: Readonly<Record<string, number | undefined>>;
}

/** The whole event file. @internal tests read it as TensorBoard does */
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

/** The parts of a training's config that figures come from. */
const exportedConfig = z.looseObject(
  trainingSchema.pick({ name: true, games: true, learner: true, exploration: true }).required().shape,
);

/** The event files of a training's folder, or of each training of a sweep's. Throws InputError if none has a rating. */
function eventFiles(dir: string, out: string): { readonly training: string; readonly path: string }[] {
  // TensorBoard reads files whose name has the word tfevents; a folder is a run.
  const fileOf = (folder: string) => join(out, folder, "events.out.tfevents.agon");
  if (!isSweepFolder(dir)) return [{ training: dir, path: fileOf(basename(resolve(dir))) }];
  const rated = ratedTrainings(dir);
  if (rated.length === 0) throw new InputError("no training of this sweep has a rated checkpoint", dir);
  return rated.map((folder) => ({ training: join(dir, folder), path: fileOf(folder) }));
}

/** Writes the curves of a training, or of each training of a sweep, for TensorBoard. Returns the files. */
export function exportEvents(dir: string, out: string): string[] {
  return eventFiles(dir, out).map(({ training, path }) => {
    writeWhole(path, formatEvents(eventsOf(training)));
    return path;
  });
}

/** The number that says how much each kind of exploration explores. */
const EXPLORATION = {
  "epsilon-greedy": "epsilon",
  softmax: "temperature",
  ordinal: "exploitation",
} as const;

function eventsOf(dir: string): ScalarEvent[] {
  const path = join(dir, "config.json");
  if (!existsSync(path)) throw new InputError("is no folder of a training", dir);
  const config = check(exportedConfig, readJson(path), path);
  if (!Store.exists(dir)) throw new InputError("has no rated checkpoint yet", dir);
  return Store.reading({ dir }, (store) => {
    const { points, pool } = curveOf(store.requirePlan(dir), store.records());
    const shares = rightShares(dir);
    return points.map(({ games, elo, low, high, score, saturated, meanReturn, against }) => {
      const checkpoint = join(dir, checkpointPath(games));
      const number = Math.max(0, games - 1);
      const { tdError, losses } = learningFigures(checkpoint);
      const explorer = new Explorer();
      explorer.begin(config, number);
      const measure = EXPLORATION[config.exploration.kind];
      return {
        time: statSync(checkpoint).mtimeMs / 1000,
        step: games,
        scalars: {
          ...(saturated === undefined && {
            "rating/elo": elo,
            "rating/elo low": low,
            "rating/elo high": high,
          }),
          "rating/score": score,
          "rating/mean return": meanReturn.mean,
          ...Object.fromEntries(against.map(({ mean }, at) => [`return against/${pool[at]!.name}`, mean])),
          "rating/test positions right": shares[games]?.share,
          "learning/TD error": tdError,
          ...Object.fromEntries(
            lossesOf([{ losses }]).map((name) => [
              `learning/${LOSSES[name].head.toLowerCase()}`,
              losses?.[name],
            ]),
          ),
          "learning/step size": stepSizeAt(config, number),
          "learning/norm of the weights": normOf(loadNumbers(checkpoint)),
          [`learning/${measure}`]: explorer[measure],
        },
      };
    });
  });
}

/** The Euclidean norm. */
function normOf(weights: Float32Array): number {
  let squares = 0;
  for (const weight of weights) squares += weight * weight;
  return Math.sqrt(squares);
}
