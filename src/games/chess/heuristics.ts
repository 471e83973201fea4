import type { Heuristic } from "../facets.ts";
import { countSquares, lowestBit } from "./bits.ts";
import { countMoves } from "./moves.ts";
import { BACKWARD, classifyPawn, DOUBLED, ISOLATED } from "./pawns.ts";
import { KING, PAWN } from "./pieces.ts";
import { HIGH, type Position } from "./position.ts";
import type { ChessState } from "./state.ts";

/** Pawns ahead at which an evaluation reaches half a win. */
const HALF_WIN_PAWNS = 4;
/** What Turing's ratio is worth when it is infinite: short of a win. */
const TURING_LIMIT = 0.999;

/** Worth in pawns of pawn, knight, bishop, rook, queen, king (Shannon 1950; Turing's, the king aside). */
const WORTH = [1, 3, 3, 5, 9, 200] as const;

/** A heuristic from a score in pawns, as white sees it; score / (4 + |score|) is its value. */
export function fromPawns(summary: string, score: (state: ChessState) => number): Heuristic<ChessState> {
  return {
    summary,
    evaluate(state, player) {
      const pawns = score(state);
      const value = pawns / (HALF_WIN_PAWNS + Math.abs(pawns));
      return player === 0 ? value : 0 - value;
    },
  };
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

/** `player`'s material over the other's, kings left out; Infinity against a bare king, 1 when both are bare. */
export function turingRatio(position: Position, player: number): number {
  const own = materialOf(position, player);
  const other = materialOf(position, player ^ 1);
  return own === other ? 1 : own / other;
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
 * doubled, each isolated and each backward pawn, plus 0.1 for each legal move; the player who waits
 * is given the moves that a null move would leave.
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

/** How many of the three weaknesses a pawn has, by its traits. */
const WEAKNESSES = Int32Array.from({ length: 8 }, (_, traits) =>
  [DOUBLED, ISOLATED, BACKWARD].reduce((sum, trait) => sum + ((traits & trait) === 0 ? 0 : 1), 0),
);

export const shannon: Heuristic<ChessState> = fromPawns(
  "material, doubled, isolated and backward pawns, mobility (Shannon 1950)",
  shannonScore,
);
