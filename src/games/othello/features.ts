import { countBits } from "../../base/bits.ts";
import type { FeatureSet } from "../contract/facets.ts";
import { TERMINAL } from "../contract/rules.ts";
import { STRIDE } from "../shared/square-set.ts";
import { newCounts, readCounts, type Counts } from "./counts.ts";
import { boardLayout, squareClasses, squareName, type SquareClass } from "./squares.ts";
import { BLACK, type OthelloState } from "./state.ts";

const COUNTS = ["moves", "potential", "corners", "stable", "exposed"] as const satisfies (keyof Counts)[];
const NAMES = ["moves", "potential moves", "corners", "stable discs", "discs beside empty corners"] as const;

/**
 * `squares`, all as `player`'s less the other's: discs on each class of squares that are alike by symmetry, moves,
 * potential moves, corners, stable discs and discs beside empty corners. The last two are the turn, and the player who
 * fills the last square if nobody passes: +1 for `player`, -1 for the other.
 */
export function squareFeatures(size: number): FeatureSet<OthelloState> {
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
        : `discs on squares like ${squareName(STRIDE * kind.row + kind.column)}`;
    },
    grids: [{ name: "discs", ...boardLayout(size, (row, column) => classAt(classes, size, row, column)) }],
  };
}

/** The number of the class of a square. */
function classAt(classes: readonly SquareClass[], size: number, row: number, column: number): number {
  const [near, far] = [row, column].map((line) => Math.min(line, size - 1 - line)).toSorted((a, b) => a - b);
  return classes.findIndex((kind) => kind.row === near && kind.column === far);
}
