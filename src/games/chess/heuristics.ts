import { lowestBit } from "../../base/bits.ts";
import { scoreHeuristic } from "../shared/score-heuristic.ts";
import type { Heuristic } from "../contract/facets.ts";
import { PAWN_REACH } from "./attacks.ts";
import { countSquares, KING, PAWN } from "./board.ts";
import { countMoves } from "./moves.ts";
import { HIGH, type Position } from "./position.ts";
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
export function fromPawns(summary: string, score: (state: ChessState) => number): Heuristic<ChessState> {
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
