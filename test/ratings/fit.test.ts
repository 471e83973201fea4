import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import { tallyGames } from "../../src/ratings/counts/tally.ts";
import { ELO_SCALE } from "../../src/ratings/elo.ts";
import {
  ADVANTAGE_SD_ELO,
  createPairings,
  priorPrecisions,
  STRENGTH_SD_ELO,
} from "../../src/ratings/model/pairings.ts";
import { rate } from "../../src/ratings/rate.ts";
import type { GameRecord } from "../../src/ratings/record.ts";
import { plainElo } from "./plain-elo.ts";
import { duels, gameRecord, randomGames } from "./records.ts";

/** The Elo difference at which this score is expected. */
const eloOf = (score: number) => 400 * Math.log10(score / (1 - score));

/** Elo difference of entrant 0 over entrant 1. */
function difference(records: readonly GameRecord[]): number {
  const [one, other] = rate(records, 2).entrants;
  return one!.elo - other!.elo;
}

/** The same results with either entrant in the first seat. */
const bothSeats = (won: number, drawn: number, lost: number) => [
  ...duels([0, 1], { won, drawn, lost }),
  ...duels([1, 0], { won: lost, drawn, lost: won }),
];

describe("an Elo difference is the score that it makes one expect", () => {
  // The prior moves these by less than a tenth of an Elo point: thousands of games.
  test.each([
    { won: 3000, drawn: 0, lost: 1000, elo: 190.85 },
    { won: 3000, drawn: 1500, lost: 500, elo: 190.85 },
    { won: 2000, drawn: 2000, lost: 0, elo: 190.85 },
    { won: 2240, drawn: 1312, lost: 448, elo: 167.53 },
    { won: 3280, drawn: 560, lost: 160, elo: 363.2 },
    { won: 1000, drawn: 2400, lost: 600, elo: 34.86 },
  ])("$won won, $drawn drawn, $lost lost: $elo", ({ won, drawn, lost, elo }) => {
    const games = won + drawn + lost;
    expect(eloOf((won + drawn / 2) / games)).toBeCloseTo(elo, 1);
    expect(difference(bothSeats(won, drawn, lost))).toBeCloseTo(elo, 0);
    expect(rate(bothSeats(won, drawn, lost), 2).firstSeat.elo).toBeCloseTo(0, 6);
  });

  test("strength and seat advantage come apart", () => {
    // Entrant 0 scores 80% from the first seat and 40% from the second: logit .8 = d + s, logit .4 = d - s.
    const records = [
      ...duels([0, 1], { won: 4000, lost: 1000 }),
      ...duels([1, 0], { won: 3000, lost: 2000 }),
    ];
    expect(difference(records)).toBeCloseTo((eloOf(0.8) + eloOf(0.4)) / 2, 1);
    expect(rate(records, 2).firstSeat.elo).toBeCloseTo((eloOf(0.8) - eloOf(0.4)) / 2, 1);
  });

  test("of three players each pair is a result of its own, by ranks", () => {
    // Entrant 0 is ahead of 1 in three of four games and level with 2 in all; seats rotate.
    const records = [1, 1, 1, -1].flatMap((ahead, block) =>
      Array.from({ length: 3000 }, (_, game) => {
        const seats = [0, 1, 2].map((seat) => (seat + game) % 3);
        return gameRecord({
          seats,
          returns: seats.map((entrant) => (entrant === 1 ? 0 - ahead : 0)),
          block: `${block} ${Math.floor(game / 3)}`,
        });
      }),
    );
    const { entrants } = rate(records, 3);
    expect(entrants[0]!.elo - entrants[1]!.elo).toBeCloseTo(eloOf(0.75), 0);
    expect(entrants[0]!.elo - entrants[2]!.elo).toBeCloseTo(0, 6);
  });
});

describe("against the plain definition: expected scores equal scores", () => {
  const samples = [
    { seats: 2, entrants: 3, games: 400 },
    { seats: 2, entrants: 6, games: 900 },
    { seats: 3, entrants: 4, games: 400 },
    { seats: 4, entrants: 5, games: 300 },
    { seats: 6, entrants: 6, games: 200 },
  ];

  // The prior is worth 1/75 of a game on a strength and 3/4 of a game on the advantage of a seat.
  test.each(samples)("$seats players, $entrants entrants", (sample) => {
    for (let set = 0; set < 3; set++) {
      const records = randomGames(createRandom("plain", sample.seats, set), sample);
      const { entrants, firstSeat } = rate(records, sample.entrants);
      const plain = plainElo(records, sample.entrants);
      plain.entrants.forEach((elo, entrant) => expect(entrants[entrant]!.elo).toBeCloseTo(elo, 0));
      const others = plain.seats.slice(1);
      const advantage = plain.seats[0]! - others.reduce((sum, elo) => sum + elo, 0) / others.length;
      expect(Math.abs(firstSeat.elo - advantage)).toBeLessThan(0.3 + 0.02 * Math.abs(advantage));
    }
  });
});

describe("the prior", () => {
  test("an unbeaten entrant stays finite: where the prior balances what its games still ask for", () => {
    // Strengths d/2 and -d/2, seats s/2 and -s/2, N games won from the first seat: the slope of
    // N log P(win), N / (1 + e^(d + s)), is that of both priors.
    const games = 40;
    const records = duels([0, 1], { won: games });
    const d = difference(records) / ELO_SCALE;
    const s = rate(records, 2).firstSeat.elo / ELO_SCALE;
    const slope = games / (1 + Math.exp(d + s));
    expect(slope).toBeCloseTo((ELO_SCALE / STRENGTH_SD_ELO) ** 2 * (d / 2), 8);
    expect(slope).toBeCloseTo((ELO_SCALE / ADVANTAGE_SD_ELO) ** 2 * (s / 2), 8);
  });

  test("is worth 1/75 of an even game on strengths and 3/4 on advantages", () => {
    const precisions = priorPrecisions(createPairings(tallyGames(duels([0, 1], { drawn: 1 }), 2)));
    const worth = Array.from(precisions, (precision) => (4 * precision).toFixed(3));
    expect(worth).toEqual(["0.013", "0.013", "0.754", "0.754"]);
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
