import { lowestBit } from "../../base/bits.ts";
import { ALL, BISHOP, BLACK, countSquares, KING, KNIGHT, QUEEN, ROOK } from "./board.ts";
import { fromPawns } from "./heuristics.ts";
import { HIGH, type Position } from "./position.ts";

/** By kind: worth in hundredths of a pawn. The king is never taken, so it is worth nothing. */
const PIECE_WORTH = [100, 320, 330, 500, 900, 0];

/** By kind, the endgame king last: the worth of each square in hundredths of a pawn, as white sees it, rank 8 first. */
const SQUARE_WORTH = [
  // pawn
  [
    [0, 0, 0, 0, 0, 0, 0, 0],
    [50, 50, 50, 50, 50, 50, 50, 50],
    [10, 10, 20, 30, 30, 20, 10, 10],
    [5, 5, 10, 25, 25, 10, 5, 5],
    [0, 0, 0, 20, 20, 0, 0, 0],
    [5, -5, -10, 0, 0, -10, -5, 5],
    [5, 10, 10, -20, -20, 10, 10, 5],
    [0, 0, 0, 0, 0, 0, 0, 0],
  ],
  // knight
  [
    [-50, -40, -30, -30, -30, -30, -40, -50],
    [-40, -20, 0, 0, 0, 0, -20, -40],
    [-30, 0, 10, 15, 15, 10, 0, -30],
    [-30, 5, 15, 20, 20, 15, 5, -30],
    [-30, 0, 15, 20, 20, 15, 0, -30],
    [-30, 5, 10, 15, 15, 10, 5, -30],
    [-40, -20, 0, 5, 5, 0, -20, -40],
    [-50, -40, -30, -30, -30, -30, -40, -50],
  ],
  // bishop
  [
    [-20, -10, -10, -10, -10, -10, -10, -20],
    [-10, 0, 0, 0, 0, 0, 0, -10],
    [-10, 0, 5, 10, 10, 5, 0, -10],
    [-10, 5, 5, 10, 10, 5, 5, -10],
    [-10, 0, 10, 10, 10, 10, 0, -10],
    [-10, 10, 10, 10, 10, 10, 10, -10],
    [-10, 5, 0, 0, 0, 0, 5, -10],
    [-20, -10, -10, -10, -10, -10, -10, -20],
  ],
  // rook
  [
    [0, 0, 0, 0, 0, 0, 0, 0],
    [5, 10, 10, 10, 10, 10, 10, 5],
    [-5, 0, 0, 0, 0, 0, 0, -5],
    [-5, 0, 0, 0, 0, 0, 0, -5],
    [-5, 0, 0, 0, 0, 0, 0, -5],
    [-5, 0, 0, 0, 0, 0, 0, -5],
    [-5, 0, 0, 0, 0, 0, 0, -5],
    [0, 0, 0, 5, 5, 0, 0, 0],
  ],
  // queen
  [
    [-20, -10, -10, -5, -5, -10, -10, -20],
    [-10, 0, 0, 0, 0, 0, 0, -10],
    [-10, 0, 5, 5, 5, 5, 0, -10],
    [-5, 0, 5, 5, 5, 5, 0, -5],
    [0, 0, 5, 5, 5, 5, 0, -5],
    [-10, 5, 5, 5, 5, 5, 0, -10],
    [-10, 0, 5, 0, 0, 0, 0, -10],
    [-20, -10, -10, -5, -5, -10, -10, -20],
  ],
  // king
  [
    [-30, -40, -40, -50, -50, -40, -40, -30],
    [-30, -40, -40, -50, -50, -40, -40, -30],
    [-30, -40, -40, -50, -50, -40, -40, -30],
    [-30, -40, -40, -50, -50, -40, -40, -30],
    [-20, -30, -30, -40, -40, -30, -30, -20],
    [-10, -20, -20, -20, -20, -20, -20, -10],
    [20, 20, 0, 0, 0, 0, 20, 20],
    [20, 30, 10, 0, 0, 10, 30, 20],
  ],
  // king in endgames
  [
    [-50, -40, -30, -20, -20, -30, -40, -50],
    [-30, -20, -10, 0, 0, -10, -20, -30],
    [-30, -10, 20, 30, 30, 20, -10, -30],
    [-30, -10, 30, 40, 40, 30, -10, -30],
    [-30, -10, 30, 40, 40, 30, -10, -30],
    [-30, -10, 20, 30, 30, 20, -10, -30],
    [-30, -30, 0, 0, 0, 0, -30, -30],
    [-50, -30, -30, -30, -30, -30, -30, -50],
  ],
];

/** At piece << 6 | square: the worth of a piece there, black's negative. The endgame king is kind 6. */
const WORTH = Int32Array.from({ length: 16 * 64 }, (_, at) => {
  const kind = (at >>> 6) & 7;
  const isBlack = at >>> 9 === 1;
  const square = isBlack ? at & 63 : (at & 63) ^ 56;
  const worth = (PIECE_WORTH[kind] ?? 0) + (SQUARE_WORTH[kind]?.[square >>> 3]?.[square & 7] ?? 0);
  return isBlack ? 0 - worth : worth;
});

/** True if each player has no queen, or one queen, no rook, and at most one knight or bishop. */
function isEndgame({ bits }: Position): boolean {
  for (let player = 0; player <= BLACK; player += BLACK) {
    const own = (kind: number) => countSquares(bits[player | kind], bits[HIGH | player | kind]);
    const queens = own(QUEEN);
    if (queens > 1) return false;
    if (queens === 1 && (own(ROOK) > 0 || own(KNIGHT) + own(BISHOP) > 1)) return false;
  }
  return true;
}

/**
 * The score in hundredths of a pawn, as white sees it.
 * @internal tests compare it with the published tables.
 */
export function pieceSquareScore(position: Position): number {
  const { bits, board } = position;
  const king = isEndgame(position) ? 1 : 0;
  let sum = 0;
  for (let half = 0; half < 64; half += 32) {
    let pieces = bits[(half >>> 1) | ALL] | bits[(half >>> 1) | BLACK | ALL];
    for (; pieces !== 0; pieces &= pieces - 1) {
      const square = half + lowestBit(pieces);
      const piece = board[square];
      sum += WORTH[((piece + ((piece & 7) === KING ? king : 0)) << 6) | square];
    }
  }
  return sum;
}

export const pieceSquares = fromPawns(
  "material and where each piece stands (Michniewski's simplified evaluation function)",
  (state) => pieceSquareScore(state) / 100,
);
