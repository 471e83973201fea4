import type { Tactics } from "../contract/tactics.ts";
import {
  findReach,
  KING_REACH,
  KNIGHT_REACH,
  PAWN_REACH,
  reached,
  ALL,
  BISHOP,
  BLACK,
  EMPTY,
  KING,
  KNIGHT,
  lowestSquare,
  PAWN,
  QUEEN,
  HIGH,
  type Position,
} from "./board.ts";
import { castlingOf, moveFrom, movePromotion, moveTo, writeMoves, writeNoisyMoves } from "./moves.ts";
import type { ChessState } from "./state.ts";

/** Worth of each kind in hundredths of a pawn. The king is worth so much that no exchange gives it up. */
const WORTH = [100, 320, 330, 500, 900, 20000] as const;

/** More than the captures that can follow each other on one square. */
const MOST_CAPTURES = 32;
/** By capture: the balance of the player who makes it, if the exchange ends there. */
const balance = new Int32Array(MOST_CAPTURES + 1);

/**
 * Static exchange evaluation: the gain of a move, in hundredths of a pawn, when both players go on capturing on its
 * target square, always with the least piece and only as long as it pays. Pieces behind others join in; pins do not
 * count.
 * @internal tests compare it with known exchanges.
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

/** The square of the least valuable attacker of a square, or -1; only pieces on `low` and `high` count. */
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

function isInCheck({ checkersLow, checkersHigh }: Position): boolean {
  return (checkersLow | checkersHigh) !== 0;
}

/** True if a player has a piece besides king and pawns. */
function hasPiece({ bits }: Position, player: number): boolean {
  let pieces = 0;
  for (let kind = KNIGHT; kind <= QUEEN; kind++)
    pieces |= bits[(player << 3) | kind] | bits[HIGH | (player << 3) | kind];
  return pieces !== 0;
}

/**
 * The most valuable victim comes first, then the least valuable attacker. A capture by a piece that is worth more than
 * its victim loses if the whole exchange loses.
 */
function gain(state: ChessState, action: number): number {
  const { board } = state;
  const to = moveTo(action);
  const kind = board[moveFrom(action)] & 7;
  const promotion = movePromotion(action);
  const captured = board[to];
  const isCapture = captured !== EMPTY || (kind === PAWN && ((moveFrom(action) ^ to) & 7) !== 0);
  if ((!isCapture && promotion === 0) || (kind === KING && castlingOf(state, action) >= 0)) return 0;
  if (promotion !== 0 && promotion !== QUEEN) return 0 - WORTH[PAWN];
  const victim = !isCapture ? 0 : captured === EMPTY ? WORTH[PAWN] : WORTH[captured & 7]!;
  if (promotion === QUEEN || WORTH[kind]! > victim) {
    const value = exchangeValue(state, action);
    if (value < 0) return value;
  }
  return 8 * (victim + (promotion === QUEEN ? WORTH[QUEEN] : 0)) + 5 - kind;
}

export const tactics: Tactics<ChessState> = {
  summary: "captures and promotions; in check every move",
  isForced: isInCheck,
  noisyActions: (state, out, at) =>
    isInCheck(state) ? writeMoves(state, out, at) : writeNoisyMoves(state, out, at),
  gain,
  futility: 0.12,
  extends: true,
  pass: {
    isSafe: (state) => !isInCheck(state) && hasPiece(state, state.turn),
    apply: (state) => state.pass(),
    undo: (state) => state.undoPass(),
  },
};
