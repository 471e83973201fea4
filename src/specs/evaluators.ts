import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { z } from "zod";
import { InputError } from "../base/errors.ts";
import type { AgentSpec } from "../agents/agent.ts";
import { isPluginPath, isWeightsPath, namedEvaluator } from "../evaluators/index.ts";
import { varyGame, type Evaluator, type FeatureSet, type Game, type Heuristic } from "../game/game.ts";
import { readJson } from "../files/documents.ts";
import { checkMembers, importPlugin, method } from "./plugins.ts";
import { loadWeights } from "../files/weights-file.ts";

/** The file's path, taken from `baseDir` when it is relative; other names stay as they are. */
export function resolveEvaluatorName(name: string, baseDir: string): string {
  const isPath = isWeightsPath(name) || isPluginPath(name);
  return isPath && !isAbsolute(name) ? resolve(baseDir, name) : name;
}

/**
 * The evaluator that an `evaluator` option names: `none`, a heuristic of the game, or the path of a weights file;
 * throws InputError. Where a file of the user's is needed, `game` must come from `equipGame`.
 */
export function loadEvaluator(game: Game, name: string): Evaluator {
  return isWeightsPath(name) ? loadWeights(name, game) : namedEvaluator(game, name);
}

/** As `loadEvaluator`, for any game: loads the files of the user's that are needed. */
export async function findEvaluator(game: Game, name: string): Promise<Evaluator> {
  return loadEvaluator(await equipGame(game, { evaluators: [name] }), name);
}

/** What `equipGame` adds to a game. Paths are absolute; names that are no paths are skipped. */
interface Equipment {
  /** As in the option `evaluator` of agents: heuristics, files with code, weights files. */
  readonly evaluators?: readonly string[];
  /** Feature sets of the game, and files with code. */
  readonly features?: readonly string[];
}

/**
 * The game with the evaluators and feature sets of the user's files: each is a heuristic or a feature set of the game
 * whose name is the path. So whatever looks for one by name finds it. A weights file may name such a feature set too.
 * Returns the game itself where no file is named; throws InputError, which names the file that is wrong.
 */
export async function equipGame(game: Game, { evaluators = [], features = [] }: Equipment): Promise<Game> {
  const heuristics: Record<string, Heuristic> = {};
  const featureSets: Record<string, FeatureSet> = {};
  for (const path of evaluators.filter(isPluginPath)) heuristics[path] = await makeEvaluator(game, path);
  for (const path of features.filter(isPluginPath)) featureSets[path] = await makeFeatures(game, path);
  for (const weights of evaluators.filter(isWeightsPath)) {
    const name = featuresOf(weights);
    if (name !== undefined) featureSets[name] ??= await makeFeatures(game, findFeatures(name, weights));
  }
  if (Object.keys({ ...heuristics, ...featureSets }).length === 0) return game;
  return varyGame(game, {
    get heuristics() {
      return { ...game.heuristics, ...heuristics };
    },
    get featureSets() {
      return { ...game.featureSets, ...featureSets };
    },
  });
}

/** The game with what the evaluators of the agents need. */
export async function equipForAgents(game: Game, specs: readonly AgentSpec[]): Promise<Game> {
  const evaluators = specs.map(({ evaluator }) => evaluator).filter((name) => typeof name === "string");
  return equipGame(game, { evaluators });
}

/** Every file with code that the agents use: theirs, those of their evaluators, and of the features of their weights. */
export function pluginFilesOf(specs: readonly AgentSpec[]): string[] {
  const files = specs.flatMap(({ agent, evaluator }) => {
    if (typeof evaluator !== "string") return [agent];
    const features = isWeightsPath(evaluator) ? featuresOf(evaluator) : undefined;
    return [agent, evaluator, ...(features === undefined ? [] : [findFeatures(features, evaluator)])];
  });
  return [...new Set(files.filter(isPluginPath))];
}

/** The file of the feature set that a weights file names; undefined where it names none, or cannot be read. */
function featuresOf(weights: string): string | undefined {
  try {
    const { features } = (readJson(weights) as { evaluator?: { features?: unknown } }).evaluator ?? {};
    return typeof features === "string" && isPluginPath(features) ? features : undefined;
  } catch {
    // Whoever loads the weights says what is wrong.
    return undefined;
  }
}

/** Weights name their feature set by the path that it had in the training; the file may also lie beside the weights. */
function findFeatures(name: string, weights: string): string {
  const beside = join(dirname(weights), basename(name));
  const found = [name, beside].find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new InputError(
    `${weights}: the feature set of these weights, ${name}, is not there, and not beside the weights; ` +
      `put ${basename(name)} into one of these places`,
  );
}

const count = z.int().min(1);

/** What an evaluator made by hand must have. */
export const heuristicShape = z.looseObject({ summary: z.string(), evaluate: method });
/** What a feature set must have. */
export const featuresShape = z.looseObject({
  summary: z.string(),
  version: count,
  size: count,
  maxActive: count,
  unit: z.boolean().optional(),
  symmetry: z.enum(["negated", "mirrored"]).optional(),
  viewer: method.optional(),
  extract: method,
  describe: method,
});

async function makeEvaluator(game: Game, path: string): Promise<Heuristic> {
  const made = fit(await importPlugin(path, "evaluator"), game, path);
  checkMembers(made, heuristicShape, `${path}: what \`create\` returns`);
  return made;
}

async function makeFeatures(game: Game, path: string): Promise<FeatureSet> {
  const made = fit(await importPlugin(path, "features"), game, path);
  checkMembers(made, featuresShape, `${path}: what \`create\` returns`);
  return made;
}

function fit<Made>(
  family: { unsupported?(game: Game): string | undefined; create(game: Game): Made },
  game: Game,
  path: string,
): Made {
  const trait = family.unsupported?.(game);
  if (trait !== undefined) throw new InputError(`${path} does not fit ${game.id}, which has ${trait}`);
  return family.create(game);
}
