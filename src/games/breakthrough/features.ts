import { lowestBit } from "../../base/bits.ts";
import type { FeatureSet } from "../../game/facets.ts";
import { TERMINAL } from "../../game/rules.ts";
import { STRIDE, type SquareSet } from "../shared/square-set.ts";
import { newCounts, readCounts } from "./advancement.ts";
import { BLACK, type BreakthroughState } from "./state.ts";

const OTHERS = [
  "attacked pieces",
  "loose pieces",
  "runners",
  "rows to go of the first runner",
  "to move",
] as const;

/**
 * `advancement`: pieces by row from their own side, attacked and loose pieces, runners and the rows to go of the first
 * one, all as `player`'s less the other's; and whose turn it is.
 */
export function advancementFeatures(height: number): FeatureSet<BreakthroughState> {
  const own = newCounts();
  const other = newCounts();

  return {
    summary: "pieces by row, attacked and loose pieces, runners that nobody can stop, turn",
    version: 1,
    size: height + OTHERS.length,
    maxActive: height + OTHERS.length,
    extract(state, player, index, value) {
      readCounts(state, player, own);
      readCounts(state, 1 - player, other);
      let end = 0;
      for (let row = 0; row < height; row++) {
        index[end] = row;
        value[end++] = own.rows[row] - other.rows[row];
      }
      index[end] = height;
      value[end++] = own.attacked - other.attacked;
      index[end] = height + 1;
      value[end++] = own.loose - other.loose;
      index[end] = height + 2;
      value[end++] = own.runners - other.runners;
      index[end] = height + 3;
      value[end++] = own.shortest - other.shortest;
      if (state.toMove !== TERMINAL) {
        index[end] = height + 4;
        value[end++] = state.toMove === player ? 1 : -1;
      }
      return end;
    },
    describe: (feature) => OTHERS[feature - height] ?? `pieces on row ${feature + 1}`,
  };
}

/**
 * `squares`: one feature for a piece on each square as its owner sees it, mirror images together, and
 * whose turn it is. +1 for `player`'s, -1 for the other's.
 */
export function squareFeatures(width: number, height: number): FeatureSet<BreakthroughState> {
  const columns = Math.ceil(width / 2);
  const turn = columns * height;

  const write = (word: number, firstRow: number, owner: number, index: Int32Array, at: number): number => {
    let end = at;
    for (let rest = word; rest !== 0; rest &= rest - 1) {
      const bit = lowestBit(rest);
      const row = firstRow + (bit >> 3);
      const column = bit & (STRIDE - 1);
      const near = column < columns ? column : width - 1 - column;
      index[end++] = (owner === BLACK ? row : height - 1 - row) * columns + near;
    }
    return end;
  };
  const writeSet = (set: SquareSet, owner: number, index: Int32Array, at: number): number =>
    write(set.high, 4, owner, index, write(set.low, 0, owner, index, at));

  return {
    summary: "pieces by square, seen from their owner's side, mirror images together; turn",
    version: 1,
    size: turn + 1,
    maxActive: 4 * width + 1,
    extract(state, player, index, value) {
      const sign = player === BLACK ? 1 : -1;
      const black = writeSet(state.black, BLACK, index, 0);
      value.fill(sign, 0, black);
      let end = writeSet(state.white, 1 - BLACK, index, black);
      value.fill(0 - sign, black, end);
      if (state.toMove !== TERMINAL) {
        index[end] = turn;
        value[end++] = state.toMove === player ? 1 : -1;
      }
      return end;
    },
    describe(feature) {
      if (feature === turn) return "to move";
      return `piece in row ${Math.floor(feature / columns) + 1}, ${(feature % columns) + 1} from the side`;
    },
    grids: [
      {
        name: "piece",
        rows: Array.from({ length: height }, (_, at) =>
          Array.from(
            { length: width },
            (_, column) => (height - 1 - at) * columns + Math.min(column, width - 1 - column),
          ),
        ),
        rowNames: Array.from({ length: height }, (_, at) => String(height - at)),
        columnNames: Array.from({ length: width }, (_, column) => "abcdefgh"[column]!),
      },
    ],
  };
}
