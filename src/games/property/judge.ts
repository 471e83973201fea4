import { hasGroup, rentOf, worthOf } from "./money.ts";
import type { FeatureSet, Heuristic } from "../contract/facets.ts";
import { BANK, BEST_BID, BIDDER, CREDITOR, OWED, TURN, type PropertyRules } from "./position.ts";
import { type PropertyState } from "./state.ts";
import { MAX_HOUSES, spotOf } from "./board.ts";
import { visitsOf } from "./track.ts";

/** Money that is added to the worth of two players, so that a lead counts for little while both are poor. */
const FLOOR = 100;
/** Keeps estimates strictly within the returns. */
const NEARLY = 0.999;
/** The pips of a usual roll, for the rents of utilities. */
const USUAL_PIPS = 7;
const MONEY_UNIT = 1000;
const RESERVE = 300;
const RENT_UNIT = 100;

/**
 * Gives the square under auction to the best bidder for the time of an evaluation. Returns the square, or -1 without one;
 * its owner is to be BANK again afterwards.
 */
function lendToBidder(state: PropertyState): number {
  const { words } = state;
  if (words[BEST_BID] === 0) return -1;
  const square = state.at[words[TURN]];
  state.owner[square] = words[BIDDER];
  return square;
}

/** The change of a player's cash when an auction ends as it stands, or a debt is paid. */
function dueTo(state: PropertyState, player: number): number {
  const { words } = state;
  if (words[BEST_BID] > 0) return words[BIDDER] === player ? -state.priceOfBid(words[BEST_BID]) : 0;
  if (words[OWED] === 0) return 0;
  return words[TURN] === player ? -words[OWED] : words[CREDITOR] === player ? words[OWED] : 0;
}

/**
 * Cash, and property and houses at their prices. Two players' worths a and b are worth (a - b) / (a + b + 100) to the
 * first; the value is the mean over the other players. A best bid counts as paid, and so does a debt.
 */
export const netWorth: Heuristic<PropertyState> = {
  summary: "lead in cash, property and houses at their prices, as a share of both players' worth",
  evaluate(state, player) {
    const { players } = state.rules;
    const lent = lendToBidder(state);
    const own = worthOf(state, player) + dueTo(state, player);
    let sum = 0;
    for (let other = 0; other < players; other++) {
      if (other === player) continue;
      const order = orderOf(state, player) - orderOf(state, other);
      const theirs = worthOf(state, other) + dueTo(state, other);
      sum += order === 0 ? (own - theirs) / (own + theirs + FLOOR) : Math.sign(order);
    }
    if (lent >= 0) state.owner[lent] = BANK;
    return (NEARLY * sum) / (players - 1);
  },
};

/** A number that is higher for players who went bankrupt later, and highest, the same, for all who play on. */
function orderOf({ out, rules }: PropertyState, player: number): number {
  return out[player] === 0 ? rules.players : out[player];
}

const PERSONAL = [
  "cash / 1000",
  "cash up to 300 / 300",
  "expected rent of a visitor's roll / 100",
  "held in jail",
] as const;
const [CASH, LOW_CASH, RENT, HELD] = PERSONAL.keys() as unknown as readonly [number, number, number, number];

/**
 * `holdings`: cash, each property, houses and whole groups of streets, and the rent to be expected when another pawn is
 * rolled, by the visits of `visitsOf`. The values are the player's own less the mean of the others'.
 */
export function holdingsFeatures({ board, players }: PropertyRules): FeatureSet<PropertyState> {
  const { names, prices, houseCosts, groups, groupNames } = board;
  const squares = [...names.keys()];
  const visits = visitsOf(board).squares;
  const owned = squares.filter((square) => prices[square]! > 0);
  const streets = groups.filter((group) => houseCosts[group[0]!]! > 0);
  const streetNames = groupNames.filter((_, group) => streets.includes(groups[group]!));
  const firstHouses = PERSONAL.length + owned.length;
  const firstWhole = firstHouses + streets.length;
  const size = firstWhole + streets.length;
  const seen = Array.from({ length: players }, () => new Float64Array(size));

  const read = (state: PropertyState, player: number, into: Float64Array): void => {
    const cash = state.cash[player] + dueTo(state, player);
    let rent = 0;
    into.fill(0);
    for (let at = 0; at < owned.length; at++) {
      const square = owned[at];
      if (state.owner[square] !== player) continue;
      into[PERSONAL.length + at] = 1;
      rent += visits[square] * rentOf(state, square, USUAL_PIPS);
    }
    for (let at = 0; at < streets.length; at++) {
      const first = streets[at][0];
      if (state.owner[first] !== player || !hasGroup(state, player, board.groupOf[first])) continue;
      into[firstWhole + at] = 1;
      for (const square of streets[at]) into[firstHouses + at] += state.houses[square] / MAX_HOUSES;
    }
    into[CASH] = cash / MONEY_UNIT;
    into[LOW_CASH] = Math.min(cash, RESERVE) / RESERVE;
    into[RENT] = rent / RENT_UNIT;
    into[HELD] = state.held[player] > 0 ? 1 : 0;
  };

  const ring = (name: string, featureOf: (square: number) => number) => {
    const side = names.length / 4 + 1;
    const rows = Array.from({ length: side }, () => Array.from<number | undefined>({ length: side }));
    for (const square of squares) {
      const feature = featureOf(square);
      const { x, y } = spotOf(square, names.length);
      if (feature >= 0) rows[y]![x] = feature;
    }
    return { name, rows };
  };
  const ofGroup = (first: number) => (square: number) => {
    const at = streets.findIndex((group) => group.includes(square));
    return at < 0 ? -1 : first + at;
  };

  return {
    summary: "cash, property, houses, whole groups and expected rent, less the mean of the others",
    version: 1,
    size,
    maxActive: size,
    extract(state, player, index, value) {
      const lent = lendToBidder(state);
      for (let other = 0; other < players; other++) read(state, other, seen[other]);
      if (lent >= 0) state.owner[lent] = BANK;
      let end = 0;
      for (let feature = 0; feature < size; feature++) {
        let others = 0;
        for (let other = 0; other < players; other++) if (other !== player) others += seen[other][feature];
        const lead = seen[player][feature] - others / (players - 1);
        if (lead === 0) continue;
        index[end] = feature;
        value[end++] = lead;
      }
      return end;
    },
    describe(feature) {
      if (feature < PERSONAL.length) return PERSONAL[feature]!;
      if (feature < firstHouses) return `owns ${names[owned[feature - PERSONAL.length]!]!}`;
      if (feature < firstWhole) return `houses in group ${streetNames[feature - firstHouses]!} / 5`;
      return `whole group ${streetNames[feature - firstWhole]!}`;
    },
    grids: [
      ring("property", (square) => {
        const at = owned.indexOf(square);
        return at < 0 ? -1 : PERSONAL.length + at;
      }),
      ring("houses / 5", ofGroup(firstHouses)),
      ring("whole groups", ofGroup(firstWhole)),
    ],
  };
}
