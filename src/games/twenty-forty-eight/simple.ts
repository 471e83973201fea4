import type { FeatureSet } from "../game.ts";
import { COLUMNS, ROWS, type Shape } from "./board.ts";
import { highestExponent } from "./bounds.ts";
import { exponentAt, MAX_SIDE } from "./line.ts";
import type { TwentyFortyEightState } from "./state.ts";

const NAMES = [
  "empty cells, part of all",
  "merges on offer, part of the cells",
  "steps against the order of their lines, in exponents, mean of the cells",
  "steps between neighbours, in exponents, mean of the cells",
  "the highest tile is in a corner",
] as const;

/**
 * The measures that people make for this game: how much room there is, and how well the tiles lie.
 * Neighbours are tiles of a line with at most empty cells between them; a line is in order that only
 * rises or only falls. Then one feature for each highest tile that there may be.
 */
export function simpleFeatures({ rows, columns }: Shape): FeatureSet<TwentyFortyEightState> {
  const cells = rows * columns;
  const measures = new Float64Array(NAMES.length);

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
      for (let at = 0; at < 2 * MAX_SIDE; at++) {
        const line = lines[at];
        if (line === 0) continue;
        const length = at < COLUMNS ? columns : rows;
        let rising = 0;
        let falling = 0;
        let before = 0;
        let merged = false;
        for (let cell = 0; cell < length; cell++) {
          const exponent = exponentAt(line, cell);
          if (exponent === 0) continue;
          if (at < COLUMNS) tiles++;
          if (exponent > highest) highest = exponent;
          if (before !== 0) {
            merged = exponent === before && !merged;
            if (merged) merges++;
            if (exponent > before) rising += exponent - before;
            else falling += before - exponent;
          }
          before = exponent;
        }
        disorder += Math.min(rising, falling);
        roughness += rising + falling;
      }
      measures[0] = (cells - tiles) / cells;
      measures[1] = merges / cells;
      measures[2] = disorder / cells;
      measures[3] = roughness / cells;
      measures[4] = highest > 0 && inCorner(lines, highest) ? 1 : 0;
      let end = 0;
      for (let feature = 0; feature < NAMES.length; feature++) {
        if (measures[feature] === 0) continue;
        index[end] = feature;
        value[end++] = measures[feature];
      }
      if (highest > 0) {
        index[end] = NAMES.length + highest - 1;
        value[end++] = 1;
      }
      return end;
    },
    describe: (feature) => NAMES[feature] ?? `highest tile ${2 ** (feature - NAMES.length + 1)}`,
  };

  function inCorner(lines: Int32Array, exponent: number): boolean {
    const top = lines[ROWS];
    const bottom = lines[ROWS + rows - 1];
    const last = columns - 1;
    return (
      exponentAt(top, 0) === exponent ||
      exponentAt(top, last) === exponent ||
      exponentAt(bottom, 0) === exponent ||
      exponentAt(bottom, last) === exponent
    );
  }
}
