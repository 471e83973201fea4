import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { check } from "../../base/check.ts";
import { checkCode, hashCode } from "../../specs/plugins/code.ts";
import { makeFolder, readJson, writeWhole } from "../../specs/files/documents.ts";
import { InputError } from "../../base/errors.ts";
import { type FolderLock, lockFolder } from "../../specs/files/lock.ts";
import { loadNumbers, saveWeights } from "../../specs/files/weights-file.ts";
import type { WeightsHeader } from "../../evaluators/stored-weights.ts";
import { checkpointPath } from "../curve/curve.ts";
import type { AgentSpec } from "../../agents/agent.ts";
import { gameIdOf } from "../../specs/games.ts";
import { referTo, ResolvedAgent } from "../../specs/references.ts";
import type { CheckedConfig } from "../plan/config.ts";
import {
  dropPreviousState,
  loadTrainingState,
  saveTrainingState,
  type TrainingState,
} from "./training-state.ts";

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
    const frozen = this.checkConfig(config, { resume });
    if (!existsSync(this.config)) writeWhole(this.config, `${JSON.stringify(frozen, null, 2)}\n`);
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
      ([key, value]) => key !== "code" && !isDeepStrictEqual(value, before[key]),
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

/** The files of code that a config names. */
function codeFiles({ game, evaluator, learner, rating }: CheckedConfig): string[] {
  const search = learner.rule === "td-leaf" ? [learner.search] : [];
  const agents = [...search, rating.player, ...rating.pool] as AgentSpec[];
  const named = [
    referTo("game", gameIdOf(game)),
    ...("features" in evaluator ? [referTo("features", evaluator.features)] : []),
    ...agents.flatMap((spec) => new ResolvedAgent(spec).files),
  ];
  const own = named.flatMap((file) => (file.kind === "code" ? file.code : []));
  return [...new Set(own)];
}
