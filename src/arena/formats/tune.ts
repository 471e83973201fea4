import { InputError } from "../../base/errors.ts";
import { Spsa, type TunedNumber, type TunedValue } from "../../ratings/spsa.ts";
import type { Numbers } from "../../specs/agents.ts";
import type { FormatSpec } from "../plan/plan.ts";
import { type Format, type FormatPlan, following, type Past } from "./format.ts";

/** A number of a spec that is tuned. */
export interface TunedOption extends TunedNumber {
  readonly option: string;
  /** The key of the number, in an option that is a mapping. */
  readonly key?: string | undefined;
}

/** The tuning of one agent in the form of plans. Both entrants are that agent. */
export interface TuneSpec extends FormatSpec {
  readonly type: "tune";
  readonly parameters: readonly TunedOption[];
  readonly rounds: number;
  /** Pairs of perturbations in a round. Each pair plays the blocks of the plan. */
  readonly pairs: number;
  /** See SpsaRule. */
  readonly rate: number;
}

/**
 * Tuning by play: in each pair of a round, the two entrants are one agent with opposite perturbations of its numbers. In games
 * of more players the first entrant has one seat, and copies of the second have the others. The values of a round rest on the
 * results of all rounds but the one before it, which is still out.
 */
export const tune: Format = {
  lag: 2,
  copies: true,
  size({ format, players, blocks }) {
    const { rounds, pairs } = format as TuneSpec;
    if (players < 2)
      throw new InputError("tuning needs games of two or more players: in games of one player nobody wins");
    const games = rounds * pairs * players * blocks;
    return { least: games, most: games };
  },
  round(plan, number, past) {
    const { rounds, pairs, parameters } = plan.format as TuneSpec;
    const { players, blocks } = plan;
    if (number >= rounds) return undefined;
    const entrants = [0, ...Array.from({ length: players - 1 }, () => 1)];
    return follow(plan, past)
      .spsa.perturb(number)
      .flatMap(({ plus, minus }, pair) => {
        const options = { 0: numbersOf(parameters, plus), 1: numbersOf(parameters, minus) };
        const from = (number * pairs + pair) * blocks;
        // Matches of one block each: a pairing plays its blocks in order, and a worker those of a pair.
        return Array.from({ length: blocks }, (_, at) => ({ entrants, from: from + at, blocks: 1, options }));
      });
  },
};

/** Throws InputError for a tuning. Its entrants change from game to game, so they are nobody in other runs. */
export function refuseTuning({ format: { type } }: Pick<FormatPlan, "format">, dir: string): void {
  if (type === "tune")
    throw new InputError("is a tuning, whose sides change; take the run of its last match, in final", dir);
}

/** The numbers of a tuning under the names of their options. */
export function numbersOf(parameters: readonly TunedOption[], values: readonly number[]): Numbers {
  const numbers: Record<string, number | Record<string, number>> = {};
  for (const [at, { option, key }] of parameters.entries()) {
    if (key === undefined) numbers[option] = values[at]!;
    else numbers[option] = { ...(numbers[option] as Record<string, number> | undefined), [key]: values[at]! };
  }
  return numbers;
}

/** The values of a tuning after the rounds whose results are known. */
export function tunedSoFar(
  plan: FormatPlan,
  past: Past,
): { readonly answer: readonly TunedValue[]; readonly path: readonly (readonly number[])[] } {
  return follow(plan, past).spsa;
}

/** The values of a tuning, after all rounds whose scores are known. */
const follow = following(
  ({ format, blocks, seed }) => {
    const { parameters, rounds, pairs, rate } = format as TuneSpec;
    return { spsa: new Spsa({ numbers: parameters, rounds, pairs, rate, seed }), pairs, blocks };
  },
  ({ spsa, pairs, blocks }, scores) => {
    // A round counts as a whole.
    if (scores.length < pairs * blocks) return;
    spsa.add(
      Array.from({ length: pairs }, (_, pair) =>
        scores
          .slice(pair * blocks, (pair + 1) * blocks)
          .reduce((sum, { scores: [score] }) => sum + 2 * score! - 1, 0),
      ),
    );
  },
);
