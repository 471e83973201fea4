import { lowestBit } from "../../base/hashing.ts";
import { InputError } from "../../base/errors.ts";
import type { EndgameClass, Endgames } from "../contract/facets.ts";
import {
  ALL,
  BLACK,
  countSquares,
  KING,
  KNIGHT,
  PAWN,
  PIECE_LETTERS,
  QUEEN,
  HIGH,
  EMPTY,
  NO_SQUARE,
} from "./board.ts";
import { ChessState } from "./state.ts";
import { canTakeKing } from "./king.ts";
import { isCapturableEnPassant } from "./moves.ts";

/** The most pieces of a class, kings included. */
const MOST_PIECES = 4;
/** The number that a piece of each kind adds to the number of a player's pieces besides the king. */
const WORTH = Int32Array.from([1, 5, 25, 125, 625, 0]);
const WORTHS = 5 * 625;

/** The rules in a class: no counter draws a game. */
const UNCOUNTED = { chess960: false, quietPlies: 1 << 13, repetitions: 0, insufficientMaterial: true };

/** The pieces of the player besides the king, as a number. */
function worthOf({ bits, board }: ChessState, player: number): number {
  const all = (player << 3) | ALL;
  let sum = 0;
  for (let rest = bits[all]; rest !== 0; rest &= rest - 1) sum += WORTH[board[lowestBit(rest)] & 7];
  for (let rest = bits[HIGH | all]; rest !== 0; rest &= rest - 1)
    sum += WORTH[board[32 + lowestBit(rest)] & 7];
  return sum;
}

/** Classes by the pieces of both players, the stronger first: `KBNK`, `KPKP`. */
export const endgames: Endgames<ChessState> = {
  summary: `pieces of both players, the stronger first, such as KQK or KBNK; up to ${MOST_PIECES}`,
  version: 1,
  createState: () => new ChessState(UNCOUNTED),
  classNamed(name) {
    const [, first, second] = /^(K[QRBNP]*)(K[QRBNP]*)$/i.exec(name.trim().toUpperCase()) ?? [];
    if (first === undefined || second === undefined || first.length + second.length > MOST_PIECES) {
      throw new InputError(
        `"${name}" names no endgame; allowed: the pieces of both players, such as KQK or KBNK, up to ${MOST_PIECES}`,
      );
    }
    return createClass(kindsOf(first), kindsOf(second));
  },
  keyOf(state) {
    const { bits } = state;
    const white = countSquares(bits[ALL], bits[HIGH | ALL]);
    const black = countSquares(bits[BLACK | ALL], bits[HIGH | BLACK | ALL]);
    if (white + black > MOST_PIECES || state.castling !== 0) return -1;
    return keyOfWorths(worthOf(state, 0), worthOf(state, 1));
  },
  /** A mate by the last quiet ply counts. No position since the last progress may be one repetition from a draw. */
  isSafe(state, plies) {
    return state.quiet + plies <= state.rules.quietPlies && !state.isNearRepetition();
  },
};

function keyOfWorths(one: number, other: number): number {
  return one >= other ? one * WORTHS + other : other * WORTHS + one;
}

/** The pieces besides the king that letters name, the strongest first. */
function kindsOf(letters: string): number[] {
  return Array.from(letters.slice(1), (letter) => PIECE_LETTERS.indexOf(letter)).toSorted((a, b) => b - a);
}

function createClass(one: readonly number[], other: readonly number[]): EndgameClass<ChessState> {
  const sum = (kinds: readonly number[]) => kinds.reduce((worth, kind) => worth + WORTH[kind]!, 0);
  const [strong, weak] = sum(one) >= sum(other) ? [one, other] : [other, one];
  const numbering = new EndgameNumbering(strong, weak);
  const strongWorth = sum(strong);
  const isEven = strongWorth === sum(weak);
  return {
    name: nameOf(strong, weak),
    key: keyOfWorths(strongWorth, sum(weak)),
    size: isEven ? numbering.size : 2 * numbering.size,
    leadsTo: neighboursOf(strong, weak),
    place(state, index) {
      const weakMoves = index >= numbering.size;
      return numbering.place(state, weakMoves ? index - numbering.size : index, weakMoves ? 1 : 0);
    },
    indexOf(state) {
      // If both players have the same pieces, the player to move counts as the stronger.
      const player = isEven ? state.turn : worthOf(state, 0) === strongWorth ? 0 : 1;
      return numbering.indexOf(state, player) + (state.turn === player ? 0 : numbering.size);
    },
  };
}

function nameOf(strong: readonly number[], weak: readonly number[]): string {
  return [KING, ...strong, KING, ...weak].map((kind) => PIECE_LETTERS[kind]).join("");
}

/** The classes after a capture, a promotion, or both. */
function neighboursOf(strong: readonly number[], weak: readonly number[]): string[] {
  const names = new Set<string>();
  const add = (one: readonly number[], other: readonly number[]) => {
    const order = (kinds: readonly number[]) => kinds.toSorted((a, b) => b - a);
    const sum = (kinds: readonly number[]) => kinds.reduce((worth, kind) => worth + WORTH[kind]!, 0);
    const [first, second] = sum(one) >= sum(other) ? [one, other] : [other, one];
    names.add(nameOf(order(first), order(second)));
  };
  for (const [own, others] of [
    [strong, weak],
    [weak, strong],
  ] as const) {
    const left = others.map((_, at) => others.filter((__, index) => index !== at));
    for (const rest of left) add(own, rest);
    const pawn = own.indexOf(PAWN);
    if (pawn < 0) continue;
    for (let kind = KNIGHT; kind <= QUEEN; kind++)
      for (const rest of [others, ...left])
        add(
          own.map((piece, at) => (at === pawn ? kind : piece)),
          rest,
        );
  }
  return [...names];
}

/** Changes of the bits of a square that mirror the board: left and right, top and bottom. */
const MIRROR_FILES = 7;
const MIRROR_RANKS = 56;

/** The square mirrored at the diagonal from a1 to h8. */
function transpose(square: number): number {
  return ((square & 7) << 3) | (square >>> 3);
}

function areNear(one: number, other: number): boolean {
  const files = Math.abs((one & 7) - (other & 7));
  const ranks = Math.abs((one >>> 3) - (other >>> 3));
  return files <= 1 && ranks <= 1;
}

/** A numbering of the pairs of squares on which two kings can stand. */
interface KingPairs {
  /** By number: the squares of the kings. */
  readonly strong: Uint8Array;
  readonly weak: Uint8Array;
  /** At 64 * strong + weak; -1 for a pair without a number. */
  readonly number: Int16Array;
}

/**
 * With pawns, the board is mirrored so that the strong king stands on the files a to d: 1806 pairs. Without pawns, the
 * strong king stands in the triangle a1, d1, d4; if it is on the diagonal, the weak king is not above it: 462 pairs.
 */
function numberKings(withPawns: boolean): KingPairs {
  const pairs: [number, number][] = [];
  const number = new Int16Array(64 * 64).fill(-1);
  for (let strong = 0; strong < 64; strong++) {
    const file = strong & 7;
    const rank = strong >>> 3;
    if (file > 3 || (!withPawns && rank > file)) continue;
    for (let weak = 0; weak < 64; weak++) {
      if (areNear(strong, weak) || (!withPawns && rank === file && weak >>> 3 > (weak & 7))) continue;
      number[64 * strong + weak] = pairs.length;
      pairs.push([strong, weak]);
    }
  }
  return {
    strong: Uint8Array.from(pairs, ([square]) => square),
    weak: Uint8Array.from(pairs, ([, square]) => square),
    number,
  };
}

const PAWNLESS = numberKings(false);
const WITH_PAWNS = numberKings(true);

/**
 * Numbers the positions of two kings and a few other pieces, for one player to move. A number is that of the pair of
 * kings, then 6 bits for the square of each other piece. The board is turned so that the strong player is white. Two
 * pieces of one kind come in the order of their squares. A pawn that can be captured en passant is numbered as if it stood
 * on the first rank of its player, where no pawn can stand.
 */
class EndgameNumbering {
  readonly size: number;
  private readonly kings: KingPairs;
  private readonly withPawns: boolean;
  /** The pieces besides the kings, with the strong player as white; pieces of one kind stand side by side. */
  private readonly pieces: Uint8Array;
  private readonly squares: Uint8Array;

  constructor(strong: readonly number[], weak: readonly number[]) {
    this.withPawns = strong.includes(PAWN) || weak.includes(PAWN);
    this.kings = this.withPawns ? WITH_PAWNS : PAWNLESS;
    this.pieces = Uint8Array.from([...strong, ...weak.map((kind) => BLACK | kind)]);
    this.squares = new Uint8Array(this.pieces.length);
    this.size = this.kings.strong.length * 64 ** this.pieces.length;
  }

  /** Makes `state` the position of a number, with white as the strong player; false if the number has none. */
  place(state: ChessState, index: number, turn: number): boolean {
    const { pieces } = this;
    clear(state, turn);
    const kings = Math.floor(index / 64 ** pieces.length);
    state.put(KING, this.kings.strong[kings]);
    state.put(BLACK | KING, this.kings.weak[kings]);
    let enPassant = NO_SQUARE;
    let before = -1;
    for (let at = 0; at < pieces.length; at++) {
      const piece = pieces[at];
      const code = (index >>> (6 * (pieces.length - 1 - at))) & 63;
      if (at > 0 && piece === pieces[at - 1] && code <= before) return false;
      before = code;
      let square = code;
      if ((piece & 7) === PAWN && (code < 8 || code >= 56)) {
        // Only the player who has just moved can have such a pawn.
        if (code >= 56 !== (piece & BLACK) > 0 || turn === piece >> 3 || enPassant !== NO_SQUARE)
          return false;
        enPassant = code < 8 ? code + 16 : code - 16;
        square = code < 8 ? code + 24 : code - 24;
      }
      if (state.board[square] !== EMPTY) return false;
      state.put(piece, square);
    }
    if (canTakeKing(state)) return false;
    if (enPassant !== NO_SQUARE) {
      const start = turn === 0 ? enPassant + 8 : enPassant - 8;
      if (state.board[enPassant] !== EMPTY || state.board[start] !== EMPTY) return false;
      if (!isCapturableEnPassant(state, enPassant)) return false;
      state.setEnPassant(enPassant);
    }
    state.settle();
    return true;
  }

  /** The number of a position, with `strong` the strong player. */
  indexOf(state: ChessState, strong: number): number {
    const { pieces, squares } = this;
    const { bits } = state;
    let change = strong === 0 ? 0 : MIRROR_RANKS;
    const king = squareOf(state, (strong << 3) | KING);
    const other = squareOf(state, ((strong ^ 1) << 3) | KING);
    if ((king & 7) > 3) change ^= MIRROR_FILES;
    if (!this.withPawns && (king ^ change) >>> 3 > 3) change ^= MIRROR_RANKS;
    let strongKing = king ^ change;
    let weakKing = other ^ change;
    let turned = false;
    if (!this.withPawns) {
      const above = (strongKing >>> 3) - (strongKing & 7);
      turned = above > 0 || (above === 0 && weakKing >>> 3 > (weakKing & 7));
      if (turned) {
        strongKing = transpose(strongKing);
        weakKing = transpose(weakKing);
      }
    }
    const passed = state.enPassant === NO_SQUARE ? -1 : state.enPassant ^ 8;
    let count = 0;
    for (let at = 0; at < pieces.length; at += count) {
      const first = at;
      const piece = pieces[at] ^ (strong << 3);
      count = 0;
      for (let half = 0; half < 64; half += 32) {
        for (let rest = bits[(half >>> 1) | piece]; rest !== 0; rest &= rest - 1) {
          const square = half + lowestBit(rest);
          let code = square ^ change;
          if (turned) code = transpose(code);
          if (square === passed && (piece & 7) === PAWN) code += (pieces[at] & BLACK) === 0 ? -24 : 24;
          let slot = first + count++;
          for (; slot > first && squares[slot - 1] > code; slot--) squares[slot] = squares[slot - 1];
          squares[slot] = code;
        }
      }
    }
    let index = this.kings.number[64 * strongKing + weakKing];
    for (let at = 0; at < pieces.length; at++) index = index * 64 + squares[at];
    return index;
  }
}

/** The square of a piece that is the only one of its kind. */
function squareOf({ bits }: ChessState, piece: number): number {
  return bits[piece] !== 0 ? lowestBit(bits[piece]) : 32 + lowestBit(bits[HIGH | piece]);
}

/** Takes all pieces off, and gives the turn to a player. */
function clear(state: ChessState, turn: number): void {
  const { bits, board } = state;
  for (let half = 0; half < 64; half += 32)
    for (let player = 0; player <= BLACK; player += BLACK)
      for (let rest = bits[(half >>> 1) | player | ALL]; rest !== 0; rest &= rest - 1) {
        const square = half + lowestBit(rest);
        state.take(board[square], square);
      }
  if (state.enPassant !== NO_SQUARE) state.setEnPassant(NO_SQUARE);
  if (state.turn !== turn) state.passTurn();
  state.quiet = 0;
}
