import type { Game } from "../../games/contract/game.ts";
import type { Score } from "./info.ts";

/*
 * Scores as expected returns, and back. A score of `c` centipawns is an expected result of 1 / (1 + 10^(-c / 400)), where a
 * win is 1. In chess, where returns are from -1 to 1, 100 centipawns are a value of 0.28.
 */

const CENTIPAWNS = 400;
/** Larger scores count as this one, whose value is 0.9998. */
const MOST_CENTIPAWNS = 1600;
/** Mates lie beyond all other scores: each move before the mate takes this off a won game. */
const MATE_STEP = 1e-7;
const MOST_MOVES = 500;

type Range = Pick<Game, "minReturn" | "maxReturn">;

/** The value of a score in the game's units, strictly inside the range of its returns. */
export function valueOf(score: Score, { minReturn, maxReturn }: Range): number {
  const middle = (maxReturn + minReturn) / 2;
  return middle + (signedValueOf(score) * (maxReturn - minReturn)) / 2;
}

/** The score of a value, in centipawns. The inverse of `valueOf` up to rounding. */
export function centipawnsOf(value: number, { minReturn, maxReturn }: Range): number {
  const middle = (maxReturn + minReturn) / 2;
  const signed = (2 * (value - middle)) / (maxReturn - minReturn);
  // Adding 0 turns a negative zero into a plain one.
  return Math.round(limited(CENTIPAWNS * Math.log10((1 + signed) / (1 - signed)))) + 0;
}

/** From -1 to 1. */
function signedValueOf(score: Score): number {
  if ("mate" in score) {
    const value = 1 - MATE_STEP * (1 + Math.min(Math.abs(score.mate), MOST_MOVES));
    // `mate 0` is of the player who is mated.
    return score.mate > 0 ? value : -value;
  }
  return 2 / (1 + 10 ** (-limited(score.centipawns) / CENTIPAWNS)) - 1;
}

function limited(centipawns: number): number {
  return Math.max(-MOST_CENTIPAWNS, Math.min(MOST_CENTIPAWNS, centipawns));
}
