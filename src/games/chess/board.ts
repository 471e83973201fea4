import { squareName } from "./bits.ts";
import { describeEnding } from "./endings.ts";
import { formatCastling } from "./fen.ts";
import { PIECE_LETTERS, PLAYER_NAMES } from "./pieces.ts";
import { HASHED_QUIET_PLIES, type ChessState } from "./state.ts";

const FIGURES = "♙♘♗♖♕♔..♟♞♝♜♛♚..";

/** The board with letters, white's in capitals, and a line with what the board does not show. */
export function render(state: ChessState): string {
  return drawBoard(state, PIECE_LETTERS);
}

/** The same with chess figures. */
export function renderUnicode(state: ChessState): string {
  return drawBoard(state, FIGURES);
}

function drawBoard(state: ChessState, signs: string): string {
  const rows: string[] = [];
  for (let rank = 7; rank >= 0; rank--) {
    const pieces = Array.from(state.board.subarray(8 * rank, 8 * rank + 8), (piece) => signs[piece]);
    rows.push(`${rank + 1} ${pieces.join(" ")}`);
  }
  return [...rows, "  a b c d e f g h", describe(state)].join("\n");
}

function describe(state: ChessState): string {
  const parts = [describeEnding(state) ?? `${PLAYER_NAMES[state.turn]} to move`];
  parts.push(`castling ${formatCastling(state.castling)}`);
  if (state.enPassant !== 0) parts.push(`en passant ${squareName(state.enPassant)}`);
  if (state.occurrences > 1) parts.push(`occurred ${state.occurrences} times`);
  const left = state.rules.quietPlies - state.quiet;
  if (state.toMove >= 0 && left <= HASHED_QUIET_PLIES) parts.push(`drawn after ${left} more quiet plies`);
  return parts.join(", ");
}
