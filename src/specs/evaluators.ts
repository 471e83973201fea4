import { InputError } from "../base/errors.ts";
import type { AgentSpec } from "../agents/agent.ts";
import { namedEvaluator } from "../evaluators/index.ts";
import {
  varyGame,
  type Evaluator,
  type FeatureSet,
  type Game,
  type Heuristic,
} from "../games/contract/game.ts";
import { loadWeights } from "./files/weights-file.ts";
import { makeEvaluator, makeFeatures } from "./plugins/made-parts.ts";
import { featuresOfWeights, referTo, ResolvedAgent, type Reference } from "./references.ts";

/**
 * Loads the evaluator that an option names: `none`, a heuristic of the game, or a weights file. An evaluator that is the
 * user's code needs a game from `equipGame`. Throws InputError.
 */
export function loadEvaluator(game: Game, name: string): Evaluator {
  const { kind } = referTo("evaluator", name);
  if (kind === "weights") return loadWeights(name, game);
  if (kind === "code" && !Object.hasOwn(game.heuristics, name))
    throw new InputError(`files with code cannot be loaded here, got ${name}`);
  return namedEvaluator(game, name, ", or the path of a weights file");
}

/** Loads an evaluator as `loadEvaluator` does, the user's code included. */
export async function findEvaluator(game: Game, name: string): Promise<Evaluator> {
  return loadEvaluator(await equipGame(game, [referTo("evaluator", name)]), name);
}

/**
 * Adds the evaluators and feature sets of the user's files to a game. Each becomes a heuristic or a feature set whose
 * name is the path, so that every look-up by name finds it. Weights bring the feature set that they name. Returns the
 * game itself if there is nothing to add. Throws InputError that names the faulty file.
 */
export async function equipGame(game: Game, references: readonly Reference[]): Promise<Game> {
  const heuristics: Record<string, Heuristic> = {};
  const featureSets: Record<string, FeatureSet> = {};
  for (const reference of references) {
    if (reference.kind === "built-in") continue;
    const { kind, key, name, path } = reference;
    if (kind === "code" && key === "evaluator") heuristics[name] = await makeEvaluator(game, path);
    if (kind === "code" && key === "features") featureSets[name] = await makeFeatures(game, path);
    const features = kind === "weights" ? featuresOfWeights(path) : undefined;
    if (features !== undefined) featureSets[features.name] ??= await makeFeatures(game, features.path);
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

/** Adds to a game what the evaluator of an agent needs. */
export async function equipForAgent(game: Game, spec: AgentSpec): Promise<Game> {
  return equipGame(game, new ResolvedAgent(spec).files);
}
