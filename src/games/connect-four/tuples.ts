import type { FeatureSet } from "../facets.ts";
import { lineOffsets, numberedRows, placements } from "../grid.ts";
import { EMPTY, extractTuples, OTHERS, OWN, shareTuples, type SharedTuples } from "../tuples.ts";
import { DIRECTIONS } from "./board-lines.ts";
import { PLAYER_SHIFT, ROWS, type ConnectFourState } from "./state.ts";

/**
 * N-tuples on the straight lines of `length` cells - 69 of four on the usual board - shared by mirror
 * images and, with the sign, by both players.
 */
export function lineTuples(width: number, height: number, length: number): FeatureSet<ConnectFourState> {
  // Made when first asked for: few who play connect four read them.
  let made: SharedTuples | undefined;
  const tuples = (): SharedTuples => (made ??= shareLines(width, height, length));
  const digits = new Uint8Array(width * height);

  return {
    summary: `n-tuples: lines of ${length} cells, shared by mirror images and both players`,
    version: 1,
    get size() {
      return tuples().size;
    },
    get maxActive() {
      return tuples().count;
    },
    extract(state, player, index, value) {
      const own = player * PLAYER_SHIFT;
      const other = PLAYER_SHIFT - own;
      let cell = 0;
      for (let row = 0; row < height; row++) {
        const mine = state.lines[ROWS + row] >>> own;
        const theirs = state.lines[ROWS + row] >>> other;
        for (let column = 0; column < width; column++) {
          digits[cell++] = ((mine >>> column) & 1) * OWN + ((theirs >>> column) & 1) * OTHERS;
        }
      }
      return extractTuples(tuples(), digits, index, value);
    },
    describe(feature) {
      const { cells, digits: held } = tuples().examples[feature]!;
      const places = cells.map((cell) => `${(cell % width) + 1},${Math.floor(cell / width) + 1}`);
      const signs = held.map((digit) => (digit === EMPTY ? "." : digit === OWN ? "x" : "o"));
      return `${places[0]} to ${places.at(-1)} ${signs.join("")}`;
    },
  };
}

function shareLines(width: number, height: number, length: number): SharedTuples {
  const rows = numberedRows(width, height);
  const lines = DIRECTIONS.flatMap((step) => placements(rows, lineOffsets(step, length)));
  const mirror = rows.flatMap((row) => row.toReversed());
  return shareTuples(lines, [rows.flat(), mirror]);
}
