import { mixHigh, mixLow } from "../../base/hashing.ts";
import type { Layout, TupleBoard, TupleGroups } from "../contract/facets.ts";
import { adjacentCells, numberedRows } from "../contract/grid.ts";
import { TERMINAL, type State } from "../contract/rules.ts";
import { readGroups, SquareSet, squaresOf, STRIDE } from "./square-set.ts";

/** BLACK is the first player. */
export const BLACK = 0;
export const WHITE = 1;

export const PLAYER_NAMES = ["Black", "White"] as const;

/**
 * A board with up to 8 columns and rows. A square is numbered as in a SquareSet and named by its column from the left and its
 * row, such as `a1`. A cell is numbered row by row from the top, without gaps.
 */
export class GridBoard {
  readonly width: number;
  readonly height: number;
  /** All squares. */
  readonly squares: SquareSet;
  readonly rowNames: readonly string[];
  readonly columnNames: readonly string[];

  /** @param first the side of the board where row 1 is */
  constructor(width: number, height: number, first: "top" | "bottom") {
    this.width = width;
    this.height = height;
    this.squares = squaresOf(width, height);
    const names = Array.from({ length: height }, (_, row) => String(row + 1));
    this.rowNames = first === "top" ? names : names.toReversed();
    this.columnNames = Array.from("abcdefgh").slice(0, width);
  }

  squareOf(cell: number): number {
    return STRIDE * Math.floor(cell / this.width) + (cell % this.width);
  }

  cellOf(square: number): number {
    return this.width * Math.floor(square / STRIDE) + (square % STRIDE);
  }

  nameOf(square: number): string {
    return this.columnNames[square % STRIDE]! + this.rowNames[Math.floor(square / STRIDE)]!;
  }

  /** What `of` says of each square, row by row from the top. */
  map<Value>(of: (square: number) => Value): Value[][] {
    return numberedRows(this.width, this.height).map((row) => row.map((cell) => of(this.squareOf(cell))));
  }

  /** The layout that has a number on each square. */
  layout(numberOf = (square: number) => this.cellOf(square)): Layout {
    const { rowNames, columnNames } = this;
    return { rows: this.map(numberOf), rowNames, columnNames };
  }
}

const TURN_KEY = 0x3c6ef372;

/** A position that pieces of two players on a board describe, a set each, and whose turn it is. */
export abstract class TwoSets implements State {
  toMove = BLACK;
  /** The player whose turn it is; at the end, the player who would be next. */
  turn = BLACK;
  readonly black = new SquareSet();
  readonly white = new SquareSet();
  readonly board: GridBoard;
  /** Actions that `undo` can take back. */
  protected played = 0;

  constructor(board: GridBoard) {
    this.board = board;
  }

  abstract legalActions(out: Int32Array, at: number): number;
  abstract apply(action: number): void;
  abstract undo(): void;
  abstract returns(player: number): number;

  get hashLow(): number {
    const hash = mixLow(this.black.low, this.black.high, this.white.low, this.white.high);
    return this.turn === BLACK ? hash : hash ^ TURN_KEY;
  }

  get hashHigh(): number {
    const hash = mixHigh(this.black.low, this.black.high, this.white.low, this.white.high);
    return this.turn === BLACK ? hash : hash ^ TURN_KEY;
  }

  copyFrom(other: this): void {
    this.toMove = other.toMove;
    this.turn = other.turn;
    this.black.copyFrom(other.black);
    this.white.copyFrom(other.white);
    this.played = 0;
  }

  /** The player whose piece is on a square; undefined where there is none. */
  ownerOf(square: number): number | undefined {
    return this.black.has(square) ? BLACK : this.white.has(square) ? WHITE : undefined;
  }

  /** The rows from the top; `signs` are those of a black piece, a white one and an empty square. */
  rows(signs: string): string[] {
    return this.board.map((square) => signs[this.ownerOf(square) ?? 2]).map((row) => row.join(""));
  }

  /** Puts pieces on an empty board: `cells` has a sign for each cell. */
  place(cells: string, signs: string): void {
    this.black.clear();
    this.white.clear();
    Array.from(cells).forEach((sign, cell) => {
      if (sign === signs[BLACK]) this.black.add(this.board.squareOf(cell));
      else if (sign === signs[WHITE]) this.white.add(this.board.squareOf(cell));
    });
  }

  /** Who moves next, for people. */
  next(): string {
    return this.toMove === TERMINAL ? "game over" : `${PLAYER_NAMES[this.turn]} to move`;
  }
}

const DIGITS = [".", "own", "other"] as const;
/** The bits of the other player's pieces in the key of a row. */
const ROW_SHIFT = 16;

/**
 * Cells as the player sees them who has just moved: empty, own or the other's. So both players share their weights. If the
 * board is `turned`, cells are numbered from the viewer's own side, with Black's on top.
 */
export function twoSetTuples(
  board: GridBoard,
  {
    symmetries,
    turned,
    tupleSets = {},
  }: {
    readonly symmetries: number[][];
    readonly turned: boolean;
    readonly tupleSets?: TupleBoard["tupleSets"];
  },
): TupleBoard<TwoSets> {
  const { width, height } = board;
  const rows = numberedRows(width, height);
  const layout = board.layout();
  const groups: TupleGroups<TwoSets> = {
    cells: rows,
    keys({ black, white }, player, keys) {
      const own = player === BLACK ? black : white;
      const other = player === BLACK ? white : black;
      for (let row = 0; row < height; row++) {
        const drawn = turned && player !== BLACK ? height - 1 - row : row;
        keys[row] = own.row(drawn) | (other.row(drawn) << ROW_SHIFT);
      }
    },
    read(group, key, digits) {
      const others = key >>> ROW_SHIFT;
      for (let column = 0; column < width; column++)
        digits[width * group + column] = ((key >>> column) & 1) + 2 * ((others >>> column) & 1);
    },
  };
  return {
    cells: width * height,
    digits: DIGITS.length,
    symmetries,
    neighbours: adjacentCells(rows),
    layout: turned ? { ...layout, rows: layout.rows.toReversed() } : layout,
    viewer: (state) => 1 - state.turn,
    tupleSets,
    groups,
    read: readGroups(groups),
    cellName: (cell) => board.columnNames[cell % width]! + String(Math.floor(cell / width) + 1),
    digitName: (digit) => DIGITS[digit]!,
  };
}
