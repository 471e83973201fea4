import { countBits } from "../../base/bits.ts";
import { TERMINAL, type FeatureSet } from "../game.ts";
import { newCounts, readCounts } from "./counts.ts";
import { squareName } from "./notation.ts";
import { squareClasses } from "./square-classes.ts";
import { STRIDE } from "../square-set.ts";
import { BLACK, type OthelloState } from "./state.ts";

const OTHERS = [
  "moves",
  "potential moves",
  "corners",
  "stable discs",
  "to move",
  "last empty square",
] as const;

/**
 * `squares`: discs on each class of squares that are alike by symmetry, moves, potential moves,
 * corners and stable discs, all as `player`'s less the other's; whose turn it is, and who will fill the
 * last square if nobody passes (+1 for `player`, -1 for the other).
 */
export function squareFeatures(size: number): FeatureSet<OthelloState> {
  const classes = squareClasses(size);
  const counts = classes.length;
  const turn = counts + 4;
  const own = newCounts();
  const other = newCounts();

  return {
    summary: "discs by kind of square, moves, potential moves, corners, stable discs, turn, parity",
    version: 1,
    size: counts + OTHERS.length,
    maxActive: counts + OTHERS.length,
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
      index[end] = counts;
      value[end++] = own.moves - other.moves;
      index[end] = counts + 1;
      value[end++] = own.potential - other.potential;
      index[end] = counts + 2;
      value[end++] = own.corners - other.corners;
      index[end] = counts + 3;
      value[end++] = own.stable - other.stable;
      if (state.toMove === TERMINAL) return end;
      const mine = state.toMove === player ? 1 : -1;
      const empty = size * size - black.count() - white.count();
      index[end] = turn;
      value[end++] = mine;
      index[end] = turn + 1;
      value[end++] = (empty & 1) === 1 ? mine : 0 - mine;
      return end;
    },
    describe(feature) {
      const kind = classes[feature];
      return kind === undefined
        ? OTHERS[feature - counts]!
        : `discs on squares like ${squareName(STRIDE * kind.row + kind.column)}`;
    },
  };
}
