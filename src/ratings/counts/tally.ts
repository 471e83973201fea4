import { InputError } from "../../base/errors.ts";
import type { GameRecord } from "../record.ts";

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

/** Counts games by outcome and by block; throws InputError for games of different numbers of players. */
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

/** Games in blocks: those of block b ended with outcomes[starts[b]] to outcomes[starts[b + 1] - 1], ascending. */
interface Blocks {
  readonly count: number;
  readonly starts: Int32Array;
  readonly outcomes: Int32Array;
}

/** Puts games, given in the order of their outcomes, into blocks, and these into the order of their contents. */
function gatherBlocks(records: readonly GameRecord[], outcomeOf: Int32Array, order: Int32Array): Blocks {
  const numbers = new Map<string, number>();
  const blockOf = new Int32Array(records.length);
  for (let game = 0; game < records.length; game++) {
    const name = records[game].block;
    // Games of a block mostly come one after the other, and looking up a name is slow.
    if (game > 0 && name === records[game - 1].block) {
      blockOf[game] = blockOf[game - 1];
      continue;
    }
    let block = numbers.get(name);
    if (block === undefined) numbers.set(name, (block = numbers.size));
    blockOf[game] = block;
  }
  const count = numbers.size;
  const games = sortByKey(order, count, (game) => blockOf[game]);
  const starts = new Int32Array(count + 1);
  for (let game = 0; game < records.length; game++) starts[blockOf[game] + 1]++;
  for (let block = 0; block < count; block++) starts[block + 1] += starts[block];

  const blockOrder = identity(count).sort((a, b) => {
    const size = starts[a + 1] - starts[a];
    const otherSize = starts[b + 1] - starts[b];
    for (let at = 0; at < size && at < otherSize; at++) {
      const difference = outcomeOf[games[starts[a] + at]] - outcomeOf[games[starts[b] + at]];
      if (difference !== 0) return difference;
    }
    return size - otherSize;
  });
  const outcomes = new Int32Array(records.length);
  const sortedStarts = new Int32Array(count + 1);
  let end = 0;
  for (let place = 0; place < count; place++) {
    const block = blockOrder[place];
    for (let at = starts[block]; at < starts[block + 1]; at++) outcomes[end++] = outcomeOf[games[at]];
    sortedStarts[place + 1] = end;
  }
  return { count, starts: sortedStarts, outcomes };
}

/** In how many blocks each entrant played; `seats` as in `Tally`. */
function countBlocks(
  { count, starts, outcomes }: Blocks,
  { entrantCount, seatCount, seats }: { entrantCount: number; seatCount: number; seats: Int32Array },
): Int32Array {
  const counts = new Int32Array(entrantCount);
  const lastBlock = new Int32Array(entrantCount).fill(-1);
  for (let block = 0; block < count; block++) {
    for (let game = starts[block]; game < starts[block + 1]; game++) {
      for (let seat = 0; seat < seatCount; seat++) {
        const entrant = seats[outcomes[game] * seatCount + seat];
        if (lastBlock[entrant] === block) continue;
        lastBlock[entrant] = block;
        counts[entrant]++;
      }
    }
  }
  return counts;
}

/** The indexes in `order`, brought into the order of their keys (0..keyCount-1); stable. */
function sortByKey(order: Int32Array, keyCount: number, keyOf: (index: number) => number): Int32Array {
  const ends = new Int32Array(keyCount + 1);
  for (let at = 0; at < order.length; at++) ends[keyOf(order[at]) + 1]++;
  for (let key = 0; key < keyCount; key++) ends[key + 1] += ends[key];
  const sorted = new Int32Array(order.length);
  for (let at = 0; at < order.length; at++) sorted[ends[keyOf(order[at])]++] = order[at];
  return sorted;
}

/** 0, 1, ..., count - 1. */
function identity(count: number): Int32Array {
  const order = new Int32Array(count);
  for (let index = 0; index < count; index++) order[index] = index;
  return order;
}

/** A game's seats as bits: seat 0 is bit 0. At most 6 seats fit the code of an outcome. */
const MAX_SEATS = 6;
/**
 * The ranking of a game as one integer, three bits a seat: how many seats have a higher return.
 * Equal returns tie: [1, -1, 1] ranks as 0, 2, 0.
 */
export function rankCode(returns: readonly number[]): number {
  let code = 0;
  for (let seat = 0; seat < returns.length; seat++) {
    let ahead = 0;
    for (const other of returns) if (other > returns[seat]) ahead++;
    code |= ahead << (3 * seat);
  }
  return code;
}

export function rankOf(code: number, seat: number): number {
  return (code >>> (3 * seat)) & 7;
}
