import { type NimState, MAX_PILES, COUNT_MASK } from "./state.ts";
import {
  type ExactValues,
  type FeatureSet,
  takeBest,
  type Heuristic,
  type PolicyFamily,
} from "../contract/facets.ts";

const BITS = 8;
/** Nim-sums from here on share a feature. */
const LARGE_SUM = 16;

const SUMS = BITS;
const SINGLES = SUMS + LARGE_SUM + 1;
const PILES = SINGLES + 2;
const TURN = PILES + MAX_PILES;
const BLOCK = TURN + 1;
const MAX_ACTIVE = BITS + 3;

/**
 * `parity`, four kinds of features: each binary digit that an odd number of piles has; the nim-sum while some pile has more
 * than one counter, otherwise the parity of the number of piles left; the number of piles left; the turn. With two players
 * the values are +1 for the player to move and -1 for the other. With more players they are +1, in a block of features for
 * the player's distance from the player to move.
 */
export function parityFeatures(players: number): FeatureSet<NimState> {
  const blocks = players === 2 ? 1 : players;
  return {
    summary: "binary digits that an odd number of piles has, nim-sum, piles left, turn",
    version: 1,
    size: blocks * BLOCK,
    maxActive: MAX_ACTIVE,
    extract(state, player, index, value) {
      const distance = player < state.turn ? player - state.turn + players : player - state.turn;
      const worth = players === 2 && distance === 1 ? -1 : 1;
      const base = players === 2 ? 0 : distance * BLOCK;
      let end = 0;
      const sum = nimSum(state);
      for (let bit = 0; bit < BITS; bit++) if (((sum >> bit) & 1) === 1) index[end++] = base + bit;
      const ones = singles(state);
      index[end++] = base + (ones < 0 ? SUMS + Math.min(sum, LARGE_SUM) : SINGLES + (ones & 1));
      let left = 0;
      for (let pile = 0; pile < state.piles.length; pile++) if (state.piles[pile] !== 0) left++;
      if (left > 0) index[end++] = base + PILES + left - 1;
      index[end++] = base + TURN;
      value.fill(worth, 0, end);
      return end;
    },
    describe(index) {
      const distance = Math.floor(index / BLOCK);
      const whose = players === 2 ? "" : `, ${distance} turns before one's own`;
      return describeOne(index % BLOCK) + whose;
    },
  };
}

function describeOne(feature: number): string {
  if (feature < SUMS) return `an odd number of piles has the digit ${1 << feature}`;
  if (feature < SINGLES) {
    const sum = feature - SUMS;
    return `nim-sum ${sum}${sum === LARGE_SUM ? " or more" : ""}, some pile above one`;
  }
  if (feature < PILES) return `no pile above one, ${feature === SINGLES ? "even" : "odd"} number of piles`;
  if (feature < TURN) return `piles left: ${feature - PILES + 1}`;
  return "to move";
}

/** The exclusive or of the piles: Bouton's nim-sum. */
function nimSum({ piles }: NimState): number {
  let sum = 0;
  for (let pile = 0; pile < piles.length; pile++) sum ^= piles[pile];
  return sum;
}

/** The number of piles of one counter when no pile has more, else -1. */
function singles({ piles, left }: NimState): number {
  let count = 0;
  for (let pile = 0; pile < piles.length; pile++) if (piles[pile] !== 0) count++;
  return count === left ? count : -1;
}

/**
 * True if the player to move wins between two perfect players (Bouton, "Nim, a game with a complete mathematical theory",
 * 1902). In normal nim the mover wins if the nim-sum is not 0. So it is in misere nim while some pile has more than one
 * counter; after that, the mover wins if the number of piles left is even.
 */
function moverWins(state: NimState): boolean {
  const ones = state.misere ? singles(state) : -1;
  return ones < 0 ? nimSum(state) !== 0 : (ones & 1) === 0;
}

/** A proven value that still lies strictly between the returns. */
const NEARLY = 0.999;

/** The value of perfect play for two players; 0 for more players, whom Bouton's rule does not cover. */
export const exact: Heuristic<NimState> = {
  summary: "two players: who wins by Bouton's rule (1902), normal and misere; more players: 0",
  evaluate(state, player) {
    if (state.players > 2) return 0;
    return moverWins(state) === (player === state.turn) ? NEARLY : 0 - NEARLY;
  },
};

/** Two-player nim by Bouton's rule, normal and misere, for games of at most `counters` counters. */
export function perfect(counters: number): PolicyFamily<NimState> {
  return {
    summary: "wins what can be won, by Bouton's rule (1902); takes one counter where nothing can",
    create: () =>
      takeBest(counters, (state, action) => {
        state.apply(action);
        const wins = !moverWins(state);
        state.undo();
        if (wins) return 2;
        return (action & COUNT_MASK) === 1 ? 1 : 0;
      }),
  };
}

/** Solves two-player nim. */
export const solved: ExactValues<NimState> = {
  value: (state, player) => (moverWins(state) === (player === state.turn) ? 1 : -1),
};
