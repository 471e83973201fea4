import { rankCode, rankOf } from "../../ratings/counts/tally.ts";
import type { GameRecord } from "../../ratings/record.ts";

/** What one entrant did, summed over its games; one at several seats of a game counts each seat. */
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
  /** Sum of the utilities, in millionths. */
  returnMillionths: number;
  decisions: number;
  nodes: number;
  /** In microseconds: whole numbers add up to the same sum in any order. */
  timeUs: number;
}

/**
 * Results by entrant: places are counted in the contests, all else in the games. Sums of whole and half
 * numbers, so the order does not matter.
 */
export function sumResults(
  games: readonly GameRecord[],
  contests: readonly GameRecord[],
  entrantCount: number,
): Results[] {
  const results = Array.from({ length: entrantCount }, emptyResults);
  for (const game of games) game.seats.forEach((entrant, seat) => addGame(results[entrant], game, seat));
  for (const { seats, returns } of contests) {
    const ranks = rankCode(returns);
    const rankings = seats.map((_, seat) => rankOf(ranks, seat));
    seats.forEach((entrant, seat) => addPlace(results[entrant], rankings, seat));
  }
  return results;
}

function emptyResults(): Results {
  return {
    games: 0,
    wins: 0,
    draws: 0,
    losses: 0,
    points: 0,
    opponents: 0,
    forfeits: 0,
    returnMillionths: 0,
    decisions: 0,
    nodes: 0,
    timeUs: 0,
  };
}

function addPlace(results: Results, rankings: readonly number[], seat: number): void {
  const own = rankings[seat];
  const level = rankings.filter((rank) => rank === own).length - 1;
  if (own > 0) results.losses++;
  else if (level > 0) results.draws++;
  else results.wins++;
  results.points += rankings.filter((rank) => rank > own).length + level / 2;
  results.opponents += rankings.length - 1;
}

function addGame(results: Results, record: GameRecord, seat: number): void {
  results.games++;
  if (record.forfeitSeat === seat) results.forfeits++;
  results.returnMillionths += Math.round(1e6 * record.returns[seat]);
  results.decisions += record.decisions[seat];
  results.nodes += record.nodes[seat];
  results.timeUs += Math.round(1000 * record.timeMs[seat]);
}
