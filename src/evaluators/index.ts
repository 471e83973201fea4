import { isAbsolute, resolve } from "node:path";
import { InputError, unknownName } from "../base/errors.ts";
import type { Evaluator, Game } from "../games/game.ts";
import { noOpinion } from "./none.ts";
import { loadWeights } from "./weights-file.ts";

/** What an `evaluator` option may say: `none`, a heuristic of the game, or a weights file. */
export function isWeightsPath(name: string): boolean {
  return name.endsWith(".json") || name.includes("/");
}

/** The file's path, taken from `baseDir` when it is relative; other names stay as they are. */
export function resolveEvaluatorName(name: string, baseDir: string): string {
  return isWeightsPath(name) && !isAbsolute(name) ? resolve(baseDir, name) : name;
}

/** The evaluator of that name for `game`; throws InputError. */
export function loadEvaluator(game: Game, name: string): Evaluator {
  if (name === "none") return noOpinion;
  if (isWeightsPath(name)) return loadWeights(name, game);
  if (Object.hasOwn(game.heuristics, name)) return game.heuristics[name]!;
  throw new InputError(
    `${unknownName("evaluator", name, ["none", ...Object.keys(game.heuristics)])}, or the path of a weights file`,
  );
}
