import { lowestBit } from "../../base/bits.ts";
import type { FeatureSet } from "../contract/facets.ts";
import { ALL, BLACK, countSquares, KIND_NAMES, KING, PAWN, squareName } from "./board.ts";
import { HIGH } from "./position.ts";
import type { ChessState } from "./state.ts";

const MEN = KIND_NAMES.slice(PAWN, KING);

/** `material`: for each kind of piece but the king, how many `player` has more than the other. */
export const materialFeatures: FeatureSet<ChessState> = {
  summary: "pieces by kind, less the other's",
  version: 1,
  size: KING,
  maxActive: KING,
  extract({ bits }, player, index, value) {
    const own = player << 3;
    let end = 0;
    for (let kind = PAWN; kind < KING; kind++) {
      const more =
        countSquares(bits[own | kind], bits[HIGH | own | kind]) -
        countSquares(bits[(own ^ BLACK) | kind], bits[HIGH | (own ^ BLACK) | kind]);
      if (more === 0) continue;
      index[end] = kind;
      value[end++] = more;
    }
    return end;
  },
  describe: (feature) => `${KIND_NAMES[feature]}s`,
  pieces: MEN.map((name, kind) => ({ name, features: [kind] })),
};

const SQUARES_TURN = 6 * 64;
const FILES = [0, 1, 2, 3, 4, 5, 6, 7];
/** From the top of a picture, the owner's side below. */
const RANKS = FILES.toReversed();

/**
 * `piece-squares`: one feature for each kind of piece on each square, seen from its owner's side of
 * the board, +1 for `player`'s, -1 for the other's; and whose turn it is.
 */
export const pieceSquareFeatures: FeatureSet<ChessState> = {
  summary: "each piece on each square, seen from its owner's side; turn",
  version: 1,
  size: SQUARES_TURN + 1,
  maxActive: 33,
  extract({ bits, board, turn }, player, index, value) {
    let end = 0;
    for (let half = 0; half < 64; half += 32) {
      let pieces = bits[(half >>> 1) | ALL] | bits[(half >>> 1) | BLACK | ALL];
      for (; pieces !== 0; pieces &= pieces - 1) {
        const square = half + lowestBit(pieces);
        const piece = board[square];
        const owner = piece >>> 3;
        index[end] = ((piece & 7) << 6) | (square ^ (56 * owner));
        value[end++] = owner === player ? 1 : -1;
      }
    }
    index[end] = SQUARES_TURN;
    value[end++] = turn === player ? 1 : -1;
    return end;
  },
  describe: (feature) =>
    feature === SQUARES_TURN ? "to move" : `${KIND_NAMES[feature >>> 6]} on ${squareName(feature & 63)}`,
  // Pawns are on the ranks 2 to 7.
  pieces: MEN.map((name, kind) => {
    const squares = Array.from({ length: 64 }, (_, square) => square).filter(
      (square) => kind !== PAWN || (square >= 8 && square < 56),
    );
    return { name, features: squares.map((square) => (kind << 6) | square) };
  }),
  grids: KIND_NAMES.map((name, kind) => ({
    name,
    rows: RANKS.map((rank) => FILES.map((file) => (kind << 6) | (8 * rank + file))),
    rowNames: RANKS.map((rank) => String(rank + 1)),
    columnNames: FILES.map((file) => "abcdefgh"[file]!),
  })),
};
