import { grown, mixHigh, mixLow } from "../../base/hashing.ts";
import { TERMINAL, type State } from "../contract/rules.ts";
import {
  BLACK_HOME,
  BLACK_KING_ROW,
  DIRECTIONS,
  downLeft,
  downRight,
  FIRST_STEP_SHIFT,
  FROM_SHIFT,
  JUMP,
  JUMPED,
  jumping,
  JUMPS_MASK,
  LANDING,
  STEP,
  upLeft,
  upRight,
  WHITE_HOME,
  WHITE_KING_ROW,
} from "./board.ts";

export const BLACK = 0;
export const WHITE = 1;

/** The rules that draw a game. */
export interface DrawRules {
  /** Moves in a row, of both players together, without progress. */
  readonly drawAfter: number;
  /** True if a man's move is progress; a capture always is. */
  readonly menProgress: boolean;
  /** The occurrences of a position that make a draw; 0 if repetition is no draw. */
  readonly repetitions: number;
}

/** Words of a position in the history: black, white, kings and quiet. */
const RECORD = 4;

/** A position of English draughts. A set of squares is an int32, see board.ts. */
export class CheckersState implements State {
  toMove = BLACK;
  /** The player whose turn it is; at the end, the player who would be next. */
  turn = BLACK;
  /** The pieces of each player, and the kings among them. */
  black = BLACK_HOME;
  white = WHITE_HOME;
  kings = 0;
  /** Moves since the last progress. */
  quiet = 0;
  /** The player who has won, or -1. */
  winner = -1;
  readonly rules: DrawRules;
  /** The number of moves that can be taken back, and the positions before them. */
  private played = 0;
  private history = new Int32Array(64 * RECORD);
  /** The state of `legalActions` while `writeJumps` runs. */
  private end = 0;
  private empty = 0;
  private firstDirection = 0;
  private lastDirection = 0;

  constructor(rules: DrawRules) {
    this.rules = rules;
  }

  legalActions(out: Int32Array, at: number): number {
    const own = this.turn === BLACK ? this.black : this.white;
    const other = this.turn === BLACK ? this.white : this.black;
    const kings = own & this.kings;
    const down = this.turn === BLACK ? own : kings;
    const up = this.turn === BLACK ? kings : own;
    const empty = ~(own | other);
    const jumpers = jumping(up, down, other, empty);
    if (jumpers !== 0) {
      this.end = at;
      for (let rest = jumpers; rest !== 0; rest &= rest - 1) {
        const from = 31 - Math.clz32(rest & (0 - rest));
        const bit = 1 << from;
        this.empty = empty | bit;
        this.firstDirection = (up & bit) !== 0 ? 0 : 2;
        this.lastDirection = (down & bit) !== 0 ? 3 : 1;
        this.writeJumps(out, from, other, from << FROM_SHIFT);
      }
      return this.end - at;
    }
    const upLefts = up & downRight(empty);
    const upRights = up & downLeft(empty);
    const downLefts = down & upRight(empty);
    const downRights = down & upLeft(empty);
    let end = at;
    for (let rest = upLefts | upRights | downLefts | downRights; rest !== 0; rest &= rest - 1) {
      const bit = rest & (0 - rest);
      const from = (31 - Math.clz32(bit)) << FROM_SHIFT;
      if ((upLefts & bit) !== 0) out[end++] = from;
      if ((upRights & bit) !== 0) out[end++] = from | (1 << FIRST_STEP_SHIFT);
      if ((downLefts & bit) !== 0) out[end++] = from | (2 << FIRST_STEP_SHIFT);
      if ((downRights & bit) !== 0) out[end++] = from | (3 << FIRST_STEP_SHIFT);
    }
    return end - at;
  }

  /** True if the player whose turn it is must capture. */
  canJump(): boolean {
    const { turn, black, white, kings } = this;
    return turn === BLACK
      ? jumping(black & kings, black, white, ~(black | white)) !== 0
      : jumping(white, white & kings, black, ~(black | white)) !== 0;
  }

  /** Writes every way to go on jumping from `square` over `others`; without such a way, writes `action`. */
  private writeJumps(out: Int32Array, square: number, others: number, action: number): void {
    const shift = FIRST_STEP_SHIFT - 2 * (action & JUMPS_MASK);
    let ends = true;
    for (let direction = this.firstDirection; direction <= this.lastDirection; direction++) {
      const at = square * DIRECTIONS + direction;
      if ((others & JUMPED[at]) === 0 || (this.empty & LANDING[at]) === 0) continue;
      ends = false;
      this.writeJumps(out, JUMP[at], others ^ JUMPED[at], action + (direction << shift) + 1);
    }
    if (ends) out[this.end++] = action;
  }

  apply(action: number): void {
    this.record();
    const from = action >>> FROM_SHIFT;
    const jumps = action & JUMPS_MASK;
    let to = from;
    let taken = 0;
    if (jumps === 0) {
      to = STEP[from * DIRECTIONS + ((action >>> FIRST_STEP_SHIFT) & 3)];
    } else {
      for (let jump = 0, shift = FIRST_STEP_SHIFT; jump < jumps; jump++, shift -= 2) {
        const at = to * DIRECTIONS + ((action >>> shift) & 3);
        taken |= JUMPED[at];
        to = JUMP[at];
      }
    }
    const start = 1 << from;
    const target = 1 << to;
    const isKing = (this.kings & start) !== 0;
    this.quiet = jumps !== 0 || (!isKing && this.rules.menProgress) ? 0 : this.quiet + 1;
    let kings = this.kings & ~(taken | start);
    if (this.turn === BLACK) {
      this.black = (this.black & ~start) | target;
      this.white &= ~taken;
      if (isKing || (target & BLACK_KING_ROW) !== 0) kings |= target;
    } else {
      this.white = (this.white & ~start) | target;
      this.black &= ~taken;
      if (isKing || (target & WHITE_KING_ROW) !== 0) kings |= target;
    }
    this.kings = kings;
    this.turn = 1 - this.turn;
    this.settle();
  }

  /** Updates the result: a draw by rule, or a loss of the player who cannot move. */
  settle(): void {
    this.winner = -1;
    this.toMove = this.turn;
    if (this.quiet >= this.rules.drawAfter || this.isRepetition()) {
      this.toMove = TERMINAL;
    } else if (!this.canMove()) {
      this.toMove = TERMINAL;
      this.winner = 1 - this.turn;
    }
  }

  private canMove(): boolean {
    const { turn, black, white, kings } = this;
    const down = turn === BLACK ? black : white & kings;
    const up = turn === BLACK ? black & kings : white;
    const steps = upLeft(up) | upRight(up) | downLeft(down) | downRight(down);
    return (steps & ~(black | white)) !== 0 || this.canJump();
  }

  undo(): void {
    const { history } = this;
    const at = --this.played * RECORD;
    this.black = history[at];
    this.white = history[at + 1];
    this.kings = history[at + 2];
    this.quiet = history[at + 3];
    this.turn = 1 - this.turn;
    this.toMove = this.turn;
    this.winner = -1;
  }

  private record(): void {
    const at = this.played++ * RECORD;
    if (at === this.history.length) this.history = grown(this.history);
    const { history } = this;
    history[at] = this.black;
    history[at + 1] = this.white;
    history[at + 2] = this.kings;
    history[at + 3] = this.quiet;
  }

  returns(player: number): number {
    return this.winner < 0 ? 0 : this.winner === player ? 1 : -1;
  }

  /**
   * The number of moves by kings without a capture since the last other move. Positions before them cannot come back.
   * 0 without a rule of repetition.
   */
  get reversible(): number {
    if (this.rules.repetitions === 0) return 0;
    const { history } = this;
    const men = (this.black | this.white) & ~this.kings;
    const limit = Math.min(this.quiet, this.played);
    let count = 0;
    for (let at = (this.played - 1) * RECORD; count < limit; count++, at -= RECORD) {
      if (((history[at] | history[at + 1]) & ~history[at + 2]) !== men) break;
    }
    return count;
  }

  private isRepetition(): boolean {
    const { history } = this;
    let left = this.rules.repetitions - 1;
    if (left < 0) return false;
    for (let back = 2; back <= this.reversible && left > 0; back += 2) {
      const at = (this.played - back) * RECORD;
      if (history[at] === this.black && history[at + 1] === this.white && history[at + 2] === this.kings)
        left--;
    }
    return left === 0;
  }

  /** Covers pieces, turn, `quiet`, and under a rule of repetition the set of positions that may come back. */
  get hashLow(): number {
    return mixLow(this.black, this.white, this.kings ^ this.pastWord(mixLow), this.counters());
  }

  get hashHigh(): number {
    return mixHigh(this.black, this.white, this.kings ^ this.pastWord(mixHigh), this.counters());
  }

  private counters(): number {
    return (this.quiet << 1) | this.turn;
  }

  private pastWord(mix: typeof mixLow): number {
    const { history } = this;
    const count = this.reversible;
    let sum = 0;
    for (let back = 1; back <= count; back++) {
      const at = (this.played - back) * RECORD;
      sum = (sum + mix(history[at], history[at + 1], history[at + 2], back & 1)) | 0;
    }
    return sum;
  }

  copyFrom(other: this): void {
    this.toMove = other.toMove;
    this.turn = other.turn;
    this.black = other.black;
    this.white = other.white;
    this.kings = other.kings;
    this.quiet = other.quiet;
    this.winner = other.winner;
    const past = other.reversible;
    if (past * RECORD > this.history.length) this.history = new Int32Array(other.history.length);
    this.history.set(other.history.subarray((other.played - past) * RECORD, other.played * RECORD));
    this.played = past;
  }
}
