import { InputError } from "../../base/errors.ts";
import { blocksOf, type RatedGame } from "../record.ts";
import { Comparisons } from "./comparisons.ts";
import { pointsOf } from "../score.ts";

/** The largest number of seats that the statistics were tested with. */
const MAX_SEATS = 6;

/**
 * The counts of a set of games that all statistics read. Blocks are added one by one and need not be kept: a tally grows
 * with the number of pairings, not with the number of games. It does not depend on the order of blocks and games.
 */
export class Tally {
  readonly entrantCount: number;
  /** The entrants against each other. */
  readonly entrants: Comparisons;
  /** The seats against each other; undefined before the first game. */
  seats: Comparisons | undefined;

  constructor(entrantCount: number) {
    this.entrantCount = entrantCount;
    this.entrants = new Comparisons(entrantCount);
  }

  /** The number of seats of a game; 0 before the first game. */
  get seatCount(): number {
    return this.seats?.size ?? 0;
  }

  /** Adds all games of a block; throws InputError for games of different numbers of players. */
  addBlock(games: readonly Pick<RatedGame, "seats" | "returns">[]): void {
    if (games.length === 0) return;
    const seatComparisons = (this.seats ??= createSeats(games[0]));
    const seatCount = seatComparisons.size;
    for (const { seats, returns } of games) {
      if (seats.length !== seatCount) {
        throw new InputError("games of different numbers of players cannot be rated together");
      }
      for (let seat = 0; seat < seatCount; seat++) {
        for (let rival = seat + 1; rival < seatCount; rival++) {
          const lead = leadOf(returns[seat], returns[rival]);
          this.entrants.add(seats[seat], seats[rival], lead);
          seatComparisons.add(seat, rival, lead);
        }
      }
    }
    this.entrants.endBlock();
    seatComparisons.endBlock();
  }
}

function createSeats({ seats }: Pick<RatedGame, "seats">): Comparisons {
  if (seats.length > MAX_SEATS) {
    throw new InputError(`games of up to ${MAX_SEATS} players can be rated, not of ${seats.length}`);
  }
  return new Comparisons(seats.length);
}

/** The sign of the difference of two returns: 1 if the one came ahead, -1 if the other did, 0 for a tie. */
function leadOf(one: number, other: number): number {
  return one > other ? 1 : one < other ? -1 : 0;
}

/** Counts games that are in memory; throws InputError for games of different numbers of players. */
export function tallyGames(records: readonly RatedGame[], entrantCount: number): Tally {
  const tally = new Tally(entrantCount);
  for (const block of blocksOf(records)) tally.addBlock(block);
  return tally;
}

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
