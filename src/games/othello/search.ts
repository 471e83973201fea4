import { countBits, lowestBit } from "../../base/hashing.ts";
import type { Tactics, Finish } from "../contract/tactics.ts";
import { SquareSet, squaresOf } from "../shared/square-set.ts";
import { flipsOf, movesOf } from "./moves.ts";
import { BLACK } from "../shared/two-sets.ts";
import { squareClasses, PASS, type OthelloState } from "./state.ts";

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
function createPromise(size: number): MovePromise {
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

/** The most empty squares of a position that is searched here. With more, a search with a table is faster. */
const MOST_EMPTY = 9;

/** The fewest empty squares at which moves are sorted. With fewer they are tried by parity alone, which costs nothing. */
const LEAST_SORTED = 7;

/** The value of a player without a move; below all true values. */
const NO_MOVE = -1000;

/** The left and the right quarter of the board, in either word of a set. */
const LEFT = 0x0f0f0f0f;
const RIGHT = ~LEFT;

/** The squares of one word that lie in quarters with an odd number of them. */
function oddQuarters(word: number): number {
  const left = word & LEFT;
  const right = word & RIGHT;
  return ((countBits(left) & 1) === 0 ? 0 : left) | ((countBits(right) & 1) === 0 ? 0 : right);
}

/**
 * Searches the end of a game for discs, by fail-soft alpha-beta on sets of squares. With few empty squares it tries moves
 * by parity: first those in quarters of the board with an odd number of empty squares, so that the other player has to
 * begin the even ones. With more it tries those first that leave the other player the fewest moves (fastest first).
 */
export class LastSquares implements Finish<OthelloState> {
  nodes = 0;
  private readonly board: SquareSet;
  private readonly squares: number;
  private readonly promise: MovePromise;
  private readonly found = new SquareSet();
  /** The sorted moves of each position on the path, by its number of empty squares. */
  private readonly promises = new Int32Array((MOST_EMPTY + 1) * MOST_EMPTY);
  private readonly moves = new Int32Array((MOST_EMPTY + 1) * MOST_EMPTY);

  /** @param size rows and columns of the board */
  constructor(size: number) {
    this.board = squaresOf(size, size);
    this.squares = size * size;
    this.promise = createPromise(size);
  }

  isNear({ black, white }: OthelloState): boolean {
    return this.squares - black.count() - white.count() <= MOST_EMPTY;
  }

  value({ black, white, turn }: OthelloState, alpha: number, beta: number): number {
    const own = turn === BLACK ? black : white;
    const other = turn === BLACK ? white : black;
    const empty = this.squares - own.count() - other.count();
    this.nodes = 0;
    // Margins are whole numbers.
    return this.search(
      own.low,
      own.high,
      other.low,
      other.high,
      empty,
      Math.floor(alpha),
      Math.ceil(beta),
      false,
    );
  }

  /** The value of a position with `empty` empty squares for the player who has `own` and moves next. */
  private search(
    ownLow: number,
    ownHigh: number,
    otherLow: number,
    otherHigh: number,
    empty: number,
    alpha: number,
    beta: number,
    isPassed: boolean,
  ): number {
    this.nodes++;
    if (empty === 1) return this.last(ownLow, ownHigh, otherLow, otherHigh);
    const best =
      empty < LEAST_SORTED
        ? this.byParity(ownLow, ownHigh, otherLow, otherHigh, empty, alpha, beta)
        : this.fastestFirst(ownLow, ownHigh, otherLow, otherHigh, empty, alpha, beta);
    if (best > NO_MOVE) return best;
    if (isPassed) return this.margin(countBits(ownLow) + countBits(ownHigh), empty);
    return 0 - this.search(otherLow, otherHigh, ownLow, ownHigh, empty, 0 - beta, 0 - alpha, true);
  }

  private byParity(
    ownLow: number,
    ownHigh: number,
    otherLow: number,
    otherHigh: number,
    empty: number,
    alpha: number,
    beta: number,
  ): number {
    const emptyLow = this.board.low & ~(ownLow | otherLow);
    const emptyHigh = this.board.high & ~(ownHigh | otherHigh);
    let oddLow = oddQuarters(emptyLow);
    let oddHigh = oddQuarters(emptyHigh);
    let evenLow = emptyLow ^ oddLow;
    let evenHigh = emptyHigh ^ oddHigh;
    let best = NO_MOVE;
    let floor = alpha;
    for (let left = empty; left > 0; left--) {
      let square: number;
      if (oddLow !== 0) {
        square = lowestBit(oddLow);
        oddLow &= oddLow - 1;
      } else if (oddHigh !== 0) {
        square = 32 + lowestBit(oddHigh);
        oddHigh &= oddHigh - 1;
      } else if (evenLow !== 0) {
        square = lowestBit(evenLow);
        evenLow &= evenLow - 1;
      } else {
        square = 32 + lowestBit(evenHigh);
        evenHigh &= evenHigh - 1;
      }
      const value = this.play(square, ownLow, ownHigh, otherLow, otherHigh, empty, floor, beta);
      if (value <= best) continue;
      best = value;
      if (value >= beta) break;
      if (value > floor) floor = value;
    }
    return best;
  }

  private fastestFirst(
    ownLow: number,
    ownHigh: number,
    otherLow: number,
    otherHigh: number,
    empty: number,
    alpha: number,
    beta: number,
  ): number {
    const { board, found, promises, moves } = this;
    const at = empty * MOST_EMPTY;
    let end = at;
    movesOf(ownLow, ownHigh, otherLow, otherHigh, found);
    let restLow = found.low & board.low & ~(ownLow | otherLow);
    let restHigh = found.high & board.high & ~(ownHigh | otherHigh);
    while ((restLow | restHigh) !== 0) {
      let square: number;
      if (restLow !== 0) {
        square = lowestBit(restLow);
        restLow &= restLow - 1;
      } else {
        square = 32 + lowestBit(restHigh);
        restHigh &= restHigh - 1;
      }
      const promise = this.promise(square, ownLow, ownHigh, otherLow, otherHigh);
      let index = end++;
      for (; index > at && promises[index - 1] < promise; index--) {
        promises[index] = promises[index - 1];
        moves[index] = moves[index - 1];
      }
      promises[index] = promise;
      moves[index] = square;
    }
    let best = NO_MOVE;
    let floor = alpha;
    for (let index = at; index < end; index++) {
      const value = this.play(moves[index], ownLow, ownHigh, otherLow, otherHigh, empty, floor, beta);
      if (value <= best) continue;
      best = value;
      if (value >= beta) break;
      if (value > floor) floor = value;
    }
    return best;
  }

  /** The value of playing on an empty square; NO_MOVE if that turns nothing. */
  private play(
    square: number,
    ownLow: number,
    ownHigh: number,
    otherLow: number,
    otherHigh: number,
    empty: number,
    alpha: number,
    beta: number,
  ): number {
    const { found } = this;
    if (((BESIDE_LOW[square] & otherLow) | (BESIDE_HIGH[square] & otherHigh)) === 0) return NO_MOVE;
    flipsOf(square, ownLow, ownHigh, otherLow, otherHigh, found);
    const { low, high } = found;
    if ((low | high) === 0) return NO_MOVE;
    const discLow = square < 32 ? 1 << square : 0;
    const discHigh = square < 32 ? 0 : 1 << square;
    return (
      0 -
      this.search(
        otherLow ^ low,
        otherHigh ^ high,
        ownLow | low | discLow,
        ownHigh | high | discHigh,
        empty - 1,
        0 - beta,
        0 - alpha,
        false,
      )
    );
  }

  /** The value with one empty square left. */
  private last(ownLow: number, ownHigh: number, otherLow: number, otherHigh: number): number {
    const { board, found } = this;
    const emptyLow = board.low & ~(ownLow | otherLow);
    const square = emptyLow === 0 ? 32 + lowestBit(board.high & ~(ownHigh | otherHigh)) : lowestBit(emptyLow);
    const own = countBits(ownLow) + countBits(ownHigh);
    flipsOf(square, ownLow, ownHigh, otherLow, otherHigh, found);
    const won = countBits(found.low) + countBits(found.high);
    if (won > 0) return this.margin(own + won + 1, 0);
    flipsOf(square, otherLow, otherHigh, ownLow, ownHigh, found);
    const lost = countBits(found.low) + countBits(found.high);
    return lost > 0 ? this.margin(own - lost, 0) : this.margin(own, 1);
  }

  /** The margin of a finished game for a player with `own` discs; the empty squares go to the winner. */
  private margin(own: number, empty: number): number {
    const lead = 2 * own + empty - this.squares;
    return lead > 0 ? lead + empty : lead < 0 ? lead - empty : 0;
  }
}

/** By square: its neighbours. */
const BESIDE_LOW = new Int32Array(64);
const BESIDE_HIGH = new Int32Array(64);

for (let square = 0; square < 64; square++) {
  for (let other = 0; other < 64; other++) {
    const rows = Math.abs((other >> 3) - (square >> 3));
    const columns = Math.abs((other & 7) - (square & 7));
    if (Math.max(rows, columns) === 1) (other < 32 ? BESIDE_LOW : BESIDE_HIGH)[square] |= 1 << other;
  }
}
