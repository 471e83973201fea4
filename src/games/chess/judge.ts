import { lowestBit } from "../../base/hashing.ts";
import { scoreHeuristic } from "../shared/score-heuristic.ts";
import type { Heuristic, FeatureSet } from "../contract/facets.ts";
import {
  PAWN_REACH,
  countSquares,
  KING,
  PAWN,
  HIGH,
  type Position,
  ALL,
  BISHOP,
  BLACK,
  KNIGHT,
  QUEEN,
  ROOK,
  KIND_NAMES,
} from "./board.ts";
import { countMoves } from "./moves.ts";
import type { ChessState } from "./state.ts";

/** Another pawn of the same player stands ahead on the file. */
export const DOUBLED = 1;
/** No pawn of the same player stands on a neighbouring file. */
export const ISOLATED = 2;
/** Not isolated, but all pawns on neighbouring files are farther ahead, and an enemy pawn attacks the square in front. */
export const BACKWARD = 4;
/** No pawn of the other player stands ahead, on the file or a neighbouring one. */
export const PASSED = 8;
/** A pawn of the same player defends it. */
export const PROTECTED = 16;

/**
 * A set of squares for each player and square, of its file and the neighbouring ones: halves at 2 * (64 * player +
 * square).
 */
function spans(inside: (files: number, ranksAhead: number) => boolean): Int32Array {
  const table = new Int32Array(2 * 2 * 64);
  for (let at = 0; at < 128; at++) {
    const square = at & 63;
    const forward = at < 64 ? 1 : -1;
    for (let other = 0; other < 64; other++) {
      const files = Math.abs((other & 7) - (square & 7));
      const ranks = ((other >>> 3) - (square >>> 3)) * forward;
      if (files <= 1 && inside(files, ranks)) table[2 * at + (other >>> 5)]! |= 1 << other;
    }
  }
  return table;
}

const AHEAD = spans((files, ranks) => files === 0 && ranks > 0);
const BESIDE = spans((files) => files === 1);
const SUPPORT = spans((files, ranks) => files === 1 && ranks <= 0);
const GUARD = spans((files, ranks) => files <= 1 && ranks > 0);

/** The traits of the pawn of a player on a square, DOUBLED to PROTECTED, as bits. */
export function classifyPawn({ bits }: Position, player: number, square: number): number {
  const ownLow = bits[(player << 3) | PAWN];
  const ownHigh = bits[HIGH | (player << 3) | PAWN];
  const otherLow = bits[((player ^ 1) << 3) | PAWN];
  const otherHigh = bits[HIGH | ((player ^ 1) << 3) | PAWN];
  const at = 2 * ((player << 6) | square);
  let traits = 0;
  if (((AHEAD[at] & ownLow) | (AHEAD[at + 1] & ownHigh)) !== 0) traits |= DOUBLED;
  if (((GUARD[at] & otherLow) | (GUARD[at + 1] & otherHigh)) === 0) traits |= PASSED;
  const behind = ((player ^ 1) << 7) | (2 * square);
  if (((PAWN_REACH[behind] & ownLow) | (PAWN_REACH[behind + 1] & ownHigh)) !== 0) traits |= PROTECTED;
  if (((BESIDE[at] & ownLow) | (BESIDE[at + 1] & ownHigh)) === 0) {
    traits |= ISOLATED;
  } else if (((SUPPORT[at] & ownLow) | (SUPPORT[at + 1] & ownHigh)) === 0) {
    const stop = (player << 7) | (2 * (square + (player === 0 ? 8 : -8)));
    if (((PAWN_REACH[stop] & otherLow) | (PAWN_REACH[stop + 1] & otherHigh)) !== 0) traits |= BACKWARD;
  }
  return traits;
}

/** True if a pawn of the other player can attack the square, now or after advancing. */
export function canPawnsAttack({ bits }: Position, player: number, square: number): boolean {
  const pawn = ((player ^ 1) << 3) | PAWN;
  const at = 2 * ((player << 6) | square);
  return ((GUARD[at] & BESIDE[at] & bits[pawn]) | (GUARD[at + 1] & BESIDE[at + 1] & bits[HIGH | pawn])) !== 0;
}

/** The score, in pawns, that is worth half a win. */
const HALF_WIN_PAWNS = 4;
/** The value of an infinite ratio: less than a win. */
const TURING_LIMIT = 0.999;

/** By kind: worth in pawns (Shannon 1950). Turing has the same, without the king. */
const WORTH = [1, 3, 3, 5, 9, 200] as const;

/** A heuristic from a score in pawns, as white sees it. */
function fromPawns(summary: string, score: (state: ChessState) => number): Heuristic<ChessState> {
  return scoreHeuristic(summary, HALF_WIN_PAWNS, score);
}

function count({ bits }: Position, player: number, kind: number): number {
  const piece = (player << 3) | kind;
  return countSquares(bits[piece], bits[HIGH | piece]);
}

function materialOf(position: Position, player: number): number {
  let sum = 0;
  for (let kind = PAWN; kind < KING; kind++) sum += WORTH[kind]! * count(position, player, kind);
  return sum;
}

/** Turing's w(n)/b(n) (1953), brought between -1 and 1 as (ratio - 1) / (ratio + 1). */
export const turing: Heuristic<ChessState> = {
  summary: "material over the other's material, pieces worth 1 3 3 5 9 (Turing 1953)",
  evaluate(state, player) {
    const white = materialOf(state, 0);
    const black = materialOf(state, 1);
    const value = white === black ? 0 : (TURING_LIMIT * (white - black)) / (white + black);
    return player === 0 ? value : 0 - value;
  },
};

export const material: Heuristic<ChessState> = fromPawns(
  "material less the other's material, pieces worth 1 3 3 5 9",
  (state) => materialOf(state, 0) - materialOf(state, 1),
);

/**
 * Shannon's f(P) (1950) in pawns, as white sees it: material with 200 for the king, less 0.5 for each
 * doubled, isolated and backward pawn, plus 0.1 for each legal move. The moves of the player who waits
 * are those after a null move.
 * @internal tests compare it with the paper's figures, in pawns.
 */
export function shannonScore(position: Position): number {
  return shannonSide(position, 0) - shannonSide(position, 1);
}

function shannonSide(position: Position, player: number): number {
  let weak = 0;
  for (let half = 0; half < 64; half += 32) {
    let pawns = position.bits[(half >>> 1) | (player << 3) | PAWN];
    for (; pawns !== 0; pawns &= pawns - 1) {
      weak += WEAKNESSES[classifyPawn(position, player, half + lowestBit(pawns)) & 7];
    }
  }
  const moves = countMoves(position, player);
  return WORTH[KING] + materialOf(position, player) + (moves - 5 * weak) / 10;
}

/** The number of the three weaknesses that a pawn has, by its traits. */
const WEAKNESSES = Int32Array.from({ length: 8 }, (_, traits) =>
  [DOUBLED, ISOLATED, BACKWARD].reduce((sum, trait) => sum + ((traits & trait) === 0 ? 0 : 1), 0),
);

export const shannon: Heuristic<ChessState> = fromPawns(
  "material, doubled, isolated and backward pawns, mobility (Shannon 1950)",
  shannonScore,
);

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
const PLACED_WORTH = Int32Array.from({ length: 16 * 64 }, (_, at) => {
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
      sum += PLACED_WORTH[((piece + ((piece & 7) === KING ? king : 0)) << 6) | square];
    }
  }
  return sum;
}

export const pieceSquares = fromPawns(
  "material and where each piece stands (Michniewski's simplified evaluation function)",
  (state) => pieceSquareScore(state) / 100,
);

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
