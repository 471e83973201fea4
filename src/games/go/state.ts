import { mixHigh, mixLow } from "../../base/hashing.ts";
import { TERMINAL, type State } from "../contract/rules.ts";
import { BLACK, EMPTY, ROWS } from "./board.ts";
import { areaLead, Stones, TRAIL } from "./stones.ts";

/** The rules of one game, beside the size of its board. */
export interface GoRules {
  /** Points that White gets for moving second. */
  readonly komi: number;
  /** True if a move may take off two or more stones of the player's own; one stone never. */
  readonly suicide: boolean;
  /** True if no move may bring back any earlier board; otherwise only the ko point is forbidden. */
  readonly superko: boolean;
  /** True if a move that brings back an earlier board ends the game as a draw. */
  readonly drawByRepetition: boolean;
  /** Moves, passes counted, after which the game is scored. */
  readonly moveLimit: number;
}

/** No point of a board: no ko. */
export const NO_POINT = 0;

/** Words of each position in `past`: two for its key, the action after it, and one for ko point and passes. */
const RECORD = 4;

/**
 * A position of Go. The hash covers the stones, the player to move, the ko point, passes and the number
 * of moves, which the limit depends on. It leaves out earlier boards, although superko and draws by
 * repetition depend on them: with the whole past in the hash, no two ways to a position would have
 * the same hash. So a search may use a value that was found with another past, as go programs
 * usually do. The rules and the results always respect the past.
 */
export class GoState extends Stones implements State {
  toMove = BLACK;
  /** The player whose turn it is; at the end, the player who would be next. */
  turn = BLACK;
  /** Passes just before this position, 0 to 2. */
  passes = 0;
  /** Moves played in the game, passes counted. */
  moves = 0;
  /** The point where simple ko forbids to play, or NO_POINT. */
  ko = NO_POINT;
  /** True if the last move brought back an earlier board, and the game is drawn for it. */
  repeated = false;
  /** 1 when Black has won, -1 when White has, 0 when nobody has. */
  outcome = 0;
  readonly rules: GoRules;
  /** The positions before this one, as many as are known, RECORD words each. */
  private readonly past: Int32Array;
  private pastCount = 0;
  /** By low bits of a key: the number of positions in `past` with such a key. */
  private readonly seen: Uint16Array;
  private readonly seenMask: number;

  /** The empty board, of size 1 to MAX_SIZE. */
  constructor(size: number, rules: GoRules) {
    super(size, rules.moveLimit);
    this.rules = rules;
    this.past = new Int32Array((rules.moveLimit + size * size) * RECORD);
    const slots = 2 ** (33 - Math.clz32(rules.moveLimit));
    this.seen = new Uint16Array(slots);
    this.seenMask = slots - 1;
  }

  /** The action of passing, the highest of all. */
  get pass(): number {
    return this.size * this.size;
  }

  legalActions(out: Int32Array, at: number): number {
    const { rows, size, width, turn } = this;
    const { superko, suicide } = this.rules;
    let end = at;
    let below = 0;
    let here = rows[EMPTY * ROWS + 1];
    for (let row = 1, first = 0; row <= size; row++, first += size) {
      const above = rows[EMPTY * ROWS + row + 1];
      let legal = here & ((here << 1) | (here >> 1) | below | above);
      for (let closed = here ^ legal; closed !== 0; closed &= closed - 1) {
        const column = 31 - Math.clz32(closed & (0 - closed));
        const point = row * width + column + 1;
        if (point !== this.ko && (this.livesBeside(point, turn) || (suicide && this.isBeside(point, turn))))
          legal |= 1 << column;
      }
      if (superko) legal &= ~this.repeatingIn(row, legal);
      for (; legal !== 0; legal &= legal - 1) out[end++] = first + 31 - Math.clz32(legal & (0 - legal));
      below = here;
      here = above;
    }
    out[end++] = size * size;
    return end - at;
  }

  /** True if a stone on an empty point is a legal move. */
  isLegalAt(point: number): boolean {
    return point !== this.ko && this.breathes(point) && !(this.rules.superko && this.isRepetition(point));
  }

  /** True if a stone on an empty point would stay on the board; earlier boards are not compared. */
  breathes(point: number): boolean {
    const { turn } = this;
    return (
      this.isBeside(point, EMPTY) ||
      this.livesBeside(point, turn) ||
      (this.rules.suicide && this.isBeside(point, turn))
    );
  }

  /** The point of the last move; NO_POINT after a pass, and where no move is known. */
  get lastPoint(): number {
    if (this.pastCount === 0) return NO_POINT;
    const action = this.past[(this.pastCount - 1) * RECORD + 2];
    return action === this.pass ? NO_POINT : this.board.pointOf[action];
  }

  apply(action: number): void {
    this.remember(this.keyLow, this.keyHigh, action);
    const { rules, turn } = this;
    this.ko = NO_POINT;
    this.turn = 1 - turn;
    this.moves++;
    if (action === this.size * this.size) {
      this.passes++;
    } else {
      const point = this.board.pointOf[action];
      this.passes = 0;
      this.put(point, turn);
      if (!rules.superko && this.takesKo(point)) this.ko = this.lastCaptured;
      this.repeated = rules.drawByRepetition && this.hasOccurred(this.keyLow, this.keyHigh);
    }
    this.trailAt += TRAIL;
    this.settle();
  }

  /** Updates `toMove` and, at the end, the outcome. */
  settle(): void {
    const { komi, moveLimit } = this.rules;
    this.toMove = this.turn;
    if (this.repeated) {
      this.toMove = TERMINAL;
    } else if (this.passes === 2 || this.moves >= moveLimit) {
      this.toMove = TERMINAL;
      this.outcome = Math.sign(areaLead(this) - komi);
    }
  }

  undo(): void {
    const { past, pastCount } = this;
    const at = (pastCount - 1) * RECORD;
    const action = past[at + 2];
    this.pastCount = pastCount - 1;
    this.trailAt -= TRAIL;
    this.moves--;
    this.turn = 1 - this.turn;
    this.toMove = this.turn;
    this.outcome = 0;
    this.repeated = false;
    this.passes = past[at + 3] & 3;
    this.ko = past[at + 3] >> 2;
    if (action !== this.size * this.size) {
      this.lift(this.board.pointOf[action], this.turn);
      this.keyLow = past[at];
      this.keyHigh = past[at + 1];
    }
    this.seen[this.keyLow & this.seenMask]!--;
  }

  returns(player: number): number {
    return player === BLACK ? this.outcome : 0 - this.outcome;
  }

  get hashLow(): number {
    return mixLow(this.keyLow, this.keyHigh, this.traits(), this.moves);
  }

  get hashHigh(): number {
    return mixHigh(this.keyLow, this.keyHigh, this.traits(), this.moves);
  }

  private traits(): number {
    return this.turn | (this.passes << 1) | (this.ko << 3) | (this.repeated ? 1 << 13 : 0);
  }

  copyFrom(other: this): void {
    this.copyStones(other);
    this.toMove = other.toMove;
    this.turn = other.turn;
    this.passes = other.passes;
    this.moves = other.moves;
    this.ko = other.ko;
    this.repeated = other.repeated;
    this.outcome = other.outcome;
    this.past.set(other.past.subarray(0, other.pastCount * RECORD));
    this.pastCount = other.pastCount;
    this.seen.set(other.seen);
    this.trailAt = 0;
  }

  /** Adds the board after a legal move to the past, so that superko forbids the move. */
  forbid(point: number): void {
    const { keyLow, keyHigh } = this;
    this.put(point, this.turn);
    this.remember(this.keyLow, this.keyHigh, this.pass);
    this.takeBack(point, keyLow, keyHigh);
  }

  /** True if a move at an empty point takes a stone that could take the new one back at once. */
  wouldTakeKo(point: number): boolean {
    const { keyLow, keyHigh } = this;
    this.put(point, this.turn);
    const found = this.takesKo(point);
    this.takeBack(point, keyLow, keyHigh);
    return found;
  }

  /** True if a stone on an empty point, where it is legal, has two liberties or more, with the chain that it joins. */
  hasTwoLibertiesAt(point: number): boolean {
    const { keyLow, keyHigh } = this;
    this.put(point, this.turn);
    const found = this.colour[point] !== EMPTY && this.onlyLiberty(this.chain[point]) === NO_POINT;
    this.takeBack(point, keyLow, keyHigh);
    return found;
  }

  /** Writes the `rows` after a move at an empty point. */
  readRowsAfter(point: number, into: Int32Array): void {
    const { keyLow, keyHigh } = this;
    this.put(point, this.turn);
    into.set(this.rows);
    this.takeBack(point, keyLow, keyHigh);
  }

  private takeBack(point: number, keyLow: number, keyHigh: number): void {
    this.lift(point, this.turn);
    this.keyLow = keyLow;
    this.keyHigh = keyHigh;
  }

  /** Adds the position to the past, with the action after it. */
  private remember(low: number, high: number, action: number): void {
    const { past } = this;
    const at = this.pastCount++ * RECORD;
    past[at] = low;
    past[at + 1] = high;
    past[at + 2] = action;
    past[at + 3] = (this.ko << 2) | this.passes;
    this.seen[low & this.seenMask]!++;
  }

  /** True if a move at an empty point would bring back an earlier board, under any options. */
  isRepetition(point: number): boolean {
    const { turn, keyLow, keyHigh } = this;
    if (!this.captures(point, turn) && (this.isBeside(point, EMPTY) || this.livesBeside(point, turn)))
      return this.hasOccurred(keyLow ^ this.wordLow(point, turn), keyHigh ^ this.wordHigh(point, turn));
    this.put(point, turn);
    const found = this.hasOccurred(this.keyLow, this.keyHigh);
    this.takeBack(point, keyLow, keyHigh);
    return found;
  }

  /** The points in a set of a row that superko forbids. */
  private repeatingIn(row: number, points: number): number {
    const { width } = this;
    let repeating = 0;
    for (let rest = points; rest !== 0; rest &= rest - 1) {
      const bit = rest & (0 - rest);
      if (this.isRepetition(row * width + 32 - Math.clz32(bit))) repeating |= bit;
    }
    return repeating;
  }

  private hasOccurred(low: number, high: number): boolean {
    if (this.seen[low & this.seenMask] === 0) return false;
    const { past } = this;
    for (let at = (this.pastCount - 1) * RECORD; at >= 0; at -= RECORD) {
      if (past[at] === low && past[at + 1] === high) return true;
    }
    return false;
  }
}
