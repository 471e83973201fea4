import type { FeatureGrid, FeatureSet, Heuristic } from "../contract/facets.ts";
import { numberedRows } from "../contract/grid.ts";
import { TERMINAL } from "../contract/rules.ts";
import { scoreHeuristic } from "../shared/score-heuristic.ts";
import { Distances } from "./distances.ts";
import { FIRST_SIDE, type HexBoard, type HexState, LAST_SIDE, MAX_CELLS, mirrored } from "./state.ts";
import { formatCell } from "./text.ts";

const distances = new Distances();
const fromFirst = new Uint8Array(MAX_CELLS);

/** The shortest ways of a player from side to side. */
export class Way {
  /**
   * The least sum of the distances of a point from both sides, less 1. With one way these are the stones that the player still
   * needs if the other passes. 0 for a winner; at most twice the size of the board.
   */
  length = 0;
  /** The cells with this sum, the first `count` of `cells`. */
  count = 0;
  readonly cells = new Uint8Array(MAX_CELLS);
}

/** Finds the ways of a player, by the nearest neighbours or by the second nearest. */
export function measure(state: HexState, player: number, ways: 1 | 2, into: Way): void {
  const { size } = state.board;
  into.length = state.winner === player ? 0 : 2 * size;
  into.count = 0;
  if (state.winner >= 0) return;
  distances.read(state, player);
  const { of, cells, count } = distances;
  distances.measure(FIRST_SIDE, ways);
  fromFirst.set(of);
  distances.measure(LAST_SIDE, ways);
  for (let at = 0; at < count; at++) {
    const cell = cells[at];
    const length = fromFirst[cell] + of[cell] - 1;
    if (length < into.length) {
      into.length = length;
      into.count = 0;
    }
    if (length === into.length) into.cells[into.count++] = cell;
  }
}

const own = new Way();
const other = new Way();

/** The worth of the turn: half of what a stone can shorten a way. */
const TURN_WORTH = 0.5;
/** The worth of a cell more on one of the best ways. */
const CELL_WORTH = 0.05;
/** The lead that is worth half a win. */
const HALF_WIN = 2;

function wayHeuristic(summary: string, ways: 1 | 2): Heuristic<HexState> {
  return scoreHeuristic(summary, HALF_WIN, (state) => {
    measure(state, 0, ways, own);
    measure(state, 1, ways, other);
    const turn = state.turn === 0 ? TURN_WORTH : -TURN_WORTH;
    return other.length - own.length + CELL_WORTH * (own.count - other.count) + turn;
  });
}

/** The stones that each player still needs; ways of the same length decide between equals. */
export const distance = wayHeuristic("stones that each player still needs, and ways to do with them", 1);

/** The same if the other player takes the best point each time (van Rijswijck 2002). */
export const twoDistance = wayHeuristic("the same by the second-best points (van Rijswijck 2002)", 2);

const TRAITS = [
  "stones to go",
  "cells on ways with so few",
  "second-best stones to go",
  "cells on such second-best ways",
  "to move",
] as const;

/**
 * `paths`: stones by cell as their owner sees it, half a turn apart together; the lengths of both kinds of ways and the
 * cells on them; and whose turn it is, all as `player`'s less the other's.
 */
export function pathFeatures({ size, swapAction: cells }: HexBoard): FeatureSet<HexState> {
  const classes = Math.ceil(cells / 2);
  const classOf = (cell: number) => Math.min(cell, cells - 1 - cell);
  /** The feature of a player's stone at `cells * player + cell`. */
  const features = Int32Array.from({ length: 2 * cells }, (_, at) =>
    classOf(at < cells ? at : mirrored(at - cells, size)),
  );
  const traits = new Float64Array(TRAITS.length);
  const grid: FeatureGrid = { name: "stone", rows: numberedRows(size, size).map((row) => row.map(classOf)) };
  return {
    summary: "stones by cell, stones to go by best and by second-best ways, cells on them, turn",
    version: 1,
    size: classes + TRAITS.length,
    maxActive: cells + TRAITS.length,
    grids: [grid],
    extract(state, player, index, value) {
      let end = 0;
      for (let cell = 0; cell < cells; cell++) {
        const owner = state.ownerOf(cell);
        if (owner < 0) continue;
        index[end] = features[cells * owner + cell];
        value[end++] = owner === player ? 1 : -1;
      }
      for (const ways of [1, 2] as const) {
        measure(state, player, ways, own);
        measure(state, 1 - player, ways, other);
        traits[2 * ways - 2] = own.length - other.length;
        traits[2 * ways - 1] = own.count - other.count;
      }
      traits[4] = state.toMove === TERMINAL ? 0 : state.turn === player ? 1 : -1;
      for (let trait = 0; trait < traits.length; trait++) {
        if (traits[trait] === 0) continue;
        index[end] = classes + trait;
        value[end++] = traits[trait];
      }
      return end;
    },
    describe: (feature) => TRAITS[feature - classes] ?? `stones on cells like ${formatCell(feature, size)}`,
  };
}
