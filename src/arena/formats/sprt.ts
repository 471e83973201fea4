import { z } from "zod";
import { check } from "../../base/check.ts";
import { InputError } from "../../base/errors.ts";
import { SPRT_MODELS } from "../../ratings/sprt/likelihood.ts";
import {
  reportSprt,
  SequentialTest,
  type SprtCounts,
  type SprtReport,
  type SprtRule,
} from "../../ratings/sprt/sequential-test.ts";
import type { TournamentPlan } from "../plan/plan.ts";
import { DEFAULT_ROUND, type Format, type FormatPlan, following } from "./format.ts";

/** The largest bounds in Elo. A normalised Elo of 200 is 99% of the games without draws. */
const MOST_ELO = { logistic: 1000, normalised: 200 } as const;

const elo = z.number().min(-MOST_ELO.logistic).max(MOST_ELO.logistic);
const errorRate = z.number().min(0.0001).max(0.4999).default(0.05);

/** A sequential test as configs write it. */
export const sprtSchema = z.strictObject({
  type: z.literal("sprt"),
  elo0: elo.describe("H0: the Elo of the first entrant over the second one is this, or less"),
  elo1: elo.describe("H1: the Elo of the first entrant over the second one is this, or more"),
  alpha: errorRate.describe("the probability of accepting H1 where H0 holds"),
  beta: errorRate.describe("the probability of accepting H0 where H1 holds"),
  model: z
    .enum(SPRT_MODELS)
    .default("logistic")
    .describe("the Elo of the bounds: of the expected score, or of the lead in standard deviations"),
});

/**
 * A sequential probability ratio test of the first entrant against the second one. In games of more players the first
 * entrant has one seat, and copies of the second have the others. The ratio is looked at after each round; the first round
 * that ends outside of the bounds decides. One more round is out at that time, and is played to its end.
 */
export const sprt: Format = {
  lag: 2,
  takesRound: true,
  copies: true,
  size(plan) {
    checkPlan(plan);
    const { players, blocks, round = DEFAULT_ROUND } = plan;
    return { least: players * Math.min(blocks, 2 * round), most: players * blocks };
  },
  round(plan, number, past) {
    const { players, blocks, round = DEFAULT_ROUND } = plan;
    const from = number * round;
    if (from >= blocks || follow(plan, past).decision !== undefined) return undefined;
    const others = Array.from({ length: players - 1 }, () => 1);
    return [{ entrants: [0, ...others], from, blocks: Math.min(round, blocks - from) }];
  },
  sprt: (plan, past) => follow(plan, past).counts,
};

/** The test of a plan, and its results so far, as data. */
export function describeSprt(plan: TournamentPlan, counts: SprtCounts): SprtReport {
  const entrants = plan.entrants.map(({ name }) => name);
  return reportSprt(ruleOf(plan), counts, { entrants, players: plan.players });
}

function ruleOf({ format }: Pick<FormatPlan, "format">): SprtRule {
  const { type: _, ...rule } = check(sprtSchema, format, "format");
  return rule;
}

function checkPlan(plan: FormatPlan): void {
  const { entrants, players } = plan;
  const { elo0, elo1, model } = ruleOf(plan);
  const refuse = (path: string, message: string) => {
    throw new InputError([{ path, message }]);
  };
  if (players < 2)
    refuse("type", "sprt needs games of two or more players: in games of one player nobody wins");
  if (entrants.length !== 2) refuse("type", `sprt compares two entrants, ${entrants.length} given`);
  if (elo0 >= elo1) refuse("elo1", `must be above elo0, which is ${elo0}; got ${elo1}`);
  const most = MOST_ELO[model];
  for (const [key, value] of Object.entries({ elo0, elo1 }))
    if (Math.abs(value) > most)
      refuse(key, `must be from -${most} to ${most} with model ${model}, got ${value}`);
}

/** The test of a tournament, after all rounds whose scores are known. */
const follow = following(
  (plan) => new SequentialTest(ruleOf(plan), plan.players),
  (test, scores) => test.addRound(scores.map((block) => block.scores[0]!)),
);
