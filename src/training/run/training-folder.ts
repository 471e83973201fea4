import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import { createHash } from "node:crypto";
import { z } from "zod";
import { aboutShape } from "../../base/about.ts";
import { check } from "../../base/check.ts";
import { checkCode, hashCode } from "../../specs/plugins/portable-code.ts";
import { readJson, beside, readBytes } from "../../specs/files/documents.ts";
import { makeFolder, writeWhole } from "../../specs/files/write-file.ts";
import { InputError } from "../../base/errors.ts";
import { type FolderLock, lockFolder } from "../../specs/files/lock.ts";
import { loadNumbers, saveWeights } from "../../specs/files/weights-file.ts";
import type { WeightsHeader } from "../../evaluators/stored-weights.ts";
import { checkpointPath } from "../curve/curve.ts";
import type { AgentSpec } from "../../agents/agent.ts";
import { gameIdOf } from "../../specs/games.ts";
import { referTo, ResolvedAgent } from "../../specs/references.ts";
import type { CheckedConfig } from "../plan/config.ts";

/**
 * The folder of one training. Its files:
 *
 *     config.json              the config, checked, defaults filled in
 *     state.json, state-*.f32  the progress of the training; see TrainingState
 *     state-previous.json      the state before, in case state.json is damaged; removed when the training is done
 *     checkpoints/<games>.json weights files: the weights after that number of games, to the last bit
 *     results.sqlite           the games of the rating, a tournament of the pool and the checkpoints
 *     weights/                 copies of the pool's weights
 *     curve.csv, .md, .svg     the learning curve
 *     report.html              the training as a page, written by the command line at the end
 *     best.json                the checkpoint with the highest rating
 *     weights.json             the weights that the training ends with
 *     model.json               of a network, the same as a TensorFlow.js layers model
 */
export class TrainingFolder {
  readonly dir: string;
  private lock: FolderLock | undefined;

  constructor(dir: string) {
    this.dir = dir;
  }

  get config(): string {
    return join(this.dir, "config.json");
  }

  get weights(): string {
    return join(this.dir, "weights.json");
  }

  /** The weights of the checkpoint with the highest rating. */
  get best(): string {
    return join(this.dir, "best.json");
  }

  /** The network of `weights` as a TensorFlow.js layers model. */
  get layersModel(): string {
    return join(this.dir, "model.json");
  }

  private get state(): string {
    return join(this.dir, "state.json");
  }

  checkpoint(games: number): string {
    return join(this.dir, checkpointPath(games));
  }

  hasCheckpoint(games: number): boolean {
    return existsSync(this.checkpoint(games));
  }

  /**
   * Writes the config into a new folder, with a hash of the user's code that it names. In an old folder, checks that
   * config and code are the same; throws InputError. No other process can open the folder before `close`.
   */
  open(config: CheckedConfig, { resume }: { resume: boolean }): void {
    makeFolder(this.dir);
    this.lock = lockFolder(this.dir);
    const frozen = `${JSON.stringify(this.checkConfig(config, { resume }), null, 2)}\n`;
    // Words for readers may have changed, and files may have moved.
    if (!existsSync(this.config) || readFileSync(this.config, "utf8") !== frozen)
      writeWhole(this.config, frozen);
    this.keepFeatures(config);
  }

  /** Checks that an old folder has the same config and code; returns the config as folders keep it. Throws InputError. */
  checkConfig(config: CheckedConfig, { resume }: { resume: boolean }): CheckedConfig {
    const files = codeFiles(config);
    const code = hashCode(files);
    const frozen = JSON.parse(JSON.stringify({ ...config, ...(code && { code }) })) as CheckedConfig;
    if (!existsSync(this.config)) return frozen;
    if (!resume)
      throw new InputError("holds a training already; go on with --resume, or name another folder", this.dir);
    const before = check(frozenConfig, readJson(this.config), this.config);
    checkCode(files, before.code);
    const changed = Object.entries(frozen).filter(
      ([key, value]) => key !== "code" && !Object.hasOwn(aboutShape, key) && !isSame(before[key], value),
    );
    if (changed.length > 0) {
      throw new InputError(
        changed.map(([key, value]) => ({
          path: key,
          message: `the training was begun with another config: ${JSON.stringify(before[key])} there, ${JSON.stringify(value)} now`,
        })),
        this.dir,
      );
    }
    return frozen;
  }

  /** Copies a feature set of the user's beside the weights that need it, unless it has files elsewhere. */
  private keepFeatures({ evaluator }: CheckedConfig): void {
    const features = "features" in evaluator ? referTo("features", evaluator.features) : undefined;
    if (features?.kind !== "code") return;
    const files = features.files.map((path) => ({ path, name: relative(dirname(features.path), path) }));
    if (files.some(({ name }) => name.startsWith(".."))) return;
    for (const beside of [this.weights, this.checkpoint(0)])
      for (const { path, name } of files) {
        const copy = join(dirname(beside), name);
        if (copy !== path && !existsSync(copy)) writeWhole(copy, readFileSync(path));
      }
  }

  /** Throws if the folder is gone. */
  check(): void {
    this.lock?.check();
  }

  /** Lets other processes in. */
  close(): void {
    this.lock?.release();
  }

  /** The state that was saved last, or the one before if the last is damaged; undefined if there is none yet. */
  loadState(): ReturnType<typeof loadTrainingState> | undefined {
    return existsSync(this.state) ? loadTrainingState(this.state) : undefined;
  }

  saveState(state: TrainingState): void {
    this.check();
    saveTrainingState(this.state, state);
  }

  /** The config that the training was begun with; throws InputError if there is none. */
  loadConfig(): unknown {
    const read = readJson(this.config);
    if (typeof read !== "object" || read === null) return read;
    const { code: _, ...config } = read as Record<string, unknown>;
    return config;
  }

  saveCurve({ csv, markdown, svg }: { csv: string; markdown: string; svg: string }): void {
    this.check();
    writeWhole(join(this.dir, "curve.csv"), csv);
    writeWhole(join(this.dir, "curve.md"), markdown);
    writeWhole(join(this.dir, "curve.svg"), svg);
  }

  /**
   * Writes the checkpoints after `last` and `best` games to weights.json and best.json, with new headers. The training is
   * done.
   */
  deliver(last: number, best: number, header: (games: number) => WeightsHeader): void {
    for (const [path, games] of [
      [this.weights, last],
      [this.best, best],
    ] as const)
      saveWeights(path, header(games), loadNumbers(this.checkpoint(games)));
    dropPreviousState(this.state);
  }
}

/** The part of a folder's config that is checked before the comparison. */
const frozenConfig = z.looseObject({ code: z.string().optional() });

/** True if two configs say the same; the path of a file may differ if the file has moved, or has a copy there. */
function isSame(before: unknown, now: unknown): boolean {
  if (typeof before === "string" && typeof now === "string") return before === now || hasMoved(before, now);
  if (typeof before !== "object" || typeof now !== "object" || before === null || now === null)
    return Object.is(before, now);
  const [one, other] = [Object.entries(before), new Map(Object.entries(now))];
  return (
    one.length === other.size && one.every(([key, value]) => other.has(key) && isSame(value, other.get(key)))
  );
}

function hasMoved(before: string, now: string): boolean {
  if (!isAbsolute(before) || !isAbsolute(now) || basename(before) !== basename(now)) return false;
  if (!existsSync(before)) return existsSync(now);
  const areFiles = [before, now].every((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  return areFiles && readFileSync(before).equals(readFileSync(now));
}

/** The files of code that a config names. */
function codeFiles({ game, evaluator, learner, rating }: CheckedConfig): string[] {
  const search = "search" in learner ? [learner.search] : [];
  const agents = [...search, rating.player, ...rating.pool] as AgentSpec[];
  const named = [
    referTo("game", gameIdOf(game)),
    ...("features" in evaluator ? [referTo("features", evaluator.features)] : []),
    ...agents.flatMap((spec) => new ResolvedAgent(spec).files),
  ];
  const own = named.flatMap((file) => (file.kind === "code" ? file.code : []));
  return [...new Set(own)];
}

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
 * @internal tests damage states
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

/** Removes the state before the last one; a finished training does not need it. @internal tests damage states */
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
