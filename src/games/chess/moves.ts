import { lowestBit } from "../../base/hashing.ts";
import {
  BETWEEN,
  findReach,
  FIRST_STEPS,
  KING_REACH,
  LINE,
  PAWN_REACH,
  reached,
  ALL,
  BLACK,
  EMPTY,
  hasSeveral,
  KING,
  KNIGHT,
  lowestSquare,
  PAWN,
  QUEEN,
  HIGH,
  NO_SQUARE,
  type Position,
} from "./board.ts";
import { findAttacked, kingSquare, mayCaptureEnPassant, scanKing } from "./king.ts";

/** The action of a move: from << 9 | to << 3 | promotion (KNIGHT to QUEEN, 0 for none). */
export function encodeMove(from: number, to: number, promotion: number): number {
  return (from << 9) | (to << 3) | promotion;
}

export function moveFrom(action: number): number {
  return action >>> 9;
}

export function moveTo(action: number): number {
  return (action >>> 3) & 63;
}

export function movePromotion(action: number): number {
  return action & 7;
}

/** More than 218, the most legal moves of any position known. */
export const MAX_MOVES = 256;

const scratch = new Int32Array(MAX_MOVES);

/** The first rank in the low half, and the last rank in the high half. */
const FIRST_RANK = 0xff;
const LAST_RANK = 0xff << 24;

/** Writes the captures and promotions of a player who is not in check, as `writeMoves` does. */
export function writeNoisyMoves(position: Position, out: Int32Array, at: number): number {
  const them = BLACK - (position.turn << 3);
  return writeMoves(position, out, at, position.bits[them | ALL], position.bits[HIGH | them | ALL]);
}

/**
 * Writes the legal moves of the player whose turn it is to `out`, ascending, from index `at` on; returns
 * their number. With a set of target squares it writes only moves to them, promotions and captures en passant.
 * It needs `checkers` and `pinned` of the position. In check, pieces other than the king go only to squares where they
 * meet the check. Pinned pieces go only along their line to the king, and the king only to squares that nothing attacks.
 * So no move has to be tried out.
 */
export function writeMoves(
  position: Position,
  out: Int32Array,
  at: number,
  targetsLow = -1,
  targetsHigh = -1,
): number {
  const { bits, board, turn, checkersLow, checkersHigh } = position;
  const us = turn << 3;
  const ownLow = bits[us | ALL];
  const ownHigh = bits[HIGH | us | ALL];
  const low = ownLow | bits[(us ^ BLACK) | ALL];
  const high = ownHigh | bits[HIGH | (us ^ BLACK) | ALL];
  const king = kingSquare(position, turn);
  let meetLow = -1;
  let meetHigh = -1;
  if ((checkersLow | checkersHigh) !== 0) {
    if (hasSeveral(checkersLow, checkersHigh)) {
      return writeKingMoves(position, king, out, at, targetsLow, targetsHigh) - at;
    }
    const between = 2 * ((king << 6) | lowestSquare(checkersLow, checkersHigh));
    meetLow = BETWEEN[between] | checkersLow;
    meetHigh = BETWEEN[between + 1] | checkersHigh;
  }
  let end = at;
  for (let half = 0; half < 64; half += 32) {
    const pinned = half === 0 ? position.pinnedLow : position.pinnedHigh;
    for (let movers = half === 0 ? ownLow : ownHigh; movers !== 0; movers &= movers - 1) {
      const from = half + lowestBit(movers);
      const kind = board[from] & 7;
      if (kind === KING) {
        end = writeKingMoves(position, from, out, end, targetsLow, targetsHigh);
        continue;
      }
      if (kind === PAWN) findPawnTargets(position, from, low, high);
      else findReach(kind, from, low, high);
      let toLow = reached[0] & meetLow & ~ownLow & (kind === PAWN ? targetsLow | FIRST_RANK : targetsLow);
      let toHigh = reached[1] & meetHigh & ~ownHigh & (kind === PAWN ? targetsHigh | LAST_RANK : targetsHigh);
      if (((pinned >>> from) & 1) === 1) {
        toLow &= LINE[2 * ((king << 6) | from)];
        toHigh &= LINE[2 * ((king << 6) | from) + 1];
      }
      if (kind === PAWN) {
        if (position.enPassant !== NO_SQUARE && reachesEnPassant(position, from)) {
          if (turn === 0) toHigh |= 1 << position.enPassant;
          else toLow |= 1 << position.enPassant;
        }
        if (from >>> 3 === (turn === 0 ? 6 : 1)) {
          end = writePromotions(from, turn === 0 ? toHigh : toLow, out, end);
          continue;
        }
      }
      const base = from << 9;
      for (; toLow !== 0; toLow &= toLow - 1) out[end++] = base | (lowestBit(toLow) << 3);
      for (; toHigh !== 0; toHigh &= toHigh - 1) out[end++] = base | ((32 + lowestBit(toHigh)) << 3);
    }
  }
  return end - at;
}

/** Writes the squares that a pawn can go to, en passant aside, to `reached`. */
function findPawnTargets(position: Position, from: number, low: number, high: number): void {
  const { bits, turn } = position;
  const them = BLACK - (turn << 3);
  let toLow = PAWN_REACH[(turn << 7) | (2 * from)] & bits[them | ALL];
  let toHigh = PAWN_REACH[(turn << 7) | (2 * from + 1)] & bits[HIGH | them | ALL];
  const step = turn === 0 ? 8 : -8;
  const one = from + step;
  if ((((one < 32 ? low : high) >>> one) & 1) === 0) {
    if (one < 32) toLow |= 1 << one;
    else toHigh |= 1 << one;
    const two = one + step;
    if (from >>> 3 === (turn === 0 ? 1 : 6) && (((two < 32 ? low : high) >>> two) & 1) === 0) {
      if (two < 32) toLow |= 1 << two;
      else toHigh |= 1 << two;
    }
  }
  reached[0] = toLow;
  reached[1] = toHigh;
}

function writePromotions(from: number, targets: number, out: Int32Array, at: number): number {
  const rank = from >>> 3 === 6 ? 32 : 0;
  let end = at;
  for (let left = targets; left !== 0; left &= left - 1) {
    for (let kind = KNIGHT; kind <= QUEEN; kind++)
      out[end++] = encodeMove(from, rank + lowestBit(left), kind);
  }
  return end;
}

/** True if the pawn on `from` can legally capture en passant. */
function reachesEnPassant(position: Position, from: number): boolean {
  const { enPassant, turn } = position;
  const reach = PAWN_REACH[(turn << 7) | (2 * from + (enPassant >>> 5))];
  return ((reach >>> enPassant) & 1) === 1 && mayCaptureEnPassant(position, from, enPassant);
}

function writeKingMoves(
  position: Position,
  from: number,
  out: Int32Array,
  at: number,
  targetsLow: number,
  targetsHigh: number,
): number {
  const { bits, turn, castling, homes, checkersLow, checkersHigh } = position;
  const us = turn << 3;
  const ownLow = bits[us | ALL];
  const ownHigh = bits[HIGH | us | ALL];
  // The king itself does not shield the squares behind it.
  const low = (ownLow | bits[(us ^ BLACK) | ALL]) ^ (from < 32 ? 1 << from : 0);
  const high = (ownHigh | bits[HIGH | (us ^ BLACK) | ALL]) ^ (from < 32 ? 0 : 1 << from);
  let toLow = KING_REACH[2 * from] & ~ownLow & targetsLow;
  let toHigh = KING_REACH[2 * from + 1] & ~ownHigh & targetsHigh;
  // In usual chess a king that cannot step aside cannot castle either.
  if ((toLow | toHigh) === 0 && (castling === 0 || !homes.isChess960)) return at;
  findAttacked(position, low, high);
  const safeLow = ~reached[0];
  const safeHigh = ~reached[1];
  toLow &= safeLow;
  toHigh &= safeHigh;
  if (((castling >>> (2 * turn)) & 3) !== 0 && (checkersLow | checkersHigh) === 0) {
    const castled =
      turn === 0
        ? findCastlings(position, low, ~safeLow, position.pinnedLow)
        : findCastlings(position, high >>> 24, ~safeHigh >>> 24, position.pinnedHigh >>> 24);
    if (turn === 0) toLow |= castled & targetsLow;
    else toHigh |= (castled << 24) & targetsHigh;
  }
  const base = from << 9;
  let end = at;
  for (; toLow !== 0; toLow &= toLow - 1) out[end++] = base | (lowestBit(toLow) << 3);
  for (; toHigh !== 0; toHigh &= toHigh - 1) out[end++] = base | ((32 + lowestBit(toHigh)) << 3);
  return end;
}

/**
 * The targets of legal castlings, as bits by file; the other sets are of the same rank. Of a rook that is pinned the king
 * would lose the shield.
 */
function findCastlings(position: Position, occupied: number, attacked: number, pinned: number): number {
  const { castling, turn } = position;
  const { path, way, target, rooks } = position.homes;
  let castled = 0;
  for (let right = 2 * turn; right <= 2 * turn + 1; right++) {
    if (
      ((castling >>> right) & 1) !== 0 &&
      (occupied & path[right]) === 0 &&
      (attacked & way[right]) === 0 &&
      ((pinned >>> (rooks[right]! & 7)) & 1) === 0
    )
      castled |= target[right];
  }
  return castled;
}

/**
 * The right, a number of castling.ts, that a legal move of the player to move uses; -1 if it is no castling. The king goes
 * two squares, or in Chess960 to its rook.
 */
export function castlingOf({ board, turn }: Position, action: number): number {
  const from = moveFrom(action);
  const to = moveTo(action);
  if ((board[from] & 7) !== KING) return -1;
  const castles = board[to] === EMPTY ? Math.abs(to - from) === 2 : ((board[to] ^ board[from]) & BLACK) === 0;
  return castles ? 2 * turn + (to > from ? 0 : 1) : -1;
}

/** True if the player whose turn it is has a legal move. Fast where an unpinned pawn or piece can move. */
export function hasMove(position: Position): boolean {
  const { bits, board, turn, checkersLow, checkersHigh, pinnedLow, pinnedHigh } = position;
  if ((checkersLow | checkersHigh) === 0) {
    const us = turn << 3;
    const ownLow = bits[us | ALL];
    const ownHigh = bits[HIGH | us | ALL];
    const emptyLow = ~(ownLow | bits[(us ^ BLACK) | ALL]);
    const emptyHigh = ~(ownHigh | bits[HIGH | (us ^ BLACK) | ALL]);
    const pawnsLow = bits[us | PAWN] & ~pinnedLow;
    const pawnsHigh = bits[HIGH | us | PAWN] & ~pinnedHigh;
    const pushes =
      turn === 0
        ? ((pawnsLow << 8) & emptyLow) | (((pawnsHigh << 8) | (pawnsLow >>> 24)) & emptyHigh)
        : (((pawnsLow >>> 8) | (pawnsHigh << 24)) & emptyLow) | ((pawnsHigh >>> 8) & emptyHigh);
    if (pushes !== 0) return true;
    for (let half = 0; half < 64; half += 32) {
      let pieces = half === 0 ? ownLow & ~pawnsLow & ~pinnedLow : ownHigh & ~pawnsHigh & ~pinnedHigh;
      for (; pieces !== 0; pieces &= pieces - 1) {
        const square = half + lowestBit(pieces);
        const kind = board[square] & 7;
        const at = 2 * ((kind << 6) | square);
        if (kind !== KING && ((FIRST_STEPS[at] & ~ownLow) | (FIRST_STEPS[at + 1] & ~ownHigh)) !== 0)
          return true;
      }
    }
  }
  return writeMoves(position, scratch, 0) > 0;
}

/** True if a pawn of the player whose turn it is can capture en passant on `square`. */
export function isCapturableEnPassant(position: Position, square: number): boolean {
  const { bits, turn } = position;
  const pawns = bits[((square >>> 5) << 4) | (turn << 3) | PAWN];
  let capturers = pawns & PAWN_REACH[((turn ^ 1) << 7) | (2 * square + (square >>> 5))];
  for (; capturers !== 0; capturers &= capturers - 1) {
    if (mayCaptureEnPassant(position, (square & 32) + lowestBit(capturers), square)) return true;
  }
  return false;
}

/**
 * The number of moves that a player has, or would have at its turn. If the other king were in check then, its capture
 * would count too.
 */
export function countMoves(position: Position, player: number): number {
  if (player === position.turn) return writeMoves(position, scratch, 0);
  const { enPassant, checkersLow, checkersHigh, pinnedLow, pinnedHigh } = position;
  position.turn = player;
  position.enPassant = NO_SQUARE;
  scanKing(position);
  const count = writeMoves(position, scratch, 0);
  position.turn = player ^ 1;
  position.enPassant = enPassant;
  position.checkersLow = checkersLow;
  position.checkersHigh = checkersHigh;
  position.pinnedLow = pinnedLow;
  position.pinnedHigh = pinnedHigh;
  return count;
}
