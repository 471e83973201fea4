import { lowestBit, zobristTable } from "../../base/hashing.ts";
import { Homes } from "./castling.ts";

/** Kinds of pieces; a promotion is named by its kind. */
export const PAWN = 0;
export const KNIGHT = 1;
export const BISHOP = 2;
export const ROOK = 3;
export const QUEEN = 4;
export const KING = 5;

/** All pieces of one player, in place of a kind. */
export const ALL = 6;

/** A piece is its kind, plus BLACK where it is black's. */
export const BLACK = 8;

/** The content of an empty square. */
export const EMPTY = 7;

export const KIND_NAMES = ["pawn", "knight", "bishop", "rook", "queen", "king"] as const;
export const PLAYER_NAMES = ["white", "black"] as const;

/** By piece: its letter in FEN; `.` where there is no such piece. */
export const PIECE_LETTERS = "PNBRQK..pnbrqk..";

/**
 * Sets of squares as two int32: `low` holds ranks 1 to 4, `high` ranks 5 to 8. Squares count from
 * a1 = 0, b1 = 1 to h8 = 63; square s is bit s & 31 of half s >>> 5.
 */

/** The lowest square of a set that is not empty. */
export function lowestSquare(low: number, high: number): number {
  return low !== 0 ? lowestBit(low) : 32 + lowestBit(high);
}

/** The number of squares of a set: `countBits` of both halves, with one end. */
export function countSquares(low: number, high: number): number {
  let n = low - ((low >>> 1) & 0x55555555);
  let m = high - ((high >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  m = (m & 0x33333333) + ((m >>> 2) & 0x33333333);
  n += m;
  return Math.imul((n & 0x0f0f0f0f) + ((n >>> 4) & 0x0f0f0f0f), 0x01010101) >>> 24;
}

/** True if a set has two squares or more. */
export function hasSeveral(low: number, high: number): boolean {
  return low !== 0 ? high !== 0 || (low & (low - 1)) !== 0 : (high & (high - 1)) !== 0;
}

/** `e4` for 28. */
export function squareName(square: number): string {
  return "abcdefgh"[square & 7]! + ((square >>> 3) + 1);
}

/** The inverse; -1 for a text that names no square. */
export function parseSquare(text: string): number {
  return /^[a-h][1-8]$/.test(text) ? text.charCodeAt(0) - 97 + 8 * (Number(text[1]) - 1) : -1;
}

/** `Position.enPassant` when nothing can be captured en passant; a1 is never the square behind a pawn. */
export const NO_SQUARE = 0;

/** The distance of the two halves of a set in `Position.bits`: half of the 32 squares between the halves. */
export const HIGH = 16;

/** The index of the first random words of each trait. Each trait has a pair; pieces on squares come first. */
const CASTLING_WORDS = 2 * 16 * 64;
const EN_PASSANT_WORDS = CASTLING_WORDS + 2 * 16;
const TURN_WORDS = EN_PASSANT_WORDS + 2 * 64;
const WORDS = zobristTable("chess/position", TURN_WORDS + 2);

/** The homes of kings and rooks in usual chess. */
const USUAL_HOMES = new Homes([4, 60], [7, 0, 63, 56], WORDS.subarray(CASTLING_WORDS, EN_PASSANT_WORDS));

/** The pieces, the turn and the rights: the part of a position that repetitions compare. */
export class Position {
  /** The player who moves, or would move if the game were not over: 0 white, 1 black. */
  turn = 0;
  /** The castling rights, one bit each; see castling.ts. */
  castling = 0;
  /** The squares that kings and rooks castle from. */
  homes: Homes = USUAL_HOMES;
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
    const { words } = this.homes;
    this.keyLow ^= words[2 * this.castling] ^ words[2 * castling];
    this.keyHigh ^= words[2 * this.castling + 1] ^ words[2 * castling + 1];
    this.castling = castling;
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
    this.homes = other.homes;
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

/**
 * False if the pieces rule out that `player` mates, however the other helps (FIDE Laws of Chess, 6.9): a bare king; a knight
 * without a piece of the other's that could block, other than queens; bishops on one colour where nobody has a bishop on the
 * other colour, a knight or a pawn. Blocked positions are not looked through.
 */
export function canMate({ bits }: Position, player: number): boolean {
  const own = player << 3;
  const count = (kind: number, side: number) => countSquares(bits[side | kind], bits[HIGH | side | kind]);
  if (count(PAWN, own) + count(ROOK, own) + count(QUEEN, own) > 0) return true;
  const other = own ^ BLACK;
  const knights = count(KNIGHT, own);
  const bishops = count(BISHOP, own);
  if (knights + bishops === 0) return false;
  if (knights === 1 && bishops === 0) return count(ALL, other) - count(QUEEN, other) > 1;
  if (knights > 0) return true;
  if (count(PAWN, other) + count(KNIGHT, other) > 0) return true;
  const low = bits[BISHOP] | bits[BLACK | BISHOP];
  const high = bits[HIGH | BISHOP] | bits[HIGH | BLACK | BISHOP];
  return ((low | high) & LIGHT) !== 0 && ((low | high) & ~LIGHT) !== 0;
}

/**
 * Tables of the squares that pieces reach. A set of squares takes two entries, low half first (see board.ts),
 * so that square s begins at 2 * s.
 */

/** Visits the squares from `square` (itself left out) in steps of files and ranks, up to `reach`. */
function walk(square: number, step: readonly number[], visit: (square: number) => boolean | void): void {
  const [files = 0, ranks = 0] = step;
  let file = (square & 7) + files;
  let rank = (square >>> 3) + ranks;
  while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
    if (visit(8 * rank + file) === true) return;
    file += files;
    rank += ranks;
  }
}

function add(table: Int32Array, at: number, square: number): void {
  table[at + (square >>> 5)]! |= 1 << square;
}

/** The table of a piece that goes one step, or if `farther` any number of steps, in each of these directions. */
function reachTable(steps: readonly (readonly number[])[], farther: boolean): Int32Array {
  const table = new Int32Array(2 * 64);
  for (let square = 0; square < 64; square++) {
    for (const step of steps) {
      walk(square, step, (target) => {
        add(table, 2 * square, target);
        return !farther;
      });
    }
  }
  return table;
}

/** The four kinds of lines, each by one of its two directions. */
const LINES = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
] as const;
const opposite = ([files, ranks]: readonly [number, number]) => [0 - files, 0 - ranks] as const;
const STRAIGHT = [LINES[0], LINES[1], opposite(LINES[0]), opposite(LINES[1])];
const OBLIQUE = [LINES[2], LINES[3], opposite(LINES[2]), opposite(LINES[3])];
const KNIGHT_STEPS = [1, -1].flatMap((a) =>
  [2, -2].flatMap((b) => [
    [a, b],
    [b, a],
  ]),
);

export const KNIGHT_REACH = reachTable(KNIGHT_STEPS, false);
export const KING_REACH = reachTable([...STRAIGHT, ...OBLIQUE], false);
/** The squares that a white pawn attacks; from entry 128 on, those that a black pawn attacks. */
export const PAWN_REACH = Int32Array.from(
  [1, -1].flatMap((ahead) => {
    const steps = [-1, 1].map((files) => [files, ahead]);
    return Array.from(reachTable(steps, false));
  }),
);
/** The squares that rooks and bishops reach on an empty board. */
export const ROOK_RAYS = reachTable(STRAIGHT, true);
export const BISHOP_RAYS = reachTable(OBLIQUE, true);
/**
 * The squares of the first step of each kind but the pawn, at 2 * (64 * kind + square). A piece that is not pinned can
 * move if one of them is free.
 */
export const FIRST_STEPS = Int32Array.from([
  ...new Int32Array(2 * 64),
  ...KNIGHT_REACH,
  ...reachTable(OBLIQUE, false),
  ...reachTable(STRAIGHT, false),
  ...KING_REACH,
  ...KING_REACH,
]);

/** For two squares a and b on one line, at 2 * (64 * a + b): the squares between; empty otherwise. */
export const BETWEEN = new Int32Array(2 * 64 * 64);
/** For the same two squares: the whole line through both, up to the edges. */
export const LINE = new Int32Array(2 * 64 * 64);
for (let square = 0; square < 64; square++) {
  for (const line of LINES) {
    const whole = new Int32Array(2);
    add(whole, 0, square);
    for (const step of [line, opposite(line)]) walk(square, step, (target) => add(whole, 0, target));
    for (const step of [line, opposite(line)]) {
      const between = new Int32Array(2);
      walk(square, step, (target) => {
        BETWEEN.set(between, 2 * (64 * square + target));
        LINE.set(whole, 2 * (64 * square + target));
        add(between, 0, target);
      });
    }
  }
}

/**
 * The squares that a slider reaches along one line, up to and including the first piece in its way. On a
 * line of kind k through a square, at most six squares can stop a slider before the edge. Six bits say
 * which of them are occupied (by file; on a file, by rank), and select the entry at 2 * (64 * (64 * k +
 * square) + bits). One multiplication gathers the bits; chess programmers call this kindergarten
 * bitboards.
 */
const SLIDES = new Int32Array(2 * LINES.length * 64 * 64);
/** The squares of the two oblique lines through a square, without files a and h. */
const INNER_DIAGONAL = new Int32Array(2 * 64);
const INNER_ANTI_DIAGONAL = new Int32Array(2 * 64);

LINES.forEach((line, kind) => {
  const coordinate = (square: number) => (kind === 1 ? square >>> 3 : square & 7);
  const isInner = (square: number) => coordinate(square) > 0 && coordinate(square) < 7;
  const inner = kind === 2 ? INNER_DIAGONAL : INNER_ANTI_DIAGONAL;
  for (let square = 0; square < 64; square++) {
    for (const step of [line, opposite(line)]) {
      const targets: number[] = [];
      walk(square, step, (target) => void targets.push(target));
      if (kind >= 2) for (const target of targets.filter(isInner)) add(inner, 2 * square, target);
      for (let occupied = 0; occupied < 64; occupied++) {
        const at = 2 * (64 * (64 * kind + square) + occupied);
        for (const target of targets) {
          add(SLIDES, at, target);
          if (isInner(target) && ((occupied >>> (coordinate(target) - 1)) & 1) === 1) break;
        }
      }
    }
  }
});

/** The index in SLIDES of the reach along the rank; `low` and `high` are the occupied squares. */
function alongRank(square: number, low: number, high: number): number {
  const occupied = ((square < 32 ? low : high) >>> ((square & 24) + 1)) & 63;
  return 2 * ((square << 6) | occupied);
}

/** The same along the file: ranks 2 to 4 lie in bits 8, 16, 24 of the low half, 5 to 7 in 0, 8, 16 of the high. */
function alongFile(square: number, low: number, high: number): number {
  const file = square & 7;
  const gathered = (((low >>> file) & 0x01010100) >>> 8) | (((high >>> file) & 0x00010101) << 3);
  return 2 * (((64 + square) << 6) | ((Math.imul(gathered, 0x4081) >>> 14) & 63));
}

/** The same along the diagonal that runs as a1-h8 does. */
function alongDiagonal(square: number, low: number, high: number): number {
  const gathered = (low & INNER_DIAGONAL[2 * square]) | (high & INNER_DIAGONAL[2 * square + 1]);
  return 2 * (((128 + square) << 6) | (Math.imul(gathered, 0x02020202) >>> 26));
}

/** The same along the diagonal that runs as a8-h1 does. */
function alongAntiDiagonal(square: number, low: number, high: number): number {
  const gathered = (low & INNER_ANTI_DIAGONAL[2 * square]) | (high & INNER_ANTI_DIAGONAL[2 * square + 1]);
  return 2 * (((192 + square) << 6) | (Math.imul(gathered, 0x02020202) >>> 26));
}

/** The result of the last `findReach`, low half and high half. */
export const reached = new Int32Array(2);

/**
 * Finds the squares that a piece other than a pawn attacks from `square`, squares of its own pieces included. `low` and
 * `high` are the occupied squares. The result is in `reached` until the next call.
 */
export function findReach(kind: number, square: number, low: number, high: number): void {
  let toLow = 0;
  let toHigh = 0;
  if (kind === KNIGHT || kind === KING) {
    const at = 2 * ((kind << 6) | square);
    toLow = FIRST_STEPS[at];
    toHigh = FIRST_STEPS[at + 1];
  } else {
    if (kind !== BISHOP) {
      const rank = alongRank(square, low, high);
      const file = alongFile(square, low, high);
      toLow = SLIDES[rank] | SLIDES[file];
      toHigh = SLIDES[rank + 1] | SLIDES[file + 1];
    }
    if (kind !== ROOK) {
      const diagonal = alongDiagonal(square, low, high);
      const anti = alongAntiDiagonal(square, low, high);
      toLow |= SLIDES[diagonal] | SLIDES[anti];
      toHigh |= SLIDES[diagonal + 1] | SLIDES[anti + 1];
    }
  }
  reached[0] = toLow;
  reached[1] = toHigh;
}
