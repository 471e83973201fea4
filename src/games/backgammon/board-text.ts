import { CHANCE, TERMINAL } from "../rules.ts";
import { formatRoll, PLAYER_NAMES } from "./notation.ts";
import { BAR, OFF, PLACES } from "./position.ts";
import type { BackgammonState } from "./state.ts";

/** Men drawn on one point; where there are more, the number takes the last place. */
const ROWS = 5;

/** The board as the first player (`x`) sees it, who moves from 24 down to 1; `o` moves up. */
export function render(state: BackgammonState): string {
  const upper = Array.from({ length: ROWS }, (_, row) => boardRow(state, 13, row));
  const lower = Array.from({ length: ROWS }, (_, row) => boardRow(state, 12, row)).toReversed();
  return [
    " +13-14-15-16-17-18------19-20-21-22-23-24-+",
    ...upper,
    " |                  |BAR|                  |",
    ...lower,
    " +12-11-10--9--8--7-------6--5--4--3--2--1-+",
    ` ${[0, 1].map((player) => sideText(state, player)).join(", ")}; ${situationText(state)}`,
  ].join("\n");
}

/** One line of the half that begins on the left with point `first`, `row` lines from its edge. */
function boardRow(state: BackgammonState, first: number, row: number): string {
  const direction = first > 12 ? 1 : -1;
  const cells = Array.from({ length: 12 }, (_, column) => pointCell(state, first + direction * column, row));
  const bar = barCell(state, first > 12 ? 1 : 0, row);
  return ` |${cells.slice(0, 6).join("")}|${bar}|${cells.slice(6).join("")}|`;
}

function pointCell(state: BackgammonState, point: number, row: number): string {
  const mine = state.men[point];
  const theirs = state.men[PLACES + BAR - point];
  return stackCell(mine > 0 ? 0 : 1, Math.max(mine, theirs), row);
}

/** The second player's men on the bar stand in the upper half, the first player's in the lower. */
function barCell(state: BackgammonState, player: number, row: number): string {
  return stackCell(player, state.men[player * PLACES + BAR], row);
}

function stackCell(player: number, men: number, row: number): string {
  if (row >= men) return "   ";
  if (row === ROWS - 1 && men > ROWS) return String(men).padStart(2).padEnd(3);
  return ` ${PLAYER_NAMES[player]} `;
}

function sideText(state: BackgammonState, player: number): string {
  return `${PLAYER_NAMES[player]}: ${state.pips(player)} pips, ${state.men[player * PLACES + OFF]} off`;
}

function situationText(state: BackgammonState): string {
  if (state.opening) return "opening roll";
  if (state.toMove === TERMINAL) {
    const points = Math.abs(state.result);
    return points === 0 ? "draw" : `${PLAYER_NAMES[state.result > 0 ? 0 : 1]} wins ${points}`;
  }
  const name = PLAYER_NAMES[state.onRoll];
  return state.toMove === CHANCE ? `${name} to roll` : `${name} to play ${formatRoll(state.roll)}`;
}
