import { InputError } from "../../base/errors.ts";
import {
  ALL,
  countSquares,
  EMPTY,
  KING,
  parseSquare,
  PAWN,
  PIECE_LETTERS,
  PLAYER_NAMES,
  QUEEN,
  ROOK,
  squareName,
  HIGH,
  type Position,
} from "./board.ts";
import { Homes } from "./castling.ts";
import { canTakeKing, kingSquare, scanKing } from "./king.ts";
import { isCapturableEnPassant, encodeMove, MAX_MOVES, moveFrom, movePromotion, moveTo } from "./moves.ts";
import { ChessState, MAX_REPETITIONS, type ChessRules } from "./state.ts";
import type { ProtocolNotation } from "../contract/facets.ts";

export const START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

const CASTLING_LETTERS = "KQkq";

/**
 * The position in Forsyth-Edwards Notation (PGN standard, 16.1). The en passant square is given if a capture there is
 * legal. The occurrences of the position follow as in EPD (` rc 2;`) if there are several: a FEN alone does not tell
 * them.
 */
export function formatFen(state: ChessState): string {
  const ranks: string[] = [];
  for (let rank = 7; rank >= 0; rank--) {
    const letters = Array.from(state.board.subarray(8 * rank, 8 * rank + 8), (piece) => PIECE_LETTERS[piece]);
    ranks.push(letters.join("").replace(/\.+/g, (run) => String(run.length)));
  }
  const fields = [
    ranks.join("/"),
    "wb"[state.turn],
    formatCastling(state),
    state.enPassant === 0 ? "-" : squareName(state.enPassant),
    state.quiet,
    (state.ply >> 1) + 1,
  ];
  return fields.join(" ") + (state.occurrences > 1 ? ` rc ${state.occurrences};` : "");
}

/**
 * `KQkq`, or `-` for no rights. In Chess960 a right to castle with a rook that is not the outermost on its side has the letter
 * of the rook's file (X-FEN). With `files`, all rights have it (Shredder-FEN).
 */
export function formatCastling(state: Position, { files = false }: { files?: boolean } = {}): string {
  const { castling, homes } = state;
  const letters = Array.from(CASTLING_LETTERS, (letter, right) => {
    if (((castling >>> right) & 1) === 0) return "";
    const rook = homes.rooks[right]!;
    if (!files && rook === outermostRook(state, right)) return letter;
    const file = "abcdefgh"[rook & 7]!;
    return right < 2 ? file.toUpperCase() : file;
  });
  return letters.join("") || "-";
}

/** The square of the rook nearest to the edge on the side of the king that a right is for; -1 if there is none. */
function outermostRook(state: Position, right: number): number {
  const player = right >> 1;
  const home = 56 * player;
  const king = kingSquare(state, player);
  if ((king & 56) !== home) return -1;
  const step = right % 2 === 0 ? -1 : 1;
  for (let square = home + (step < 0 ? 7 : 0); square !== king; square += step)
    if (state.board[square] === ((player << 3) | ROOK)) return square;
  return -1;
}

/**
 * Reads a FEN; the two counts at the end may be left out, or be `-`. Throws InputError with the field for a text that is no FEN. Also
 * throws it for positions that plainly no game can reach: wrong numbers of kings, pawns or pieces, pawns on the first or
 * last rank, an impossible en passant square, the waiting side in check,
 * three pieces giving check.
 */
export function parseFen(text: string, rules: ChessRules): ChessState {
  const given = text.trim();
  const [fen = "", count = "1"] = given.split(/\s+rc\s+(\d+)\s*;?\s*$/);
  const fields = fen.split(/\s+/);
  if (fields.length < 4 || fields.length > 6) {
    throw new InputError(
      `"${given}" is not a FEN: ${fields.length} of the 6 fields pieces, side to move, castling, en passant, half-move clock and move number; such as "${START_FEN}"`,
    );
  }
  const [pieces = "", side = "", castling = "", enPassant = "", plies = "0", moves = "1"] = fields;
  // Some programs do not count, and many count from 0.
  const quiet = plies === "-" ? "0" : plies;
  const move = moves === "0" || moves === "-" ? "1" : moves;
  const state = new ChessState(rules);
  const read = (path: string, message: string | undefined) => {
    if (message !== undefined) throw new InputError([{ path, message }], `FEN "${given}"`);
  };
  read("pieces", readPieces(state, pieces));
  const turn = "wb".indexOf(side.toLowerCase());
  read("side to move", side.length === 1 && turn >= 0 ? undefined : `must be w or b, got "${side}"`);
  if (turn === 1) state.passTurn();
  read("castling", readCastling(state, castling));
  read("en passant", readEnPassant(state, enPassant));
  read("half-move clock", wholeNumber(quiet, 0, 9999));
  read("move number", wholeNumber(move, 1, 99999));
  read("repetition count", wholeNumber(count, 1, Math.min(MAX_REPETITIONS, 1 + (Number(quiet) >> 2))));
  state.quiet = Number(quiet);
  state.ply = 2 * (Number(move) - 1) + state.turn;
  state.occurrences = Number(count);
  read("pieces", findImpossibleCheck(state));
  state.settle();
  return state;
}

function wholeNumber(text: string, least: number, most: number): string | undefined {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return undefined;
  return `must be a whole number ${least} to ${most}, got "${text}"`;
}

/** Puts the pieces on the empty board; returns an error message if they are wrong. */
function readPieces(state: ChessState, text: string): string | undefined {
  const ranks = text.split("/");
  if (ranks.length !== 8) return `must be 8 ranks separated by /, got ${ranks.length}`;
  for (const [row, letters] of ranks.entries()) {
    const rank = 7 - row;
    let file = 0;
    for (const letter of letters) {
      const piece = letter === "." ? -1 : PIECE_LETTERS.indexOf(letter);
      if (piece >= 0) {
        if ((piece & 7) === PAWN && (rank === 0 || rank === 7)) return `a pawn on rank ${rank + 1}`;
        if (file < 8) state.put(piece, 8 * rank + file);
        file++;
      } else if (letter >= "1" && letter <= "8") {
        file += Number(letter);
      } else {
        return `"${letter}" on rank ${rank + 1}; allowed: PNBRQK, pnbrqk, 1 to 8`;
      }
    }
    if (file !== 8) return `rank ${rank + 1}, "${letters}", has ${file} squares, not 8`;
  }
  return findImpossibleCount(state);
}

function findImpossibleCount(state: ChessState): string | undefined {
  for (const [player, name] of PLAYER_NAMES.entries()) {
    const count = (kind: number) => {
      const piece = (player << 3) | kind;
      return countSquares(state.bits[piece], state.bits[HIGH | piece]);
    };
    if (count(KING) !== 1) return `${name} has ${count(KING)} kings, not 1`;
    if (count(PAWN) > 8) return `${name} has ${count(PAWN)} pawns; 8 at most`;
    if (count(ALL) > 16) return `${name} has ${count(ALL)} pieces; 16 at most`;
    let promoted = 0;
    for (let kind = PAWN + 1; kind < KING; kind++)
      promoted += Math.max(0, count(kind) - (kind === QUEEN ? 1 : 2));
    if (promoted > 8 - count(PAWN)) {
      return `${name} has ${promoted} promoted pieces and still ${count(PAWN)} pawns; 8 together at most`;
    }
  }
  return undefined;
}

/** Reads the castling rights; those without king and rook at home are no rights, and are left out. */
function readCastling(state: ChessState, text: string): string | undefined {
  const { chess960 } = state.rules;
  const kings = PLAYER_NAMES.map((_, player) => kingSquare(state, player));
  const rooks = [...state.homes.rooks];
  const allowed = chess960 ? "K, Q, k, q, or the file of the rook" : "K, Q, k, q";
  let given = 0;
  let castling = 0;
  for (const letter of text === "-" ? "" : text) {
    const player = letter < "a" ? 0 : 1;
    const file = "abcdefgh".indexOf(letter.toLowerCase());
    const king = kings[player]!;
    const side = chess960 ? Number(file < (king & 7)) : "ha".indexOf(letter.toLowerCase());
    const right = file < 0 ? CASTLING_LETTERS.indexOf(letter) : side < 0 ? -1 : 2 * player + side;
    if (right < 0) return `"${letter}" in "${text}"; allowed: ${allowed}, or - for none`;
    if ((given & (1 << right)) !== 0)
      return text.indexOf(letter) === text.lastIndexOf(letter)
        ? `"${text}" has two rights of ${PLAYER_NAMES[player]} on one side`
        : `${letter} twice in "${text}"`;
    given |= 1 << right;
    const home = 56 * player;
    if (chess960) rooks[right] = file < 0 ? outermostRook(state, right) : home + file;
    const isKing = chess960 ? king >>> 3 === home >>> 3 : king === home + 4;
    if (isKing && state.board[rooks[right]!] === ((player << 3) | ROOK)) castling |= 1 << right;
    else rooks[right] = state.homes.rooks[right]!;
  }
  if (chess960) state.homes = new Homes(kings, rooks);
  state.setCastling(castling);
  return undefined;
}

function readEnPassant(state: ChessState, text: string): string | undefined {
  if (text === "-") return undefined;
  const { turn, board } = state;
  const rank = turn === 0 ? 5 : 2;
  const given = parseSquare(text.toLowerCase());
  if (given < 0) return `must be a square or -, got "${text}"`;
  // Some programs name the square of the pawn.
  const behind = turn === 0 ? 8 : -8;
  const square = (given + behind) >>> 3 === rank && board[given] !== EMPTY ? given + behind : given;
  if (square >>> 3 !== rank) {
    return `${text} is impossible: with ${PLAYER_NAMES[turn]} to move it lies on rank ${rank + 1}`;
  }
  const ahead = turn === 0 ? -8 : 8;
  if (board[square + ahead] !== (((turn ^ 1) << 3) | PAWN)) {
    return `${text} is impossible: no ${PLAYER_NAMES[turn ^ 1]} pawn on ${squareName(square + ahead)}`;
  }
  for (const crossed of [square, square - ahead]) {
    if (board[crossed] !== EMPTY) {
      return `${text} is impossible: the pawn on ${squareName(square + ahead)} came over ${squareName(crossed)}, which is occupied`;
    }
  }
  if (isCapturableEnPassant(state, square)) state.setEnPassant(square);
  return undefined;
}

function findImpossibleCheck(state: Position): string | undefined {
  const { turn } = state;
  const waiting = PLAYER_NAMES[turn ^ 1];
  if (canTakeKing(state)) return `the ${waiting} king is in check while ${PLAYER_NAMES[turn]} is to move`;
  scanKing(state);
  const checkers = countSquares(state.checkersLow, state.checkersHigh);
  return checkers > 2 ? `${checkers} pieces give check at once; 2 at most` : undefined;
}

/** Capitals are known, too. */
const MOVE = /^([a-h][1-8])([a-h][1-8])=?([nbrq]?)$/;

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
    const [, from, to, letter] = MOVE.exec(text.toLowerCase()) ?? [];
    if (from === undefined || state.toMove < 0) return undefined;
    const promotion = letter === "" ? 0 : PIECE_LETTERS.indexOf(letter!.toUpperCase());
    const action = encodeMove(parseSquare(from), parseSquare(to!), promotion);
    const moves = new Int32Array(MAX_MOVES);
    return moves.subarray(0, state.legalActions(moves, 0)).includes(action) ? action : undefined;
  },
  formatState(state) {
    // The mark of repetitions is no part of FEN.
    const fen = formatFen(state).replace(/ rc \d+;$/, "");
    if (state.rules.chess960) {
      const castling = formatCastling(state, { files: true });
      return `fen ${fen.replace(/( [wb] )\S+/, `$1${castling}`)}`;
    }
    return fen === START_FEN ? "startpos" : `fen ${fen}`;
  },
};
