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
import { MAX_LEGAL_TURNS, PASS } from "./turns.ts";
import type { Transcript, TranscriptFormat } from "../contract/facets.ts";

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

/** The way of one man within a turn: its places from start to end, and whether it hits on each. */
interface Way {
  readonly places: number[];
  readonly hits: boolean[];
}

/** The ways of the men in a turn, from the rear forwards. */
function waysOf(action: number, state: BackgammonState): Way[] {
  const large = LARGE[state.roll];
  const small = SMALL[state.roll];
  const dice = large === small ? [large, large, large, large] : [large, small];
  const steps = dice
    .map((die, index) => ({ from: (action >>> (5 * (dice.length - 1 - index))) & 31, die }))
    .filter(({ from }) => from !== 0)
    .map(({ from, die }) => ({ from, to: Math.max(from - die, OFF) }))
    .toSorted((a, b) => b.from - a.from || b.to - a.to);
  const blots = state.blots[1 - state.onRoll];
  const ways: Way[] = [];
  let hit = 0;
  while (steps.length > 0) {
    const { from } = steps[0]!;
    const way: Way = { places: [from], hits: [false] };
    for (let at = 0, here = from; at >= 0; at = steps.findIndex((step) => step.from === here)) {
      here = steps.splice(at, 1)[0]!.to;
      const bit = here === OFF ? 0 : 1 << here;
      way.places.push(here);
      way.hits.push((blots & bit & ~hit) !== 0);
      hit |= bit;
    }
    ways.push(way);
  }
  return ways;
}

function placeName(place: number): string {
  return place === BAR ? "bar" : place === OFF ? "off" : String(place);
}

/** `8/5 6/5`, `bar/22*`, `13/7*\/5` (a hit on the way), `8/4(2) 6/2(2)`, `6/off`, `pass`. */
function formatTurn(action: number, state: BackgammonState): string {
  if (action === PASS) return "pass";
  const counts = new Map<string, number>();
  for (const { places, hits } of waysOf(action, state)) {
    const text = places
      .map((place, index) => ({ name: `${placeName(place)}${hits[index] ? "*" : ""}`, index }))
      .filter(({ index }) => index === 0 || index === places.length - 1 || hits[index])
      .map(({ name }) => name)
      .join("/");
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return Array.from(counts, ([text, count]) => (count > 1 ? `${text}(${count})` : text)).join(" ");
}

/** The effect of a turn, the same for all ways to write it. */
interface Effect {
  /** Change of the mover's men on each place. */
  readonly change: string;
  /** The points where a blot is hit, as bits; for a text, the points that it names. */
  readonly hits: number;
}

/**
 * The legal turn that `text` writes, or -1. The parts may come in any order, joined or not. `25` and `0`
 * stand for `bar` and `off`. The star of a hit may be left out, and so may a hit on the way that cannot
 * be avoided.
 */
function readTurn(text: string, state: BackgammonState): number {
  const actions = new Int32Array(MAX_LEGAL_TURNS);
  const legal = Array.from(actions.subarray(0, state.legalActions(actions, 0)));
  if (/^(pass|-|(can(no|')t|cannot) move)?$/i.test(text)) return legal[0] === PASS ? PASS : -1;
  const wanted = readEffect(text, state);
  if (wanted === undefined) return -1;
  const same = legal
    .map((action) => ({ action, effect: effectOf(action, state) }))
    .filter(({ effect }) => effect.change === wanted.change);
  const exact = same.find(({ effect }) => effect.hits === wanted.hits);
  if (exact !== undefined) return exact.action;
  const [only, another] = same;
  if (only === undefined || (wanted.hits & ~only.effect.hits) !== 0) return -1;
  if (another !== undefined) throw new InputError(`"${text}" may or may not hit on the way; name the point`);
  return only.action;
}

function effectOf(action: number, state: BackgammonState): Effect {
  const change = new Int8Array(PLACES);
  let hits = 0;
  for (const way of waysOf(action, state)) {
    change[way.places[0]!]!--;
    change[way.places.at(-1)!]!++;
    way.places.forEach((place, index) => (hits |= way.hits[index] ? 1 << place : 0));
  }
  return { change: change.join(), hits };
}

function readEffect(text: string, state: BackgammonState): Effect | undefined {
  const change = new Int8Array(PLACES);
  const blots = state.blots[1 - state.onRoll] & ((1 << BAR) - 2);
  let hits = 0;
  for (const part of text.toLowerCase().split(/[\s,]+/)) {
    const match = /^(bar|\d+)((?:\/(?:off|\d+)\*?)+)(?:\(([2-4])\))?$/.exec(part);
    if (match === null) return undefined;
    const landings = match[2]!.slice(1).split("/");
    const places = [match[1]!, ...landings].map(placeOf);
    if (places.some((place) => place > BAR)) return undefined;
    const times = Number(match[3] ?? 1);
    change[places[0]!]! -= times;
    change[places.at(-1)!]! += times;
    for (const landing of landings) {
      const point = 1 << placeOf(landing);
      if (landing.endsWith("*") && (blots & point) === 0) return undefined;
      hits |= blots & point;
    }
  }
  return { change: change.join(), hits };
}

function placeOf(name: string): number {
  return name === "bar" ? BAR : name === "off" ? OFF : Number(name.replace("*", ""));
}

const LEFT_WIDTH = 27;
const RIGHT_INDENT = " ".repeat(34);

/**
 * Games without a cube as a money session in Jellyfish's match format (`.mat`), as GNU Backgammon writes
 * and reads it. The first seat of the first game is on the left in all games. The scores so far stand
 * beside the names. The bar is 25, men off are 0, and every die is written on its own.
 */
export function mat(rules: BackgammonRules): TranscriptFormat {
  return {
    summary: "Jellyfish match format, without a cube",
    write: (games) => formatSession(games, rules),
  };
}

function* formatSession(games: Iterable<Transcript>, rules: BackgammonRules): Generator<string> {
  let left: string | undefined;
  let number = 0;
  const score = [0, 0];
  yield " 0 point match\n\n";
  for (const game of games) {
    left ??= game.names[0];
    const leftSeat = game.names[0] === left ? 0 : 1;
    const names = [game.names[leftSeat]!, game.names[1 - leftSeat]!].map(
      (name, column) => `${name.replaceAll(":", "_")} : ${score[column]}`,
    );
    const { lines, points } = formatGame(game.actions, leftSeat, rules);
    if (points !== 0) score[points > 0 ? 0 : 1]! += Math.abs(points);
    yield [` Game ${++number}`, ` ${names[0]!.padEnd(31)}${names[1]}`, ...lines, "", ""].join("\n");
  }
}

/** The lines of one game, and the points that the left side won (negative: lost). */
function formatGame(
  actions: readonly number[],
  leftSeat: number,
  rules: BackgammonRules,
): { lines: string[]; points: number } {
  const state = new BackgammonState(rules);
  /** The turns of left and right, one after the other; the first is empty where the right side begins. */
  const cells: string[] = [];
  for (const action of actions) {
    if (state.toMove >= 0) {
      if (cells.length === 0 && state.toMove !== leftSeat) cells.push("");
      cells.push(formatCell(action, state));
    }
    state.apply(action);
  }
  const lines = Array.from({ length: Math.ceil(cells.length / 2) }, (_, row) =>
    `${String(row + 1).padStart(3)}) ${cells[2 * row]!.padEnd(LEFT_WIDTH)} ${cells[2 * row + 1] ?? ""}`.trimEnd(),
  );
  const points = state.toMove === TERMINAL ? state.returns(leftSeat) : 0;
  if (points !== 0) {
    const won = `Wins ${Math.abs(points)} point${Math.abs(points) > 1 ? "s" : ""}`;
    lines.push(`${points > 0 ? "      " : RIGHT_INDENT}${won}`);
  }
  return { lines, points };
}

/** A turn with its dice: `31: 8/5 6/5`. */
function formatCell(action: number, state: BackgammonState): string {
  const steps = waysOf(action, state).flatMap(({ places, hits }) =>
    places.slice(1).map((place, index) => `${places[index]}/${place}${hits[index + 1] ? "*" : ""}`),
  );
  return [`${LARGE[state.roll]}${SMALL[state.roll]}:`, ...steps].join(" ");
}
