import type { FeatureSet } from "../contract/facets.ts";
import { measure, Way } from "./judge.ts";
import { type HexBoard, type HexState, mirrored, neighboursOf } from "./state.ts";
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

/** More than the corners that meet on a cell: it is one of the two cells of six rhombi, and an end of six. */
const MOST_CORNERS = 13;

/** The rhombi as one player sees them. */
interface View {
  /** By rhombus: its pattern on the empty board, which the border makes. */
  readonly empty: Uint8Array;
  /** By cell, MOST_CORNERS each: the rhombi that it is a corner of, and the worth of its digit in their patterns, 0 behind the last. */
  readonly places: Int16Array;
  readonly worths: Uint8Array;
}

/** @param rhombi the points of each, four a rhombus */
function createView({ pointOf, border }: HexBoard, rhombi: readonly number[], player: number): View {
  const empty = new Uint8Array(rhombi.length / 4);
  const places = new Int16Array(MOST_CORNERS * pointOf.length);
  const worths = new Uint8Array(places.length);
  const ends = Array.from(pointOf, (_, cell) => MOST_CORNERS * cell);
  for (const [at, point] of rhombi.entries()) {
    const rhombus = at >> 2;
    const worth = 3 ** (3 - (at & 3));
    const cell = pointOf.indexOf(point);
    if (cell < 0) {
      empty[rhombus]! += worth * (border[point] === player + 1 ? 1 : 2);
      continue;
    }
    const place = ends[cell]!++;
    places[place] = rhombus;
    worths[place] = worth;
  }
  return { empty, places, worths };
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
  const views = [rhombi, rhombi.map((point) => mirrored(point, size + 2))].map((view, player) =>
    createView(board, view, player),
  );
  const patterns = new Uint8Array(pairs.length);
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
      const { empty, places, worths } = views[player]!;
      const seen = (cell: number) => (player === 0 ? cell : mirrored(cell, size));
      let end = 0;
      patterns.set(empty);
      for (let cell = 0; cell < cells; cell++) {
        const owner = state.ownerOf(cell);
        if (owner < 0) continue;
        const digit = owner === player ? 1 : 2;
        index[end++] = seen(cell) + (digit === 1 ? 0 : cells);
        for (let at = MOST_CORNERS * cell; worths[at] !== 0; at++) patterns[places[at]] += digit * worths[at];
      }
      for (let pair = 0; pair < patterns.length; pair++)
        if (patterns[pair] !== 0) index[end++] = firstPattern + pair * PATTERNS + patterns[pair];
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
