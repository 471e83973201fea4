import { expect, test } from "vitest";
import { POOLS, simulateIntervals } from "../../../bench/adaptive-tournaments.ts";
import { chosenTournament } from "../../../src/arena/formats/adaptive.ts";
import { createRandom } from "../../../src/base/random.ts";
import {
  simulateErrors,
  type ChosenRatings,
  type ChosenTournament,
  type SimulatedErrors,
} from "../../../src/ratings/adaptive/chosen-pairings.ts";
import { findGroups } from "../../../src/ratings/counts/groups.ts";
import { tallyGames } from "../../../src/ratings/counts/tally.ts";
import { rate, rateTally } from "../../../src/ratings/elo/rate.ts";
import { ELO_SCALE, Z95 } from "../../../src/ratings/elo/scale.ts";
import type { GameRecord } from "../../../src/ratings/record.ts";
import { planFor } from "../../arena/formats/play-out.ts";
import { slowTest } from "../../support/thorough.ts";
import { simulatedRecord } from "../simulate.ts";

const ELOS = [60, 50, 40, -150];
const ADAPTIVE = chosenTournament(planFor({ type: "adaptive", share: 0.6 }, 4, { blocks: 40, round: 16 }))!;
/** All pairs in turn, whatever the results. */
const ROUND_ROBIN: ChosenTournament = {
  most: 240,
  play(score) {
    for (let block = 0; block < 40; block++)
      for (let one = 0; one < 4; one++) for (let other = one + 1; other < 4; other++) score(one, other);
  },
};

/** The games of a tournament of these entrants: blocks of two independent games without draws. */
function play(tournament: ChosenTournament, elos: readonly number[], seed: string): GameRecord[] {
  const random = createRandom(seed);
  const games: GameRecord[] = [];
  tournament.play((one, other) => {
    const expected = 1 / (1 + 10 ** ((elos[other]! - elos[one]!) / 400));
    const won = [0, 1].map(() => Number(random.float() < expected));
    const block = String(games.length);
    for (const result of won) games.push(simulatedRecord([one, other], [result, 1 - result], block));
    return (won[0]! + won[1]!) / 2;
  });
  return games;
}

function errorsOf(tournament: ChosenTournament, games: readonly GameRecord[]) {
  const tally = tallyGames(games, 4);
  let found: SimulatedErrors | undefined;
  let seen: ChosenRatings | undefined;
  const rating = rateTally(tally, findGroups(tally), {
    errors: (ratings) => (found = simulateErrors(tournament, (seen = ratings))),
  });
  return { errors: found!, rating, elos: Array.from(seen!.parameters, (value) => value * ELO_SCALE) };
}

slowTest("errors are those of tournaments that are played and rated game by game", () => {
  const { errors, elos } = errorsOf(ADAPTIVE, play(ADAPTIVE, ELOS, "seen"));
  const draws = Array.from({ length: 400 }, (_, at) => rate(play(ADAPTIVE, elos, `draw ${at}`), 4).entrants);
  const level = elos.reduce((sum, elo) => sum + elo, 0) / 4;
  elos.forEach((truth, entrant) => {
    const z = draws.map((entrants) => {
      const { elo, high } = entrants[entrant]!;
      return (Z95 * (elo - (truth - level))) / (high - elo);
    });
    const mean = z.reduce((sum, value) => sum + value, 0) / z.length;
    const deviation = Math.sqrt(z.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (z.length - 1));
    // Means of 100 and of 400 errors: four standard errors of their difference.
    expect(Math.abs(errors.entrant(entrant).mean - mean)).toBeLessThan(0.45);
    expect(Math.abs(errors.entrant(entrant).deviation / Math.max(1, deviation) - 1)).toBeLessThan(0.35);
  });
});

test("pairings that depend on no result leave the intervals as they are, and the Elo always stays", () => {
  const games = play(ROUND_ROBIN, ELOS, "round robin");
  const plain = rate(games, 4);
  const { errors, rating } = errorsOf(ROUND_ROBIN, games);
  rating.entrants.forEach(({ elo, low, high }, entrant) => {
    const before = plain.entrants[entrant]!;
    expect(elo).toBe(before.elo);
    // A mean of 100 errors has a standard error of 0.1, their standard deviation one of 0.07.
    expect(Math.abs(errors.entrant(entrant).mean)).toBeLessThan(0.4);
    expect((high - low) / (before.high - before.low)).toBeCloseTo(errors.entrant(entrant).deviation, 9);
    expect(Math.abs(errors.entrant(entrant).deviation - 1)).toBeLessThan(0.3);
  });
  for (let one = 0; one < 4; one++)
    for (let other = 0; other < 4; other++)
      expect(rating.superiority[one]![other]! + rating.superiority[other]![one]!).toBeCloseTo(1, 12);
});

test("a choice by results sets equals apart: the error of the first is above 0, and of the last below", () => {
  const games = play(ADAPTIVE, [0, 0, 0, 0], "equals");
  const { errors, elos } = errorsOf(ADAPTIVE, games);
  const order = [0, 1, 2, 3].toSorted((a, b) => elos[b]! - elos[a]!);
  expect(errors.entrant(order[0]!).mean).toBeGreaterThan(0.1);
  expect(errors.entrant(order[3]!).mean).toBeLessThan(-0.1);
  expect(errors.difference(0, 1).mean).toBeCloseTo(0 - errors.difference(1, 0).mean, 12);
});

slowTest("the errors are the same in each call, and unknown where tournaments are too long", () => {
  const games = play(ADAPTIVE, ELOS, "again");
  expect(errorsOf(ADAPTIVE, games).rating).toEqual(errorsOf(ADAPTIVE, games.toReversed()).rating);
  expect(errorsOf({ ...ADAPTIVE, most: 100_000 }, games).errors).toBeUndefined();
});

slowTest(
  "of 400 tournaments with dice, the intervals hold the truth in 93% to 97%; naive ones in fewer",
  () => {
    const size = { blocks: 40, share: 0.6, round: 64 };
    const share = (kind: "naive" | "adaptive") => {
      const held = Array.from({ length: 400 }, (_, at) =>
        simulateIntervals(POOLS["dice"]!, { ...size, seed: `coverage ${at}` }, kind),
      ).flatMap(({ entrants }) => entrants);
      return held.filter(Boolean).length / held.length;
    };
    // Entrants of one tournament hang together: the standard error is between 0.5% and 1.1%.
    const share95 = share("adaptive");
    expect(share95).toBeGreaterThan(0.93);
    expect(share95).toBeLessThan(0.97);
    expect(share("naive")).toBeLessThan(share95);
  },
);
