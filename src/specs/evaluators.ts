import { isAbsolute, resolve } from "node:path";
import { isWeightsPath, namedEvaluator } from "../evaluators/index.ts";
import type { Evaluator, Game } from "../games/game.ts";
import { loadWeights } from "./weights-file.ts";

/** The file's path, taken from `baseDir` when it is relative; other names stay as they are. */
export function resolveEvaluatorName(name: string, baseDir: string): string {
  return isWeightsPath(name) && !isAbsolute(name) ? resolve(baseDir, name) : name;
}

/** The evaluator that an `evaluator` option names: `none`, a heuristic of the game, or the path of a weights file; throws InputError. */
export function loadEvaluator(game: Game, name: string): Evaluator {
  return isWeightsPath(name) ? loadWeights(name, game) : namedEvaluator(game, name);
}
