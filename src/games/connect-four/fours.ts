import type { FeatureSet } from "../contract/facets.ts";
import { type BoardLines, digitAt, FOUR, STONES, TERNARY } from "./judge.ts";
import { patternImage } from "../shared/pattern-images.ts";
import { COLUMNS, type ConnectFourState, PLAYER_SHIFT } from "./state.ts";

/** The bits of four cells, and the patterns of stones on them. */
const OF_FOUR = (1 << FOUR) - 1;
const PATTERNS = 3 ** FOUR;
/** The bits of one player. */
const ALL = (1 << PLAYER_SHIFT) - 1;

/**
 * `fours`, for networks: the stones one by one, and the pattern of stones on each four cells of a line, as the player to
 * move sees them. Mirror images have features of their own, so that a policy can tell left from right.
 */
export function foursFeatures(
  board: BoardLines,
  { width, height }: { width: number; height: number },
): FeatureSet<ConnectFourState> {
  const { lines } = board;
  const cells = width * height;
  const fours = lines.flatMap(({ cells: { length } }, line) =>
    Array.from({ length: length - FOUR + 1 }, (_, from) => ({ line, from })),
  );
  const source = Int32Array.from(fours, ({ line }) => lines[line]!.source);
  const shift = Int32Array.from(fours, ({ line, from }) => lines[line]!.shift + from);
  const size = 2 * cells + fours.length * PATTERNS;
  /** The cells of each four, that of the lowest digit first. */
  const places = fours.map(({ line, from }) =>
    lines[line]!.cells.slice(from, from + FOUR).map(({ column, row }) => column * height + row),
  );
  const mirrored = Array.from(
    { length: cells },
    (_, cell) => (width - 1 - Math.floor(cell / height)) * height + (cell % height),
  );
  return {
    summary: "stones, and the patterns on each four cells of a line; for networks",
    version: 1,
    size,
    maxActive: cells + fours.length,
    unit: true,
    symmetry: "mirrored",
    images: [patternImage(mirrored, places)],
    viewer: ({ toMove }) => (toMove === 1 ? 1 : 0),
    extract(state, player, index) {
      const own = player === 0 ? 0 : PLAYER_SHIFT;
      const others = PLAYER_SHIFT - own;
      let end = 0;
      for (let column = 0; column < width; column++) {
        const stones = state.lines[COLUMNS + column];
        const mine = (stones >>> own) & ALL;
        for (let row = 0; row < state.heights[column]; row++)
          index[end++] = column * height + row + (((mine >>> row) & 1) === 1 ? 0 : cells);
      }
      for (let four = 0; four < source.length; four++) {
        const stones = state.lines[source[four]] >>> shift[four];
        const mine = TERNARY[(stones >>> own) & OF_FOUR];
        const theirs = TERNARY[(stones >>> others) & OF_FOUR];
        if (mine + theirs > 0) index[end++] = 2 * cells + four * PATTERNS + mine + 2 * theirs;
      }
      return end;
    },
    describe(feature) {
      if (feature < 2 * cells) {
        const cell = feature % cells;
        const owner = feature < cells ? "own" : "other";
        return `${owner} stone on ${Math.floor(cell / height) + 1},${(cell % height) + 1}`;
      }
      const { line, from } = fours[Math.floor((feature - 2 * cells) / PATTERNS)]!;
      const pattern = (feature - 2 * cells) % PATTERNS;
      const { name, cells: places } = lines[line]!;
      const { column, row } = places[from]!;
      const digits = Array.from({ length: FOUR }, (_, cell) => STONES[digitAt(pattern, cell)]);
      return `${name.split(" ")[0]} from ${column + 1},${row + 1}: ${digits.join("")}`;
    },
  };
}
