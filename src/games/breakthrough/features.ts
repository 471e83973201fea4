import { lowestBit } from "../../base/bits.ts";
import type { FeatureGrid, FeatureSet } from "../contract/facets.ts";
import { TERMINAL } from "../contract/rules.ts";
import { STRIDE } from "../shared/square-set.ts";
import { newCounts, readCounts } from "./advancement.ts";
import { BLACK, type BreakthroughState } from "./state.ts";

/** One feature for a piece on each square as its owner sees it, mirror images together. */
class PieceSquares {
  readonly size: number;
  readonly maxActive: number;
  readonly grids: readonly FeatureGrid[];
  private readonly columns: number;
  /** The feature of a piece by its square, 64 for each owner. */
  private readonly features = new Int32Array(2 * STRIDE * STRIDE);

  constructor(width: number, height: number) {
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
    this.grids = [
      {
        name: "piece",
        rows: Array.from({ length: height }, (_, at) =>
          Array.from({ length: width }, (_, column) => featureOn(height - 1 - at, column)),
        ),
        rowNames: Array.from({ length: height }, (_, at) => String(height - at)),
        columnNames: Array.from({ length: width }, (_, column) => "abcdefgh"[column]!),
      },
    ];
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

/** `squares`: pieces by square, and whose turn it is. */
export function squareFeatures(width: number, height: number): FeatureSet<BreakthroughState> {
  const pieces = new PieceSquares(width, height);
  const turn = pieces.size;
  return {
    summary: "pieces by square, seen from their owner's side, mirror images together; turn",
    version: 1,
    size: turn + 1,
    maxActive: pieces.maxActive + 1,
    extract(state, player, index, value) {
      const end = pieces.extract(state, player, index, value);
      if (state.toMove === TERMINAL) return end;
      index[end] = turn;
      value[end] = turnOf(state, player);
      return end + 1;
    },
    weigh: (state, player, weights, offset) =>
      pieces.weigh(state, player, weights, offset) + turnOf(state, player) * weights[offset + turn],
    describe: (feature) => (feature === turn ? "to move" : pieces.describe(feature)),
    grids: pieces.grids,
  };
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
export function advancementFeatures(width: number, height: number): FeatureSet<BreakthroughState> {
  const pieces = new PieceSquares(width, height);
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
