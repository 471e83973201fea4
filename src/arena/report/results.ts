import { rankCode, rankOf } from "../ratings/outcome.ts";
import type { GameRecord } from "../record.ts";

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
  decisions: number;
  nodes: number;
  /** Microseconds: whole numbers add up to the same sum in any order. */
  timeUs: number;
}

/** Results by entrant; sums of whole and half numbers, so the order of the records does not matter. */
export function sumResults(records: readonly GameRecord[], entrantCount: number): Results[] {
  const results = Array.from({ length: entrantCount }, emptyResults);
  for (const record of records) {
    const ranks = rankCode(record.returns);
    const rankings = record.seats.map((_, seat) => rankOf(ranks, seat));
    record.seats.forEach((entrant, seat) => addSeat(results[entrant], record, rankings, seat));
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
    decisions: 0,
    nodes: 0,
    timeUs: 0,
  };
}

function addSeat(results: Results, record: GameRecord, rankings: readonly number[], seat: number): void {
  const own = rankings[seat];
  const level = rankings.filter((rank) => rank === own).length - 1;
  results.games++;
  if (own > 0) results.losses++;
  else if (level > 0) results.draws++;
  else results.wins++;
  results.points += rankings.filter((rank) => rank > own).length + level / 2;
  results.opponents += rankings.length - 1;
  if (record.forfeitSeat === seat) results.forfeits++;
  results.decisions += record.decisions[seat];
  results.nodes += record.nodes[seat];
  results.timeUs += Math.round(1000 * record.timeMs[seat]);
}
