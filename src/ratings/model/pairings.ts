import { ELO_SCALE } from "../elo.ts";
import { rankOf, type Tally } from "../counts/tally.ts";

/**
 * What Elo is fitted to. Each pair of seats of a game is a result of its own: 1 for the seat that came ahead, 0 for
 * the other, a half each for a tie. The expected result of a pair is the logistic function of the difference of its
 * strengths (Elo 1978, with the logistic curve), so an Elo difference says what score to expect, draws included:
 *
 *     expected = 1 / (1 + exp(-(strength[one] + advantage[seat of one] - strength[other] - advantage[seat of other])))
 *
 * Parameters: the log strength of each entrant, then the log advantage of each seat. Pairs of the same entrants at
 * the same seats are one pairing, with their results summed.
 */
export interface Pairings {
  readonly entrantCount: number;
  readonly seatCount: number;
  readonly parameterCount: number;
  readonly count: number;
  /** By pairing, its four parameters, at [4 * pairing ...]: entrant and seat of the one, entrant and seat of the other. */
  readonly parameters: Int32Array;
  /** By pairing: how many games, and the sum of the results of the one, 0 to `games`. */
  readonly games: Float64Array;
  readonly score: Float64Array;
  /** How many pairs of seats a game has. */
  readonly pairsOfGame: number;
  /** By outcome of the tally, at [outcome * pairsOfGame + pair]: the pairing, and the result of the one. */
  readonly pairingOf: Int32Array;
  readonly result: Float64Array;
}

export function createPairings(tally: Tally): Pairings {
  const { entrantCount, seatCount, outcomeCount, seats, ranks } = tally;
  const pairsOfGame = (seatCount * (seatCount - 1)) / 2;
  const pairingOf = new Int32Array(outcomeCount * pairsOfGame);
  const result = new Float64Array(outcomeCount * pairsOfGame);
  const parameters: number[] = [];
  const games: number[] = [];
  const score: number[] = [];
  for (let outcome = 0; outcome < outcomeCount; outcome++) {
    // Outcomes of the same seats stand together, and have the same pairings.
    const isNew = outcome === 0 || !sameSeats(tally, outcome - 1, outcome);
    let at = outcome * pairsOfGame;
    for (let seat = 0; seat < seatCount; seat++) {
      for (let rival = seat + 1; rival < seatCount; rival++, at++) {
        if (isNew) {
          const [one, other] = [seats[outcome * seatCount + seat], seats[outcome * seatCount + rival]];
          parameters.push(one, entrantCount + seat, other, entrantCount + rival);
          games.push(0);
          score.push(0);
        }
        pairingOf[at] = isNew ? games.length - 1 : pairingOf[at - pairsOfGame];
        const ahead = Math.sign(rankOf(ranks[outcome], rival) - rankOf(ranks[outcome], seat));
        result[at] = (1 + ahead) / 2;
        games[pairingOf[at]] += tally.games[outcome];
        score[pairingOf[at]] += tally.games[outcome] * result[at];
      }
    }
  }
  return {
    entrantCount,
    seatCount,
    parameterCount: entrantCount + seatCount,
    count: games.length,
    parameters: Int32Array.from(parameters),
    games: Float64Array.from(games),
    score: Float64Array.from(score),
    pairsOfGame,
    pairingOf,
    result,
  };
}

function sameSeats({ seatCount, seats }: Tally, one: number, other: number): boolean {
  for (let seat = 0; seat < seatCount; seat++) {
    if (seats[one * seatCount + seat] !== seats[other * seatCount + seat]) return false;
  }
  return true;
}

/** The log odds that the one comes ahead of the other in a pairing. */
export function logOdds({ parameters }: Pairings, pairing: number, values: Float64Array): number {
  const at = 4 * pairing;
  return (
    values[parameters[at]] +
    values[parameters[at + 1]] -
    values[parameters[at + 2]] -
    values[parameters[at + 3]]
  );
}

/** The expected result, 0 to 1, at these log odds. */
export function expectedResult(odds: number): number {
  return 1 / (1 + Math.exp(0 - odds));
}

/** Adds `amount` times the gradient of the log odds of a pairing to a vector over the parameters. */
export function addGradient(
  { parameters }: Pairings,
  pairing: number,
  amount: number,
  into: Float64Array,
): void {
  const at = 4 * pairing;
  into[parameters[at]] += amount;
  into[parameters[at + 1]] += amount;
  into[parameters[at + 2]] -= amount;
  into[parameters[at + 3]] -= amount;
}

/** Adds `amount` times the outer product of that gradient with itself to a matrix over the parameters. */
export function addInformation(
  { parameters, parameterCount }: Pairings,
  pairing: number,
  amount: number,
  into: Float64Array,
): void {
  const from = 4 * pairing;
  for (let row = 0; row < 4; row++) {
    for (let column = 0; column < 4; column++) {
      const sign = row < 2 === column < 2 ? 1 : -1;
      into[parameters[from + row] * parameterCount + parameters[from + column]] += sign * amount;
    }
  }
}

/**
 * Gaussian priors around 0, standard deviations in Elo. An even game carries an information of 1/4, so the prior on a
 * strength is worth about 1/75 of a game: nothing beside results, but enough to keep an entrant finite that won or
 * lost everything or never met the others. It also makes all strengths sum to zero. The prior on the advantage of a
 * seat is worth 3/4 of a game: after a handful of games in which the first seat never lost, it keeps the strengths
 * from following the advantage to the end of the scale.
 */
export const STRENGTH_SD_ELO = 3000;
export const ADVANTAGE_SD_ELO = 400;

/** Precision of the prior on each parameter of the fit. */
export function priorPrecisions({ parameterCount, entrantCount }: Pairings): Float64Array {
  return new Float64Array(parameterCount)
    .fill((ELO_SCALE / STRENGTH_SD_ELO) ** 2, 0, entrantCount)
    .fill((ELO_SCALE / ADVANTAGE_SD_ELO) ** 2, entrantCount);
}
