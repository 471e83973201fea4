import { InputError } from "../../base/errors.ts";
import { CHANCE, TERMINAL } from "../contract/rules.ts";
import {
  BAR,
  HOME,
  LARGE,
  MEN,
  NO_ROLL,
  OFF,
  OPENING_OUTCOMES,
  PLACES,
  rollOf,
  ROLLS,
  SMALL,
  type Position,
} from "./position.ts";
import { BackgammonState, type BackgammonRules } from "./state.ts";
import { formatTurn, readTurn } from "./turn-text.ts";

const CHARACTERS = 14;
const BITS = 80;

/**
 * GNU Backgammon's position id: 80 bits in base 64, the lowest bit of each byte first. For the player who
 * waits and then for the player on roll, for each point from 1 to 24 and the bar, there is a 1 for each
 * man and then a 0. (The manual names the player on roll first; the program writes the other one first.)
 */
function formatPositionId(position: Position): string {
  const bytes = new Uint8Array(BITS / 8);
  let bit = 0;
  for (const player of [1 - position.onRoll, position.onRoll]) {
    for (let place = 1; place <= BAR; place++) {
      for (let man = position.men[player * PLACES + place]; man > 0; man--, bit++)
        bytes[bit >>> 3] |= 1 << (bit & 7);
      bit++;
    }
  }
  return btoa(String.fromCharCode(...bytes)).slice(0, CHARACTERS);
}

/** Men on each place, at player * PLACES + place, of an id whose player on roll is `onRoll`. */
function parsePositionId(id: string, onRoll: number): Int8Array {
  if (!/^[A-Za-z0-9+/]{13}[AQgw]$/.test(id)) {
    throw new InputError(`"${id}" is no position id; one is ${CHARACTERS} characters such as 4HPwATDgc/ABMA`);
  }
  const bytes = Uint8Array.from(atob(id), (character) => character.charCodeAt(0));
  const men = new Int8Array(2 * PLACES);
  let bit = 0;
  for (const player of [1 - onRoll, onRoll]) {
    let onBoard = 0;
    for (let place = 1; place <= BAR; place++) {
      for (; ((bytes[bit >>> 3] >>> (bit & 7)) & 1) === 1; bit++) {
        men[player * PLACES + place]++;
        if (++onBoard > MEN) throw new InputError(`"${id}" has more than ${MEN} men of one player`);
      }
      bit++;
    }
    men[player * PLACES + OFF] = MEN - onBoard;
  }
  for (; bit < BITS; bit++) {
    if (((bytes[bit >>> 3] >>> (bit & 7)) & 1) === 1)
      throw new InputError(`"${id}" goes on after the second player's bar`);
  }
  for (let point = 1; point < BAR; point++) {
    if (men[point] > 0 && men[PLACES + BAR - point] > 0)
      throw new InputError(`"${id}" has men of both players on one point`);
  }
  return men;
}

export const PLAYER_NAMES = "xo";

function formatRoll(roll: number): string {
  return `${LARGE[roll]}-${SMALL[roll]}`;
}

/** A turn (see `formatTurn`), a roll `3-1`, or at the opening the winner and the roll: `x:3-1`. */
export function formatAction(action: number, state: BackgammonState): string {
  if (state.toMove !== CHANCE) return formatTurn(action, state);
  if (!state.opening) return formatRoll(action);
  return `${PLAYER_NAMES[Math.floor(action / ROLLS)]}:${formatRoll(action % ROLLS)}`;
}

/** The possible action that `text` writes, or -1 where it writes none. */
export function readAction(text: string, state: BackgammonState): number {
  if (state.toMove === TERMINAL) return -1;
  if (state.toMove !== CHANCE) return readTurn(text, state);
  const match = /^(?:([xo]):)?([1-6])-?([1-6])$/.exec(text);
  if (match === null || (match[1] !== undefined) !== state.opening) return -1;
  const roll = rollOf(Number(match[2]), Number(match[3]));
  if (!state.opening) return roll;
  const outcome = PLAYER_NAMES.indexOf(match[1]!) * ROLLS + roll;
  return OPENING_OUTCOMES.includes(outcome) ? outcome : -1;
}

/**
 * GNU Backgammon's position id, the player on roll and the dice: `4HPwATDgc/ABMA:x:3-1`. In place of the
 * dice stands `roll` before the throw, and `over` at the end. The start is `4HPwATDgc/ABMA:start`.
 */
export function formatState(state: BackgammonState): string {
  const id = formatPositionId(state);
  if (state.opening) return `${id}:start`;
  const dice = state.toMove === TERMINAL ? "over" : state.roll === NO_ROLL ? "roll" : formatRoll(state.roll);
  return `${id}:${PLAYER_NAMES[state.onRoll]}:${dice}`;
}

/**
 * Reads what `formatState` writes. `start` alone is the start. After an id alone, the first player is about to roll.
 */
export function parseState(text: string, rules: BackgammonRules): BackgammonState {
  const given = text.trim();
  const state = new BackgammonState(rules);
  if (given === "start" || given === formatState(state)) return state;
  const [id = "", name = "x", dice = "roll", ...rest] = given.split(":");
  const onRoll = name.length === 1 ? PLAYER_NAMES.indexOf(name) : -1;
  if (onRoll < 0 || rest.length > 0) {
    throw new InputError(
      `"${given}" is not a position id, x or o, and dice, such as 4HPwATDgc/ABMA:x:3-1 (or :roll, :over)`,
    );
  }
  putMen(state, parsePositionId(id, onRoll));
  state.place({ onRoll, roll: parseDice(dice, given), opening: false });
  const winner = [0, 1].findIndex((player) => state.men[player * PLACES + OFF] === MEN);
  if (winner === onRoll) throw new InputError(`"${given}" has a player on roll who has no men left`);
  if (winner >= 0 && dice !== "over") throw new InputError(`"${given}" is over: write "over" for the dice`);
  if ([0, 1].every((player) => isShutOut(state, player)))
    throw new InputError(`"${given}" has both players on the bar against a closed board`);
  if (dice === "over") state.finish(winner);
  return state;
}

function parseDice(dice: string, text: string): number {
  if (dice === "roll" || dice === "over") return NO_ROLL;
  const match = /^([1-6])-?([1-6])$/.exec(dice);
  if (match === null)
    throw new InputError(`dice "${dice}" in "${text}"; allowed: two dice such as 3-1, roll, over`);
  return rollOf(Number(match[1]), Number(match[2]));
}

function putMen(state: BackgammonState, men: Int8Array): void {
  for (let player = 0; player < 2; player++) {
    for (let place = 0; place < PLACES; place++) {
      const at = player * PLACES + place;
      while (state.men[at] > men[at]) state.lift(player, place);
      while (state.men[at] < men[at]) state.drop(player, place);
    }
  }
}

function isShutOut(state: BackgammonState, player: number): boolean {
  const entry = ((1 << BAR) - 1) & ~((1 << (BAR - HOME)) - 1);
  return state.men[player * PLACES + BAR] > 0 && (state.made[1 - player] & entry) === entry;
}

/** The most men drawn on one point; the last place of a larger pile has their number. */
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

/** The situation for people: `x to play 3-1`, `opening roll`, `o wins 2`. */
export function situationText(state: BackgammonState): string {
  if (state.opening) return "opening roll";
  if (state.toMove === TERMINAL) {
    const points = Math.abs(state.result);
    return points === 0 ? "draw" : `${PLAYER_NAMES[state.result > 0 ? 0 : 1]} wins ${points}`;
  }
  const name = PLAYER_NAMES[state.onRoll];
  return state.toMove === CHANCE ? `${name} to roll` : `${name} to play ${formatRoll(state.roll)}`;
}
