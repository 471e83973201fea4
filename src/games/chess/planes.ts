import type { PolicyHead } from "../contract/facets.ts";
import { KNIGHT, QUEEN } from "./board.ts";
import { moveFrom, movePromotion, moveTo } from "./moves.ts";
import type { ChessState } from "./state.ts";

/** Planes of a square: 8 directions by 7 distances, 8 knight's moves, and 3 pieces by 3 directions of underpromotions. */
const PLANES = 73;
const KNIGHT_PLANES = 56;
const UNDERPROMOTION_PLANES = 64;
/** The most squares that a queen moves. */
const FURTHEST = 7;

/** Steps of files and ranks, clockwise from straight ahead. */
const DIRECTIONS = [
  [0, 1],
  [1, 1],
  [1, 0],
  [1, -1],
  [0, -1],
  [-1, -1],
  [-1, 0],
  [-1, 1],
] as const;
const JUMPS = [
  [1, 2],
  [2, 1],
  [2, -1],
  [1, -2],
  [-1, -2],
  [-2, -1],
  [-2, 1],
  [-1, 2],
] as const;

/** By 16 * (ranks + 8) + files + 8 of a move: its plane. */
const planeOf = new Uint8Array(256);
const place = (files: number, ranks: number) => 16 * (ranks + 8) + files + 8;
for (const [at, [files, ranks]] of DIRECTIONS.entries())
  for (let distance = 1; distance <= FURTHEST; distance++)
    planeOf[place(distance * files, distance * ranks)] = FURTHEST * at + distance - 1;
for (const [at, [files, ranks]] of JUMPS.entries()) planeOf[place(files, ranks)] = KNIGHT_PLANES + at;

/**
 * The moves of AlphaZero (Silver et al. 2017, "Mastering chess and shogi by self-play with a general reinforcement learning
 * algorithm"): 8x8x73, by the square that a piece leaves and the way it goes, as the player to move sees the board. A pawn that
 * becomes a queen moves as any piece, and castling is the king's move. The order of the planes is not published.
 */
export const planes: PolicyHead<ChessState> = {
  version: 1,
  size: 64 * PLANES,
  index(action, { turn }) {
    // Black sees the board with the first rank on top.
    const turned = turn === 0 ? 0 : 56;
    const from = moveFrom(action) ^ turned;
    const to = moveTo(action) ^ turned;
    const files = (to & 7) - (from & 7);
    const promotion = movePromotion(action);
    const plane =
      promotion === 0 || promotion === QUEEN
        ? planeOf[place(files, (to >> 3) - (from >> 3))]
        : UNDERPROMOTION_PLANES + 3 * (promotion - KNIGHT) + files + 1;
    return PLANES * from + plane;
  },
};
