import { z } from "zod";
import { check } from "../../base/check.ts";
import { InputError } from "../../base/errors.ts";
import { eloOfScore } from "../../ratings/elo/scale.ts";
import { ConfidenceSequence, type ScoreInterval } from "../../ratings/sprt/sequential-test.ts";
import { DEFAULT_ROUND, type Format, type FormatPlan, following, type Past } from "./format.ts";

/** Comparisons with the first entrant as configs write them. */
export const comparisonSchema = z.strictObject({
  type: z.literal("comparison"),
  margin: z
    .number()
    .min(0)
    .max(1000)
    .describe(
      "Elo: a pairing is over when its interval leaves 0 out, or lies between minus this and this; 0: only the former",
    ),
});

/**
 * `stronger`: the first entrant is. `equal`: the difference is less than the margin. Undefined while it is open.
 * @internal tests compare verdicts with the truth
 */
export type Verdict = "stronger" | "weaker" | "equal" | undefined;

/** The first entrant against another one. */
export interface Comparison {
  /** The other one. */
  readonly entrant: number;
  readonly blocks: number;
  /** The first one's mean score of a block, 0 to 1; a half without blocks. */
  readonly score: number;
  /** A 95% interval of the expected score that holds at all looks together. */
  readonly interval: ScoreInterval;
  readonly verdict: Verdict;
}

/**
 * The first entrant against each of the others, which do not meet each other: comparisons with a control. In games of more
 * players the first entrant has one seat, and copies of the other have the rest. After each round every pairing is looked at,
 * and those without a verdict play on. The intervals hold whenever one stops (`ConfidenceSequence`), for each pairing
 * by itself.
 */
export const comparison: Format = {
  lag: 2,
  takesRound: true,
  copies: true,
  size(plan) {
    const { players, entrants, blocks, round = DEFAULT_ROUND } = plan;
    if (players < 2)
      throw new InputError([
        {
          path: "type",
          message: "comparison needs games of two or more players: take the format round-robin",
        },
      ]);
    const pairings = entrants.length - 1;
    return {
      least: pairings * players * Math.min(blocks, 2 * round),
      most: pairings * players * blocks,
    };
  },
  round(plan, number, past) {
    const { players, blocks, round = DEFAULT_ROUND } = plan;
    const from = number * round;
    if (from >= blocks) return undefined;
    const open = compare(plan, past).filter(({ verdict }) => verdict === undefined);
    if (open.length === 0) return undefined;
    return open.map(({ entrant }) => ({
      entrants: [0, ...Array.from({ length: players - 1 }, () => entrant)],
      from,
      blocks: Math.min(round, blocks - from),
    }));
  },
};

/** The comparisons as far as the scores of their blocks are known, in the order of the config. */
export function compare(plan: FormatPlan, past: Past): Comparison[] {
  const { margin } = check(comparisonSchema, plan.format, "format");
  return follow(plan, past).map(({ sequence, blocks, sum }, at) => ({
    entrant: at + 1,
    blocks,
    score: blocks === 0 ? 0.5 : sum / blocks,
    interval: sequence.interval,
    verdict: verdictOf(sequence.interval, margin),
  }));
}

function verdictOf({ low, high }: ScoreInterval, margin: number): Verdict {
  if (low > 0.5) return "stronger";
  if (high < 0.5) return "weaker";
  const [least, most] = [eloOfScore(low), eloOfScore(high)];
  return least > -margin && most < margin ? "equal" : undefined;
}

/** The sums of a tournament by entrant, without the first one. */
const follow = following(
  ({ entrants }) => entrants.slice(1).map(() => ({ sequence: new ConfidenceSequence(), blocks: 0, sum: 0 })),
  (sides, scores, { matches }) => {
    for (const { round, match, scores: own } of scores) {
      const side = sides[matches[round]![match]!.entrants[1]! - 1]!;
      side.sequence.add(own[0]!);
      side.sum += own[0]!;
      side.blocks++;
    }
  },
);
