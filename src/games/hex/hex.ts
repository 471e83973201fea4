import { z } from "zod";
import type { Facets, TupleBoard } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import { numberedRows } from "../contract/grid.ts";
import type { Picture } from "../contract/picture.ts";
import type { Rules } from "../contract/rules.ts";
import { areaAround, circle, label, middleOf, path, type Spot } from "../shared/shapes.ts";
import { piecePicture } from "../shared/square-picture.ts";
import { distance, pathFeatures, twoDistance } from "./judge.ts";
import { rhombiFeatures } from "./rhombi.ts";
import { HexSolver, isSolvable } from "./solver.ts";
import { createBoard, type HexBoard, HexState, MAX_SIZE, mirrored, neighboursOf } from "./state.ts";
import { formatAction, formatCell, formatState, parseState, render, STONES } from "./text.ts";

const options = z.strictObject({
  size: z.int().min(3).max(MAX_SIZE).default(MAX_SIZE).describe("rows and columns of the board"),
  swap: z
    .boolean()
    .default(false)
    .describe("true if the second player may take the first stone over, with row and column exchanged"),
});

/**
 * Hex (Hein 1942, Nash 1948). An action is a cell, `size * row + column` from the upper left, written `a1`; the last
 * action is the swap.
 */
export const hex = defineGame({
  id: "hex",
  summary: "connect two sides of a rhombus of hexagons; no draws",
  options,
  rules({ size, swap }): Rules<HexState> {
    const board = createBoard(size, swap);
    return {
      outcomes: [-1, 1],
      maxActions: board.swapAction,
      maxPlies: board.swapAction + (swap ? 1 : 0),
      start: () => new HexState(board),
      formatAction,
      formatState,
      parseState(text) {
        return parseState(text, this);
      },
      render,
      pieces: Array.from(STONES),
    };
  },
  facets({ size, swap }): Facets<HexState> {
    const board = createBoard(size, swap);
    const cells = board.swapAction;
    const policySize = cells + (swap ? 1 : 0);
    return {
      featureSets: { paths: pathFeatures(board), rhombi: rhombiFeatures(board) },
      heuristics: { distance, "two-distance": twoDistance },
      solver: isSolvable(size) ? () => new HexSolver(new HexState(board)) : undefined,
      tupleBoard: tupleBoard(board),
      // The mover goes from above to below.
      policyHead: {
        version: 1,
        size: policySize,
        images: [Int32Array.from({ length: policySize }, (_, at) => (at < cells ? cells - 1 - at : at))],
        index: (action, { turn }) =>
          turn === 0 || action === board.swapAction ? action : mirrored(action, size),
      },
      picture: picture(size),
    };
  },
});

const COLOURS = ["player0", "player2"] as const;
const NAMES = ["orange stone", "blue stone"] as const;

/** A hexagon is one unit wide and has a corner on top. The length of its side, 1 / sqrt(3), and the distance of two rows: */
const SIDE = 0.5774;
const HALF = SIDE / 2;
const ROW = 1.5 * SIDE;
/** Room around the board for its coloured sides and the names. */
const AROUND = 0.7;

/** The sides that a player connects have the colour of the player's stones; stones of the second have a ring. */
function picture(size: number): Picture<HexState> {
  const middles = Array.from({ length: size * size }, (_, cell) => {
    const row = Math.floor(cell / size);
    return { x: AROUND + 0.5 + (cell % size) + row / 2, y: AROUND + SIDE + ROW * row };
  });
  const hexagon = `M0 ${-SIDE}l.5 ${HALF}v${SIDE}l-.5 ${HALF}-.5 ${-HALF}v${-SIDE}z`;
  const top = middles.slice(0, size);
  const [left, right] = [0, size - 1].map((column) => middles.filter((_, cell) => cell % size === column));
  /** Two edges of each hexagon along a side, from the hexagon's middle. */
  const side = (spots: readonly Spot[], player: number, edges: string) =>
    spots.map((spot) => path(edges, spot, { stroke: COLOURS[player]!, width: 0.3 }));
  const name = (text: string, x: number, y: number) => label({ x, y }, text, { size: 0.4, fill: "faint" });
  return piecePicture(
    {
      width: 1.5 * size - 0.5 + 2 * AROUND,
      height: ROW * (size - 1) + 2 * SIDE + 2 * AROUND,
      places: middles.map((spot, cell) => ({
        name: formatCell(cell, size),
        ...areaAround(spot, 1, 1),
        isRound: true,
      })),
    },
    {
      players: COLOURS,
      ground: [
        ...side(left!, 1, `M-.5 ${-HALF}v${SIDE}l.5 ${HALF}`),
        ...side(right!, 1, `M0 ${-SIDE}l.5 ${HALF}v${SIDE}`),
        ...side(top, 0, `M-.5 ${-HALF}l.5 ${-HALF} .5 ${HALF}`),
        ...side(middles.slice(-size), 0, `M-.5 ${HALF}l.5 ${HALF} .5 ${-HALF}`),
        ...middles.map((spot) => path(hexagon, spot, { fill: "board", stroke: "line", width: 0.03 })),
        ...top.map(({ x, y }, column) => name(formatCell(column, size)[0]!, x - 0.35, y - 1)),
        ...left!.map(({ x, y }, row) => name(String(row + 1), x - 0.95, y)),
      ],
      pieceAt(state, cell) {
        const player = state.ownerOf(cell);
        return player < 0 ? undefined : player;
      },
      draw(player, place) {
        const middle = middleOf(place);
        const stone = circle(middle, 0.38, { fill: COLOURS[player]!, stroke: "edge", width: 0.035 });
        return player === 0 ? [stone] : [stone, circle(middle, 0.17, { stroke: "white", width: 0.06 })];
      },
      nameOf: (player) => NAMES[player]!,
      // The swap has no place: it is chosen by its name.
      touches: ({ board }, action) => (action === board.swapAction ? [] : [action]),
      won: winningChain,
    },
  );
}

/** The cells of a shortest chain of the winner from side to side; none before the end. */
function winningChain(state: HexState): readonly number[] {
  const { winner, board } = state;
  if (winner < 0) return [];
  const { size } = board;
  const neighbours = neighboursOf(board);
  const lineOf = (cell: number) => (winner === 0 ? Math.floor(cell / size) : cell % size);
  const seen = new Set<number>();
  // Chains of one cell come first, then those of two.
  const chains = neighbours.flatMap((_, cell) => (lineOf(cell) === 0 ? [[cell]] : []));
  for (const chain of chains) {
    const cell = chain.at(-1)!;
    if (state.ownerOf(cell) !== winner || seen.has(cell)) continue;
    if (lineOf(cell) === size - 1) return chain;
    seen.add(cell);
    for (const next of neighbours[cell]!) chains.push([...chain, next]);
  }
  return [];
}

/**
 * Cells row by row as the player sees them who has just moved, that player's own sides above and below: the second player
 * sees rows and columns exchanged. Half a turn is the board's only symmetry.
 */
function tupleBoard(board: HexBoard): TupleBoard<HexState> {
  const { size, swapAction: count } = board;
  const rows = numberedRows(size, size);
  return {
    cells: count,
    digits: 3,
    symmetries: [rows.flat(), rows.flat().toReversed()],
    neighbours: neighboursOf(board),
    layout: { rows },
    viewer: (state) => 1 - state.turn,
    read(state, player, digits) {
      for (let cell = 0; cell < count; cell++) {
        const owner = state.ownerOf(player === 0 ? cell : mirrored(cell, size));
        digits[cell] = owner < 0 ? 0 : owner === player ? 1 : 2;
      }
    },
    cellName: (cell) => formatCell(cell, size),
    digitName: (digit) => [".", "own", "other"][digit]!,
  };
}
