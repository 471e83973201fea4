import { countBits, lowestBit } from "../../base/hashing.ts";
import { scoreHeuristic } from "../shared/score-heuristic.ts";
import type { Heuristic, FeatureGrid, FeatureSet } from "../contract/facets.ts";
import { COLUMN_A, COLUMN_H, SquareSet, STRIDE } from "../shared/square-set.ts";
import { BLACK, type GridBoard, WHITE } from "../shared/two-sets.ts";
import type { BreakthroughState } from "./state.ts";
import { TERMINAL } from "../contract/rules.ts";

/**
 * Counts of one player's pieces.
 * @internal tests alone import it.
 */
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

/** @internal tests alone import it. */
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

/**
 * Counts the pieces of one player, whoever is to move.
 * @internal tests alone import it.
 */
export function readCounts(state: BreakthroughState, player: number, into: Counts): void {
  const { height } = state.board;
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
    const { height } = state.board;
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

/** One feature for a piece on each square as its owner sees it, mirror images together. */
class PieceSquares {
  readonly size: number;
  readonly maxActive: number;
  readonly grids: readonly FeatureGrid[];
  private readonly columns: number;
  /** The feature of a piece by its square, 64 for each owner. */
  private readonly features = new Int32Array(2 * STRIDE * STRIDE);

  constructor(board: GridBoard) {
    const { width, height } = board;
    const columns = Math.ceil(width / 2);
    const featureOn = (row: number, column: number) => row * columns + Math.min(column, width - 1 - column);
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        this.features[STRIDE * row + column] = featureOn(row, column);
        this.features[STRIDE * (STRIDE + row) + column] = featureOn(height - 1 - row, column);
      }
    }
    this.columns = columns;
    this.size = columns * height;
    this.maxActive = 4 * width;
    const featureOf = (square: number) => this.features[STRIDE * STRIDE + square];
    this.grids = [{ name: "piece", ...board.layout(featureOf) }];
  }

  /** Writes +1 for each piece of `player` and -1 for each of the other; returns the number of pairs. */
  extract(
    { black, white }: BreakthroughState,
    player: number,
    index: Int32Array,
    value: Float32Array,
  ): number {
    const first = this.list(black.high, 32, index, this.list(black.low, 0, index, 0));
    const end = this.list(white.high, 96, index, this.list(white.low, 64, index, first));
    const sign = player === BLACK ? 1 : -1;
    value.fill(sign, 0, first);
    value.fill(0 - sign, first, end);
    return end;
  }

  weigh({ black, white }: BreakthroughState, player: number, weights: Float32Array, offset: number): number {
    const blacks = this.sum(black.low, 0, weights, offset) + this.sum(black.high, 32, weights, offset);
    const whites = this.sum(white.low, 64, weights, offset) + this.sum(white.high, 96, weights, offset);
    return player === BLACK ? blacks - whites : whites - blacks;
  }

  describe(feature: number): string {
    const { columns } = this;
    return `piece in row ${Math.floor(feature / columns) + 1}, ${(feature % columns) + 1} from the side`;
  }

  private list(word: number, from: number, index: Int32Array, at: number): number {
    let end = at;
    for (let rest = word; rest !== 0; rest &= rest - 1) index[end++] = this.features[from + lowestBit(rest)];
    return end;
  }

  private sum(word: number, from: number, weights: Float32Array, offset: number): number {
    const { features } = this;
    let sum = 0;
    for (let rest = word; rest !== 0; rest &= rest - 1)
      sum += weights[offset + features[from + lowestBit(rest)]];
    return sum;
  }
}

/** 1 if `player` is to move, -1 if the other is, 0 at the end. */
function turnOf(state: BreakthroughState, player: number): number {
  return state.toMove === TERMINAL ? 0 : state.toMove === player ? 1 : -1;
}

const TRAITS = [
  "attacked pieces of the player to move",
  "attacked pieces of the other player",
  "loose pieces of the player to move",
  "loose pieces of the other player",
  "supported pieces",
  "pairs side by side",
  "runners",
  "a runner",
  "rows to go of the first runner",
  "race won",
  "to move",
] as const;

/**
 * `advancement`: pieces by square; attacked, loose and supported pieces, pairs, runners and their race, all as `player`'s
 * less the other's; and whose turn it is.
 */
export function advancementFeatures(board: GridBoard): FeatureSet<BreakthroughState> {
  const pieces = new PieceSquares(board);
  const first = pieces.size;
  const own = newCounts();
  const other = newCounts();
  const traits = new Float64Array(TRAITS.length);

  const readTraits = (state: BreakthroughState, player: number): void => {
    readCounts(state, player, own);
    readCounts(state, 1 - player, other);
    const turn = turnOf(state, player);
    const mover = turn < 0 ? other : own;
    const waiting = turn < 0 ? own : other;
    traits[0] = turn * mover.attacked;
    traits[1] = 0 - turn * waiting.attacked;
    traits[2] = turn * mover.loose;
    traits[3] = 0 - turn * waiting.loose;
    traits[4] = own.supported - other.supported;
    traits[5] = own.pairs - other.pairs;
    traits[6] = own.runners - other.runners;
    traits[7] = Math.min(own.runners, 1) - Math.min(other.runners, 1);
    traits[8] = own.shortest - other.shortest;
    const isRace = mover.runners + waiting.runners > 0;
    // With as far to go as the other, the player to move arrives first.
    const lead = mover.shortest <= waiting.shortest ? turn : 0 - turn;
    traits[9] = isRace ? lead : 0;
    traits[10] = turn;
  };

  return {
    summary:
      "pieces by square, attacked, loose and supported ones, pairs, runners that nobody can stop, turn",
    version: 2,
    size: first + TRAITS.length,
    maxActive: pieces.maxActive + TRAITS.length,
    extract(state, player, index, value) {
      let end = pieces.extract(state, player, index, value);
      readTraits(state, player);
      for (let trait = 0; trait < traits.length; trait++) {
        if (traits[trait] === 0) continue;
        index[end] = first + trait;
        value[end++] = traits[trait];
      }
      return end;
    },
    weigh(state, player, weights, offset) {
      readTraits(state, player);
      let sum = pieces.weigh(state, player, weights, offset);
      for (let trait = 0; trait < traits.length; trait++)
        sum += traits[trait] * weights[offset + first + trait];
      return sum;
    },
    describe: (feature) => TRAITS[feature - first] ?? pieces.describe(feature),
    grids: pieces.grids,
  };
}
