import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadResults } from "../../../src/arena/result-files/load.ts";
import { createRandom } from "../../../src/base/random.ts";
import { createReport } from "../../../src/ratings/report.ts";
import { temporaryFolder } from "../../support/agon.ts";
import { slowTest } from "../../support/thorough.ts";

/** Ordo's scale: a score of 76% is 202 Elo, where the usual formula has 200.24 (main.c, `Rtng_76`; option -z). */
const ORDO_76 = 202;
const ORDO_SCALE = ORDO_76 / (400 * Math.log10(0.76 / 0.24));

/**
 * Ordo's ratings (Ballicora) by a plain method: the numbers at which each player's expected points are its points, over
 * all its games, a draw being half a point; their mean is 0. The advantage of White is 0, as without Ordo's option -W.
 * One player after the other is moved by bisection, until no expectation is wrong by a millionth of a point.
 */
function ordo(pgn: string): Map<string, number> {
  const tag = (name: string) =>
    Array.from(pgn.matchAll(new RegExp(`^\\[${name} "(.*)"\\]$`, "gm")), ([, value]) => value!);
  const [whites, blacks, results] = [tag("White"), tag("Black"), tag("Result")];
  const ratings = new Map([...new Set([...whites, ...blacks])].map((name) => [name, 0]));
  const points = { "1-0": 1, "0-1": 0, "1/2-1/2": 0.5 } as Record<string, number>;
  const games = whites.flatMap((white, game) => {
    const score = points[results[game]!]!;
    return [
      { own: white, rival: blacks[game]!, score },
      { own: blacks[game]!, rival: white, score: 1 - score },
    ];
  });
  const gamesOf = new Map([...ratings.keys()].map((name) => [name, games.filter(({ own }) => own === name)]));
  const beta = Math.log(0.76 / 0.24) / ORDO_76;
  const excess = (name: string, rating: number) =>
    gamesOf
      .get(name)!
      .reduce(
        (sum, { rival, score }) => sum + 1 / (1 + Math.exp(beta * (ratings.get(rival)! - rating))) - score,
        0,
      );
  for (let worst = 1; worst > 1e-6;) {
    for (const name of ratings.keys()) {
      let [low, high] = [-2000, 2000];
      while (high - low > 1e-9) {
        const middle = (low + high) / 2;
        if (excess(name, middle) > 0) high = middle;
        else low = middle;
      }
      ratings.set(name, low);
    }
    worst = Math.max(...[...ratings].map(([name, rating]) => Math.abs(excess(name, rating))));
  }
  const mean = [...ratings.values()].reduce((sum, value) => sum + value, 0) / ratings.size;
  return new Map([...ratings].map(([name, rating]) => [name, rating - mean]));
}

/** Games without any order: some players meet often, some never, colours are unfair, and White has an advantage. */
function randomPgn(seed: number, players: number, games: number): string {
  const random = createRandom("ordo", seed);
  const strength = Array.from({ length: players }, () => 600 * random.float());
  const expected = (difference: number) => 1 / (1 + 10 ** (-difference / 400));
  return Array.from({ length: games }, () => {
    const white = random.below(players);
    const black = (white + 1 + Math.floor((players - 1) * random.float() ** 2)) % players;
    const difference = strength[white]! - strength[black]! + 40;
    const drawn =
      random.float() < 0.4 && random.float() < 2 * Math.min(expected(difference), expected(-difference));
    const result = drawn ? "1/2-1/2" : random.float() < expected(difference) ? "1-0" : "0-1";
    return `[White "p${white}"]\n[Black "p${black}"]\n[Result "${result}"]\n\n1. e4 ${result}\n\n`;
  }).join("");
}

async function agon(pgn: string): Promise<Map<string, number>> {
  const path = join(temporaryFolder(), "games.pgn");
  writeFileSync(path, pgn);
  return new Map(createReport(await loadResults([path])).entrants.map(({ name, elo }) => [name, elo]));
}

slowTest.each([
  { players: 2, games: 300 },
  { players: 8, games: 1500 },
  { players: 20, games: 5000 },
])(
  "Ordo's ratings, on its scale, within 0.1 Elo: $players players, $games games",
  async ({ players, games }) => {
    for (let seed = 0; seed < 3; seed++) {
      const pgn = randomPgn(seed, players, games);
      const theirs = ordo(pgn);
      const ours = await agon(pgn);
      expect(ours.size).toBe(players);
      for (const [name, elo] of ours)
        expect(Math.abs(elo * ORDO_SCALE - theirs.get(name)!)).toBeLessThan(0.1);
    }
  },
);

describe("the example of docs/ratings.md: 1000 games, half of them with each colour", () => {
  /** The top of a function with one top. */
  const topOf = (value: (at: number) => number) => {
    let [low, high] = [-2000, 2000];
    for (let step = 0; step < 200; step++) {
      const [one, other] = [low + (high - low) / 3, high - (high - low) / 3];
      if (value(one) < value(other)) low = one;
      else high = other;
    }
    return (low + high) / 2;
  };
  const expected = (difference: number) => 1 / (1 + 10 ** (-difference / 400));

  /** Bayeselo's model (Coulom) with its default draw Elo of 97.3, without its prior and with no advantage of White. */
  const bayeselo = (won: number, drawn: number, lost: number) =>
    topOf((difference) => {
      const [win, loss] = [expected(difference - 97.3), expected(-difference - 97.3)];
      return won * Math.log(win) + lost * Math.log(loss) + drawn * Math.log(1 - win - loss);
    });

  test.each([
    { won: 550, drawn: 400, lost: 50, agon: 190.8, ordo: 192.5, bayeselo: 173.9 },
    { won: 750, drawn: 0, lost: 250, agon: 190.8, ordo: 192.5, bayeselo: 249.9 },
    { won: 600, drawn: 300, lost: 100, agon: 190.8, ordo: 192.5, bayeselo: 188 },
  ])("$won won, $drawn drawn, $lost lost", async (row) => {
    const { won, drawn, lost } = row;
    const pgn = [
      ["1-0", "0-1", won],
      ["1/2-1/2", "1/2-1/2", drawn],
      ["0-1", "1-0", lost],
    ] as const;
    const text = pgn
      .map(([first, second, count]) =>
        (
          `[White "A"]\n[Black "B"]\n[Result "${first}"]\n\n1. e4 ${first}\n\n` +
          `[White "B"]\n[Black "A"]\n[Result "${second}"]\n\n1. e4 ${second}\n\n`
        ).repeat(count / 2),
      )
      .join("");
    const difference = (ratings: Map<string, number>) => ratings.get("A")! - ratings.get("B")!;
    const found = {
      agon: difference(await agon(text)),
      ordo: difference(ordo(text)),
      bayeselo: bayeselo(won, drawn, lost),
    };
    expect({
      ...row,
      ...Object.fromEntries(Object.entries(found).map(([name, elo]) => [name, Number(elo.toFixed(1))])),
    }).toEqual(row);
  });
});
