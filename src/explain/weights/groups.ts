import type { LinearEvaluator } from "../../evaluators/linear.ts";
import type { Game } from "../../games/contract/game.ts";
import { visitRandomPositions } from "./survey.ts";

/** A group of features and what it adds to a linear evaluator's weighted sums. */
export interface GroupEffect {
  readonly name: string;
  readonly features: number;
  /** The mean size of the group's part of the sum, in positions of random games; before the output's function. */
  readonly effect: number;
}

/** The number of positions, from random games, in which effects are measured. */
export const GROUP_POSITIONS = 2000;

/** Measures the groups of an evaluator's features, in the order of the features; empty if they have no groups. */
export function groupEffects(game: Game, evaluator: LinearEvaluator): GroupEffect[] {
  const { features, weights } = evaluator;
  if (features.groupOf === undefined) return [];
  const groupOf = Array.from({ length: features.size }, (_, feature) => features.groupOf!(feature));
  const names = [...new Set(groupOf)];
  const numbers = Int32Array.from(groupOf, (name) => names.indexOf(name));
  const totals = new Float64Array(names.length);
  const parts = new Float64Array(names.length);
  visitRandomPositions(game, GROUP_POSITIONS, (state) => {
    evaluator.sum(state, 0);
    const { index, value, active } = evaluator;
    parts.fill(0);
    for (let at = 0; at < active; at++)
      parts[numbers[index[at] % features.size]]! += weights[index[at]] * value[at];
    for (const [number, part] of parts.entries()) totals[number]! += Math.abs(part);
  });
  return names.map((name, number) => ({
    name,
    features: groupOf.filter((other) => other === name).length,
    effect: totals[number]! / GROUP_POSITIONS,
  }));
}
