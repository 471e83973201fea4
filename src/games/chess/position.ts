import { countSquares, ROOK, QUEEN, PAWN, KNIGHT, BISHOP, ALL, BLACK, EMPTY } from "./board.ts";
import { zobristTable } from "../../base/hashing.ts";

/** Castling rights, one bit each. */
export const WHITE_SHORT = 1;
export const WHITE_LONG = 2;
export const BLACK_SHORT = 4;
export const BLACK_LONG = 8;

/** `Position.enPassant` when nothing can be captured en passant; a1 is never the square behind a pawn. */
export const NO_SQUARE = 0;

/** The distance of the two halves of a set in `Position.bits`: half of the 32 squares between the halves. */
export const HIGH = 16;

/** The index of the first random words of each trait. Each trait has a pair; pieces on squares come first. */
const CASTLING_WORDS = 2 * 16 * 64;
const EN_PASSANT_WORDS = CASTLING_WORDS + 2 * 16;
const TURN_WORDS = EN_PASSANT_WORDS + 2 * 64;
const WORDS = zobristTable("chess/position", TURN_WORDS + 2);

/** The pieces, the turn and the rights: the part of a position that repetitions compare. */
export class Position {
  /** The player who moves, or would move if the game were not over: 0 white, 1 black. */
  turn = 0;
  castling = 0;
  /** The square behind a pawn that has just moved two squares and can be captured now, or NO_SQUARE. */
  enPassant = NO_SQUARE;
  /** Zobrist hash of the position: `board`, `turn`, `castling`, `enPassant`. */
  keyLow = 0;
  keyHigh = 0;
  /** The pieces that give check to the player whose turn it is, kept by `scanKing`. */
  checkersLow = 0;
  checkersHigh = 0;
  /** The pieces of that player that each shield the king alone from a slider, kept by `scanKing`. */
  pinnedLow = 0;
  pinnedHigh = 0;
  /** The piece on each square, or EMPTY. */
  readonly board = new Uint8Array(64).fill(EMPTY);
  /** The squares of each piece, low halves at [piece], high halves at [HIGH + piece]; see ALL. */
  readonly bits = new Int32Array(2 * HIGH);

  /** Puts a piece on an empty square. */
  put(piece: number, square: number): void {
    this.board[square] = piece;
    this.toggle(piece, square);
  }

  /** Takes a piece off its square. */
  take(piece: number, square: number): void {
    this.board[square] = EMPTY;
    this.toggle(piece, square);
  }

  private toggle(piece: number, square: number): void {
    const { bits } = this;
    const half = (square >>> 5) << 4;
    const bit = 1 << square;
    bits[half | piece]! ^= bit;
    bits[half | (piece & BLACK) | ALL]! ^= bit;
    this.mix(2 * ((piece << 6) | square));
  }

  setCastling(castling: number): void {
    this.mix(CASTLING_WORDS + 2 * this.castling);
    this.castling = castling;
    this.mix(CASTLING_WORDS + 2 * castling);
  }

  setEnPassant(square: number): void {
    this.mix(EN_PASSANT_WORDS + 2 * this.enPassant);
    this.enPassant = square;
    this.mix(EN_PASSANT_WORDS + 2 * square);
  }

  passTurn(): void {
    this.turn ^= 1;
    this.mix(TURN_WORDS);
  }

  private mix(word: number): void {
    this.keyLow ^= WORDS[word];
    this.keyHigh ^= WORDS[word + 1];
  }

  copyPosition(other: Position): void {
    this.turn = other.turn;
    this.castling = other.castling;
    this.enPassant = other.enPassant;
    this.keyLow = other.keyLow;
    this.keyHigh = other.keyHigh;
    this.checkersLow = other.checkersLow;
    this.checkersHigh = other.checkersHigh;
    this.pinnedLow = other.pinnedLow;
    this.pinnedHigh = other.pinnedHigh;
    this.board.set(other.board);
    this.bits.set(other.bits);
  }
}

/** The light squares of either half of the board. */
const LIGHT = 0x55aa55aa;

/**
 * True if the pieces rule out any mate: bare kings, one knight or bishop besides the kings, or any number of bishops that
 * all go on squares of one colour.
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
