import { type NimState, MAX_PILES } from "./state.ts";
import type { FeatureSet } from "../contract/facets.ts";
import { nimSum, singles } from "./theory.ts";

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
