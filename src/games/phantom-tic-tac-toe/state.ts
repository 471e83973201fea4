import { TERMINAL } from "../contract/rules.ts";
import { HistoryState } from "../shared/history-state.ts";

/** The lines of a square board: rows, columns and both diagonals. */
export function linesOf(size: number): readonly (readonly number[])[] {
  const along = Array.from({ length: size }, (_, at) => at);
  return [
    ...along.map((row) => along.map((column) => row * size + column)),
    ...along.map((column) => along.map((row) => row * size + column)),
    along.map((at) => at * (size + 1)),
    along.map((at) => (at + 1) * (size - 1)),
  ];
}

/** Every stone is placed once, and each player may try every stone of the other once. */
export function maxEventsOf(size: number): number {
  return 2 * size * size;
}

/** A position of phantom tic-tac-toe: the stones, and the cells that each player has tried. */
export class PhantomState extends HistoryState {
  readonly size: number;
  /** By cell: 0 if empty, else 1 + its owner. */
  readonly board: Uint8Array;
  /** By player, then by cell: 1 if the player has tried the cell. */
  readonly tried: Uint8Array;
  stones = 0;
  private readonly cells: number;
  private readonly lines: readonly (readonly number[])[];
  private winner = -1;

  constructor(size: number) {
    super(maxEventsOf(size));
    this.toMove = 0;
    this.size = size;
    this.cells = size * size;
    this.board = new Uint8Array(this.cells);
    this.tried = new Uint8Array(2 * this.cells);
    this.lines = linesOf(size);
  }

  legalActions(out: Int32Array, at: number): number {
    const first = this.toMove * this.cells;
    let next = at;
    for (let cell = 0; cell < this.cells; cell++) if (this.tried[first + cell] === 0) out[next++] = cell;
    return next - at;
  }

  returns(player: number): number {
    return this.winner < 0 ? 0 : this.winner === player ? 1 : -1;
  }

  protected advance(cell: number): void {
    const player = this.toMove;
    this.tried[player * this.cells + cell] = 1;
    if (this.board[cell] !== 0) return;
    this.board[cell] = 1 + player;
    this.stones++;
    if (this.hasLine(1 + player)) this.winner = player;
    this.toMove = this.winner >= 0 || this.stones === this.cells ? TERMINAL : 1 - player;
  }

  protected retreat(cell: number): void {
    // The mover placed the last stone if the cell is its own, and else tried a stone of the other.
    const isRefused = this.toMove >= 0 && this.board[cell] === 2 - this.toMove && this.wasTried(cell);
    const player = isRefused ? this.toMove : this.board[cell] - 1;
    this.tried[player * this.cells + cell] = 0;
    if (isRefused) return;
    this.board[cell] = 0;
    this.stones--;
    this.winner = -1;
    this.toMove = player;
  }

  override copyFrom(other: this): void {
    super.copyFrom(other);
    this.board.set(other.board);
    this.tried.set(other.tried);
    this.stones = other.stones;
    this.winner = other.winner;
  }

  /** True if the player to move has tried the cell. */
  private wasTried(cell: number): boolean {
    return this.tried[this.toMove * this.cells + cell] === 1;
  }

  private hasLine(owner: number): boolean {
    const { board } = this;
    return this.lines.some((line) => line.every((cell) => board[cell] === owner));
  }
}
