import type { FeatureSet } from "../contract/facets.ts";
import { measure, Way } from "./judge.ts";
import { EMPTY, type HexBoard, type HexState, mirrored, neighboursOf } from "./state.ts";
import { formatCell } from "./text.ts";

/** The patterns of stones on the four points of a rhombus. */
const PATTERNS = 3 ** 4;

/** The content of a rhombus as digits: its two cells, then its ends. */
function digitsOf(pattern: number): string {
  return pattern.toString(3).padStart(4, "0");
}

/** The same after half a turn, which exchanges the two cells, and the two ends. */
function turnedDigits(pattern: number): string {
  const [a, b, end, last] = digitsOf(pattern);
  return [b, a, last, end].join("");
}

/**
 * `rhombi`, for networks, as the player to move sees the board, with the own sides above and below: the stones one by one;
 * the pattern of stones on each two cells that touch and the two that touch both, where bridges are, the border counting as
 * stones; the length of each player's ways by second-best neighbours, and the cells on them.
 */
export function rhombiFeatures(board: HexBoard): FeatureSet<HexState> {
  const { size, swapAction: cells, pointOf, steps } = board;
  const pairs = neighboursOf(board).flatMap((near, cell) =>
    near.filter((other) => other > cell).map((other) => [cell, other] as const),
  );
  const rhombi = pairs.flatMap((pair) => {
    const [a, b] = pair.map((cell) => pointOf[cell]!) as [number, number];
    const [nearA, nearB] = [a, b].map((point) => Array.from(steps, (step) => point + step));
    return [a, b, ...nearA!.filter((point) => nearB!.includes(point))];
  });
  /** The points of each rhombus, four a pair, the two cells first; then the same as the second player sees them. */
  const points = Int16Array.from([...rhombi, ...rhombi.map((point) => mirrored(point, size + 2))]);
  const lengths = 2 * size + 1;
  const firstPattern = 2 * cells;
  const firstLength = firstPattern + pairs.length * PATTERNS;
  const firstOnWay = firstLength + 2 * lengths;
  const features = firstOnWay + 2 * cells;
  // Half a turn of the board: it takes cell c to cell cells - 1 - c, and a pair to the pair counted from the other end.
  const turned = Int32Array.from({ length: features }, (_, feature) => feature);
  for (const first of [0, cells, firstOnWay, firstOnWay + cells])
    for (let cell = 0; cell < cells; cell++) turned[first + cell] = first + cells - 1 - cell;
  for (const [pair, [a, b]] of pairs.entries()) {
    const image = pairs.findIndex(([c, d]) => c === cells - 1 - b && d === cells - 1 - a);
    for (let pattern = 0; pattern < PATTERNS; pattern++)
      turned[firstPattern + pair * PATTERNS + pattern] =
        firstPattern + image * PATTERNS + Number.parseInt(turnedDigits(pattern), 3);
  }
  const way = new Way();
  return {
    summary: "stones, patterns on rhombi of cells, second-best ways and their cells; for networks",
    version: 1,
    size: features,
    maxActive: 3 * cells + pairs.length + 2,
    unit: true,
    symmetry: "mirrored",
    images: [turned],
    viewer: ({ toMove }) => (toMove === 1 ? 1 : 0),
    extract(state, player, index) {
      const { points: stones } = state;
      const seen = (cell: number) => (player === 0 ? cell : mirrored(cell, size));
      let end = 0;
      for (let cell = 0; cell < cells; cell++) {
        const owner = state.ownerOf(cell);
        if (owner >= 0) index[end++] = seen(cell) + (owner === player ? 0 : cells);
      }
      const own = player + 1;
      let at = player * 4 * pairs.length;
      for (let pair = 0; pair < pairs.length; pair++) {
        let pattern = 0;
        for (let corner = 0; corner < 4; corner++) {
          const stone = stones[points[at++]];
          pattern = 3 * pattern + (stone === EMPTY ? 0 : stone === own ? 1 : 2);
        }
        if (pattern !== 0) index[end++] = firstPattern + pair * PATTERNS + pattern;
      }
      for (let side = 0; side < 2; side++) {
        measure(state, side === 0 ? player : 1 - player, 2, way);
        index[end++] = firstLength + side * lengths + way.length;
        for (let step = 0; step < way.count; step++)
          index[end++] = firstOnWay + side * cells + seen(way.cells[step]);
      }
      return end;
    },
    describe(feature) {
      const whose = (by: number, from: number) => (feature - from < by ? "own" : "other");
      const cellAfter = (from: number) => formatCell((feature - from) % cells, size);
      if (feature < firstPattern) return `${whose(cells, 0)} stone on ${cellAfter(0)}`;
      if (feature >= firstOnWay) return `${cellAfter(firstOnWay)} on ${whose(cells, firstOnWay)} way`;
      if (feature >= firstLength)
        return `${whose(lengths, firstLength)} way of length ${(feature - firstLength) % lengths}`;
      const [first, last] = pairs[Math.floor((feature - firstPattern) / PATTERNS)]!;
      const signs = Array.from(
        digitsOf((feature - firstPattern) % PATTERNS),
        (digit) => ".xo"[Number(digit)],
      );
      return `${formatCell(first, size)}-${formatCell(last, size)} and ends: ${signs.join("")}`;
    },
  };
}
