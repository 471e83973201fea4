import type { Evaluator, Game } from "../../games/contract/game.ts";
import { visitRandomPositions } from "./network-survey.ts";

/** The number of positions, from random games, that are ranked. */
const POSITIONS = 2000;

/** The agreement of an evaluator with the hand-made evaluators of its game. */
export interface Agreement {
  /** The number of positions, from random games, that both rank for player 0. */
  readonly positions: number;
  /** By the game's evaluators: the rank correlation, -1 to 1; undefined if one of both has the same value everywhere. */
  readonly heuristics: readonly { readonly name: string; readonly correlation: number | undefined }[];
}

/** Compares an evaluator with each hand-made one of the game; undefined if the game has none. */
export function agreementOf(game: Game, evaluator: Evaluator): Agreement | undefined {
  const heuristics = Object.entries(game.heuristics);
  if (heuristics.length === 0) return undefined;
  const all = [evaluator, ...heuristics.map(([, heuristic]) => heuristic)];
  const values = all.map(() => new Float64Array(POSITIONS));
  let seen = 0;
  visitRandomPositions(game, POSITIONS, (state) => {
    for (const [at, one] of all.entries()) values[at]![seen] = one.evaluate(state, 0);
    seen++;
  });
  const [own, ...others] = values.map(ranksOf);
  return {
    positions: POSITIONS,
    heuristics: heuristics.map(([name], at) => ({ name, correlation: correlationOf(own!, others[at]!) })),
  };
}

/**
 * Spearman's rank correlation: the correlation of the ranks, equal values sharing the mean of theirs (Spearman 1904).
 * Undefined if all values of one list are equal. @internal tested against worked examples.
 */
export function rankCorrelation(one: Float64Array, other: Float64Array): number | undefined {
  return correlationOf(ranksOf(one), ranksOf(other));
}

function ranksOf(values: Float64Array): Float64Array {
  const order = Array.from(values.keys()).toSorted((a, b) => values[a] - values[b]);
  const ranks = new Float64Array(values.length);
  for (let from = 0; from < order.length;) {
    let to = from;
    while (to < order.length && values[order[to]!] === values[order[from]!]) to++;
    for (let at = from; at < to; at++) ranks[order[at]!] = (from + to - 1) / 2;
    from = to;
  }
  return ranks;
}

function correlationOf(one: Float64Array, other: Float64Array): number | undefined {
  const middle = (one.length - 1) / 2;
  let [both, ones, others] = [0, 0, 0];
  for (let at = 0; at < one.length; at++) {
    const [left, right] = [one[at] - middle, other[at] - middle];
    both += left * right;
    ones += left * left;
    others += right * right;
  }
  return ones === 0 || others === 0 ? undefined : both / Math.sqrt(ones * others);
}
