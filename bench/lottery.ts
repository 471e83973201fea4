import { createRandom, type Random } from "../src/base/random.ts";
import { lookBeyondElo } from "../src/ratings/beyond/beyond-elo.ts";
import { maximalLottery } from "../src/ratings/beyond/lottery.ts";
import { findGroups } from "../src/ratings/counts/groups.ts";
import { Tally } from "../src/ratings/counts/tally.ts";
import { rateTally } from "../src/ratings/elo/rate.ts";
import type { RatedGame } from "../src/ratings/record.ts";

/**
 * How often the 95% intervals of the maximal lottery hold the true shares, and how often a cycle is found, in simulated
 * tournaments with known chances to win: `npm run bench -- lottery [TOURNAMENTS [BLOCKS]]`.
 */
const [, , tournaments = "1000", blocks = "60"] = process.argv;

/** What each entrant wins against each later one: the expected score less a half. */
const CASES: Readonly<Record<string, { readonly count: number; readonly wins: readonly number[] }>> = {
  "four, 70 Elo apart": ranked([210, 140, 70, 0]),
  "four, 20 Elo apart": ranked([60, 40, 20, 0]),
  "two equal, 100 Elo above two others": ranked([100, 100, 0, 0]),
  "three equal": ranked([0, 0, 0]),
  "five equal": ranked([0, 0, 0, 0, 0]),
  "a cycle of 0.1": { count: 3, wins: [0.1, -0.1, 0.1] },
  "a cycle of 0.05": { count: 3, wins: [0.05, -0.05, 0.05] },
  "a cycle of 0.1, 0.15 and 0.2": { count: 3, wins: [0.1, -0.2, 0.15] },
  "a cycle of 0.1 above two others": { count: 5, wins: [0.1, -0.1, 0.2, 0.2, 0.1, 0.2, 0.2, 0.2, 0.2, 0.1] },
  "five in a circle, 0.1": { count: 5, wins: [0.1, 0.1, -0.1, -0.1, 0.1, 0.1, -0.1, 0.1, 0.1, 0.1] },
};

for (const [name, { count, wins }] of Object.entries(CASES)) {
  const payoff = payoffOf(count, wins);
  const truth = maximalLottery(payoff, count);
  const held = Array.from(truth, () => 0);
  let [missing, width, significant, sure] = [0, 0, 0, 0];
  for (let number = 0; number < Number(tournaments); number++) {
    const tally = play(count, payoff, createRandom("lottery", name, number));
    const order = Array.from(truth.keys());
    const { entrants } = rateTally(tally, findGroups(tally), {});
    const { lottery, pValue, cycle } = lookBeyondElo(
      tally,
      entrants.map(({ elo }) => elo),
      order,
    )!;
    if (pValue <= 0.05) significant++;
    if (cycle?.isSure === true) sure++;
    for (const [entrant, { low, high }] of lottery!.entries()) {
      if (low === null || high === null) missing++;
      else {
        // The interior-point method ends near 0 and 1.
        if (low <= truth[entrant]! + 1e-4 && truth[entrant]! - 1e-4 <= high) held[entrant]!++;
        width += (high - low) / count / Number(tournaments);
      }
    }
  }
  const percent = (hits: number) => `${((100 * hits) / Number(tournaments)).toFixed(1)}%`;
  const mean = held.reduce((sum, one) => sum + one, 0) / count;
  console.log(
    `${name}: held ${percent(mean)} (${held.map(percent).join(" ")}), width ${width.toFixed(2)}; ` +
      `p <= 0.05 in ${percent(significant)}, sure cycle in ${percent(sure)}${missing > 0 ? `; ${missing} without` : ""}`,
  );
}
process.exit();

/** Entrants that ratings explain. */
function ranked(elos: readonly number[]): { count: number; wins: number[] } {
  const wins = elos.flatMap((one, at) =>
    elos.slice(at + 1).map((other) => 1 / (1 + 10 ** ((other - one) / 400)) - 0.5),
  );
  return { count: elos.length, wins };
}

function payoffOf(count: number, wins: readonly number[]): Float64Array {
  const payoff = new Float64Array(count * count);
  let at = 0;
  for (let one = 0; one < count; one++)
    for (let other = one + 1; other < count; other++) {
      payoff[one * count + other] = wins[at]!;
      payoff[other * count + one] = 0 - wins[at++]!;
    }
  return payoff;
}

/** Blocks of two games for each pair, whose results are independent of each other. */
function play(count: number, payoff: Float64Array, random: Random): Tally {
  const tally = new Tally(count);
  for (let one = 0; one < count; one++)
    for (let other = one + 1; other < count; other++)
      for (let block = 0; block < Number(blocks); block++)
        tally.addBlock(
          [0, 1].map(() => {
            const won = random.float() < 0.5 + payoff[one * count + other]! ? 1 : -1;
            return { seats: [one, other], returns: [won, 0 - won] } as unknown as RatedGame;
          }),
        );
  return tally;
}
