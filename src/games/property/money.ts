import { MAX_HOUSES, STATION, STREET } from "./board.ts";
import type { PropertyRules } from "./position.ts";

const RENT_COLUMNS = MAX_HOUSES + 1;
const STATION_RENT = 25;
/** The rent of a utility in pips of the dice: alone, and with all utilities. */
const UTILITY_RENTS = [4, 10] as const;

/** Money and property by player and by square, as a state has them. */
interface Holdings {
  readonly rules: PropertyRules;
  readonly cash: Int32Array;
  readonly owner: Int8Array;
  readonly houses: Int8Array;
}

/** Cash, and property and houses at the prices of the bank. */
export function worthOf(state: Holdings, player: number): number {
  return valueOf(state, player, 1);
}

/** Cash, and what the bank pays for all property and houses: half of their prices. */
export function estateOf(state: Holdings, player: number): number {
  return valueOf(state, player, 0.5);
}

/** True if `player` has all squares of a group. */
export function hasGroup({ rules, owner }: Holdings, player: number, group: number): boolean {
  const squares = rules.board.groups[group];
  for (let at = 0; at < squares.length; at++) if (owner[squares[at]] !== player) return false;
  return true;
}

/** The rent of an owned square for a visitor with that roll. */
export function rentOf(state: Holdings, square: number, pips: number): number {
  const { kinds, groupOf, groups, rents } = state.rules.board;
  const owner = state.owner[square];
  const group = groupOf[square];
  if (kinds[square] === STATION) {
    let stations = 0;
    for (const other of groups[group]) if (state.owner[other] === owner) stations++;
    return STATION_RENT << (stations - 1);
  }
  const isWhole = hasGroup(state, owner, group);
  if (kinds[square] !== STREET) return pips * UTILITY_RENTS[isWhole ? 1 : 0];
  const houses = state.houses[square];
  return rents[RENT_COLUMNS * square + houses] * (isWhole && houses === 0 ? 2 : 1);
}

function valueOf({ rules, cash, owner, houses }: Holdings, player: number, share: number): number {
  const { prices, houseCosts } = rules.board;
  let value = 0;
  for (let square = 0; square < prices.length; square++)
    if (owner[square] === player) value += prices[square] + houses[square] * houseCosts[square];
  return cash[player] + share * value;
}
