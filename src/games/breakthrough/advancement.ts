import { countBits } from "../../base/bits.ts";
import { scoreHeuristic } from "../shared/score-heuristic.ts";
import type { Heuristic } from "../contract/facets.ts";
import { COLUMN_A, COLUMN_H, SquareSet, STRIDE } from "../shared/square-set.ts";
import { BLACK, type BreakthroughState, WHITE } from "./state.ts";

/** Counts of one player's pieces. */
export interface Counts {
  /** Pieces by row, counted from their own side. */
  readonly rows: Int32Array;
  /** Pieces that the other player can capture. */
  attacked: number;
  /** Attacked pieces whose captor could not be captured in turn. */
  loose: number;
  /** Pieces whose captor could be captured in turn. */
  supported: number;
  /** Pairs of pieces side by side. */
  pairs: number;
  /** Pieces that no piece of the other player can stop any more: the cone ahead of them is free. */
  runners: number;
  /** The rows that the foremost runner still has to go; without a runner, the height of the board. */
  shortest: number;
}

export function newCounts(): Counts {
  return {
    rows: new Int32Array(STRIDE),
    attacked: 0,
    loose: 0,
    supported: 0,
    pairs: 0,
    runners: 0,
    shortest: 0,
  };
}

const ahead = new SquareSet();
const cone = new SquareSet();

/** Counts the pieces of one player, whoever is to move. */
export function readCounts(state: BreakthroughState, player: number, into: Counts): void {
  const { height } = state.shape;
  const own = player === BLACK ? state.black : state.white;
  const other = player === BLACK ? state.white : state.black;
  for (let row = 0; row < height; row++) {
    const at = player === BLACK ? row : height - 1 - row;
    into.rows[row] = countBits(own.row(at));
  }
  reach(other, 1 - player, ahead);
  const attackedLow = own.low & ahead.low;
  const attackedHigh = own.high & ahead.high;
  into.attacked = countBits(attackedLow) + countBits(attackedHigh);
  reach(own, player, ahead);
  into.loose = countBits(attackedLow & ~ahead.low) + countBits(attackedHigh & ~ahead.high);
  into.supported = countBits(own.low & ahead.low) + countBits(own.high & ahead.high);
  into.pairs =
    countBits(own.low & (own.low << 1) & ~COLUMN_A) + countBits(own.high & (own.high << 1) & ~COLUMN_A);

  cone.clear();
  ahead.copyFrom(other);
  for (let row = 1; row < height; row++) {
    widen(ahead);
    forward(ahead, 1 - player);
    cone.low |= ahead.low;
    cone.high |= ahead.high;
  }
  ahead.low = own.low & ~cone.low;
  ahead.high = own.high & ~cone.high;
  into.runners = ahead.count();
  into.shortest = height;
  for (let row = 0; row < height; row++) {
    const left = player === BLACK ? height - 1 - row : row;
    if (ahead.row(row) !== 0 && left < into.shortest) into.shortest = left;
  }
}

/** Writes the squares on which the pieces of `player` could capture. */
function reach(set: SquareSet, player: number, into: SquareSet): void {
  into.low = beside(set.low);
  into.high = beside(set.high);
  forward(into, player);
}

/** The neighbours in the same row, for four rows. */
function beside(word: number): number {
  return ((word << 1) & ~COLUMN_A) | ((word >>> 1) & ~COLUMN_H);
}

function widen(set: SquareSet): void {
  set.low |= beside(set.low);
  set.high |= beside(set.high);
}

/** Moves the whole set one row ahead, as `player` sees it. */
function forward(set: SquareSet, player: number): void {
  const { low, high } = set;
  if (player === BLACK) {
    set.low = low << STRIDE;
    set.high = (high << STRIDE) | (low >>> 24);
  } else {
    set.low = (low >>> STRIDE) | (high << 24);
    set.high = high >>> STRIDE;
  }
}

const PIECE_WORTH = 20;
/** Extra for a piece on its first row, where it guards the goal. */
const HOME_WORTH = 5;
/** By rows to go: extra for a piece. */
const ADVANCED_WORTH = [0, 12, 6, 3, 1, 0, 0, 0] as const;
/** The worth of a loose piece: while the other player is to move, and while its owner is. */
const HANGING_WORTH = -14;
const LOOSE_WORTH = -2;
const RUNNER_WORTH = 40;
/** The worth of each row by which the first runner is ahead of the other player's. */
const RACE_WORTH = 10;
/** The score that is worth half a win. */
const HALF_WIN = 60;

const black = newCounts();
const white = newCounts();

/**
 * Pieces, with extra for those at home and far ahead, less for those that can be captured for nothing; and runners, which
 * nobody can stop.
 */
export const advancement: Heuristic<BreakthroughState> = scoreHeuristic(
  "pieces, at home and far ahead, loose ones, and runners that nobody can stop",
  HALF_WIN,
  (state) => {
    const { height } = state.shape;
    readCounts(state, BLACK, black);
    readCounts(state, WHITE, white);
    return (
      worth(black, height, state.turn === BLACK) -
      worth(white, height, state.turn === WHITE) +
      RACE_WORTH * (white.shortest - black.shortest)
    );
  },
);

function worth({ rows, loose, runners }: Counts, height: number, onMove: boolean): number {
  let sum = rows[0] * HOME_WORTH + loose * (onMove ? LOOSE_WORTH : HANGING_WORTH);
  if (runners > 0) sum += RUNNER_WORTH;
  for (let row = 0; row < height; row++) sum += rows[row] * (PIECE_WORTH + ADVANCED_WORTH[height - 1 - row]!);
  return sum;
}
