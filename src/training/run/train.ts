import { totalmem } from "node:os";
import { performance } from "node:perf_hooks";
import { z } from "zod";
import { check } from "../../base/check.ts";
import { InputError } from "../../base/errors.ts";
import type { Note } from "../../arena/plan/config.ts";
import { planDocument } from "../../specs/files/documents.ts";
import { loadEngine } from "../learn/tensorflow/tensorflow-trainer.ts";
import { checkElsewhere } from "../rounds/round-loop.ts";
import { checkMemory } from "../plan/checks.ts";
import { planTraining, type TrainingPlan } from "../plan/plan.ts";
import { TrainingFolder } from "./training-folder.ts";
import { Training, type TrainingHooks, type TrainingResult } from "./training.ts";

/** The arguments of `trainFromConfig`. */
export interface TrainingRequest extends Omit<TrainingHooks, "clock" | "now"> {
  /** Milliseconds from an arbitrary origin [Node's clock]. */
  readonly clock?: TrainingHooks["clock"] | undefined;
  /** The date for the weights' header [today's]. */
  readonly now?: TrainingHooks["now"] | undefined;
  /** The config, as a file or as a value. A resume needs neither. */
  readonly configPath?: string | undefined;
  readonly config?: unknown;
  /** Takes the place of the config's seed. */
  readonly seed?: string | undefined;
  /** Folder that relative paths in `config` are taken from. */
  readonly baseDir?: string | undefined;
  /** The folder of the training; `TrainingFolder` lists its files. */
  readonly outDir: string;
  /** Goes on with the training in `outDir`. */
  readonly resume?: boolean | undefined;
}

/**
 * Trains an evaluator by self-play, and rates its checkpoints. The same config gives the same weights to the last
 * bit, with any number of workers and however often the training was interrupted. Throws InputError if the config or the folder is wrong,
 * and DivergenceError if a weight is no longer a finite number.
 */
export async function trainFromConfig(request: TrainingRequest): Promise<TrainingResult> {
  const { clock = () => performance.now(), now = () => new Date() } = request;
  const folder = new TrainingFolder(request.outDir);
  const plan = await findPlan(request, folder);
  checkMemory(plan.game, plan.config, totalmem());
  if (request.openActors !== undefined) checkElsewhere(plan);
  const createTrainer = await loadEngine(plan.config);
  try {
    folder.open(plan.config, { resume: request.resume ?? false });
    return await new Training(plan, folder, { ...request, clock, now, createTrainer }).run();
  } catch (error) {
    // If the folder is gone, this is the reason for the error.
    folder.check();
    throw error;
  } finally {
    folder.close();
  }
}

/** Throws InputError with all that is wrong with a config. */
export async function checkTraining(configPath: string, options: { note?: Note } = {}): Promise<void> {
  await planDocument(configPath, (document, from) => planTraining(document, { ...from, ...options }));
}

async function findPlan(
  request: Pick<TrainingRequest, "configPath" | "config" | "seed" | "baseDir" | "outDir" | "resume">,
  folder: TrainingFolder,
): Promise<TrainingPlan> {
  const { configPath, config, resume, outDir, seed } = request;
  if (configPath !== undefined)
    return planDocument(configPath, (document, from) => planTraining(withSeed(document, seed), from));
  if (config !== undefined) return planTraining(withSeed(config, seed), { baseDir: request.baseDir ?? "." });
  if (resume !== true) throw new InputError("a training begins with a config");
  return planTraining(withSeed(folder.loadConfig(), seed), { baseDir: outDir, source: folder.config });
}

/** The config with another seed; itself if none is given, or if it is no mapping. */
function withSeed(config: unknown, seed: string | undefined): unknown {
  return seed === undefined || typeof config !== "object" || config === null ? config : { ...config, seed };
}

/** The `name` in a training file, which names the training's folder. The rest is checked when it trains. */
export async function trainingName(path: string): Promise<string> {
  return planDocument(path, (document) => check(z.looseObject({ name: z.string() }), document, path).name);
}
