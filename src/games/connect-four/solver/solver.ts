import { countBits } from "../../../base/hashing.ts";
import type { ConnectFourState } from "../state.ts";
import {
  completingHigh,
  completingLow,
  hasFour,
  hasTwo,
  MAX_COLUMNS,
  mirroredHigh,
  mirroredLow,
  Path,
  SolverBoard,
} from "./position.ts";

/** The usual table takes 32 MiB. With eight stones or more on the board, a smaller one costs time, a larger one hardly saves any. */
const TABLE_BITS = 22;
/**
 * Numbers that are added to stored scores: so no stored number is 0, and upper bounds are smaller than lower bounds.
 */
const UPPER = 64;
const LOWER = 192;
const FIRST_LOWER = 128;
/** The fewest empty cells of positions in the table. */
const LEAST_STORED = 5;
/** The fewest empty cells at which the positions after the moves are looked up before any of them is searched. */
const LEAST_FORESEEN = 16;
/** The fewest empty cells at which a position and its mirror image share an entry. With fewer they rarely both occur. */
const LEAST_MIRRORED = 22;
/** The most empty cells at which a player may have no four left to fill. */
const MOST_HOPELESS = 18;

const MOVES_BITS = 3;
const PLACE_BITS = 9;
const PLACE_MASK = (1 << PLACE_BITS) - 1;

/**
 * Solves connect four on boards up to seven by six. The score of a position says how soon the player to
 * move wins: 1 with its last stone that the board has room for, 2 with the one before, and so on. It is negative if the
 * other player wins, and 0 for a draw.
 *
 * Alpha-beta with null windows on two-word boards, after Pons, "Solving Connect 4: how to build a perfect
 * AI" (2015). Moves that let the other player win at once are left out, moves that make more threats come
 * first, and a table keeps bounds. The bounds are true of the positions, so later calls use them too.
 */
export class ConnectFourSolver {
  /** Positions visited so far. */
  nodes = 0;
  private readonly board: SolverBoard;
  private readonly path: Path;
  private readonly bounds: Bounds;
  /** The moves of the positions on the path, eight places for each: the cell, and the threats after the move. */
  private readonly moveLow: Int32Array;
  private readonly moveHigh: Int32Array;
  private readonly threatLow: Int32Array;
  private readonly threatHigh: Int32Array;
  /** The places of the moves, more threats first: the number of threats, then the place in PLACE_BITS bits. */
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

  /** True if the score of a position that is not over is `bound` or less. */
  isAtMost(state: ConnectFourState, bound: number): boolean {
    const { stones } = state;
    this.path.place(state);
    if (this.path.winsNow(stones)) return this.winAfter(stones + 1) <= bound;
    return this.search(stones, bound) <= bound;
  }

  /** The score of a player whose winning stone is number `stones` on the board. */
  winAfter(stones: number): number {
    return (this.board.cells + 2 - stones) >> 1;
  }

  /**
   * Tells whether the score of the position at path[stones], whose player cannot win at once, is above
   * `floor`. A result above `floor` is a lower bound of the score, any other result an upper bound.
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

    // A single move is played at once. The sign is -1 where scores are those of the other player.
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
      // A stone below a cell that the other player needs lets that player win.
      openLow &= ~(dangerLow >>> 1);
      openHigh &= ~(dangerHigh >>> 1);
      if ((openLow | openHigh) === 0) return signed(sign, lost);
      if (stones >= cells - 2) return 0;
      // Neither the player to move nor the other player can win with the next stone.
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

    // In each column, the sum of both sets tells the owners of the cells and the height.
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
        // An upper bound for the other player is a lower bound here.
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

/** The bound of the next search: far from 0 first, because near ends of the game are found fast. */
function between(least: number, most: number): number {
  if (least >= 0 || most <= 0) return (least + most) >> 1;
  return Math.trunc((0 - least >= most ? least : most) / 2);
}

/** The score with its sign, never -0. */
function signed(sign: number, score: number): number {
  return sign < 0 ? 0 - score : score;
}

/**
 * A table of bytes by position. An entry has two words: the low word of the key, then the high word and
 * the byte. Keys are exact. A new entry replaces the old one in its slot. Mirror images share an entry
 * as long as many cells are empty.
 */
class Bounds {
  private readonly entries: Int32Array;
  private readonly shift: number;
  private readonly leastMirrored: number;

  /**
   * @param bits the binary logarithm of the number of entries
   * @param leastMirrored the fewest empty cells at which mirror images share an entry
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

/** True if the mirror image of a key, not the key itself, has the entry of both. */
function isMirrored(low: number, high: number): boolean {
  const otherLow = mirroredLow(low, high);
  return otherLow < low || (otherLow === low && mirroredHigh(low) < high);
}
