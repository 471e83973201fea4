import type { Random } from "../base/random.ts";
import { findGroups } from "../ratings/counts/groups.ts";
import { Tally } from "../ratings/counts/tally.ts";
import { rateTally } from "../ratings/elo/rate.ts";
import { ELO_SCALE } from "../ratings/elo/scale.ts";
import type { GameScore } from "../ratings/record.ts";
import { playOut } from "./formats/format.ts";
import { formatOf } from "./formats/index.ts";
import type { TournamentPlan } from "./plan/plan.ts";
import { scoreBlock } from "./schedule/rounds.ts";

/** The truth behind simulated games. */
export interface Truth {
  /** By entrant. */
  readonly elo: readonly number[];
  /** The advantage of the first seat, in Elo. */
  readonly firstSeatElo: number;
  /** The share of games that are drawn, in games of two players. */
  readonly drawRate: number;
}

/** The outcome of a simulated tournament. */
export interface SimulatedRun {
  readonly games: number;
  /** Half the width of each entrant's 95% interval, in Elo; Infinity where it is open. */
  readonly halfWidths: readonly number[];
}

/** Plays a tournament of two or more players with simulated games, which are independent of each other. */
export function simulateRun(plan: TournamentPlan, truth: Truth, random: Random): SimulatedRun {
  const tally = new Tally(plan.entrants.length);
  let count = 0;
  playOut(formatOf(plan), plan, (entrants) => {
    const games = entrants.map((_, rotation): GameScore => {
      const seats = entrants.map((__, seat) => entrants[(seat + rotation) % entrants.length]!);
      return { seats, returns: drawReturns(seats, truth, random), forfeitSeat: -1 };
    });
    tally.addBlock(games);
    count += games.length;
    return scoreBlock(entrants, games);
  });
  const { entrants } = rateTally(tally, findGroups(tally), {});
  return { games: count, halfWidths: entrants.map(({ low, high }) => (high - low) / 2) };
}

/**
 * The returns of a game: strengths with Gumbel noise, whose order has the odds of the Elo (Luce 1959). In games of two
 * players draws come from both sides alike, and there are fewer where one is much the stronger.
 */
function drawReturns(
  seats: readonly number[],
  { elo, firstSeatElo, drawRate }: Truth,
  random: Random,
): number[] {
  const strengths = seats.map(
    (entrant, seat) => (elo[entrant]! + (seat === 0 ? firstSeatElo : 0)) / ELO_SCALE,
  );
  if (seats.length !== 2) return strengths.map((own) => own - Math.log(-Math.log(1 - random.float())));
  const expected = 1 / (1 + Math.exp(strengths[1]! - strengths[0]!));
  const drawn = Math.min(drawRate, 2 * Math.min(expected, 1 - expected));
  const number = random.float();
  if (number < drawn) return [0, 0];
  return number < drawn / 2 + expected ? [1, -1] : [-1, 1];
}
