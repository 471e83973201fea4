import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { check } from "../base/check.ts";
import { readDocument, writeWhole } from "../specs/files.ts";
import { InputError } from "../base/errors.ts";

const FORMAT_VERSION = 2;

const trainingStateSchema = z.strictObject({
  format: z.literal("agon-training-state"),
  formatVersion: z.literal(FORMAT_VERSION),
  /** Games, decisions and learning steps done, and milliseconds spent on them. */
  games: z.int(),
  decisions: z.int(),
  steps: z.int(),
  timeMs: z.number(),
  /** State of the generator that self-play draws from. */
  random: z.tuple([z.int(), z.int(), z.int(), z.int()]),
  /** The file beside this one that holds the arrays, one after the other, as float32, little endian. */
  file: z.string(),
  /** Their names and lengths: the weights, and what the learner remembers. */
  arrays: z.array(z.strictObject({ name: z.string(), length: z.int().min(0) })),
});
type StoredState = z.output<typeof trainingStateSchema>;

/**
 * Where a training stands between two games: with the config, all that determines what comes next. The
 * schedules follow from the number of games, and no trace outlives its game.
 */
export interface TrainingState extends Omit<StoredState, "format" | "formatVersion" | "file" | "arrays"> {
  /** To the last bit; `weights` is among them. */
  readonly arrays: Readonly<Record<string, Float32Array>>;
}

/** Writes `path` and a file of numbers beside it, whole or not at all; the state before stays until then. */
export function saveTrainingState(path: string, { arrays, ...state }: TrainingState): void {
  const before = existsSync(path) ? readState(path).file : undefined;
  const all = Object.entries(arrays);
  const file = `state-${state.games}.f32`;
  // A second state after the same number of games holds the same.
  writeWhole(join(dirname(path), file), joined(all.map(([, array]) => array)));
  const stored: StoredState = {
    format: "agon-training-state",
    formatVersion: FORMAT_VERSION,
    ...state,
    file,
    arrays: all.map(([name, { length }]) => ({ name, length })),
  };
  writeWhole(path, `${JSON.stringify(stored)}\n`);
  if (before !== undefined && before !== file) rmSync(join(dirname(path), before), { force: true });
}

/** Throws InputError where the files are damaged. */
export function loadTrainingState(path: string): TrainingState {
  const { format: _, formatVersion: __, file, arrays, ...state } = readState(path);
  const bytes = readBytes(join(dirname(path), file));
  const total = arrays.reduce((sum, { length }) => sum + length, 0);
  if (bytes.length !== 4 * total)
    throw new InputError(
      `has ${bytes.length} bytes where ${4 * total} are wanted`,
      join(dirname(path), file),
    );
  let at = bytes.byteOffset;
  const read = arrays.map(({ name, length }): [string, Float32Array] => {
    const array = new Float32Array(bytes.buffer.slice(at, at + 4 * length));
    at += 4 * length;
    return [name, array];
  });
  return { ...state, arrays: Object.fromEntries(read) };
}

function readState(path: string): StoredState {
  return check(trainingStateSchema, readDocument(path), path);
}

function readBytes(path: string): Uint8Array<ArrayBuffer> {
  try {
    return readFileSync(path) as Uint8Array<ArrayBuffer>;
  } catch (error) {
    throw new InputError(`cannot be read: ${(error as Error).message}`, path);
  }
}

function joined(arrays: readonly Float32Array[]): Uint8Array {
  const bytes = new Uint8Array(arrays.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of arrays) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return bytes;
}
