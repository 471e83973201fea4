import type { FeatureSet } from "../contract/facets.ts";
import { COLUMNS, ROWS, type BoardSize } from "./board.ts";
import { lineValues } from "./line-values.ts";
import { exponentAt, highestExponent } from "./line.ts";
import type { TwentyFortyEightState } from "./state.ts";

const NAMES = [
  "empty cells, part of all",
  "merges on offer, part of the cells",
  "steps against the order of their lines, in exponents, mean of the cells",
  "steps between neighbours, in exponents, mean of the cells",
  "the highest tile is in a corner",
] as const;

/** The places of the measures of a line in one int32. */
const MERGES_SHIFT = 3;
const HIGHEST_SHIFT = 6;
const DISORDER_SHIFT = 11;
const ROUGHNESS_SHIFT = 19;

/**
 * `simple`: measures of the room and the order of a board, then one feature for each possible highest tile. Neighbours are
 * two tiles of a line with nothing but empty cells between them. A line is in order if it only rises or only falls.
 */
export function simpleFeatures(shape: BoardSize): FeatureSet<TwentyFortyEightState> {
  const { rows, columns } = shape;
  const cells = rows * columns;
  const { ofRow, ofColumn } = lineValues(shape, measure);

  const cornersHold = (lines: Int32Array, exponent: number): boolean => {
    const top = lines[ROWS];
    const bottom = lines[ROWS + rows - 1];
    return (
      exponentAt(top, 0) === exponent ||
      exponentAt(top, columns - 1) === exponent ||
      exponentAt(bottom, 0) === exponent ||
      exponentAt(bottom, columns - 1) === exponent
    );
  };

  return {
    summary: "empty cells, merges, monotonicity, smoothness, the highest tile and whether it is in a corner",
    version: 1,
    size: NAMES.length + highestExponent(cells),
    maxActive: NAMES.length + 1,
    extract({ board }, _player, index, value) {
      const { lines } = board;
      let tiles = 0;
      let merges = 0;
      let disorder = 0;
      let roughness = 0;
      let highest = 0;
      for (let at = 0; at < rows + columns; at++) {
        const isRow = at < rows;
        const measures = isRow ? ofRow.at(lines[ROWS + at]) : ofColumn.at(lines[COLUMNS + at - rows]);
        merges += (measures >> MERGES_SHIFT) & 7;
        disorder += (measures >> DISORDER_SHIFT) & 255;
        roughness += measures >> ROUGHNESS_SHIFT;
        if (isRow) {
          tiles += measures & 7;
          highest = Math.max(highest, (measures >> HIGHEST_SHIFT) & 31);
        }
      }
      let end = 0;
      if (tiles < cells) {
        index[end] = 0;
        value[end++] = (cells - tiles) / cells;
      }
      if (merges > 0) {
        index[end] = 1;
        value[end++] = merges / cells;
      }
      if (disorder > 0) {
        index[end] = 2;
        value[end++] = disorder / cells;
      }
      if (roughness > 0) {
        index[end] = 3;
        value[end++] = roughness / cells;
      }
      if (highest === 0) return end;
      if (cornersHold(lines, highest)) {
        index[end] = 4;
        value[end++] = 1;
      }
      index[end] = NAMES.length + highest - 1;
      value[end++] = 1;
      return end;
    },
    describe: (feature) => NAMES[feature] ?? `highest tile ${2 ** (feature - NAMES.length + 1)}`,
  };
}

/** Tiles, merges on offer, highest exponent, steps against the order and steps of a line. */
function measure(line: number, length: number): number {
  let tiles = 0;
  let merges = 0;
  let highest = 0;
  let rising = 0;
  let falling = 0;
  let before = 0;
  let merged = false;
  for (let cell = 0; cell < length; cell++) {
    const exponent = exponentAt(line, cell);
    if (exponent === 0) continue;
    tiles++;
    highest = Math.max(highest, exponent);
    merged = exponent === before && !merged;
    if (merged) merges++;
    if (before !== 0 && exponent > before) rising += exponent - before;
    else if (before !== 0) falling += before - exponent;
    before = exponent;
  }
  return (
    tiles |
    (merges << MERGES_SHIFT) |
    (highest << HIGHEST_SHIFT) |
    (Math.min(rising, falling) << DISORDER_SHIFT) |
    ((rising + falling) << ROUGHNESS_SHIFT)
  );
}
