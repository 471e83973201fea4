import { countBits } from "../../base/bits.ts";
import { squash } from "../shared/score-heuristic.ts";
import type { Heuristic } from "../contract/facets.ts";
import { BLACK, EMPTY, ROWS, WHITE } from "./board.ts";
import type { GoState } from "./state.ts";

/** The number of steps that a player's influence reaches from its stones. */
export const REACH = 4;

/** By distance: the worth of a point to the player who is nearer. */
const POINT_WORTH = [1, 0.9, 0.6, 0.35, 0.2] as const;
/** The lead that is worth half a win on a full board, and its growth with each empty point. */
const HALF_WIN = 3;
const UNCERTAINTY = 0.15;

/** The points of both players and the free points, as in `Stones.rows`, while influence spreads. */
const points = new Int32Array(3 * ROWS);
const after = new Int32Array(3 * ROWS);
const leads = new Int32Array(REACH + 1);

/**
 * For each distance from 0 to REACH, writes the number of points that are Black's less those that are White's. A point
 * belongs to the player with the nearest stone, and to nobody if both players are equally near. The position is read
 * after the largest capture of the player to move.
 */
export function readInfluence(state: GoState, into: Int32Array): void {
  const { size } = state;
  points.set(state.rows);
  playLargestCapture(state);
  into[0] = countStones(points, BLACK, size) - countStones(points, WHITE, size);
  for (let distance = 1; distance <= REACH; distance++) into[distance] = spread(size);
}

function playLargestCapture(state: GoState): void {
  const { turn, ko, size } = state;
  const { pointOf } = state.board;
  let fewest = size * size;
  for (let action = 0; action < pointOf.length; action++) {
    const point = pointOf[action];
    if (state.colour[point] !== EMPTY || point === ko || !state.captures(point, turn)) continue;
    state.readRowsAfter(point, after);
    const left = countStones(after, 1 - turn, size);
    if (left >= fewest) continue;
    fewest = left;
    points.set(after);
  }
}

function countStones(rows: Int32Array, player: number, size: number): number {
  let count = 0;
  for (let row = 1; row <= size; row++) count += countBits(rows[player * ROWS + row]);
  return count;
}

/**
 * Gives the free points beside the points of one player alone to that player. Returns the number of Black's new points less
 * the number of White's.
 */
function spread(size: number): number {
  let lead = 0;
  let blackBelow = 0;
  let whiteBelow = 0;
  for (let row = 1; row <= size; row++) {
    const black = points[row];
    const white = points[WHITE * ROWS + row];
    const free = points[EMPTY * ROWS + row];
    const toBlack = free & (blackBelow | points[row + 1] | (black << 1) | (black >> 1));
    const toWhite = free & (whiteBelow | points[WHITE * ROWS + row + 1] | (white << 1) | (white >> 1));
    points[row] = black | (toBlack & ~toWhite);
    points[WHITE * ROWS + row] = white | (toWhite & ~toBlack);
    points[EMPTY * ROWS + row] = free & ~(toBlack | toWhite);
    lead += countBits(toBlack & ~toWhite) - countBits(toWhite & ~toBlack);
    blackBelow = black;
    whiteBelow = white;
  }
  return lead;
}

/**
 * The expected area by influence: each point counts for the player who is nearer, and counts less if the stones are farther
 * away.
 */
export const area: Heuristic<GoState> = {
  summary: "area after the best capture at hand: stones and, less with distance, points nearer to own stones",
  evaluate(state, player) {
    readInfluence(state, leads);
    let lead = 0 - state.rules.komi;
    for (let distance = 0; distance <= REACH; distance++) lead += leads[distance] * POINT_WORTH[distance]!;
    const empty = countStones(state.rows, EMPTY, state.size);
    const value = squash(lead, HALF_WIN + UNCERTAINTY * empty);
    return player === BLACK ? value : 0 - value;
  },
};
