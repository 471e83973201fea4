import { InputError, unknownName } from "../base/errors.ts";
import type { Evaluator, Game } from "../games/game.ts";

/** The evaluator `none`: what the player has collected so far, which is 0 in most games. */
export const noOpinion: Evaluator = {
  evaluate: (state, player) => state.returns(player),
};

/** Whether the name of an evaluator is the path of a weights file. */
export function isWeightsPath(name: string): boolean {
  return name.endsWith(".json") || name.includes("/");
}

/** The evaluator `none` or a heuristic of the game; throws InputError for any other name and for paths. */
export function namedEvaluator(game: Game, name: string): Evaluator {
  if (name === "none") return noOpinion;
  if (isWeightsPath(name)) throw new InputError(`weights files cannot be read here, got ${name}`);
  if (Object.hasOwn(game.heuristics, name)) return game.heuristics[name]!;
  throw new InputError(
    `${unknownName("evaluator", name, ["none", ...Object.keys(game.heuristics)])}, or the path of a weights file`,
  );
}
