import { countPairs } from "../../../src/ratings/beyond/pairs.ts";
import { findUnexplained, type Unexplained } from "../../../src/ratings/beyond/unexplained.ts";
import { findGroups } from "../../../src/ratings/counts/groups.ts";
import { tallyGames } from "../../../src/ratings/counts/tally.ts";
import { rateTally } from "../../../src/ratings/elo/rate.ts";
import { ELO_SCALE } from "../../../src/ratings/elo/scale.ts";
import type { GameRecord } from "../../../src/ratings/record.ts";

/** What the ratings of these games leave. */
export function unexplainedOf(games: readonly GameRecord[], count: number): Unexplained {
  const tally = tallyGames(games, count);
  const { entrants } = rateTally(tally, findGroups(tally), {});
  return findUnexplained(
    countPairs(
      tally,
      entrants.map(({ elo }) => elo / ELO_SCALE),
    ),
    count,
  )!;
}
