import { BISHOP, BLACK, countSquares, KNIGHT, PAWN, QUEEN, ROOK } from "./board.ts";
import { HIGH, type Position } from "./position.ts";
import type { ChessState } from "./state.ts";

/** The light squares of either half of the board. */
const LIGHT = 0x55aa55aa;

/**
 * Whether no series of legal moves can mate, by the pieces alone: bare kings, one knight or bishop
 * besides, or any number of bishops that all go on squares of one colour.
 */
export function isInsufficientMaterial({ bits }: Position): boolean {
  for (let player = 0; player <= BLACK; player += BLACK) {
    for (let half = player; half <= HIGH + player; half += HIGH) {
      if ((bits[half | PAWN] | bits[half | ROOK] | bits[half | QUEEN]) !== 0) return false;
    }
  }
  const knightsLow = bits[KNIGHT] | bits[BLACK | KNIGHT];
  const knightsHigh = bits[HIGH | KNIGHT] | bits[HIGH | BLACK | KNIGHT];
  const bishopsLow = bits[BISHOP] | bits[BLACK | BISHOP];
  const bishopsHigh = bits[HIGH | BISHOP] | bits[HIGH | BLACK | BISHOP];
  if ((knightsLow | knightsHigh) !== 0) {
    return countSquares(knightsLow | bishopsLow, knightsHigh | bishopsHigh) === 1;
  }
  const onLight = ((bishopsLow | bishopsHigh) & LIGHT) !== 0;
  const onDark = ((bishopsLow | bishopsHigh) & ~LIGHT) !== 0;
  return !(onLight && onDark);
}

/** Why the game is over, for people, without who has won; undefined while it goes on. */
export function describeEnding(state: ChessState): string | undefined {
  if (state.toMove >= 0) return undefined;
  if (state.winner >= 0) return "checkmate";
  const { quietPlies, repetitions, insufficientMaterial } = state.rules;
  if (insufficientMaterial && isInsufficientMaterial(state)) return "too little material to mate";
  if (repetitions > 0 && state.occurrences >= repetitions) return `position repeated ${repetitions} times`;
  if (state.quiet >= quietPlies) return `${quietPlies / 2} moves without capture or pawn move`;
  return "stalemate";
}
