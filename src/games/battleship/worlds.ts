import type { Random } from "../../base/random.ts";
import type { Worlds, Privacy } from "../contract/privacy.ts";
import {
  areApart,
  type Battleship,
  hasRoom,
  toggle,
  WORDS,
  HIT,
  SUNK,
  WATER,
  maxEventsOf,
  type BattleshipState,
} from "./state.ts";
import { drawBoards } from "./text.ts";

/* The codes of players. An own placement is its action. */

/** The code of a placement by the other player. */
const OTHER_PLACED = -1;
/** The code of the other player's shot at a square is this less the square. */
const OTHER_SHOT = -2;
/** The code of an own shot is this times the square, and its result. */
const RESULTS = 3;

/** The other player's ship in one of the places that agree with all shots. */
interface Places {
  readonly actions: readonly number[];
  /** See Placements. */
  readonly masks: Int32Array;
  /** The numbers of the places without a hit. */
  readonly unhit: Int32Array;
  /** By square that was hit: the numbers of the places over it. */
  readonly over: ReadonlyMap<number, readonly number[]>;
}

/** So many draws may fail in a row; then more ships are listed. */
const MOST_FAILURES = 200;
/** Lists of more entries are not made. */
const MOST_LISTED = 2_000_000;

/**
 * The other's fleets that give these results, each as likely. Every ship must agree with the shots by itself: no part of it is a
 * miss, and it is sunk by the last shot at it, if it is hit everywhere, and by no other. Together the ships must
 * cover all hits, without a square in common. All ways to cover the hits are listed by backtracking. Each counts as often as the
 * other ships could be placed if they might overlap; they are drawn, and a fleet with an overlap is refused. So all fleets
 * are equally likely, however many are refused. Where nearly all are, the list goes on to the ships without a hit.
 */
function worldsOf(codes: Int32Array, form: Battleship): Worlds {
  const count = form.ships.length;
  /** The events, and the places in them where the other's ships belong. */
  const events = Int32Array.from(codes);
  const placed: number[] = [];
  /** By square: the number of its shot, from 1; 0 for none; and the result. */
  const times = new Int32Array(form.squares);
  const results = new Int8Array(form.squares).fill(WATER);
  const hits: number[] = [];
  for (const [at, code] of codes.entries()) {
    if (code === OTHER_PLACED) placed.push(at);
    else if (code <= OTHER_SHOT) events[at] = OTHER_SHOT - code;
    else if (at >= 2 * count) {
      const square = Math.floor(code / RESULTS);
      events[at] = square;
      times[square] = at;
      results[square] = code % RESULTS;
      if (code % RESULTS !== WATER) hits.push(square);
    }
  }
  const agrees = (squares: readonly number[]): boolean => {
    let last = squares[0]!;
    let isSunk = true;
    for (const square of squares) {
      if (times[square]! > times[last]!) last = square;
      if (times[square] === 0) isSunk = false;
    }
    for (const square of squares)
      if (times[square]! > 0 && results[square] !== (isSunk && square === last ? SUNK : HIT)) return false;
    return true;
  };
  const ships = placed.map((_, ship): Places => {
    const { actions, masks, squares } = form.placements[ship]!;
    const numbers = [...actions.keys()].filter((number) => agrees(squares[number]!));
    const kept = new Int32Array(WORDS * numbers.length);
    const unhit: number[] = [];
    const over = new Map<number, number[]>(hits.map((square) => [square, []]));
    for (const [place, number] of numbers.entries()) {
      toggle(kept, WORDS * place, masks, WORDS * number);
      const struck = squares[number]!.filter((square) => times[square]! > 0);
      if (struck.length === 0) unhit.push(place);
      for (const square of struck) over.get(square)!.push(place);
    }
    return {
      actions: numbers.map((number) => actions[number]!),
      masks: kept,
      unhit: Int32Array.from(unhit),
      over,
    };
  });
  let further = 0;
  let list = listFleets(ships, hits, further);
  const set = new Int32Array(WORDS);
  const isWhole = placed.length === count;

  /** Draws an entry and the ships that it leaves open; false if they overlap or leave no room for those to come. */
  const tryDraw = (random: Random, out: Int32Array): boolean => {
    const entry = list.draw(random) * ships.length;
    set.fill(0);
    for (let ship = 0; ship < ships.length; ship++) {
      const { actions, masks, unhit } = ships[ship]!;
      const listed = list.entries[entry + ship];
      const place = listed < 0 ? unhit[random.below(unhit.length)] : listed;
      if (!areApart(set, 0, masks, WORDS * place)) return false;
      toggle(set, 0, masks, WORDS * place);
      out[placed[ship]!] = actions[place]!;
    }
    return isWhole || hasRoom(form, set, 0, ships.length);
  };
  return {
    draw(random, out) {
      out.set(events);
      for (let failures = 0; !tryDraw(random, out); failures++) {
        if (failures < MOST_FAILURES || further === ships.length) continue;
        further = list.longer <= MOST_LISTED ? further + 1 : ships.length;
        if (list.longer <= MOST_LISTED) list = listFleets(ships, hits, further);
        failures = 0;
      }
      return events.length;
    },
  };
}

/** Fleets of which some ships are left open, to be drawn among their places without a hit. */
interface FleetList {
  /** By fleet, then by ship: its place; -1 where it is open. */
  readonly entries: Int16Array;
  /** The number of a fleet, drawn by the number of ways to draw its open ships. */
  draw(random: Random): number;
  /** The most entries of a list with one more ship. */
  readonly longer: number;
}

/** Lists all ways to cover the hits, and to place at most `further` ships more. */
function listFleets(ships: readonly Places[], hits: readonly number[], further: number): FleetList {
  const entries: number[] = [];
  const weights: number[] = [];
  let total = 0;
  let longer = 0;
  const chosen = ships.map(() => -1);
  // Those with the fewest places come first, so that most ways end early.
  const choices = (square: number) =>
    ships.reduce((sum, { over }) => sum + (over.get(square)?.length ?? 0), 0);
  const squares = hits
    .toSorted((one, other) => choices(one) - choices(other))
    .map((square) => [square, square >> 5, 1 << (square & 31)] as const);
  const set = new Int32Array(WORDS);
  /** Places a ship at each of `places` in turn that is free, and goes on. */
  const placeAt = (ship: number, places: Iterable<number>, left: number): void => {
    const { masks } = ships[ship]!;
    for (const place of places) {
      if (!areApart(set, 0, masks, WORDS * place)) continue;
      toggle(set, 0, masks, WORDS * place);
      chosen[ship] = place;
      extend(left);
      chosen[ship] = -1;
      toggle(set, 0, masks, WORDS * place);
    }
  };
  const extend = (left: number): void => {
    for (const [square, word, bit] of squares) {
      if ((set[word]! & bit) !== 0) continue;
      for (let ship = 0; ship < ships.length; ship++)
        if (chosen[ship] === -1) placeAt(ship, ships[ship]!.over.get(square) ?? [], left);
      return;
    }
    const next = chosen.indexOf(-1);
    if (left > 0 && next >= 0) {
      placeAt(next, ships[next]!.unhit, left - 1);
      return;
    }
    let ways = 1;
    for (const [ship, place] of chosen.entries()) if (place === -1) ways *= ships[ship]!.unhit.length;
    if (ways === 0) return;
    for (const place of chosen) entries.push(place);
    weights.push((total += ways));
    longer += next < 0 ? 1 : ships[next]!.unhit.length;
  };
  extend(further);
  const sums = Float64Array.from(weights);
  return {
    entries: Int16Array.from(entries),
    longer,
    draw(random) {
      if (sums.length === 1) return 0;
      const at = random.float() * total;
      let [low, high] = [0, sums.length - 1];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (sums[middle] > at) high = middle;
        else low = middle + 1;
      }
      return low;
    },
  };
}

/** Players see their own ships and the results of all shots. A ship that is sunk is not named. */
export function createPrivacy(form: Battleship): Privacy<BattleshipState> {
  return {
    maxEvents: maxEventsOf(form),
    maxCodes: maxEventsOf(form),
    seen(state, action, player, out, at) {
      const isPlacing = state.placing < form.ships.length;
      if (state.toMove !== player) out[at] = isPlacing ? OTHER_PLACED : OTHER_SHOT - action;
      else out[at] = isPlacing ? action : RESULTS * action + state.resultOf(action);
      return 1;
    },
    worlds: (codes, count) => worldsOf(codes.subarray(0, count), form),
    formatView: (state, player) => drawBoards(state, player),
  };
}
