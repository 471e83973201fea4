import { squareClasses, type OthelloState, type SquareClass } from "./state.ts";
import { BLACK, type GridBoard } from "../shared/two-sets.ts";
import { COLUMN_A, COLUMN_H, SquareSet, STRIDE } from "../shared/square-set.ts";
import { findMoves } from "./moves.ts";
import { countBits } from "../../base/hashing.ts";
import type { FeatureSet, Facets, Heuristic } from "../contract/facets.ts";
import { TERMINAL } from "../contract/rules.ts";
import { scoreHeuristic } from "../shared/score-heuristic.ts";

/**
 * Counts of one player's chances, besides the discs.
 * @internal tests alone import it.
 */
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

/** @internal tests alone import it. */
export function newCounts(): Counts {
  return { moves: 0, potential: 0, corners: 0, stable: 0, exposed: 0 };
}

const found = new SquareSet();

/**
 * Writes the counts of one player, whoever is to move.
 * @internal tests alone import it.
 */
export function readCounts(state: OthelloState, player: number, into: Counts): void {
  const own = player === BLACK ? state.black : state.white;
  const other = player === BLACK ? state.white : state.black;
  findMoves(own, other, state.board.squares, found);
  into.moves = found.count();
  findBeside(other, found);
  found.low &= state.board.squares.low & ~own.low;
  found.high &= state.board.squares.high & ~own.high;
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

const COUNTS = ["moves", "potential", "corners", "stable", "exposed"] as const satisfies (keyof Counts)[];
const NAMES = ["moves", "potential moves", "corners", "stable discs", "discs beside empty corners"] as const;

/**
 * `squares`, all as `player`'s less the other's: discs on each class of squares that are alike by symmetry, moves,
 * potential moves, corners, stable discs and discs beside empty corners. The last two are the turn, and the player who
 * fills the last square if nobody passes: +1 for `player`, -1 for the other.
 */
export function squareFeatures(board: GridBoard): FeatureSet<OthelloState> {
  const size = board.width;
  const classes = squareClasses(size);
  const counts = classes.length;
  const turn = counts + COUNTS.length;
  const parity = turn + 1;
  const own = newCounts();
  const other = newCounts();

  return {
    summary:
      "discs by kind of square, moves, potential moves, corners, stable and exposed discs, turn, parity",
    version: 1,
    size: parity + 1,
    maxActive: parity + 1,
    extract(state, player, index, value) {
      const { black, white } = state;
      const sign = player === BLACK ? 1 : -1;
      let end = 0;
      for (let at = 0; at < counts; at++) {
        const { low, high } = classes[at]!;
        const lead =
          countBits(black.low & low) +
          countBits(black.high & high) -
          countBits(white.low & low) -
          countBits(white.high & high);
        if (lead === 0) continue;
        index[end] = at;
        value[end++] = sign * lead;
      }
      readCounts(state, player, own);
      readCounts(state, 1 - player, other);
      for (let at = 0; at < COUNTS.length; at++) {
        const name = COUNTS[at]!;
        index[end] = counts + at;
        value[end++] = own[name] - other[name];
      }
      if (state.toMove === TERMINAL) return end;
      const mine = state.toMove === player ? 1 : -1;
      const empty = size * size - black.count() - white.count();
      index[end] = turn;
      value[end++] = mine;
      index[end] = parity;
      value[end++] = (empty & 1) === 1 ? mine : 0 - mine;
      return end;
    },
    describe(feature) {
      if (feature === turn) return "to move";
      if (feature === parity) return "last empty square";
      const kind = classes[feature];
      return kind === undefined
        ? NAMES[feature - counts]!
        : `discs on squares like ${board.nameOf(STRIDE * kind.row + kind.column)}`;
    },
    grids: [{ name: "discs", ...board.layout((square) => classAt(classes, size, square)) }],
  };
}

/** The number of the class of a square. */
function classAt(classes: readonly SquareClass[], size: number, square: number): number {
  const [near, far] = [square >> 3, square & 7]
    .map((line) => Math.min(line, size - 1 - line))
    .toSorted((a, b) => a - b);
  return classes.findIndex((kind) => kind.row === near && kind.column === far);
}

/**
 * The weights of the weighted piece counter, in hundredths, for a quarter of the board from its corner on. It is the
 * usual opponent in publications (Lucas and Runarsson 2006, after Yoshioka, Ishii and Ito 1999). Smaller boards use the
 * part at the corner.
 */
const QUARTER = [
  [100, -25, 10, 5],
  [-25, -25, 1, 1],
  [10, 1, 5, 2],
  [5, 1, 2, 1],
] as const;

/** The sum of weights that is worth half a win: a corner. */
const HALF_WIN_WEIGHT = 1;

/**
 * The sum of the weights under Black's discs less that under White's; a corner is 1.
 * @internal tests count in whole weights, before the value is brought between -1 and 1.
 */
export function weightedSquares({ black, white, size }: OthelloState): number {
  const classes = squareClasses(size);
  let sum = 0;
  for (let index = 0; index < classes.length; index++) {
    const { low, high, row, column } = classes[index]!;
    const lead =
      countBits(black.low & low) +
      countBits(black.high & high) -
      countBits(white.low & low) -
      countBits(white.high & high);
    sum += lead * QUARTER[row]![column]!;
  }
  return sum / 100;
}

/** `weightedSquares`, brought between -1 and 1. */
export const weightedSquaresHeuristic: Heuristic<OthelloState> = scoreHeuristic(
  "weighted piece counter: corners 1, squares beside them -0.25, ... (Yoshioka, Ishii and Ito 1999)",
  HALF_WIN_WEIGHT,
  weightedSquares,
);

const MOVE_WORTH = 10;
const POTENTIAL_WORTH = 4;
const CORNER_WORTH = 60;
const STABLE_WORTH = 20;
const EXPOSED_WORTH = -15;
/** The score that is worth half a win. */
const HALF_WIN_WORTH = 100;

const black = newCounts();
const white = newCounts();

/**
 * Moves, potential moves, corners and stable discs (Rosenbloom 1982), less discs that give corners away. From positions
 * after six random plies it scores 87% against `weighted-squares` at depth 2 (400 games) and 94% at depth 4 (100 games).
 */
export const mobilityStability: Heuristic<OthelloState> = scoreHeuristic(
  "moves, potential moves, corners, stable and exposed discs, less the other's (after Rosenbloom 1982)",
  HALF_WIN_WORTH,
  (state) => {
    readCounts(state, BLACK, black);
    readCounts(state, 1 - BLACK, white);
    return (
      MOVE_WORTH * (black.moves - white.moves) +
      POTENTIAL_WORTH * (black.potential - white.potential) +
      CORNER_WORTH * (black.corners - white.corners) +
      STABLE_WORTH * (black.stable - white.stable) +
      EXPOSED_WORTH * (black.exposed - white.exposed)
    );
  },
);

/** The heuristics for games that return the margin: their values times `most`, the greatest margin. */
export function inDiscs(
  heuristics: NonNullable<Facets<OthelloState>["heuristics"]>,
  most: number,
): NonNullable<Facets<OthelloState>["heuristics"]> {
  return Object.fromEntries(
    Object.entries(heuristics).map(([name, heuristic]) => [
      name,
      {
        summary: heuristic.summary,
        evaluate: (state: OthelloState, player: number) => most * heuristic.evaluate(state, player),
      },
    ]),
  );
}
