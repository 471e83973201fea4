import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { check } from "../../base/check.ts";
import { readDocument, writeWhole } from "../../specs/files.ts";
import { InputError } from "../../base/errors.ts";

const FORMAT_VERSION = 2;

const trainingStateSchema = z.strictObject({
  format: z.literal("agon-training-state"),
  formatVersion: z.literal(FORMAT_VERSION),
  /** Games, decisions and learning steps so far, and the milliseconds that they took. */
  games: z.int(),
  decisions: z.int(),
  steps: z.int(),
  timeMs: z.number(),
  /** The errors since the last checkpoint; states of older versions have none. */
  errors: z.strictObject({ count: z.int(), squares: z.number() }).default({ count: 0, squares: 0 }),
  /** State of the random generator of self-play. */
  random: z.tuple([z.int(), z.int(), z.int(), z.int()]),
  /** Name of the file, in the same folder, with all arrays one after the other, as float32, little endian. */
  file: z.string(),
  /** Names and lengths of the arrays: the weights, and what the learner remembers. */
  arrays: z.array(z.strictObject({ name: z.string(), length: z.int().min(0) })),
});
type StoredState = z.output<typeof trainingStateSchema>;

/**
 * The state of a training between two games. Together with the config it determines all that follows: step size and
 * exploration depend on the number of games alone, and eligibility traces end with their game.
 */
export interface TrainingState extends Omit<StoredState, "format" | "formatVersion" | "file" | "arrays"> {
  /** By name, to the last bit: `weights`, and what the learner remembers. */
  readonly arrays: Readonly<Record<string, Float32Array>>;
}

/** Writes `path` and a file with the arrays beside it. The state that was there stays valid until both are written. */
export function saveTrainingState(path: string, { arrays, ...state }: TrainingState): void {
  const before = existsSync(path) ? readState(path).file : undefined;
  const all = Object.entries(arrays);
  const file = `state-${state.games}.f32`;
  // If there is one after the same number of games, it has the same content.
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

/** Reads what `saveTrainingState` wrote; throws InputError if the files are damaged. */
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
