import type { ProtocolNotation } from "../contract/facets.ts";
import { parseSquare, PIECE_LETTERS, squareName } from "./board.ts";
import { formatFen, START_FEN } from "./fen.ts";
import { encodeMove, MAX_MOVES, moveFrom, movePromotion, moveTo } from "./moves.ts";
import type { ChessState } from "./state.ts";

const MOVE = /^([a-h][1-8])([a-h][1-8])([nbrq]?)$/;

/**
 * Moves and positions as the Universal Chess Interface writes them (Huber and Meyer-Kahlen 2000): `e2e4`, `e1g1` for
 * castling, `e7e8q`; `startpos`, or `fen` and a FEN.
 */
export const uci: ProtocolNotation<ChessState> = {
  formatAction(action) {
    const promotion = movePromotion(action);
    const letter = promotion === 0 ? "" : PIECE_LETTERS[promotion]!.toLowerCase();
    return squareName(moveFrom(action)) + squareName(moveTo(action)) + letter;
  },
  parseAction(text, state) {
    const [, from, to, letter] = MOVE.exec(text) ?? [];
    if (from === undefined || state.toMove < 0) return undefined;
    const promotion = letter === "" ? 0 : PIECE_LETTERS.indexOf(letter!.toUpperCase());
    const action = encodeMove(parseSquare(from), parseSquare(to!), promotion);
    const moves = new Int32Array(MAX_MOVES);
    return moves.subarray(0, state.legalActions(moves, 0)).includes(action) ? action : undefined;
  },
  formatState(state) {
    // The mark of repetitions is no part of FEN.
    const fen = formatFen(state).replace(/ rc \d+;$/, "");
    return fen === START_FEN ? "startpos" : `fen ${fen}`;
  },
};
