import { InputError } from "../../base/errors.ts";
import { describeResult } from "../contract/notation.ts";
import { TERMINAL } from "../contract/rules.ts";
import {
  EMPTY,
  parseSquare,
  PAWN,
  PIECE_LETTERS,
  PLAYER_NAMES,
  squareName,
  isInsufficientMaterial,
} from "./board.ts";
import { kingGoal } from "./castling.ts";
import { formatCastling, formatFen, parseFen, START_FEN } from "./fen.ts";
import { castlingOf, MAX_MOVES, moveFrom, movePromotion, moveTo } from "./moves.ts";
import { ChessState, HASHED_QUIET_PLIES, type ChessRules } from "./state.ts";

/** The reason why the game is over, for people, without the winner; undefined while it goes on. */
export function describeEnding(state: ChessState): string | undefined {
  if (state.toMove >= 0) return undefined;
  if (state.winner >= 0) return "checkmate";
  const { quietPlies, repetitions, insufficientMaterial } = state.rules;
  if (insufficientMaterial && isInsufficientMaterial(state)) return "too little material to mate";
  if (repetitions > 0 && state.occurrences >= repetitions) return `position repeated ${repetitions} times`;
  if (state.quiet >= quietPlies) return `${quietPlies / 2} moves without capture or pawn move`;
  return "stalemate";
}

/** The legal moves. Allocates. */
function legalMoves(state: ChessState): Int32Array {
  const moves = new Int32Array(MAX_MOVES);
  return moves.subarray(0, state.toMove < 0 ? 0 : state.legalActions(moves, 0));
}

/** The move in Standard Algebraic Notation (PGN standard, 8.2.3): `Nbd2`, `exd5`, `e8=Q+`, `O-O#`. */
export function formatSan(action: number, state: ChessState): string {
  const body = formatBody(action, state);
  state.apply(action);
  const check = (state.checkersLow | state.checkersHigh) !== 0;
  const mate = state.winner >= 0;
  state.undo();
  return body + (mate ? "#" : check ? "+" : "");
}

function formatBody(action: number, state: ChessState): string {
  const from = moveFrom(action);
  const to = moveTo(action);
  const kind = state.board[from] & 7;
  const castling = castlingOf(state, action);
  if (castling >= 0) return castling % 2 === 0 ? "O-O" : "O-O-O";
  if (kind === PAWN) {
    const start = ((to ^ from) & 7) === 0 ? "" : `${squareName(from)[0]}x`;
    const promotion = movePromotion(action);
    return start + squareName(to) + (promotion === 0 ? "" : `=${PIECE_LETTERS[promotion]}`);
  }
  const capture = state.board[to] === EMPTY ? "" : "x";
  return PIECE_LETTERS[kind] + distinguish(action, state) + capture + squareName(to);
}

/** The file, the rank or both of the starting square, as far as other pieces of its kind could make the move too. */
function distinguish(action: number, state: ChessState): string {
  const from = moveFrom(action);
  const rivals = Array.from(legalMoves(state))
    .filter((move) => moveTo(move) === moveTo(action))
    .map(moveFrom)
    .filter((other) => other !== from && state.board[other] === state.board[from]);
  const name = squareName(from);
  if (rivals.length === 0) return "";
  if (rivals.every((other) => (other & 7) !== (from & 7))) return name[0]!;
  if (rivals.every((other) => other >>> 3 !== from >>> 3)) return name[1]!;
  return name;
}

const SAN = /^(?:P|([NBRQK]))?([a-h])?([1-8])?[x:-]?([a-h][1-8])[=/]?([NBRQnbrq])?$/;
const CASTLING = /^[O0][-–—][O0]([-–—][O0])?$/i;
/** Signs after a move: check, mate, and a commentator's marks. */
const MARKS = /[+#!?]+$/;
const EN_PASSANT = /[\s/]*(?<![a-z])e\.? ?p\.?$/i;

/**
 * The legal move that a text means, in SAN or UCI; undefined if there is none. SAN may lack the signs for
 * capture, check and mate, may give more of the starting square than needed, may have figures, and may end in `!`, `?` or `e.p.`.
 * If no move fits, capitals and small letters count as the same, and castling may be the king's move to its goal or to its
 * rook. Throws
 * InputError for a text that could mean several moves, and for a move that leaves the king in check.
 */
export function findMove(text: string, state: ChessState): number | undefined {
  const letters = text.replaceAll(/[♔-♟]/g, (figure) => PIECE_LETTERS[FIGURES.indexOf(figure) & 7]!);
  const given = letters.trim().replace(MARKS, "");
  const move = given.replace(EN_PASSANT, "").replace(MARKS, "");
  const fits = createMatcher(move, state);
  const matches = EN_PASSANT.test(given)
    ? (action: number) => fits(action) && isEnPassant(action, state)
    : fits;
  const legal = Array.from(legalMoves(state));
  let found = legal.filter(matches);
  if (found.length === 0 && given === move) found = legal.filter(createLooseMatcher(move, state));
  if (found.length > 1) {
    const meant = found.map((move) => formatSan(move, state)).join(" or ");
    throw new InputError(`"${text.trim()}" is ambiguous; say ${meant}`);
  }
  if (found.length === 0 && legalMoves(forgetKing(state)).some(matches)) {
    throw new InputError(`"${text.trim()}" leaves the ${PLAYER_NAMES[state.turn]} king in check`);
  }
  return found[0];
}

function isEnPassant(action: number, { board, enPassant }: ChessState): boolean {
  return (board[moveFrom(action)] & 7) === PAWN && enPassant !== 0 && moveTo(action) === enPassant;
}

/** Makes a function that says whether a move fits the text, apart from capitals, the sign for capture and the way to castle. */
function createLooseMatcher(text: string, state: ChessState): (move: number) => boolean {
  const plain = (name: string) => name.toLowerCase().replace(/[x:=+#-]/g, "");
  const wanted = plain(text);
  return (move) => {
    const from = moveFrom(move);
    const promotion = movePromotion(move) === 0 ? "" : PIECE_LETTERS[movePromotion(move)]!;
    const castling = castlingOf(state, move);
    const targets =
      castling < 0 ? [moveTo(move)] : [kingGoal(from, moveTo(move)), state.homes.rooks[castling]!];
    return (
      wanted === plain(formatBody(move, state)) ||
      targets.some((to) => wanted === plain(squareName(from) + squareName(to) + promotion))
    );
  };
}

/** Makes a function that says whether a move fits the text. */
function createMatcher(text: string, state: ChessState): (move: number) => boolean {
  const castling = CASTLING.exec(text);
  if (castling !== null) {
    const right = 2 * state.turn + (castling[1] === undefined ? 0 : 1);
    return (move) => castlingOf(state, move) === right;
  }
  const parts = SAN.exec(text);
  if (parts === null) return () => false;
  const [, letter, file, rank, target = "", promotion = ""] = parts;
  const to = parseSquare(target);
  const isUci = letter === undefined && file !== undefined && rank !== undefined;
  const kind = letter === undefined ? PAWN : PIECE_LETTERS.indexOf(letter);
  const promoted = PIECE_LETTERS.indexOf(promotion.toUpperCase());
  return (move) => {
    const from = squareName(moveFrom(move));
    return (
      moveTo(move) === to &&
      (isUci || (state.board[moveFrom(move)] & 7) === kind) &&
      (file === undefined || from[0] === file) &&
      (rank === undefined || from[1] === rank) &&
      (promotion === "" || movePromotion(move) === promoted)
    );
  };
}

/** A copy without checks and pins, good for listing moves only. */
function forgetKing(state: ChessState): ChessState {
  const copy = new ChessState(state.rules);
  copy.copyFrom(state);
  copy.checkersLow = copy.checkersHigh = copy.pinnedLow = copy.pinnedHigh = 0;
  return copy;
}

/**
 * Reads a position as UCI writes it: a FEN (see `parseFen`) or `startpos`, then perhaps `moves` with moves in UCI or
 * SAN. Only moves tell which positions have occurred before.
 */
export function parsePosition(text: string, rules: ChessRules): ChessState {
  const [start = "", moves = ""] = text.split(/\bmoves\b/);
  const state = parseFen(start.trim() === "startpos" ? START_FEN : start.replace(/^\s*fen\b/, ""), rules);
  for (const [index, move] of moves.split(/\s+/).filter(Boolean).entries()) {
    if (state.toMove === TERMINAL) {
      throw new InputError(
        `move ${index + 1}, "${move}", comes after the end of the game: ${describeResult({ describeEnding }, state)}`,
      );
    }
    const found = findMove(move, state);
    if (found === undefined) {
      throw new InputError(`move ${index + 1}, "${move}", is not possible in ${formatFen(state)}`);
    }
    state.apply(found);
  }
  return state;
}

const FIGURES = "♙♘♗♖♕♔..♟♞♝♜♛♚..";

/** The board with letters, white's in capitals, and a line with everything that the board does not show. */
export function render(state: ChessState): string {
  return drawBoard(state, PIECE_LETTERS);
}

/** The board with chess figures, and the same line. */
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
  const ending = describeEnding(state);
  const isDraw = ending !== undefined && state.winner < 0;
  const parts = [isDraw ? `draw: ${ending}` : (ending ?? `${PLAYER_NAMES[state.turn]} to move`)];
  parts.push(`castling ${formatCastling(state)}`);
  if (state.enPassant !== 0) parts.push(`en passant ${squareName(state.enPassant)}`);
  if (state.occurrences > 1) parts.push(`occurred ${state.occurrences} times`);
  const left = state.rules.quietPlies - state.quiet;
  if (state.toMove >= 0 && left <= HASHED_QUIET_PLIES) parts.push(`drawn after ${left} more quiet plies`);
  return parts.join(", ");
}
