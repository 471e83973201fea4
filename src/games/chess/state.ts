import { isInsufficientMaterial, NO_SQUARE, Position, BLACK, EMPTY, KING, PAWN, ROOK } from "./board.ts";
import { grown, zobristTable } from "../../base/hashing.ts";
import { TERMINAL, type State } from "../contract/rules.ts";
import { kingGoal, rookGoal } from "./castling.ts";
import { scanKing } from "./king.ts";
import { hasMove, isCapturableEnPassant, moveFrom, movePromotion, moveTo, writeMoves } from "./moves.ts";

/** Chess960 or not, and the rules that draw a game in which moves are left. */
export interface ChessRules {
  /** True if castling is that of Chess960. */
  readonly chess960: boolean;
  /** Plies without capture or pawn move. */
  readonly quietPlies: number;
  /** Occurrences of one position; 0 for never. */
  readonly repetitions: number;
  /** True if too little material to mate is one of the reasons. */
  readonly insufficientMaterial: boolean;
}

/** The hash tells quiet plies apart when at most this many are left before the draw. */
export const HASHED_QUIET_PLIES = 20;
/** Highest number of occurrences that can be told apart. */
export const MAX_REPETITIONS = 7;

const QUIET_WORDS = 2 * (MAX_REPETITIONS + 1);
const HISTORY_WORDS = zobristTable("chess/history", QUIET_WORDS + 2 * (HASHED_QUIET_PLIES + 1));

/** Words of one ply in `history`: the action, packed traits, and six words of the position before. */
const RECORD = 8;
const FIRST_PLIES = 512;

/**
 * A chess position with its past, so that moves can be taken back and repetitions be seen. The hash is that of the
 * position, mixed with the number of its occurrences if there are several, and with the number of quiet plies if at most
 * HASHED_QUIET_PLIES are left before the draw.
 *
 * The hash does not tell which *other* positions have occurred. A search that looks farther ahead than HASHED_QUIET_PLIES
 * may take a position for another one that is nearer to the draw. Both limits are usual in chess programs: with the whole
 * past in the hash, transpositions would never be found.
 */
export class ChessState extends Position implements State {
  toMove = 0;
  hashLow = 0;
  hashHigh = 0;
  /** The player who has mated, or -1. */
  winner = -1;
  /** Plies since the last capture or pawn move: the half-move clock. */
  quiet = 0;
  /** The occurrences of this position since the last capture or pawn move, this one included. */
  occurrences = 1;
  /** Plies before this position, by the FEN's count of full moves. */
  ply = 0;
  readonly rules: ChessRules;
  private depth = 0;
  private history = new Int32Array(FIRST_PLIES * RECORD);

  /** An empty board, to be filled by `put` and finished by `settle`, as `parseFen` does. */
  constructor(rules: ChessRules) {
    super();
    this.rules = rules;
  }

  legalActions(out: Int32Array, at: number): number {
    return writeMoves(this, out, at);
  }

  apply(action: number): void {
    const from = moveFrom(action);
    const to = moveTo(action);
    const promotion = movePromotion(action);
    const { board, turn } = this;
    const piece = board[from];
    const captured = board[to];
    this.record(action, captured);
    if (this.enPassant !== NO_SQUARE) this.setEnPassant(NO_SQUARE);
    this.take(piece, from);
    if (captured !== EMPTY) this.take(captured, to);
    this.put(promotion === 0 ? piece : (turn << 3) | promotion, to);
    if (this.castling !== 0) {
      const { kept } = this.homes;
      const castling = this.castling & kept[from] & kept[to];
      if (castling !== this.castling) this.setCastling(castling);
    }
    this.quiet++;
    this.passTurn();
    const kind = piece & 7;
    if (kind === PAWN) {
      this.quiet = 0;
      if ((to ^ from) === 16) {
        const behind = (from + to) >>> 1;
        if (isCapturableEnPassant(this, behind)) this.setEnPassant(behind);
      } else if (captured === EMPTY && ((to ^ from) & 7) !== 0) {
        this.take(piece ^ BLACK, to ^ 8);
      }
    } else if (captured !== EMPTY) {
      if (((captured ^ piece) & BLACK) !== 0) this.quiet = 0;
      else this.castle(from, to, false);
    } else if (kind === KING && Math.abs(to - from) === 2) {
      this.moveRook(piece ^ KING ^ ROOK, from, to, false);
    }
    this.ply++;
    this.settle();
  }

  undo(): void {
    const { history } = this;
    const at = --this.depth * RECORD;
    const action = history[at];
    const traits = history[at + 1];
    const from = moveFrom(action);
    const to = moveTo(action);
    const captured = traits & 15;
    const turn = this.turn ^ 1;
    if (captured !== EMPTY && captured >>> 3 === turn) this.castle(from, to, true);
    const moved = this.board[to];
    this.ply--;
    this.turn = turn;
    this.restore(at);
    const piece = movePromotion(action) === 0 ? moved : (turn << 3) | PAWN;
    this.take(moved, to);
    if (captured !== EMPTY) this.put(captured, to);
    this.put(piece, from);
    const kind = piece & 7;
    if (kind === PAWN) {
      if (to === this.enPassant && to !== NO_SQUARE) this.put(piece ^ BLACK, to ^ 8);
    } else if (kind === KING && captured === EMPTY && Math.abs(to - from) === 2) {
      this.moveRook(piece ^ KING ^ ROOK, from, to, true);
    }
    // Moving the pieces has changed the key.
    this.keyLow = history[at + 2];
    this.keyHigh = history[at + 3];
    this.winner = -1;
    this.toMove = turn;
    this.mixHash();
  }

  /** Passes the turn, for a search, and sets the count of quiet plies to 0. Not for a player in check. */
  pass(): void {
    this.record(0, EMPTY);
    if (this.enPassant !== NO_SQUARE) this.setEnPassant(NO_SQUARE);
    this.quiet = 0;
    this.ply++;
    this.passTurn();
    this.settle();
  }

  /** Takes `pass` back. */
  undoPass(): void {
    const at = --this.depth * RECORD;
    const turn = this.turn ^ 1;
    this.ply--;
    this.turn = turn;
    this.restore(at);
    this.winner = -1;
    this.toMove = turn;
    this.mixHash();
  }

  returns(player: number): number {
    return this.winner < 0 ? 0 : this.winner === player ? 1 : -1;
  }

  copyFrom(other: this): void {
    this.copyPosition(other);
    this.toMove = other.toMove;
    this.hashLow = other.hashLow;
    this.hashHigh = other.hashHigh;
    this.winner = other.winner;
    this.quiet = other.quiet;
    this.occurrences = other.occurrences;
    this.ply = other.ply;
    const plies = Math.min(other.quiet, other.depth);
    while (this.history.length < plies * RECORD) this.history = grown(this.history);
    const { history } = this;
    const from = (other.depth - plies) * RECORD;
    for (let word = 0; word < plies * RECORD; word++) history[word] = other.history[from + word];
    this.depth = plies;
  }

  /** Updates all that follows from the pieces and the past: checks, repetition, the end. */
  settle(): void {
    scanKing(this);
    if (this.quiet === 0) this.occurrences = 1;
    else if (this.depth > 0) this.countOccurrences();
    this.mixHash();
    const { rules } = this;
    this.winner = -1;
    this.toMove = this.turn;
    if (!hasMove(this)) {
      this.toMove = TERMINAL;
      if ((this.checkersLow | this.checkersHigh) !== 0) this.winner = this.turn ^ 1;
    } else if (
      this.quiet >= rules.quietPlies ||
      (this.occurrences >= rules.repetitions && rules.repetitions > 0) ||
      (this.quiet === 0 && rules.insufficientMaterial && isInsufficientMaterial(this))
    ) {
      this.toMove = TERMINAL;
    }
  }

  private countOccurrences(): void {
    const { history, depth, keyLow, keyHigh } = this;
    const plies = Math.min(this.quiet, depth);
    this.occurrences = 1;
    for (let ago = 4; ago <= plies; ago += 2) {
      const at = (depth - ago) * RECORD;
      if (history[at + 2] === keyLow && history[at + 3] === keyHigh) {
        this.occurrences = Math.min(((history[at + 1] >>> 14) & 7) + 1, MAX_REPETITIONS);
        return;
      }
    }
  }

  /** True if a position since the last capture or pawn move would be a draw if it occurred once more. */
  isNearRepetition(): boolean {
    const { history, depth, quiet } = this;
    const { repetitions } = this.rules;
    if (repetitions === 0) return false;
    for (let ago = 1; ago <= quiet && ago <= depth; ago++) {
      if (((history[(depth - ago) * RECORD + 1] >>> 14) & 7) >= repetitions - 1) return true;
    }
    return false;
  }

  private mixHash(): void {
    this.hashLow = this.keyLow;
    this.hashHigh = this.keyHigh;
    if (this.occurrences > 1) {
      this.hashLow ^= HISTORY_WORDS[2 * this.occurrences];
      this.hashHigh ^= HISTORY_WORDS[2 * this.occurrences + 1];
    }
    const left = Math.max(0, this.rules.quietPlies - this.quiet);
    if (left <= HASHED_QUIET_PLIES) {
      this.hashLow ^= HISTORY_WORDS[QUIET_WORDS + 2 * left];
      this.hashHigh ^= HISTORY_WORDS[QUIET_WORDS + 2 * left + 1];
    }
  }

  private record(action: number, captured: number): void {
    const at = this.depth++ * RECORD;
    if (at === this.history.length) this.history = grown(this.history);
    const { history } = this;
    history[at] = action;
    history[at + 1] =
      captured | (this.castling << 4) | (this.enPassant << 8) | (this.occurrences << 14) | (this.quiet << 17);
    history[at + 2] = this.keyLow;
    history[at + 3] = this.keyHigh;
    history[at + 4] = this.checkersLow;
    history[at + 5] = this.checkersHigh;
    history[at + 6] = this.pinnedLow;
    history[at + 7] = this.pinnedHigh;
  }

  /** Restores a position of the history, except the pieces and the turn. */
  private restore(at: number): void {
    const { history } = this;
    const traits = history[at + 1];
    this.castling = (traits >>> 4) & 15;
    this.enPassant = (traits >>> 8) & 63;
    this.occurrences = (traits >>> 14) & 7;
    this.quiet = traits >>> 17;
    this.keyLow = history[at + 2];
    this.keyHigh = history[at + 3];
    this.checkersLow = history[at + 4];
    this.checkersHigh = history[at + 5];
    this.pinnedLow = history[at + 6];
    this.pinnedHigh = history[at + 7];
  }

  /** Castles in Chess960, or takes it back: the king has taken its rook on `home`, and both go to their goals. */
  private castle(from: number, home: number, back: boolean): void {
    const player = this.board[back ? kingGoal(from, home) : home] & BLACK;
    if (back) {
      this.take(player | KING, kingGoal(from, home));
      this.take(player | ROOK, rookGoal(from, home));
      this.put(player | KING, home);
    } else {
      this.take(player | KING, home);
      this.put(player | KING, kingGoal(from, home));
      this.put(player | ROOK, rookGoal(from, home));
    }
  }

  private moveRook(rook: number, kingFrom: number, kingTo: number, back: boolean): void {
    const home = kingTo > kingFrom ? kingFrom + 3 : kingFrom - 4;
    const castled = (kingFrom + kingTo) >>> 1;
    this.take(rook, back ? castled : home);
    this.put(rook, back ? home : castled);
  }
}
