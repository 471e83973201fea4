import { InputError } from "../base/errors.ts";
import { unknownName } from "../base/text.ts";
import type { Evaluator, FeatureSet, Game, Heuristic, State } from "../games/contract/game.ts";

/** The evaluator `none`: the rewards that the player has collected so far, which are 0 in most games. */
export const noEvaluator: Evaluator = {
  evaluate: (state, player) => state.returns(player),
};

/** Makes an evaluator for each game that it fits. A file of the user's exports it as `evaluator`. */
export interface EvaluatorFamily<S extends State = State> {
  /** The trait of `game` that the evaluator cannot deal with, such as `chance`; undefined if the game fits. */
  unsupported?(game: Game): string | undefined;
  /**
   * Makes the evaluator for a game that fits. Called once for each game object; several agents may share the evaluator.
   */
  create(game: Game<S>): Heuristic<S>;
}

/** Makes a feature set for each game that it fits. A file of the user's exports it as `features`. */
export interface FeatureFamily<S extends State = State> {
  unsupported?(game: Game): string | undefined;
  create(game: Game<S>): FeatureSet<S>;
}

/** Returns the family unchanged; it gives its members their types. */
export function defineEvaluator<S extends State>(family: EvaluatorFamily<S>): EvaluatorFamily {
  return family as EvaluatorFamily;
}

/** Returns the family unchanged; it gives its members their types. */
export function defineFeatures<S extends State>(family: FeatureFamily<S>): FeatureFamily {
  return family as FeatureFamily;
}

/**
 * Returns the evaluator `none` or a heuristic of the game; throws InputError for any other name. Once `equipGame` has
 * loaded a file of the user's, it is a heuristic too, under its path.
 * @param others tells what else may be named here, for the message
 */
export function namedEvaluator(game: Game, name: string, others = "; no file can be named here"): Evaluator {
  if (name === "none") return noEvaluator;
  if (Object.hasOwn(game.heuristics, name)) return game.heuristics[name]!;
  const allowed = ["none", ...Object.keys(game.heuristics)];
  throw new InputError(`${unknownName("evaluator", name, allowed)}${others}`);
}
