import { z } from "zod";
import { check } from "../../base/check.ts";
import { InputError } from "../../base/errors.ts";
import { createRandom } from "../../base/random.ts";
import type { ChosenTournament } from "../../ratings/adaptive/chosen-pairings.ts";
import { type PairingBlocks, RankingDesign } from "../../ratings/adaptive/ranking-design.ts";
import { DEFAULT_ROUND, type Format, type FormatPlan, following, type Past, playOut } from "./format.ts";
import { binomial, combinations } from "./round-robin.ts";

/** Adaptive scheduling as configs write it. */
export const adaptiveSchema = z.strictObject({
  type: z.literal("adaptive"),
  confidence: z
    .number()
    .min(0.5)
    .max(0.9999)
    .default(0.95)
    .describe(
      "the tournament is over when each two neighbours in the ranking are in the right order so surely",
    ),
  share: z
    .number()
    .positive()
    .max(1)
    .default(1)
    .describe("the most games, as a share of those of a round robin"),
});

/** A pair gets at least this part of a round at a time. */
const PORTIONS = 32;

/**
 * The pairings that tell the order of the entrants with few games. Two rounds go through all pairs in an order drawn from the seed;
 * then each round is given to the pairs that are expected to tell most, until all neighbours are told apart or the games are
 * used up.
 */
export const adaptive: Format = {
  lag: 2,
  takesRound: true,
  size(plan) {
    const { players, entrants } = plan;
    if (players !== 2) throw wrong(`adaptive needs games of two players; this one has ${players}`);
    if (entrants.length < 3) throw wrong("adaptive needs three entrants or more; sprt compares two");
    const most = budgetOf(plan);
    return { least: 2 * Math.min(most, 2 * roundOf(plan)), most: 2 * most };
  },
  round(plan, number, past) {
    const { design, given, blocks } = giveOut(followScores(plan, past), past);
    const left = Math.min(roundOf(plan), budgetOf(plan) - blocks);
    if (left <= 0 || (number >= 2 && design.confidence() >= optionsOf(plan).confidence)) return undefined;
    const chosen =
      number < 2 ? firstPairs(plan, blocks, left) : design.next(left, Math.ceil(roundOf(plan) / PORTIONS));
    return chosen.map((pairing) => ({ ...pairing, from: given.get(pairing.entrants.join()) ?? 0 }));
  },
};

/** The tournament of a plan, if it is adaptive, to be played again with simulated results. */
export function chosenTournament(plan: FormatPlan): ChosenTournament | undefined {
  if (plan.format.type !== "adaptive") return undefined;
  return {
    most: budgetOf(plan),
    play(score) {
      playOut(adaptive, plan, (entrants) => {
        const share = score(entrants[0]!, entrants[1]!);
        return { scores: [share, 1 - share], returns: [] };
      });
    },
  };
}

function optionsOf({ format }: FormatPlan): z.output<typeof adaptiveSchema> {
  return check(adaptiveSchema, format, "format");
}

function roundOf({ round = DEFAULT_ROUND }: FormatPlan): number {
  return round;
}

/** The most blocks. */
function budgetOf(plan: FormatPlan): number {
  const all = binomial(plan.entrants.length, 2) * plan.blocks;
  return Math.max(1, Math.floor(optionsOf(plan).share * all));
}

function wrong(message: string): InputError {
  return new InputError([{ path: "type", message }]);
}

/** The next `blocks` blocks when `begin` are given out already; each pair gets a block in its turn. */
function firstPairs({ entrants, seed }: FormatPlan, begin: number, blocks: number): PairingBlocks[] {
  const pairs = [...combinations(entrants.length, 2)];
  const order = Int32Array.from(pairs.keys());
  createRandom(seed, "adaptive", entrants.length).shuffle(order, 0, order.length);
  const chosen = new Map<number, PairingBlocks>();
  for (let at = begin; at < begin + blocks; at++) {
    const pair = order[at % order.length]!;
    chosen.set(pair, { entrants: pairs[pair]!, blocks: (chosen.get(pair)?.blocks ?? 0) + 1 });
  }
  return [...chosen.values()];
}

/** The blocks that were given out. */
interface Given {
  readonly design: RankingDesign;
  /** By pair. */
  readonly given: Map<string, number>;
  /** In all. */
  blocks: number;
  rounds: number;
}

const followScores = following(
  ({ entrants }): Given => ({
    design: new RankingDesign(entrants.length),
    given: new Map<string, number>(),
    blocks: 0,
    rounds: 0,
  }),
  (known, scores, past) => {
    giveOut(known, past);
    for (const { round, match, scores: shares } of scores) {
      const [one, other] = past.matches[round]![match]!.entrants as [number, number];
      known.design.add(one, other, shares[0]!);
    }
  },
);

function giveOut(known: Given, { matches }: Past): Given {
  for (; known.rounds < matches.length; known.rounds++) {
    for (const { entrants, blocks } of matches[known.rounds]!) {
      const [one, other] = entrants as [number, number];
      known.design.giveOut(one, other, blocks);
      known.given.set(entrants.join(), (known.given.get(entrants.join()) ?? 0) + blocks);
      known.blocks += blocks;
    }
  }
  return known;
}
