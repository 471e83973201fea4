import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createDesign,
  CONDITIONS_SD_ELO,
  priorPrecisions,
  STRENGTH_SD_ELO,
} from "../../src/ratings/model/design.ts";
import { ELO_SCALE } from "../../src/ratings/elo.ts";
import { fit } from "../../src/ratings/model/fit.ts";
import { rate } from "../../src/ratings/rate.ts";
import { tallyGames } from "../../src/ratings/counts/tally.ts";
import type { GameRecord } from "../../src/ratings/record.ts";
import { createRandom } from "../../src/base/random.ts";
import { climb, gradient, logLikelihood, logProbability } from "./plain-likelihood.ts";
import { duels, randomGames } from "./records.ts";

const logit = (p: number) => Math.log(p / (1 - p));

/** Elo difference of entrant 0 over entrant 1. */
function difference(records: readonly GameRecord[]): number {
  const [one, other] = rate(records, 2).entrants;
  return one!.elo - other!.elo;
}

describe("two entrants, solved by hand", () => {
  // The prior moves these by less than a hundredth of an Elo point: thousands of games.
  test("three of four games won without draws are 190.85 Elo", () => {
    const records = [
      ...duels([0, 1], { won: 3000, lost: 1000 }),
      ...duels([1, 0], { won: 1000, lost: 3000 }),
    ];
    expect(difference(records)).toBeCloseTo(400 * Math.log10(3), 1);
    expect(400 * Math.log10(3)).toBeCloseTo(190.85, 2);
    expect(rate(records, 2).firstSeat.elo).toBeCloseTo(0, 6);
  });

  test("with draws the odds are those of wins to losses (Davidson 1970), and delta is D / sqrt(W L)", () => {
    // P(win) = a/T, P(loss) = 1/T, P(draw) = d sqrt(a)/T has as many parameters as free frequencies, so
    // the fitted probabilities are the frequencies: a = W/L, d = D / sqrt(W L).
    const records = [
      ...duels([0, 1], { won: 3000, drawn: 1500, lost: 500 }),
      ...duels([1, 0], { won: 500, drawn: 1500, lost: 3000 }),
    ];
    expect(difference(records)).toBeCloseTo(400 * Math.log10(6), 1);
    const parameters = fit(createDesign(tallyGames(records, 2)));
    expect(Math.exp(parameters[4]!)).toBeCloseTo(3000 / Math.sqrt(6000 * 1000), 3);
  });

  test("strength and seat advantage come apart", () => {
    // Entrant 0 wins 80% from the first seat and 40% from the second: logit .8 = d + s, logit .4 = d - s.
    const records = [
      ...duels([0, 1], { won: 4000, lost: 1000 }),
      ...duels([1, 0], { won: 3000, lost: 2000 }),
    ];
    expect(difference(records)).toBeCloseTo((ELO_SCALE * (logit(0.8) + logit(0.4))) / 2, 1);
    expect(rate(records, 2).firstSeat.elo).toBeCloseTo((ELO_SCALE * (logit(0.8) - logit(0.4))) / 2, 1);
  });

  test("an unbeaten entrant stays finite: where the prior balances what its games still ask for", () => {
    // Strengths d/2 and -d/2, seats s/2 and -s/2, N games won from the first seat: the slope of
    // N log P(win), N / (1 + e^(d + s)), is that of both priors.
    const games = 40;
    const records = duels([0, 1], { won: games });
    const d = difference(records) / ELO_SCALE;
    const s = rate(records, 2).firstSeat.elo / ELO_SCALE;
    const slope = games / (1 + Math.exp(d + s));
    expect(slope).toBeCloseTo((ELO_SCALE / STRENGTH_SD_ELO) ** 2 * (d / 2), 8);
    expect(slope).toBeCloseTo((ELO_SCALE / CONDITIONS_SD_ELO) ** 2 * (s / 2), 8);
  });

  test("the priors are worth 1/75 and 3/4 of an even game", () => {
    const precisions = priorPrecisions(createDesign(tallyGames(duels([0, 1], { drawn: 1 }), 2)));
    expect(Array.from(precisions, (precision) => (4 * precision).toFixed(3))).toEqual([
      "0.013",
      "0.013",
      "0.754",
      "0.754",
      "0.754",
    ]);
  });
});

describe("against the plain likelihood", () => {
  const samples = [
    { seats: 2, entrants: 3, games: 40 },
    { seats: 3, entrants: 4, games: 40 },
    { seats: 4, entrants: 5, games: 30 },
    { seats: 6, entrants: 6, games: 20 },
  ];

  /** The penalised likelihood over the parameters in the order of the fit. */
  function penalised(
    records: readonly GameRecord[],
    { entrants, seats }: { entrants: number; seats: number },
  ) {
    const design = createDesign(tallyGames(records, entrants));
    const { tieSizes } = design.choice;
    const precisions = priorPrecisions(design);
    return (point: readonly number[]) => {
      const ties: number[] = [];
      tieSizes.forEach((size, at) => (ties[size] = point[entrants + seats + at]!));
      const strengths = {
        entrants: point.slice(0, entrants),
        seats: point.slice(entrants, entrants + seats),
        ties,
      };
      const prior = point.reduce((sum, value, at) => sum + (precisions[at]! / 2) * value ** 2, 0);
      return logLikelihood(records, strengths) - prior;
    };
  }

  test.each(samples)("$seats players: the slope at the fitted parameters is zero", (sample) => {
    for (let set = 0; set < 5; set++) {
      const records = randomGames(createRandom("slope", sample.seats, set), sample);
      const parameters = Array.from(fit(createDesign(tallyGames(records, sample.entrants))));
      for (const slope of gradient(penalised(records, sample), parameters)) expect(slope).toBeCloseTo(0, 5);
    }
  });

  test.each(samples.slice(0, 2))(
    "$seats players: climbing from zero ends at the same parameters",
    (sample) => {
      const records = randomGames(createRandom("climb", sample.seats), sample);
      const parameters = fit(createDesign(tallyGames(records, sample.entrants)));
      const start = Array.from(parameters, () => 0);
      const top = climb(penalised(records, sample), start, 1 / sample.games);
      top.forEach((value, at) => expect(value).toBeCloseTo(parameters[at]!, 3));
    },
  );

  test("the probabilities of all 13 rankings of three players sum to 1", () => {
    const strengths = { entrants: [0.4, -1, 0.9], seats: [0.3, 0, -0.3], ties: [0, 0, -0.5, 0.7] };
    const rankings = new Set<string>();
    let sum = 0;
    for (let code = 0; code < 27; code++) {
      const returns = [Math.floor(code / 9), Math.floor(code / 3) % 3, code % 3];
      const key = returns.map((value) => new Set(returns.filter((other) => other > value)).size).join();
      if (rankings.has(key)) continue;
      rankings.add(key);
      sum += Math.exp(logProbability({ seats: [0, 1, 2], returns }, strengths));
    }
    expect(rankings.size).toBe(13);
    expect(sum).toBeCloseTo(1, 12);
  });
});

test("more wins never lower a rating", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 }), (won, drawn) => {
      const base = duels([0, 1], { won, drawn, lost: 5 });
      expect(difference([...base, ...duels([0, 1], { won: 1 })])).toBeGreaterThan(difference(base));
    }),
    { numRuns: 40, seed: 1 },
  );
});
