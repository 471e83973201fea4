import { isInsufficientMaterial } from "./position.ts";
import type { ChessState } from "./state.ts";

/** Why the game is over, for people, without who has won; undefined while it goes on. */
export function describeEnding(state: ChessState): string | undefined {
  if (state.toMove >= 0) return undefined;
  if (state.winner >= 0) return "checkmate";
  const { quietPlies, repetitions, insufficientMaterial } = state.rules;
  if (insufficientMaterial && isInsufficientMaterial(state)) return "too little material to mate";
  if (repetitions > 0 && state.occurrences >= repetitions) return `position repeated ${repetitions} times`;
  if (state.quiet >= quietPlies) return `${quietPlies / 2} moves without capture or pawn move`;
  return "stalemate";
}
