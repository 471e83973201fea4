import { PIECE_LETTERS, squareName } from "../../../src/games/chess/board.ts";
import { moveFrom, movePromotion, moveTo } from "../../../src/games/chess/moves.ts";

/** The move as UCI engines write it: `e2e4`, `e7e8q`, castling `e1g1`. */
export function formatUci(action: number): string {
  const promotion = movePromotion(action);
  const suffix = promotion === 0 ? "" : PIECE_LETTERS[promotion]!.toLowerCase();
  return squareName(moveFrom(action)) + squareName(moveTo(action)) + suffix;
}
