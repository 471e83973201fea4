import { InputError } from "../../base/errors.ts";
import type { GameRecord } from "../record.ts";
import { countBlocks, gatherBlocks, type Blocks } from "./blocks.ts";
import { MAX_SEATS, rankCode } from "./outcome.ts";
import { identity, sortByKey } from "./sort.ts";

/**
 * What the statistics need of a set of games: how often each outcome came about (the same entrants at
 * the same seats with the same ranking), and which outcomes stand in one block. It does not depend on
 * the order of the records: outcomes are sorted by seats and ranks, blocks by their contents, so every
 * later sum runs in the same order and gives the same bits.
 */
export interface Tally {
  readonly entrantCount: number;
  readonly seatCount: number;
  readonly outcomeCount: number;
  /** Entrant at each seat: [outcome * seatCount + seat]. */
  readonly seats: Int32Array;
  /** See `rankCode`. */
  readonly ranks: Int32Array;
  /** Games that ended so. */
  readonly games: Int32Array;
  readonly blocks: Blocks;
  /** In how many blocks each entrant played. */
  readonly blocksOf: Int32Array;
}

/** Counts games by outcome and by block. */
export function tallyGames(records: readonly GameRecord[], entrantCount: number): Tally {
  const seatCount = records[0]?.seats.length ?? 0;
  if (seatCount > MAX_SEATS) {
    throw new InputError(`games of up to ${MAX_SEATS} players can be rated, not of ${seatCount}`);
  }
  const seatsOf = new Int32Array(records.length * seatCount);
  const ranksOf = new Int32Array(records.length);
  records.forEach((record, game) => {
    if (record.seats.length !== seatCount) {
      throw new InputError("games of different numbers of players cannot be rated together");
    }
    for (let seat = 0; seat < seatCount; seat++) seatsOf[game * seatCount + seat] = record.seats[seat];
    ranksOf[game] = rankCode(record.returns);
  });

  // In order of seats and ranks, games of one outcome stand together.
  let order = sortByKey(identity(records.length), 1 << (3 * seatCount), (game) => ranksOf[game]);
  for (let seat = seatCount - 1; seat >= 0; seat--) {
    order = sortByKey(order, entrantCount, (game) => seatsOf[game * seatCount + seat]);
  }
  const same = (game: number, other: number): boolean => {
    for (let seat = 0; seat < seatCount; seat++) {
      if (seatsOf[game * seatCount + seat] !== seatsOf[other * seatCount + seat]) return false;
    }
    return ranksOf[game] === ranksOf[other];
  };
  const seats: number[] = [];
  const ranks: number[] = [];
  const games: number[] = [];
  const outcomeOf = new Int32Array(records.length);
  for (let at = 0; at < order.length; at++) {
    const game = order[at];
    if (at === 0 || !same(order[at - 1], game)) {
      for (let seat = 0; seat < seatCount; seat++) seats.push(seatsOf[game * seatCount + seat]);
      ranks.push(ranksOf[game]);
      games.push(0);
    }
    outcomeOf[game] = games.length - 1;
    games[games.length - 1]++;
  }

  const tally = { entrantCount, seatCount, seats: Int32Array.from(seats) };
  const blocks = gatherBlocks(records, outcomeOf, order);
  return {
    ...tally,
    outcomeCount: games.length,
    ranks: Int32Array.from(ranks),
    games: Int32Array.from(games),
    blocks,
    blocksOf: countBlocks(blocks, tally),
  };
}
