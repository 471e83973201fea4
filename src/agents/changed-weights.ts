import { z } from "zod";
import { unknownName } from "../base/text.ts";
import { InputError } from "../base/errors.ts";
import { LinearEvaluator } from "../evaluators/linear.ts";
import type { Evaluator, Game } from "../games/contract/game.ts";

/** The option of every agent with an evaluator that changes weights of it. */
export const changedWeights = z.strictObject({
  weights: z
    .record(z.string(), z.number())
    .optional()
    .describe(
      "weights that take the place of those of a linear evaluator, by the name of the feature, in all stages of the game",
    ),
});
/** Weights by the name of their feature. */
export type ChangedWeights = NonNullable<z.output<typeof changedWeights>["weights"]>;

/** The names of more features would take too long. */
const MOST_FEATURES = 10_000;
/** The most names in a message. */
const MOST_NAMED = 100;

/** The evaluator with other weights. Throws InputError, where it has none of that name. */
export function withWeights(game: Game, evaluator: Evaluator, changed: ChangedWeights): LinearEvaluator {
  const { features, weights: before, output, stages, logits } = asLinear(evaluator);
  const weights = before.slice();
  const end = features.size * (stages.length + 1);
  const places = placesOf(evaluator as LinearEvaluator, Object.keys(changed));
  for (const [at, weight] of Object.values(changed).entries())
    for (let index = places[at]!; index < end; index += features.size) weights[index] = weight;
  return new LinearEvaluator(game, features, { weights, output, stages, policy: logits !== undefined });
}

/** The weight of a feature in the first stage. Throws InputError. */
export function weightOf(evaluator: Evaluator, name: string): number {
  const linear = asLinear(evaluator);
  return linear.weights[placesOf(linear, [name])[0]!]!;
}

function asLinear(evaluator: Evaluator): LinearEvaluator {
  if (evaluator instanceof LinearEvaluator && evaluator.features.size <= MOST_FEATURES) return evaluator;
  throw new InputError(
    `the evaluator has no weights with names: take a weights file of a linear evaluator with at most ${MOST_FEATURES} features`,
  );
}

function placesOf({ features }: LinearEvaluator, names: readonly string[]): number[] {
  const known = Array.from({ length: features.size }, (_, feature) => features.describe(feature));
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return names.map((name) => known.indexOf(name));
  throw new InputError(
    unknown.map((name) => `${unknownName("feature", name, known.slice(0, MOST_NAMED))}`).join("\n"),
  );
}
