import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { check } from "../../base/check.ts";
import { beside, readBytes, readJson, writeWhole } from "../../specs/files/documents.ts";
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
  /** Names and lengths of the arrays: the weights, and the memory of learner and loop. */
  arrays: z.array(z.strictObject({ name: z.string(), length: z.int().min(0) })),
  /** The hash of all the keys above, as JSON, and then of the arrays. */
  sha256: z.string().optional(),
});
type StoredState = z.output<typeof trainingStateSchema>;

/**
 * The state of a training between two games. Together with the config it determines all that follows: step size and
 * exploration depend on the number of games alone, and eligibility traces end with their game.
 */
export interface TrainingState extends Omit<
  StoredState,
  "format" | "formatVersion" | "file" | "arrays" | "sha256"
> {
  /** The weights (`weights`) and the memory of learner and loop, by name, to the last bit. */
  readonly arrays: Readonly<Record<string, Float32Array>>;
}

/** The path of the state before the last one: `state-previous.json` beside `state.json`. */
function previousOf(path: string): string {
  return path.replace(/\.json$/, "-previous.json");
}

/**
 * Writes `path` and a file with the arrays beside it. The state that was there stays valid until both are written, and is
 * kept as the previous one.
 */
export function saveTrainingState(path: string, { arrays, ...state }: TrainingState): void {
  const before = existsSync(path) ? readFileSync(path) : undefined;
  const all = Object.entries(arrays);
  const numbers = joined(all.map(([, array]) => array));
  const stored: StoredState = {
    format: "agon-training-state",
    formatVersion: FORMAT_VERSION,
    ...state,
    // A file of this name has the same content: the arrays after the same number of games.
    file: `state-${state.games}.f32`,
    arrays: all.map(([name, { length }]) => ({ name, length })),
  };
  writeWhole(beside(path, stored.file), numbers);
  const isNew = before !== undefined && fileOf(before) !== stored.file;
  if (isNew) writeWhole(previousOf(path), before);
  writeWhole(path, `${JSON.stringify({ ...stored, sha256: checksumOf(stored, numbers) })}\n`);
  if (isNew) removeNumbers(path, [stored.file, fileOf(before)]);
}

/** Removes the state before the last one; a finished training does not need it. */
export function dropPreviousState(path: string): void {
  rmSync(previousOf(path), { force: true });
  removeNumbers(path, [fileOf(readFileSync(path))]);
}

/** Removes all arrays that no state names. */
function removeNumbers(path: string, kept: readonly (string | undefined)[]): void {
  for (const name of readdirSync(dirname(path)))
    if (/^state-\d+\.f32$/.test(name) && !kept.includes(name)) rmSync(join(dirname(path), name));
}

/** The file that a state names; undefined if the state is damaged. */
function fileOf(state: Buffer): string | undefined {
  try {
    return trainingStateSchema.parse(JSON.parse(state.toString())).file;
  } catch {
    return undefined;
  }
}

/**
 * Reads a saved state. If the last state is damaged, returns the one before it, with the fault of the last one in `damage`;
 * throws InputError if both are damaged.
 */
export function loadTrainingState(path: string): TrainingState & { readonly damage?: string } {
  try {
    return readState(path);
  } catch (error) {
    if (!(error instanceof InputError) || !existsSync(previousOf(path))) throw error;
    return { ...readState(previousOf(path)), damage: error.message };
  }
}

function readState(path: string): TrainingState {
  const { sha256, ...stored } = check(trainingStateSchema, readJson(path), path);
  const { format: _, formatVersion: __, file, arrays, ...state } = stored;
  const total = arrays.reduce((sum, { length }) => sum + length, 0);
  const bytes = readBytes(beside(path, file), 4 * total);
  if (bytes.length !== 4 * total)
    throw new InputError(`has ${bytes.length} bytes where ${4 * total} are wanted`, beside(path, file));
  if (sha256 !== undefined && sha256 !== checksumOf(stored, bytes))
    throw new InputError("is damaged: its checksum is not that of its content", path);
  let at = bytes.byteOffset;
  const read = arrays.map(({ name, length }): [string, Float32Array] => {
    const array = new Float32Array(bytes.buffer.slice(at, at + 4 * length) as ArrayBuffer);
    at += 4 * length;
    return [name, array];
  });
  return { ...state, arrays: Object.fromEntries(read) };
}

function checksumOf(stored: StoredState, numbers: Uint8Array): string {
  return createHash("sha256").update(JSON.stringify(stored)).update(numbers).digest("hex");
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
