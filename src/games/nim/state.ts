import { mixHigh, mixLow, zobristTable } from "../../base/hashing.ts";
import { TERMINAL, type State } from "../contract/rules.ts";

export const MAX_PILES = 16;
export const MAX_COUNTERS = 255;
export const MAX_PLAYERS = 6;

/** An action is `pile << COUNT_BITS | counters taken`. */
export const COUNT_BITS = 8;
export const COUNT_MASK = 0xff;

/** By player to move: a word of the hash. */
const TURN_LOW = zobristTable("nim/low", MAX_PLAYERS);
const TURN_HIGH = zobristTable("nim/high", MAX_PLAYERS);

/** A nim position: counters left in each pile, and whose turn it is. */
export class NimState implements State {
  toMove = 0;
  /** The player whose turn it is; at the end, the player after the one who moved last. */
  turn = 0;
  /** Counters left in all piles. */
  left = 0;
  readonly piles: Int32Array;
  readonly players: number;
  readonly misere: boolean;
  private plies = 0;
  private readonly history: Int32Array;

  constructor(piles: readonly number[], players: number, misere: boolean) {
    this.piles = new Int32Array(piles.length);
    this.players = players;
    this.misere = misere;
    this.history = new Int32Array(piles.reduce((sum, counters) => sum + counters, 0));
    this.place(piles, 0);
  }

  /** Becomes the position with these counters in the piles and this player's turn. */
  place(piles: readonly number[], turn: number): void {
    this.piles.set(piles);
    this.plies = 0;
    this.left = piles.reduce((sum, counters) => sum + counters, 0);
    this.turn = turn;
    this.toMove = this.left === 0 ? TERMINAL : turn;
  }

  get hashLow(): number {
    const hash = mixLow(this.pilesFrom(0), this.pilesFrom(4), this.pilesFrom(8), this.pilesFrom(12));
    return hash ^ TURN_LOW[this.turn];
  }

  get hashHigh(): number {
    const hash = mixHigh(this.pilesFrom(0), this.pilesFrom(4), this.pilesFrom(8), this.pilesFrom(12));
    return hash ^ TURN_HIGH[this.turn];
  }

  legalActions(out: Int32Array, at: number): number {
    const { piles, left } = this;
    const last = at + left;
    let end = at;
    for (let pile = 0; end < last; pile++) {
      const base = pile << COUNT_BITS;
      const most = base + piles[pile];
      for (let action = base + 1; action <= most; action++) out[end++] = action;
    }
    return left;
  }

  apply(action: number): void {
    const count = action & COUNT_MASK;
    this.history[this.plies++] = action;
    this.piles[action >> COUNT_BITS] -= count;
    this.turn = this.turn + 1 === this.players ? 0 : this.turn + 1;
    this.left -= count;
    this.toMove = this.left === 0 ? TERMINAL : this.turn;
  }

  undo(): void {
    const action = this.history[--this.plies];
    const count = action & COUNT_MASK;
    this.piles[action >> COUNT_BITS] += count;
    this.left += count;
    this.turn = (this.turn === 0 ? this.players : this.turn) - 1;
    this.toMove = this.turn;
  }

  returns(player: number): number {
    if (this.left !== 0) return 0;
    const last = (this.turn === 0 ? this.players : this.turn) - 1;
    const worth = player === last ? 1 : -1 / (this.players - 1);
    return this.misere ? 0 - worth : worth;
  }

  copyFrom(other: this): void {
    this.toMove = other.toMove;
    this.turn = other.turn;
    this.left = other.left;
    // A loop is faster than `set` for so few words.
    for (let pile = 0; pile < this.piles.length; pile++) this.piles[pile] = other.piles[pile];
    this.plies = 0;
  }

  /** Four piles in one word, eight bits each. */
  private pilesFrom(first: number): number {
    const { piles } = this;
    const end = Math.min(piles.length, first + 4);
    let word = 0;
    for (let pile = first; pile < end; pile++) word = (word << 8) | piles[pile];
    return word;
  }
}
