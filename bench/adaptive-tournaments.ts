import { createRandom, type Random } from "../src/base/random.ts";
import {
  simulateErrors,
  type ChosenRatings,
  type SimulatedErrors,
} from "../src/ratings/adaptive/chosen-pairings.ts";
import { type PairingBlocks, RankingDesign } from "../src/ratings/adaptive/ranking-design.ts";
import { findGroups } from "../src/ratings/counts/groups.ts";
import { Tally } from "../src/ratings/counts/tally.ts";
import { spreadOf } from "../src/ratings/elo/covariance.ts";
import { rateTally } from "../src/ratings/elo/rate.ts";
import { ELO_SCALE, Z95 } from "../src/ratings/elo/scale.ts";
import type { RatedGame } from "../src/ratings/record.ts";

/** Entrants of known strength, in Elo, and the share of draws between equals. */
export interface KnownPool {
  readonly elos: readonly number[];
  readonly draws: number;
}

/** The pools that figures are given for: that of quick.yaml, one of a game with dice, sixteen near equals. */
export const POOLS: Readonly<Record<string, KnownPool>> = {
  quick: { elos: [417, 289, 219, 51, 44, 30, -210, -836], draws: 0.1 },
  dice: { elos: [60, 50, 40, 10, -160], draws: 0 },
  near: { elos: Array.from({ length: 16 }, (_, at) => 150 - 20 * at), draws: 0.1 },
};

export interface TournamentSize {
  readonly blocks: number;
  /** The games of the adaptive tournament, as a share of those of the round robin. */
  readonly share: number;
  readonly round: number;
  readonly seed: string;
}

/** The share of neighbours in the true order that a tournament puts in the right order. */
export interface Outcome {
  readonly roundRobin: number;
  /** A round robin that is ended after the share of its games. */
  readonly shortRoundRobin: number;
  readonly adaptive: number;
}

/** One simulated tournament of each kind; a block is a pair of games whose results are independent of each other. */
export function simulateTournaments(pool: KnownPool, size: TournamentSize): Outcome {
  const { blocks, seed } = size;
  const count = pool.elos.length;
  const score = (kind: string): Score => {
    const random = createRandom(seed, kind);
    return (one, other) => {
      const [first, second] = playGames(pool, one, other, random);
      return (first + second) / 2;
    };
  };
  return {
    roundRobin: orderedShare(
      pool,
      playRoundRobin(count, pairsOf(count).length * blocks, score("round robin")),
    ),
    shortRoundRobin: orderedShare(pool, playRoundRobin(count, budgetOf(count, size), score("short"))),
    adaptive: orderedShare(pool, playAdaptive(count, size, score("adaptive"))),
  };
}

/** True for each interval of a tournament that holds the truth: those of the entrants, and of the differences of neighbours. */
export interface Covered {
  readonly entrants: readonly boolean[];
  readonly neighbours: readonly boolean[];
}

/** The intervals of one tournament: `naive` does not allow for the choice of the pairings. */
export type Intervals = "round robin" | "naive" | "adaptive";

/** One tournament of the share of the games, and its 95% intervals. */
export function simulateIntervals(pool: KnownPool, size: TournamentSize, kind: Intervals): Covered {
  const { elos } = pool;
  const random = createRandom(size.seed, "intervals");
  const tally = new Tally(elos.length);
  const play = (score: Score) =>
    kind === "round robin"
      ? playRoundRobin(elos.length, budgetOf(elos.length, size), score)
      : playAdaptive(elos.length, size, score);
  play((one, other) => {
    const results = playGames(pool, one, other, random);
    tally.addBlock(results.map((result) => gameOf(one, other, result)));
    return (results[0] + results[1]) / 2;
  });
  let seen: (ChosenRatings & { readonly errors: SimulatedErrors | undefined }) | undefined;
  const { entrants } = rateTally(tally, findGroups(tally), {
    errors(ratings) {
      const tournament = { most: budgetOf(elos.length, size), play };
      seen = { ...ratings, errors: kind === "adaptive" ? simulateErrors(tournament, ratings) : undefined };
      return seen.errors;
    },
  });
  const { pairings, parameters, zero, errors } = seen!;
  const mean = zero.reduce((sum, entrant) => sum + elos[entrant]!, 0) / zero.length;
  const { matrix, variances } = spreadOf(pairings, parameters);
  const neighbours = elos.slice(1).map((elo, one) => {
    const other = one + 1;
    const variance = variances[one]! + variances[other]! - 2 * matrix![one * elos.length + other]!;
    const lead = ELO_SCALE * (parameters[one]! - parameters[other]!) - (elos[one]! - elo);
    const error = errors?.difference(one, other) ?? { mean: 0, deviation: 1 };
    return Math.abs(lead / (ELO_SCALE * Math.sqrt(variance)) - error.mean) <= Z95 * error.deviation;
  });
  return {
    entrants: entrants.map(({ low, high }, at) => low <= elos[at]! - mean && elos[at]! - mean <= high),
    neighbours,
  };
}

/** Plays a block and returns its score for `one`. */
type Score = (one: number, other: number) => number;

function budgetOf(count: number, { blocks, share }: TournamentSize): number {
  return Math.floor(share * pairsOf(count).length * blocks);
}

function playRoundRobin(count: number, blocks: number, score: Score): RankingDesign {
  const design = new RankingDesign(count);
  const all = pairsOf(count);
  for (let at = 0; at < blocks; at++) {
    const [one, other] = all[at % all.length]!;
    design.giveOut(one, other);
    design.add(one, other, score(one, other));
  }
  return design;
}

/** Rounds with lag 2, the first two through all pairs, as the format has them. */
function playAdaptive(count: number, size: TournamentSize, score: Score): RankingDesign {
  const { round } = size;
  const design = new RankingDesign(count);
  const all = pairsOf(count);
  const budget = budgetOf(count, size);
  const isOut: PairingBlocks[][] = [];
  const finish = (pairs: readonly PairingBlocks[]) => {
    for (const { entrants, blocks } of pairs) {
      const [one, other] = entrants as [number, number];
      for (let block = 0; block < blocks; block++) design.add(one, other, score(one, other));
    }
  };
  for (let given = 0, number = 0; given < budget; number++) {
    if (isOut.length === 2) finish(isOut.shift()!);
    const blocks = Math.min(round, budget - given);
    const chosen =
      number < 2
        ? Array.from({ length: blocks }, (_, at) => {
            return { entrants: all[(given + at) % all.length]!, blocks: 1 };
          })
        : design.next(blocks, Math.ceil(round / 32));
    for (const { entrants, blocks: size } of chosen) design.giveOut(entrants[0]!, entrants[1]!, size);
    isOut.push(chosen);
    given += blocks;
  }
  finish(isOut.flat());
  return design;
}

/** The scores of `one` in the two games of a block. */
function playGames({ elos, draws }: KnownPool, one: number, other: number, random: Random): [number, number] {
  const expected = 1 / (1 + Math.exp((elos[other]! - elos[one]!) / ELO_SCALE));
  const drawn = draws * 4 * expected * (1 - expected);
  const score = () => {
    const drawnAt = random.float() - (expected - drawn / 2);
    return drawnAt < 0 ? 1 : drawnAt < drawn ? 0.5 : 0;
  };
  return [score(), score()];
}

/** A game as far as ratings read it. */
function gameOf(one: number, other: number, score: number): RatedGame {
  return { seats: [one, other], returns: [score, 1 - score] } as unknown as RatedGame;
}

function orderedShare({ elos }: KnownPool, design: RankingDesign): number {
  const place = new Map(design.order().map((entrant, at) => [entrant, at]));
  // The entrants of a pool stand in their true order.
  const right = elos.slice(1).filter((_, at) => place.get(at)! < place.get(at + 1)!).length;
  return right / (elos.length - 1);
}

function pairsOf(count: number): [number, number][] {
  return Array.from({ length: count }, (_, one) =>
    Array.from({ length: count - one - 1 }, (__, at): [number, number] => [one, one + at + 1]),
  ).flat();
}
