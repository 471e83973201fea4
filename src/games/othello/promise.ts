import { countBits } from "../../base/bits.ts";
import { SquareSet, squaresOf } from "../../game/square-set.ts";
import { flipsOf, movesOf } from "./moves.ts";
import { squareClasses } from "./squares.ts";

const MOST = 255;
const REPLY_COST = 5;
const CORNER_WORTH = 8;

/** How promising a legal move looks to the player who has `own`, from 0 to 255. */
export type MovePromise = (
  square: number,
  ownLow: number,
  ownHigh: number,
  otherLow: number,
  otherHigh: number,
) => number;

/**
 * A move promises the more, the fewer replies it leaves to the other player (fastest first). A reply in
 * a corner counts twice; a move to a corner is worth more than one reply.
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
