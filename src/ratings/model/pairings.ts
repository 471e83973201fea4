import { ELO_SCALE } from "../elo.ts";
import { rankOf, type Tally } from "../counts/tally.ts";

/**
 * What Elo is fitted to. Each pair of seats of a game is a result of its own: 1 for the seat that came ahead, 0 for
 * the other, a half each for a tie. The expected result is the logistic function of the difference of two numbers
 * (Elo 1978, with the logistic curve), so an Elo difference says what score to expect, draws included:
 *
 *     expected = 1 / (1 + exp(value of the other - value of the one))
 *
 * The numbers are the log strengths of the entrants, or in a fit of its own the log advantages of the seats. Blocks
 * have all seat rotations, so that in a comparison of entrants the seats cancel out, and in one of seats the entrants.
 * Pairs of the same two are one pairing, with their results summed.
 */
export interface Pairings {
  /** How many numbers there are. */
  readonly size: number;
  readonly count: number;
  /** By pairing: the numbers that are compared. */
  readonly one: Int32Array;
  readonly other: Int32Array;
  /** By pairing: how many pairs, and the sum of the results of the one, 0 to `pairs`. */
  readonly pairs: Float64Array;
  readonly score: Float64Array;
  /** By number: in how many blocks it was compared. */
  readonly blocksOf: Int32Array;
  /** Precision of the Gaussian prior on each number, around 0. */
  readonly prior: number;
  /** How many pairs of seats a game has. */
  readonly pairsOfGame: number;
  /** By outcome of the tally, at [outcome * pairsOfGame + pair]: the pairing, or -1 for one against itself. */
  readonly pairingOf: Int32Array;
  /** At the same place: the result of the one. */
  readonly result: Float64Array;
}

/**
 * Standard deviations of the priors, in Elo. An even game carries an information of 1/4, so the prior on a strength
 * is worth about 1/75 of a game: nothing beside results, but enough to keep an entrant finite that won or lost
 * everything or never met the others. It also makes all strengths sum to zero. The prior on the advantage of a seat is
 * worth 3/4 of a game.
 * @internal tests look at what the priors are worth.
 */
export const STRENGTH_SD_ELO = 3000;
/** @internal see STRENGTH_SD_ELO. */
export const ADVANTAGE_SD_ELO = 400;

/** The pairs of entrants. */
export function pairEntrants(tally: Tally): Pairings {
  const { seatCount, seats, entrantCount: size, blocksOf } = tally;
  const priorElo = STRENGTH_SD_ELO;
  return createPairings(tally, (outcome, seat) => seats[outcome * seatCount + seat], {
    size,
    blocksOf,
    priorElo,
  });
}

/** The pairs of seats. */
export function pairSeats(tally: Tally): Pairings {
  const { seatCount: size, blocks } = tally;
  const blocksOf = new Int32Array(size).fill(blocks.count);
  return createPairings(tally, (_, seat) => seat, { size, blocksOf, priorElo: ADVANTAGE_SD_ELO });
}

function createPairings(
  { seatCount, outcomeCount, ranks, games }: Tally,
  numberAt: (outcome: number, seat: number) => number,
  { size, blocksOf, priorElo }: { size: number; blocksOf: Int32Array; priorElo: number },
): Pairings {
  const pairsOfGame = (seatCount * (seatCount - 1)) / 2;
  const pairingOf = new Int32Array(outcomeCount * pairsOfGame).fill(-1);
  const result = new Float64Array(outcomeCount * pairsOfGame);
  const found = new Int32Array(size * size).fill(-1);
  const one: number[] = [];
  const other: number[] = [];
  const pairs: number[] = [];
  const score: number[] = [];
  let at = 0;
  for (let outcome = 0; outcome < outcomeCount; outcome++) {
    for (let seat = 0; seat < seatCount; seat++) {
      for (let rival = seat + 1; rival < seatCount; rival++, at++) {
        const [a, b] = [numberAt(outcome, seat), numberAt(outcome, rival)];
        if (a === b) continue;
        // The smaller number is the one.
        const [low, high] = a < b ? [a, b] : [b, a];
        const ahead = Math.sign(rankOf(ranks[outcome], rival) - rankOf(ranks[outcome], seat));
        let pairing = found[low * size + high];
        if (pairing < 0) {
          pairing = found[low * size + high] = one.push(low) - 1;
          other.push(high);
          pairs.push(0);
          score.push(0);
        }
        pairingOf[at] = pairing;
        result[at] = (1 + (a < b ? ahead : 0 - ahead)) / 2;
        pairs[pairing] += games[outcome];
        score[pairing] += games[outcome] * result[at];
      }
    }
  }
  return {
    size,
    count: one.length,
    one: Int32Array.from(one),
    other: Int32Array.from(other),
    pairs: Float64Array.from(pairs),
    score: Float64Array.from(score),
    blocksOf,
    prior: (ELO_SCALE / priorElo) ** 2,
    pairsOfGame,
    pairingOf,
    result,
  };
}

/** The log odds that the one comes ahead of the other in a pairing. */
export function logOdds({ one, other }: Pairings, pairing: number, values: Float64Array): number {
  return values[one[pairing]] - values[other[pairing]];
}

/** The expected result, 0 to 1, at these log odds. */
export function expectedResult(odds: number): number {
  return 1 / (1 + Math.exp(0 - odds));
}

/** Adds `amount` times the information of one pair of a pairing to a matrix over the numbers. */
export function addInformation(
  { one, other, size }: Pairings,
  pairing: number,
  amount: number,
  into: Float64Array,
): void {
  const [a, b] = [one[pairing], other[pairing]];
  into[a * size + a] += amount;
  into[b * size + b] += amount;
  into[a * size + b] -= amount;
  into[b * size + a] -= amount;
}
