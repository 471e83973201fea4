import { lowestBit } from "../../base/hashing.ts";
import { TERMINAL } from "../contract/rules.ts";
import { SquareSet, STRIDE } from "../shared/square-set.ts";
import { BLACK, type GridBoard, TwoSets } from "../shared/two-sets.ts";
import { findFlips, findMoves } from "./moves.ts";

/** The action of a player who cannot play a disc. Other actions are squares, 8 * row + column. */
export const PASS = 64;

/** Words of a position in the history: black, white and moves, two words each. */
const RECORD = 6;

/** A position of Othello on a board of even size up to 8. */
export class OthelloState extends TwoSets {
  /** The squares where the player to move can play; empty for a player who must pass. */
  readonly moves = new SquareSet();
  readonly size: number;
  /** All squares of the board: every move looks at them. */
  private readonly squares: SquareSet;
  private readonly countsDiscs: boolean;
  private readonly flips = new SquareSet();
  private readonly history: Int32Array;

  /** @param countsDiscs whether the return is the margin, or who wins */
  constructor(board: GridBoard, countsDiscs: boolean) {
    super(board);
    const size = board.width;
    this.size = size;
    this.squares = board.squares;
    this.countsDiscs = countsDiscs;
    // A pass follows every move at most, and may come first.
    this.history = new Int32Array((2 * (size * size - 4) + 1) * RECORD);
    const middle = size / 2;
    this.white.add(STRIDE * (middle - 1) + middle - 1);
    this.black.add(STRIDE * (middle - 1) + middle);
    this.black.add(STRIDE * middle + middle - 1);
    this.white.add(STRIDE * middle + middle);
    this.settle();
  }

  legalActions(out: Int32Array, at: number): number {
    const { low, high } = this.moves;
    let end = at;
    for (let rest = low; rest !== 0; rest &= rest - 1) out[end++] = lowestBit(rest);
    for (let rest = high; rest !== 0; rest &= rest - 1) out[end++] = 32 + lowestBit(rest);
    if (end === at) out[end++] = PASS;
    return end - at;
  }

  apply(action: number): void {
    this.record();
    if (action !== PASS) {
      const own = this.turn === BLACK ? this.black : this.white;
      const other = this.turn === BLACK ? this.white : this.black;
      const { flips } = this;
      findFlips(action, own, other, flips);
      own.low |= flips.low;
      own.high |= flips.high;
      own.add(action);
      other.low &= ~flips.low;
      other.high &= ~flips.high;
    }
    this.turn = 1 - this.turn;
    this.settle();
  }

  /** Finds the moves of the player whose turn it is. The game is over where neither player has one. */
  settle(): void {
    const own = this.turn === BLACK ? this.black : this.white;
    const other = this.turn === BLACK ? this.white : this.black;
    this.toMove = this.turn;
    findMoves(own, other, this.squares, this.moves);
    if ((this.moves.low | this.moves.high) !== 0) return;
    findMoves(other, own, this.squares, this.flips);
    if ((this.flips.low | this.flips.high) === 0) this.toMove = TERMINAL;
  }

  undo(): void {
    const { history } = this;
    const at = --this.played * RECORD;
    this.black.low = history[at];
    this.black.high = history[at + 1];
    this.white.low = history[at + 2];
    this.white.high = history[at + 3];
    this.moves.low = history[at + 4];
    this.moves.high = history[at + 5];
    this.turn = 1 - this.turn;
    this.toMove = this.turn;
  }

  private record(): void {
    const { history } = this;
    const at = this.played++ * RECORD;
    history[at] = this.black.low;
    history[at + 1] = this.black.high;
    history[at + 2] = this.white.low;
    history[at + 3] = this.white.high;
    history[at + 4] = this.moves.low;
    history[at + 5] = this.moves.high;
  }

  returns(player: number): number {
    if (this.toMove !== TERMINAL) return 0;
    const lead = discLead(this, player);
    if (!this.countsDiscs) return lead > 0 ? 1 : lead < 0 ? -1 : 0;
    const empty = this.size * this.size - this.black.count() - this.white.count();
    return lead + empty * Math.sign(lead);
  }

  override copyFrom(other: this): void {
    super.copyFrom(other);
    this.moves.copyFrom(other.moves);
  }
}

/**
 * Discs of `player` less the other's, without the empty squares that the winner gets at the end.
 * @internal tests compare it with the discs of a second implementation.
 */
export function discLead(state: OthelloState, player: number): number {
  const lead = state.black.count() - state.white.count();
  return player === BLACK ? lead : 0 - lead;
}

/** The squares that the eight symmetries of the board take to each other. */
export interface SquareClass {
  readonly low: number;
  readonly high: number;
  /** The member in the upper left quarter nearest to the top row; row <= column. */
  readonly row: number;
  readonly column: number;
}

const BY_SIZE: readonly (readonly SquareClass[])[] = Array.from({ length: STRIDE + 1 }, (_, size) => {
  if (size % 2 === 1) return [];
  const classes: SquareClass[] = [];
  for (let row = 0; row < size / 2; row++) {
    for (let column = row; column < size / 2; column++) {
      const set = new SquareSet();
      for (const near of [row, size - 1 - row]) {
        for (const far of [column, size - 1 - column]) {
          set.add(STRIDE * near + far);
          set.add(STRIDE * far + near);
        }
      }
      classes.push({ low: set.low, high: set.high, row, column });
    }
  }
  return classes;
});

/** Ten classes on the usual board, the corners first: a1 b1 c1 d1 b2 c2 d2 c3 d3 d4. */
export function squareClasses(size: number): readonly SquareClass[] {
  return BY_SIZE[size]!;
}
