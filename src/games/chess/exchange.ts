import { findReach, KING_REACH, KNIGHT_REACH, PAWN_REACH, reached } from "./attacks.ts";
import { ALL, BISHOP, BLACK, EMPTY, KING, KNIGHT, lowestSquare, PAWN, QUEEN } from "./board.ts";
import { moveFrom, movePromotion, moveTo } from "./moves.ts";
import { HIGH, type Position } from "./position.ts";

/** Worth of each kind in hundredths of a pawn; a king is never left where it can be taken. */
export const WORTH = [100, 320, 330, 500, 900, 20000] as const;

/** More than the pieces that can meet on one square. */
const MOST_CAPTURES = 32;
/** By capture: what is won by then for who makes it, if the exchange ends there. */
const balance = new Int32Array(MOST_CAPTURES + 1);

/**
 * Static exchange evaluation: what a move wins in hundredths of a pawn when both players go on taking on its target
 * square, always with the least piece and only as long as it pays. Pieces behind others join in; pins do not count.
 */
export function exchangeValue(position: Position, action: number): number {
  const { bits, board, turn } = position;
  const from = moveFrom(action);
  const to = moveTo(action);
  const promotion = movePromotion(action);
  let low = (bits[ALL] | bits[BLACK | ALL]) & (from < 32 ? ~(1 << from) : -1);
  let high = (bits[HIGH | ALL] | bits[HIGH | BLACK | ALL]) & (from < 32 ? -1 : ~(1 << from));
  let kind = board[from] & 7;
  const captured = board[to];
  const isEnPassant = kind === PAWN && captured === EMPTY && ((from ^ to) & 7) !== 0;
  balance[0] = isEnPassant ? WORTH[PAWN] : captured === EMPTY ? 0 : WORTH[captured & 7]!;
  if (isEnPassant) {
    const pawn = to ^ 8;
    if (pawn < 32) low &= ~(1 << pawn);
    else high &= ~(1 << pawn);
  }
  if (promotion !== 0) {
    kind = promotion;
    balance[0] += WORTH[promotion]! - WORTH[PAWN];
  }
  let captures = 0;
  let player = turn ^ 1;
  for (;;) {
    const next = leastAttacker(position, player, to, low, high);
    if (next < 0) break;
    captures++;
    balance[captures] = WORTH[kind]! - balance[captures - 1];
    kind = board[next] & 7;
    if (next < 32) low &= ~(1 << next);
    else high &= ~(1 << next);
    player ^= 1;
  }
  for (; captures > 0; captures--)
    balance[captures - 1] = 0 - Math.max(0 - balance[captures - 1], balance[captures]);
  return balance[0];
}

/** The square of the least piece of a player that attacks a square, or -1; only pieces on `low` and `high` count. */
function leastAttacker(
  { bits }: Position,
  player: number,
  square: number,
  low: number,
  high: number,
): number {
  const us = player << 3;
  const at = 2 * square;
  const behind = ((player ^ 1) << 7) | at;
  let foundLow = PAWN_REACH[behind] & bits[us | PAWN] & low;
  let foundHigh = PAWN_REACH[behind + 1] & bits[HIGH | us | PAWN] & high;
  if ((foundLow | foundHigh) !== 0) return lowestSquare(foundLow, foundHigh);
  foundLow = KNIGHT_REACH[at] & bits[us | KNIGHT] & low;
  foundHigh = KNIGHT_REACH[at + 1] & bits[HIGH | us | KNIGHT] & high;
  if ((foundLow | foundHigh) !== 0) return lowestSquare(foundLow, foundHigh);
  for (let kind = BISHOP; kind <= QUEEN; kind++) {
    foundLow = bits[us | kind] & low;
    foundHigh = bits[HIGH | us | kind] & high;
    if ((foundLow | foundHigh) === 0) continue;
    findReach(kind, square, low, high);
    foundLow &= reached[0];
    foundHigh &= reached[1];
    if ((foundLow | foundHigh) !== 0) return lowestSquare(foundLow, foundHigh);
  }
  foundLow = KING_REACH[at] & bits[us | KING] & low;
  foundHigh = KING_REACH[at + 1] & bits[HIGH | us | KING] & high;
  return (foundLow | foundHigh) !== 0 ? lowestSquare(foundLow, foundHigh) : -1;
}
