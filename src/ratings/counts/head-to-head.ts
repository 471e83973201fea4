import { rankOf, type Tally } from "./tally.ts";

/**
 * What each entrant scored against each other one: 1 for each game that it came ahead, a half for a tie.
 * A game of more than two players counts once for each pair of them. Matrices are [one * count + other].
 */
export interface HeadToHead {
  readonly count: number;
  readonly score: Float64Array;
  readonly games: Int32Array;
  /** Standard errors by which the score lies above a half, blocks being the sampling unit; 0 without games. */
  readonly z: Float64Array;
}

export function countHeadToHead({ entrantCount: count, seatCount, ...tally }: Tally): HeadToHead {
  const score = new Float64Array(count * count);
  const games = new Int32Array(count * count);
  const lead = new Float64Array(count * count);
  const squares = new Float64Array(count * count);
  const { seats, ranks, blocks } = tally;
  // The lead of one over the other in the block at hand, and the pairs it is about.
  const current = new Float64Array(count * count);
  const pairs = new Set<number>();
  for (let block = 0; block < blocks.count; block++) {
    for (let game = blocks.starts[block]; game < blocks.starts[block + 1]; game++) {
      const outcome = blocks.outcomes[game];
      for (let seat = 0; seat < seatCount; seat++) {
        for (let rival = 0; rival < seatCount; rival++) {
          const one = seats[outcome * seatCount + seat];
          const other = seats[outcome * seatCount + rival];
          if (one === other) continue;
          const pair = one * count + other;
          const ahead = Math.sign(rankOf(ranks[outcome], rival) - rankOf(ranks[outcome], seat));
          games[pair]++;
          score[pair] += (1 + ahead) / 2;
          current[pair] += ahead;
          pairs.add(pair);
        }
      }
    }
    for (const pair of pairs) {
      lead[pair] += current[pair];
      squares[pair] += current[pair] ** 2;
      current[pair] = 0;
    }
    pairs.clear();
  }
  // Under the hypothesis of no difference the blocks' leads have mean 0, so their squares are the variance.
  const z = lead.map((value, pair) => (squares[pair] === 0 ? 0 : value / Math.sqrt(squares[pair])));
  return { count, score, games, z };
}
