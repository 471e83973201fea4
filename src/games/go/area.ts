import { countBits } from "../../base/bits.ts";
import { BLACK, EMPTY, ROWS, WHITE } from "./board.ts";
import type { Stones } from "./stones.ts";

const black = new Int32Array(ROWS);
const white = new Int32Array(ROWS);

/**
 * Black's area less White's, by the rules of Tromp and Taylor. A player's area is the player's stones,
 * all taken to be alive, and the empty points from which only that player's stones can be reached.
 */
export function areaLead({ rows, size }: Stones): number {
  fill(rows, BLACK, size, black);
  fill(rows, WHITE, size, white);
  let lead = 0;
  for (let row = 1; row <= size; row++)
    lead += countBits(black[row] & ~white[row]) - countBits(white[row] & ~black[row]);
  return lead;
}

/** Writes the stones of a player, and the empty points that are connected with them, to `reached`. */
function fill(rows: Int32Array, player: number, size: number, reached: Int32Array): void {
  for (let row = 0; row <= size + 1; row++) reached[row] = rows[player * ROWS + row];
  for (let changed = true; changed;) {
    changed = false;
    for (let row = 1; row <= size; row++) changed = fillRow(rows, row, reached) || changed;
    if (!changed) return;
    changed = false;
    for (let row = size; row >= 1; row--) changed = fillRow(rows, row, reached) || changed;
  }
}

/** Extends `reached` in one row; returns whether that added a point. */
function fillRow(rows: Int32Array, row: number, reached: Int32Array): boolean {
  const before = reached[row];
  const empty = rows[EMPTY * ROWS + row];
  let now = before | (empty & (reached[row - 1] | reached[row + 1]));
  for (;;) {
    const wider = now | (empty & ((now << 1) | (now >> 1)));
    if (wider === now) break;
    now = wider;
  }
  reached[row] = now;
  return now !== before;
}
