import { BAR, PLACES, type Position } from "./position.ts";

const POINTS = (2 << 24) - 2;
/** Bits of what `countShots` returns that hold the number of rolls. */
const ROLL_BITS = 6;
const ROLL_MASK = (1 << ROLL_BITS) - 1;

/**
 * The rolls, of 36, with which `player` could hit a blot if it were to roll: with one die, with both,
 * with up to four steps of equal dice, over open points, with men on the bar moving first. The rule that
 * a player must play both dice if possible is ignored. Returns two numbers in one; see `rollsOf`.
 */
export function countShots(position: Position, player: number): number {
  const targets = position.blots[1 - player] & POINTS;
  if (targets === 0) return 0;
  const open = ~position.made[1 - player];
  const onBar = position.men[player * PLACES + BAR];
  const men = position.occupied[player] & POINTS;
  let shots = 0;
  for (let large = 1; large <= 6; large++) {
    for (let small = 1; small < large; small++) {
      const hit = targets & reach(men, onBar, open, large, small);
      if (hit !== 0) shots += 2 + ((2 * highest(hit)) << ROLL_BITS);
    }
    const hit = targets & reachByFour(men, onBar, open, large);
    if (hit !== 0) shots += 1 + (highest(hit) << ROLL_BITS);
  }
  return shots;
}

/** How many of the 36 rolls hit. */
export function rollsOf(shots: number): number {
  return shots & ROLL_MASK;
}

/**
 * What the other player loses by those rolls: the pips that the man who is hit has already moved (of
 * several men, the one who has moved farthest), summed over the rolls.
 */
export function pipsOf(shots: number): number {
  return shots >>> ROLL_BITS;
}

/** The points that unequal dice reach. */
function reach(men: number, onBar: number, open: number, large: number, small: number): number {
  if (onBar === 0) {
    const byLarge = (men >>> large) & open;
    const bySmall = (men >>> small) & open;
    return byLarge | bySmall | (byLarge >>> small) | (bySmall >>> large);
  }
  const enterLarge = (1 << (BAR - large)) & open;
  const enterSmall = (1 << (BAR - small)) & open;
  let reached = enterLarge | enterSmall;
  if (onBar > 1) return reached;
  if (enterLarge !== 0) reached |= (men | enterLarge) >>> small;
  if (enterSmall !== 0) reached |= (men | enterSmall) >>> large;
  return reached;
}

/** The points that four equal dice reach. */
function reachByFour(men: number, onBar: number, open: number, die: number): number {
  let at = men;
  let reached = 0;
  let left = 4;
  if (onBar > 0) {
    const entered = (1 << (BAR - die)) & open;
    if (entered === 0) return 0;
    reached = entered;
    at |= entered;
    left -= onBar;
  }
  for (; left > 0; left--) {
    at = (at >>> die) & open;
    reached |= at;
  }
  return reached;
}

function highest(bits: number): number {
  return 31 - Math.clz32(bits);
}
