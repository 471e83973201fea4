import { zobristTable } from "../../base/hashing.ts";
import { TERMINAL, type State } from "../contract/rules.ts";

const FULL = 0b111_111_111;

/** The eight lines, as sets of cells: bit c for cell c, counted from a1 along the rows. */
export const LINES = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124] as const;

/** `a1` for cell 0, `b1` for cell 1, ... `c3` for cell 8; row 1 is the top row. */
export function formatCell(cell: number): string {
  return `${"abc"[cell % 3]}${Math.floor(cell / 3) + 1}`;
}

/** True if a set of cells holds a whole line. */
const WINS = Uint8Array.from({ length: FULL + 1 }, (_, cells) =>
  LINES.some((line) => (cells & line) === line) ? 1 : 0,
);

/** By set of cells of the first player, then of the second: the words of the hash. */
const ZOBRIST_LOW = zobristTable("tic-tac-toe/low", 2 * (FULL + 1));
const ZOBRIST_HIGH = zobristTable("tic-tac-toe/high", 2 * (FULL + 1));

/** A tic-tac-toe position: two sets of cells. */
export class TicTacToeState implements State {
  toMove = 0;
  /** Cells of the first player (x) and of the second (o). */
  first = 0;
  second = 0;
  /** Stones on the board. */
  stones = 0;
  private readonly history = new Int32Array(9);

  get hashLow(): number {
    return ZOBRIST_LOW[this.first] ^ ZOBRIST_LOW[FULL + 1 + this.second];
  }

  get hashHigh(): number {
    return ZOBRIST_HIGH[this.first] ^ ZOBRIST_HIGH[FULL + 1 + this.second];
  }

  legalActions(out: Int32Array, at: number): number {
    let end = at;
    for (let empty = FULL & ~(this.first | this.second); empty !== 0; empty &= empty - 1) {
      out[end++] = 31 - Math.clz32(empty & -empty);
    }
    return end - at;
  }

  apply(cell: number): void {
    const player = this.stones & 1;
    this.history[this.stones++] = cell;
    const bit = 1 << cell;
    const own = player === 0 ? (this.first |= bit) : (this.second |= bit);
    this.toMove = WINS[own] !== 0 || this.stones === 9 ? TERMINAL : 1 - player;
  }

  undo(): void {
    const bit = 1 << this.history[--this.stones];
    const player = this.stones & 1;
    if (player === 0) this.first ^= bit;
    else this.second ^= bit;
    this.toMove = player;
  }

  returns(player: number): number {
    const lead = WINS[this.first] - WINS[this.second];
    return player === 0 ? lead : 0 - lead;
  }

  hasLine(player: number): boolean {
    return WINS[player === 0 ? this.first : this.second] !== 0;
  }

  copyFrom(other: this): void {
    this.toMove = other.toMove;
    this.first = other.first;
    this.second = other.second;
    this.stones = other.stones;
  }
}
