import type { RatedGame } from "../record.ts";
import { pointsOf } from "../score.ts";

/** The sums over one entrant's games; an entrant at several seats of a game counts each seat. */
export interface Results {
  games: number;
  /** First place alone. */
  wins: number;
  /** First place shared. */
  draws: number;
  losses: number;
  /** Opponents beaten, ties counting a half, and opponents met. */
  points: number;
  opponents: number;
  forfeits: number;
  decisions: number;
  nodes: number;
  /** The time in microseconds: whole numbers add up to the same sum in any order. */
  timeUs: number;
}

/**
 * Adds games to the results of the entrants: places from the contests, all other sums from the games. All sums are of
 * whole and half numbers, so the order does not matter.
 */
export function addResults(
  results: readonly Results[],
  games: readonly RatedGame[],
  contests: readonly RatedGame[],
): void {
  for (const game of games) {
    for (let seat = 0; seat < game.seats.length; seat++) addGame(results[game.seats[seat]], game, seat);
  }
  for (const { seats, returns } of contests) {
    for (let seat = 0; seat < seats.length; seat++) addPlace(results[seats[seat]], returns, seat);
  }
}

export function emptyResults(): Results {
  return {
    games: 0,
    wins: 0,
    draws: 0,
    losses: 0,
    points: 0,
    opponents: 0,
    forfeits: 0,
    decisions: 0,
    nodes: 0,
    timeUs: 0,
  };
}

function addPlace(results: Results, returns: readonly number[], seat: number): void {
  const own = returns[seat];
  let isBehind = false;
  let level = -1;
  for (const other of returns) {
    if (other > own) isBehind = true;
    else if (other === own) level++;
  }
  if (isBehind) results.losses++;
  else if (level > 0) results.draws++;
  else results.wins++;
  results.points += pointsOf(returns, seat);
  results.opponents += returns.length - 1;
}

function addGame(results: Results, record: RatedGame, seat: number): void {
  results.games++;
  if (record.forfeitSeat === seat) results.forfeits++;
  results.decisions += record.decisions[seat];
  results.nodes += record.nodes[seat];
  results.timeUs += Math.round(1000 * record.timeMs[seat]);
}
