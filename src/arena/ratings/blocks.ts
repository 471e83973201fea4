import type { GameRecord } from "../record.ts";
import { identity, sortByKey } from "./sort.ts";

/** Games in blocks: those of block b ended with outcomes[starts[b]] to outcomes[starts[b + 1] - 1], ascending. */
export interface Blocks {
  readonly count: number;
  readonly starts: Int32Array;
  readonly outcomes: Int32Array;
}

/** Puts games, given in the order of their outcomes, into blocks, and these into the order of their contents. */
export function gatherBlocks(
  records: readonly GameRecord[],
  outcomeOf: Int32Array,
  order: Int32Array,
): Blocks {
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
export function countBlocks(
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
