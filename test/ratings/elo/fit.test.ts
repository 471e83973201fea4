import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { tallyGames } from "../../../src/ratings/counts/tally.ts";
import { ELO_SCALE } from "../../../src/ratings/elo/scale.ts";
import {
  ADVANTAGE_SD_ELO,
  pairEntrants,
  pairSeats,
  STRENGTH_SD_ELO,
} from "../../../src/ratings/elo/pairings.ts";
import { rate } from "../../../src/ratings/elo/rate.ts";
import type { GameRecord } from "../../../src/ratings/record.ts";
import { plainElo, scores } from "../plain-elo.ts";
import { duels, gameRecord, randomGames } from "../records.ts";

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

  test("whatever the seats are worth: entrants are compared over both, seats over both entrants", () => {
    // Entrant 0 scores 80% from the first seat and 40% from the second: 60% in all. The first seat scores 70%.
    const records = [
      ...duels([0, 1], { won: 4000, lost: 1000 }),
      ...duels([1, 0], { won: 3000, lost: 2000 }),
    ];
    expect(difference(records)).toBeCloseTo(eloOf(0.6), 1);
    expect(rate(records, 2).firstSeat.elo).toBeCloseTo(eloOf(0.7), 0);
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
      const plain = plainElo(scores(records, sample.entrants, "entrant"));
      plain.forEach((elo, entrant) => expect(entrants[entrant]!.elo).toBeCloseTo(elo, 1));
      const [first, ...others] = plainElo(scores(records, sample.seats, "seat"));
      const advantage = first! - others.reduce((sum, elo) => sum + elo, 0) / others.length;
      expect(Math.abs(firstSeat.elo - advantage)).toBeLessThan(0.3 + 0.02 * Math.abs(advantage));
    }
  });
});

describe("the prior", () => {
  test("an unbeaten entrant stays finite: where the prior balances what its games still ask for", () => {
    // Strengths d/2 and -d/2, N games won: the slope of N log P(win) is N / (1 + e^d). The same for the seats.
    const games = 40;
    const records = duels([0, 1], { won: games });
    const d = difference(records) / ELO_SCALE;
    const s = rate(records, 2).firstSeat.elo / ELO_SCALE;
    expect(games / (1 + Math.exp(d))).toBeCloseTo((ELO_SCALE / STRENGTH_SD_ELO) ** 2 * (d / 2), 8);
    expect(games / (1 + Math.exp(s))).toBeCloseTo((ELO_SCALE / ADVANTAGE_SD_ELO) ** 2 * (s / 2), 8);
  });

  test("is worth 1/75 of an even game on strengths and 3/4 on advantages", () => {
    const tally = tallyGames(duels([0, 1], { drawn: 1 }), 2);
    expect((4 * pairEntrants(tally).prior).toFixed(3)).toBe("0.013");
    expect((4 * pairSeats(tally).prior).toFixed(3)).toBe("0.754");
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
