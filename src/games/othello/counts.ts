import { squareClasses } from "./squares.ts";
import { COLUMN_A, COLUMN_H, SquareSet, STRIDE } from "../shared/square-set.ts";
import { findMoves } from "./moves.ts";
import { BLACK, type OthelloState } from "./state.ts";

/** Counts of one player's chances, besides the discs. */
export interface Counts {
  /** Squares where the player can play at the player's turn. */
  moves: number;
  /** Empty squares beside the other's discs, where later moves may be (Rosenbloom 1982). */
  potential: number;
  corners: number;
  /** Discs that can never be turned, as far as corners prove it. */
  stable: number;
  /** Discs beside an empty corner, which may give the corner away. Diagonal neighbours count twice. */
  exposed: number;
}

export function newCounts(): Counts {
  return { moves: 0, potential: 0, corners: 0, stable: 0, exposed: 0 };
}

const found = new SquareSet();

/** Writes the counts of one player, whoever is to move. */
export function readCounts(state: OthelloState, player: number, into: Counts): void {
  const own = player === BLACK ? state.black : state.white;
  const other = player === BLACK ? state.white : state.black;
  findMoves(own, other, state.board, found);
  into.moves = found.count();
  findBeside(other, found);
  found.low &= state.board.low & ~own.low;
  found.high &= state.board.high & ~own.high;
  into.potential = found.count();
  const corners = squareClasses(state.size)[0]!;
  found.low = own.low & corners.low;
  found.high = own.high & corners.high;
  into.corners = found.count();
  into.stable = 0;
  if (into.corners > 0) {
    findStable(own, state.size, found);
    into.stable = found.count();
  }
  into.exposed = 0;
  for (const { corner, across, along, diagonal } of CORNERS[state.size]!) {
    if (state.black.has(corner) || state.white.has(corner)) continue;
    into.exposed += Number(own.has(across)) + Number(own.has(along)) + 2 * Number(own.has(diagonal));
  }
}

/** By size of the board: each corner and its three neighbours. */
const CORNERS = Array.from({ length: STRIDE + 1 }, (_, size) =>
  [0, size - 1].flatMap((row) =>
    [0, size - 1].map((column) => {
      const nextRow = row === 0 ? 1 : row - 1;
      const nextColumn = column === 0 ? 1 : column - 1;
      return {
        corner: STRIDE * row + column,
        across: STRIDE * row + nextColumn,
        along: STRIDE * nextRow + column,
        diagonal: STRIDE * nextRow + nextColumn,
      };
    }),
  ),
);

/** The neighbours of a set, outside it. */
function findBeside({ low, high }: SquareSet, beside: SquareSet): void {
  const wideLow = low | ((low << 1) & ~COLUMN_A) | ((low >>> 1) & ~COLUMN_H);
  const wideHigh = high | ((high << 1) & ~COLUMN_A) | ((high >>> 1) & ~COLUMN_H);
  beside.low = (wideLow | (wideLow << STRIDE) | (wideLow >>> STRIDE) | (wideHigh << 24)) & ~low;
  beside.high = (wideHigh | (wideHigh >>> STRIDE) | (wideHigh << STRIDE) | (wideLow >>> 24)) & ~high;
}

/** By size of the board: the squares for which `isOn(row, column, last)` is true. */
function rim(isOn: (row: number, column: number, last: number) => boolean): readonly SquareSet[] {
  return Array.from({ length: STRIDE + 1 }, (_, size) => {
    const set = new SquareSet();
    for (let row = 0; row < size; row++) {
      for (let column = 0; column < size; column++) {
        if (isOn(row, column, size - 1)) set.add(STRIDE * row + column);
      }
    }
    return set;
  });
}

const SIDES = rim((_, column, last) => column === 0 || column === last);
const ENDS = rim((row, _, last) => row === 0 || row === last);

/**
 * Finds the stable discs, from the corners on. A disc is stable if, along each of the four lines through
 * it, one neighbour is a stable disc of the same colour or lies off the board. A shift over one side of
 * the board comes in at the opposite side. That does no harm: those squares lie at the edge, which counts as stable there.
 */
function findStable(own: SquareSet, size: number, stable: SquareSet): void {
  const sides = SIDES[size]!;
  const ends = ENDS[size]!;
  const rimLow = sides.low | ends.low;
  const rimHigh = sides.high | ends.high;
  let low = 0;
  let high = 0;
  for (;;) {
    const nextLow =
      own.low &
      (sides.low | (low << 1) | (low >>> 1)) &
      (ends.low | (low << 8) | (low >>> 8) | (high << 24)) &
      (rimLow | (low << 7) | (low >>> 7) | (high << 25)) &
      (rimLow | (low << 9) | (low >>> 9) | (high << 23));
    const nextHigh =
      own.high &
      (sides.high | (high << 1) | (high >>> 1)) &
      (ends.high | (high >>> 8) | (high << 8) | (low >>> 24)) &
      (rimHigh | (high >>> 7) | (high << 7) | (low >>> 25)) &
      (rimHigh | (high >>> 9) | (high << 9) | (low >>> 23));
    if (nextLow === low && nextHigh === high) break;
    low = nextLow;
    high = nextHigh;
  }
  stable.low = low;
  stable.high = high;
}
