import { countBits } from "../../../base/bits.ts";
import type { ConnectFourState } from "../state.ts";
import {
  completingHigh,
  completingLow,
  hasFour,
  hasTwo,
  MAX_COLUMNS,
  mirroredHigh,
  mirroredLow,
} from "./cells.ts";
import { Path, SolverBoard } from "./position.ts";

/** 32 MiB; with eight stones or more on the board, fewer entries cost time, more hardly save any. */
const TABLE_BITS = 22;
/**
 * Scores are stored with these numbers added: then no stored number is 0, and upper bounds are smaller
 * than lower bounds.
 */
const UPPER = 64;
const LOWER = 192;
const FIRST_LOWER = 128;
/**
 * With fewer empty cells than this, the positions after the moves are not looked up in the table before
 * the search.
 */
const LEAST_STORED = 5;
/** With fewer empty cells the positions a move leads to are not looked up before they are searched. */
const LEAST_FORESEEN = 16;
/** With fewer empty cells a position rarely meets its mirror image. */
const LEAST_MIRRORED = 22;
/** With more empty cells anybody can still win. */
const MOST_HOPELESS = 18;

const MOVES_BITS = 3;
const PLACE_BITS = 9;
const PLACE_MASK = (1 << PLACE_BITS) - 1;

/**
 * Solves connect four on boards up to seven by six. The score of a position says how soon the player to
 * move wins: 1 with the last stone of its own that the board has room for, 2 with the one before, and so
 * on. It is negative when the other player wins, 0 for a draw.
 *
 * Alpha-beta with null windows on two-word boards, after Pons, "Solving Connect 4: how to build a perfect
 * AI" (2015). Moves that let the other player win at once are left out, moves that make more threats come
 * first, and a table keeps bounds. The bounds are true of the positions, so later calls use them too.
 */
export class ConnectFourSolver {
  /** Positions looked at so far. */
  nodes = 0;
  private readonly board: SolverBoard;
  private readonly path: Path;
  private readonly bounds: Bounds;
  /** The moves of the positions on the path, eight places for each: cells, and threats once played. */
  private readonly moveLow: Int32Array;
  private readonly moveHigh: Int32Array;
  private readonly threatLow: Int32Array;
  private readonly threatHigh: Int32Array;
  /** Their places, those with more threats first: number of threats, then place. */
  private readonly order: Int32Array;

  /** @param tableBits the table has 2 ** tableBits entries of eight bytes; 27 at most */
  constructor(width: number, height: number, tableBits: number = TABLE_BITS) {
    this.board = new SolverBoard(width, height);
    this.bounds = new Bounds(tableBits, width === MAX_COLUMNS ? LEAST_MIRRORED : Infinity);
    this.path = new Path(this.board);
    const places = (this.board.cells + 1) << MOVES_BITS;
    this.moveLow = new Int32Array(places);
    this.moveHigh = new Int32Array(places);
    this.threatLow = new Int32Array(places);
    this.threatHigh = new Int32Array(places);
    this.order = new Int32Array(places);
  }

  /** The score of a position that is not over. */
  solve(state: ConnectFourState): number {
    const { stones } = state;
    this.path.place(state);
    if (this.path.winsNow(stones)) return this.winAfter(stones + 1);
    let least = 0 - this.winAfter(stones + 2);
    let most = this.winAfter(stones + 3);
    while (least < most) {
      const middle = between(least, most);
      const score = this.search(stones, middle);
      if (score > middle) least = score;
      else most = score;
    }
    return least;
  }

  /** Whether the score of a position that is not over is `bound` or less. */
  isAtMost(state: ConnectFourState, bound: number): boolean {
    const { stones } = state;
    this.path.place(state);
    if (this.path.winsNow(stones)) return this.winAfter(stones + 1) <= bound;
    return this.search(stones, bound) <= bound;
  }

  /** The score of who wins with the stone that makes so many. */
  winAfter(stones: number): number {
    return (this.board.cells + 2 - stones) >> 1;
  }

  /**
   * Whether the score of the position at path[stones], whose player cannot win at once, is above
   * `floor`: a result above it is a lower bound of the score, any other an upper bound.
   */
  private search(given: number, givenFloor: number): number {
    const { board, bounds, path, moveLow, moveHigh, threatLow, threatHigh, order } = this;
    const { cells } = board;
    let stones = given;
    let floor = givenFloor;
    let ownLow = path.ownLow[stones];
    let ownHigh = path.ownHigh[stones];
    let allLow = path.allLow[stones];
    let allHigh = path.allHigh[stones];
    let dangerLow = path.dangerLow[stones];
    let dangerHigh = path.dangerHigh[stones];
    let openLow = 0;
    let openHigh = 0;

    // Where there is one move, it is made at once; the sign says whose scores are spoken of.
    let sign = 1;
    for (;;) {
      this.nodes++;
      const lost = 0 - ((cells - stones) >> 1);
      openLow = (allLow + board.bottomLow) & board.low;
      openHigh = (allHigh + board.bottomHigh) & board.high;
      const forcedLow = openLow & dangerLow;
      const forcedHigh = openHigh & dangerHigh;
      if ((forcedLow | forcedHigh) !== 0) {
        if (hasTwo(forcedLow, forcedHigh)) return signed(sign, lost);
        openLow = forcedLow;
        openHigh = forcedHigh;
      }
      // A stone below a cell that the other needs lets it win.
      openLow &= ~(dangerLow >>> 1);
      openHigh &= ~(dangerHigh >>> 1);
      if ((openLow | openHigh) === 0) return signed(sign, lost);
      if (stones >= cells - 2) return 0;
      // The other cannot win with its next stone, nor the player to move with this one.
      const least = lost + 1;
      if (least > floor) return signed(sign, least);
      const most = (cells - 1 - stones) >> 1;
      if (most <= floor) return signed(sign, most);
      if (hasTwo(openLow, openHigh)) break;

      const nextLow = ownLow | openLow;
      const nextHigh = ownHigh | openHigh;
      ownLow ^= allLow;
      ownHigh ^= allHigh;
      allLow |= openLow;
      allHigh |= openHigh;
      dangerLow = completingLow(nextLow, nextHigh) & (board.low ^ allLow);
      dangerHigh = completingHigh(nextLow, nextHigh) & (board.high ^ allHigh);
      stones++;
      sign = 0 - sign;
      floor = -1 - floor;
    }

    const emptyLow = board.low ^ allLow;
    const emptyHigh = board.high ^ allHigh;
    const left = cells - stones;
    if (floor >= 0 && left <= MOST_HOPELESS && !hasFour(ownLow | emptyLow, ownHigh | emptyHigh)) return 0;

    // In a column the sum of both words' bits tells who has which cell, and how high it is filled.
    const keyLow = ownLow + allLow;
    const keyHigh = ownHigh + allHigh;
    if (left >= LEAST_STORED) {
      const known = bounds.find(keyLow, keyHigh, left);
      if (known > FIRST_LOWER) {
        if (known - LOWER > floor) return signed(sign, known - LOWER);
      } else if (known !== 0 && known - UPPER <= floor) {
        return signed(sign, known - UPPER);
      }
    }

    const otherLow = allLow ^ ownLow;
    const otherHigh = allHigh ^ ownHigh;
    const from = stones << MOVES_BITS;
    let end = from;
    for (let column = 0; column < board.columnsLow.length; column++) {
      const low = openLow & board.columnsLow[column];
      const high = openHigh & board.columnsHigh[column];
      if ((low | high) === 0) continue;
      if (left >= LEAST_FORESEEN) {
        const known = bounds.find(otherLow + (allLow | low), otherHigh + (allHigh | high), left - 1);
        // At most so much for the other.
        if (known !== 0 && known < FIRST_LOWER && UPPER - known > floor) return signed(sign, UPPER - known);
      }
      const threatsLow = completingLow(ownLow | low, ownHigh | high) & (emptyLow ^ low);
      const threatsHigh = completingHigh(ownLow | low, ownHigh | high) & (emptyHigh ^ high);
      moveLow[end] = low;
      moveHigh[end] = high;
      threatLow[end] = threatsLow;
      threatHigh[end] = threatsHigh;
      const worth = (countBits(threatsLow) + countBits(threatsHigh)) << PLACE_BITS;
      let at = end;
      for (; at > from && order[at - 1] < worth; at--) order[at] = order[at - 1];
      order[at] = worth | end++;
    }

    const next = stones + 1;
    let best = 0 - cells;
    for (let at = from; at < end; at++) {
      const place = order[at] & PLACE_MASK;
      path.ownLow[next] = otherLow;
      path.ownHigh[next] = otherHigh;
      path.allLow[next] = allLow | moveLow[place];
      path.allHigh[next] = allHigh | moveHigh[place];
      path.dangerLow[next] = threatLow[place];
      path.dangerHigh[next] = threatHigh[place];
      const score = 0 - this.search(next, -1 - floor);
      if (score > floor) {
        if (left >= LEAST_STORED) bounds.store(keyLow, keyHigh, left, score + LOWER);
        return signed(sign, score);
      }
      if (score > best) best = score;
    }
    if (left >= LEAST_STORED) bounds.store(keyLow, keyHigh, left, best + UPPER);
    return signed(sign, best);
  }
}

/** Which score to ask for next: great ones first, as near ends of the game are found soon. */
function between(least: number, most: number): number {
  if (least >= 0 || most <= 0) return (least + most) >> 1;
  return Math.trunc((0 - least >= most ? least : most) / 2);
}

/** The score for who is meant, never -0. */
function signed(sign: number, score: number): number {
  return sign < 0 ? 0 - score : score;
}

/**
 * A table of bytes by position. An entry has two words: the low word of the key, then the high word and
 * the byte. Keys are exact. A new entry replaces the old one in its slot. Mirror images share an entry
 * while the board has room.
 */
class Bounds {
  private readonly entries: Int32Array;
  private readonly shift: number;
  private readonly leastMirrored: number;

  /**
   * @param bits the binary logarithm of the number of entries
   * @param leastMirrored the number of empty cells from which on mirror images share an entry
   */
  constructor(bits: number, leastMirrored: number) {
    this.entries = new Int32Array(2 << bits);
    this.shift = 32 - bits;
    this.leastMirrored = leastMirrored;
  }

  /** The byte of a position with `left` empty cells, or 0. */
  find(low: number, high: number, left: number): number {
    if (left >= this.leastMirrored && isMirrored(low, high))
      return this.read(mirroredLow(low, high), mirroredHigh(low));
    return this.read(low, high);
  }

  /** Stores a byte that is not 0; `high` has 24 bits at most. */
  store(low: number, high: number, left: number, byte: number): void {
    if (left >= this.leastMirrored && isMirrored(low, high))
      this.write(mirroredLow(low, high), mirroredHigh(low), byte);
    else this.write(low, high, byte);
  }

  private read(low: number, high: number): number {
    const { entries } = this;
    const at = this.slot(low, high);
    const word = entries[at + 1];
    return entries[at] === low && word >>> 8 === high ? word & 0xff : 0;
  }

  private write(low: number, high: number, byte: number): void {
    const at = this.slot(low, high);
    this.entries[at] = low;
    this.entries[at + 1] = (high << 8) | byte;
  }

  private slot(low: number, high: number): number {
    return (Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1) >>> this.shift) << 1;
  }
}

/** Whether the mirror image of a key stands for both. */
function isMirrored(low: number, high: number): boolean {
  const otherLow = mirroredLow(low, high);
  return otherLow < low || (otherLow === low && mirroredHigh(low) < high);
}
