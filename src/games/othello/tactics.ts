import { countBits, lowestBit } from "../../base/bits.ts";
import type { Tactics } from "../contract/tactics.ts";
import { SquareSet, squaresOf } from "../shared/square-set.ts";
import { flipsOf, movesOf } from "./moves.ts";
import { squareClasses } from "./squares.ts";
import { BLACK, PASS, type OthelloState } from "./state.ts";

const MOST = 255;
const REPLY_COST = 5;
const CORNER_WORTH = 8;

/** Judges a legal move of the player who has `own`: the more promising, the higher, from 0 to 255. */
export type MovePromise = (
  square: number,
  ownLow: number,
  ownHigh: number,
  otherLow: number,
  otherHigh: number,
) => number;

/**
 * Makes the function that judges moves: the fewer replies a move leaves to the other player, the more it promises (fastest
 * first). A reply in a corner counts twice; a move to a corner is worth more than one reply.
 */
export function createPromise(size: number): MovePromise {
  const board = squaresOf(size, size);
  const corners = squareClasses(size)[0]!;
  const found = new SquareSet();
  return (square, ownLow, ownHigh, otherLow, otherHigh) => {
    flipsOf(square, ownLow, ownHigh, otherLow, otherHigh, found);
    const discLow = square < 32 ? 1 << square : 0;
    const discHigh = square < 32 ? 0 : 1 << square;
    const mineLow = ownLow | found.low | discLow;
    const mineHigh = ownHigh | found.high | discHigh;
    const theirsLow = otherLow & ~found.low;
    const theirsHigh = otherHigh & ~found.high;
    movesOf(theirsLow, theirsHigh, mineLow, mineHigh, found);
    const low = found.low & board.low & ~(mineLow | theirsLow);
    const high = found.high & board.high & ~(mineHigh | theirsHigh);
    const replies =
      countBits(low) + countBits(high) + countBits(low & corners.low) + countBits(high & corners.high);
    const isCorner = ((discLow & corners.low) | (discHigh & corners.high)) !== 0;
    return Math.max(0, MOST - CORNER_WORTH - REPLY_COST * replies + (isCorner ? CORNER_WORTH : 0));
  };
}

/** Moves to corners are noisy. The moves that leave the other player the fewest come first. */
export function createTactics(size: number): Tactics<OthelloState> {
  const promise = createPromise(size);
  const corners = squareClasses(size)[0]!;
  return {
    summary: "corners; first what leaves the other player the fewest moves",
    isForced: () => false,
    noisyActions({ moves }, out, at) {
      let end = at;
      for (let rest = moves.low & corners.low; rest !== 0; rest &= rest - 1) out[end++] = lowestBit(rest);
      for (let rest = moves.high & corners.high; rest !== 0; rest &= rest - 1)
        out[end++] = 32 + lowestBit(rest);
      return end - at;
    },
    gain: () => 0,
    promises({ black, white, turn }, actions, at, end, out) {
      const own = turn === BLACK ? black : white;
      const other = turn === BLACK ? white : black;
      for (let index = at; index < end; index++) {
        const action = actions[index];
        out[index] = action === PASS ? 0 : promise(action, own.low, own.high, other.low, other.high);
      }
    },
  };
}
