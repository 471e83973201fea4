import type { Tactics } from "../../game/tactics.ts";
import { EMPTY, KNIGHT, PAWN, QUEEN } from "./board.ts";
import { exchangeValue, WORTH } from "./exchange.ts";
import { moveFrom, movePromotion, moveTo, writeMoves, writeNoisyMoves } from "./moves.ts";
import { HIGH, type Position } from "./position.ts";
import type { ChessState } from "./state.ts";

function isInCheck({ checkersLow, checkersHigh }: Position): boolean {
  return (checkersLow | checkersHigh) !== 0;
}

/** Whether a player has a piece besides king and pawns. */
function hasPiece({ bits }: Position, player: number): boolean {
  let pieces = 0;
  for (let kind = KNIGHT; kind <= QUEEN; kind++)
    pieces |= bits[(player << 3) | kind] | bits[HIGH | (player << 3) | kind];
  return pieces !== 0;
}

/**
 * The most valuable victim comes first, then the least valuable attacker. A capture by a piece that is worth more than
 * its victim counts as losing if the whole exchange does.
 */
function gain(state: ChessState, action: number): number {
  const { board } = state;
  const to = moveTo(action);
  const kind = board[moveFrom(action)] & 7;
  const promotion = movePromotion(action);
  const captured = board[to];
  const isCapture = captured !== EMPTY || (kind === PAWN && ((moveFrom(action) ^ to) & 7) !== 0);
  if (!isCapture && promotion === 0) return 0;
  if (promotion !== 0 && promotion !== QUEEN) return 0 - WORTH[PAWN];
  const victim = !isCapture ? 0 : captured === EMPTY ? WORTH[PAWN] : WORTH[captured & 7]!;
  if (promotion === QUEEN || WORTH[kind]! > victim) {
    const value = exchangeValue(state, action);
    if (value < 0) return value;
  }
  return 8 * (victim + (promotion === QUEEN ? WORTH[QUEEN] : 0)) + 5 - kind;
}

export const tactics: Tactics<ChessState> = {
  summary: "captures and promotions; in check every move",
  isForced: isInCheck,
  noisyActions: (state, out, at) =>
    isInCheck(state) ? writeMoves(state, out, at) : writeNoisyMoves(state, out, at),
  gain,
  extends: true,
  pass: {
    isSafe: (state) => !isInCheck(state) && hasPiece(state, state.turn),
    apply: (state) => state.pass(),
    undo: (state) => state.undoPass(),
  },
};
