import { lowestBit } from "../../base/hashing.ts";
import {
  BETWEEN,
  BISHOP_RAYS,
  findReach,
  KING_REACH,
  KNIGHT_REACH,
  PAWN_REACH,
  reached,
  ROOK_RAYS,
  ALL,
  BISHOP,
  BLACK,
  hasSeveral,
  KING,
  KNIGHT,
  lowestSquare,
  PAWN,
  QUEEN,
  ROOK,
  HIGH,
  type Position,
} from "./board.ts";

const NOT_FILE_A = 0xfefefefe | 0;
const NOT_FILE_H = 0x7f7f7f7f;

/** The square of a player's king. */
export function kingSquare({ bits }: Position, player: number): number {
  const king = (player << 3) | KING;
  return lowestSquare(bits[king], bits[HIGH | king]);
}

/** True if the other player attacks a square. `low` and `high` are the occupied squares; only pieces there count. */
function isAttacked({ bits, turn }: Position, square: number, low: number, high: number): boolean {
  const them = BLACK - (turn << 3);
  const at = 2 * square;
  const leapers =
    (KNIGHT_REACH[at] & bits[them | KNIGHT] & low) |
    (KNIGHT_REACH[at + 1] & bits[HIGH | them | KNIGHT] & high) |
    (PAWN_REACH[(turn << 7) | at] & bits[them | PAWN] & low) |
    (PAWN_REACH[(turn << 7) | (at + 1)] & bits[HIGH | them | PAWN] & high) |
    (KING_REACH[at] & bits[them | KING]) |
    (KING_REACH[at + 1] & bits[HIGH | them | KING]);
  if (leapers !== 0) return true;
  const queensLow = bits[them | QUEEN];
  const queensHigh = bits[HIGH | them | QUEEN];
  findReach(ROOK, square, low, high);
  const straightLow = reached[0] & (bits[them | ROOK] | queensLow) & low;
  const straightHigh = reached[1] & (bits[HIGH | them | ROOK] | queensHigh) & high;
  findReach(BISHOP, square, low, high);
  const obliqueLow = reached[0] & (bits[them | BISHOP] | queensLow) & low;
  const obliqueHigh = reached[1] & (bits[HIGH | them | BISHOP] | queensHigh) & high;
  return (straightLow | straightHigh | obliqueLow | obliqueHigh) !== 0;
}

/** True if the player to move could take the other king: then the position is illegal. */
export function canTakeKing(position: Position): boolean {
  const { bits, turn } = position;
  const king = kingSquare(position, turn ^ 1);
  position.turn ^= 1;
  const attacked = isAttacked(
    position,
    king,
    bits[ALL] | bits[BLACK | ALL],
    bits[HIGH | ALL] | bits[HIGH | BLACK | ALL],
  );
  position.turn ^= 1;
  return attacked;
}

/** Writes the squares that a player's pawns attack to `reached`. */
export function findPawnAttacks({ bits }: Position, player: number): void {
  const pawn = (player << 3) | PAWN;
  const westLow = bits[pawn] & NOT_FILE_A;
  const westHigh = bits[HIGH | pawn] & NOT_FILE_A;
  const eastLow = bits[pawn] & NOT_FILE_H;
  const eastHigh = bits[HIGH | pawn] & NOT_FILE_H;
  if (player === 0) {
    reached[0] = (westLow << 7) | (eastLow << 9);
    reached[1] = (westHigh << 7) | (eastHigh << 9) | (westLow >>> 25) | (eastLow >>> 23);
  } else {
    reached[0] = (westLow >>> 9) | (eastLow >>> 7) | (westHigh << 23) | (eastHigh << 25);
    reached[1] = (westHigh >>> 9) | (eastHigh >>> 7);
  }
}

/** Writes all squares that the other player attacks to `reached`; `low` and `high` are the occupied squares. */
export function findAttacked(position: Position, low: number, high: number): void {
  const { bits, board, turn } = position;
  const them = BLACK - (turn << 3);
  findPawnAttacks(position, turn ^ 1);
  let attackedLow = reached[0];
  let attackedHigh = reached[1];
  for (let half = 0; half < 64; half += 32) {
    let pieces = bits[(half >>> 1) | them | ALL] & ~bits[(half >>> 1) | them | PAWN];
    for (; pieces !== 0; pieces &= pieces - 1) {
      const from = half + lowestBit(pieces);
      findReach(board[from] & 7, from, low, high);
      attackedLow |= reached[0];
      attackedHigh |= reached[1];
    }
  }
  reached[0] = attackedLow;
  reached[1] = attackedHigh;
}

/** Finds the pieces that give check to the player to move, and that player's pinned pieces. */
export function scanKing(position: Position): void {
  const { bits, turn } = position;
  const them = BLACK - (turn << 3);
  const king = kingSquare(position, turn);
  const at = 2 * king;
  position.checkersLow =
    (KNIGHT_REACH[at] & bits[them | KNIGHT]) | (PAWN_REACH[(turn << 7) | at] & bits[them | PAWN]);
  position.checkersHigh =
    (KNIGHT_REACH[at + 1] & bits[HIGH | them | KNIGHT]) |
    (PAWN_REACH[(turn << 7) | (at + 1)] & bits[HIGH | them | PAWN]);
  position.pinnedLow = 0;
  position.pinnedHigh = 0;
  const queensLow = bits[them | QUEEN];
  const queensHigh = bits[HIGH | them | QUEEN];
  let low =
    (ROOK_RAYS[at] & (bits[them | ROOK] | queensLow)) | (BISHOP_RAYS[at] & (bits[them | BISHOP] | queensLow));
  let high =
    (ROOK_RAYS[at + 1] & (bits[HIGH | them | ROOK] | queensHigh)) |
    (BISHOP_RAYS[at + 1] & (bits[HIGH | them | BISHOP] | queensHigh));
  for (; low !== 0; low &= low - 1) scanSlider(position, king, lowestBit(low));
  for (; high !== 0; high &= high - 1) scanSlider(position, king, 32 + lowestBit(high));
}

/** Adds a slider on a line with the king to the checkers, or the king's only piece between them to the pinned ones. */
function scanSlider(position: Position, king: number, slider: number): void {
  const { bits } = position;
  const us = position.turn << 3;
  const at = 2 * ((king << 6) | slider);
  const ownLow = bits[us | ALL] & BETWEEN[at];
  const ownHigh = bits[HIGH | us | ALL] & BETWEEN[at + 1];
  const otherLow = bits[(us ^ BLACK) | ALL] & BETWEEN[at];
  const otherHigh = bits[HIGH | (us ^ BLACK) | ALL] & BETWEEN[at + 1];
  if ((otherLow | otherHigh) !== 0) return;
  if ((ownLow | ownHigh) === 0) {
    if (slider < 32) position.checkersLow |= 1 << slider;
    else position.checkersHigh |= 1 << slider;
  } else if (!hasSeveral(ownLow, ownHigh)) {
    position.pinnedLow |= ownLow;
    position.pinnedHigh |= ownHigh;
  }
}

/** True if the pawn on `from` may capture en passant on `to` without leaving its king attacked. */
export function mayCaptureEnPassant(position: Position, from: number, to: number): boolean {
  const { bits, turn } = position;
  // White's three squares all lie in the high half, black's in the low half.
  const changed = (1 << from) ^ (1 << to) ^ (1 << (to ^ 8));
  const low = (bits[ALL] | bits[BLACK | ALL]) ^ (turn === 0 ? 0 : changed);
  const high = (bits[HIGH | ALL] | bits[HIGH | BLACK | ALL]) ^ (turn === 0 ? changed : 0);
  return !isAttacked(position, kingSquare(position, turn), low, high);
}
