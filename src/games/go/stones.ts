import { zobristTable } from "../../base/hashing.ts";
import { boardOf, EDGE, EMPTY, MAX_SIZE, ROWS, WHITE, type GoBoard } from "./board.ts";

const MAX_POINTS = boardOf(MAX_SIZE).points;
/** A pair of words for each colour on each point. */
const WORDS = zobristTable("go/stones", 2 * 2 * MAX_POINTS);

/** Where the words about a stone begin in `trail`: what its point held before, ... */
const OLD_CHAIN = 0;
const OLD_NEXT = 1;
const OLD_LIBERTIES = 2;
/** ... how many chains it joined and captured, whether it died itself, ... */
const JOINED = 3;
const CAPTURED = 4;
const SUICIDE = 5;
/** ... and the heads of those chains. */
const JOINED_HEADS = 6;
const CAPTURED_HEADS = 10;
/** Points beside a point at most, and so of its stones' pseudo-liberties there. */
const SIDES = 4;
/** The colour of no point. */
const NOBODY = -1;

/** Words about a stone in `trail`. */
export const TRAIL = 14;

/**
 * Stones on a board, in chains. A chain is a ring of points: `next` leads from each stone to the next
 * one. One of its points is its head, and `chain` has the head of each stone. The pseudo-liberties of a
 * chain, `liberties[head]`, are the number of pairs of a stone and an empty point beside it. The number
 * is 0 exactly if the chain has no liberty. A chain that touches a point k times has no liberty elsewhere
 * exactly if the number is k.
 *
 * At an empty point the arrays keep what they held for the last stone there. So a captured chain comes
 * back if its ring is put on the board again.
 */
export class Stones {
  /** Zobrist hash of the stones alone. */
  keyLow = 0;
  keyHigh = 0;
  readonly size: number;
  readonly board: GoBoard;
  /** From a point to the one north of it. */
  readonly width: number;
  /** BLACK, WHITE, EMPTY or EDGE, by point. */
  readonly colour: Int16Array;
  readonly chain: Int16Array;
  readonly next: Int16Array;
  readonly liberties: Int16Array;
  /** The points of each colour, EMPTY too: row r, from 1, at [colour * ROWS + r], bit c for column c. */
  readonly rows = new Int32Array(3 * ROWS);
  /** What `lift` needs to know of each `put`; the one at `trailAt` is to be written next. */
  protected readonly trail: Int16Array;
  protected trailAt = 0;
  /** The four arrays by point, in one. */
  private readonly cells: Int16Array;
  private readonly rowOf: Int16Array;
  private readonly bitOf: Int32Array;

  /** @param maxStones the most stones that are put, one after the other, without being lifted */
  constructor(size: number, maxStones: number) {
    this.size = size;
    this.board = boardOf(size);
    const { points, pointOf, rowOf, bitOf, width } = this.board;
    this.width = width;
    this.rowOf = rowOf;
    this.bitOf = bitOf;
    this.cells = new Int16Array(4 * points);
    this.colour = this.cells.subarray(0, points).fill(EDGE);
    this.chain = this.cells.subarray(points, 2 * points);
    this.next = this.cells.subarray(2 * points, 3 * points);
    this.liberties = this.cells.subarray(3 * points);
    this.trail = new Int16Array((maxStones + 1) * TRAIL);
    for (const point of pointOf) this.colour[point] = EMPTY;
    this.rows.fill((1 << size) - 1, EMPTY * ROWS + 1, EMPTY * ROWS + 1 + size);
  }

  copyStones(other: Stones): void {
    this.keyLow = other.keyLow;
    this.keyHigh = other.keyHigh;
    this.cells.set(other.cells);
    this.rows.set(other.rows);
  }

  /** Puts a stone on an empty point and takes off what has no liberty then: the others' stones, or its own chain. */
  put(point: number, player: number): void {
    const { colour, chain, next, liberties, trail, trailAt, width } = this;
    const south = point - width;
    const west = point - 1;
    const east = point + 1;
    const north = point + width;
    trail[trailAt + OLD_CHAIN] = chain[point];
    trail[trailAt + OLD_NEXT] = next[point];
    trail[trailAt + OLD_LIBERTIES] = liberties[point];
    trail[trailAt + JOINED] = 0;
    trail[trailAt + CAPTURED] = 0;
    trail[trailAt + SUICIDE] = 0;
    colour[point] = player;
    chain[point] = point;
    next[point] = point;
    liberties[point] =
      ((colour[south] >> 1) & 1) +
      ((colour[west] >> 1) & 1) +
      ((colour[east] >> 1) & 1) +
      ((colour[north] >> 1) & 1);
    this.toggle(point, player);
    this.toggleKey(point, player);
    if (colour[south] <= WHITE) liberties[chain[south]]!--;
    if (colour[west] <= WHITE) liberties[chain[west]]!--;
    if (colour[east] <= WHITE) liberties[chain[east]]!--;
    if (colour[north] <= WHITE) liberties[chain[north]]!--;
    if (colour[south] === player) this.join(chain[point], chain[south]);
    if (colour[west] === player) this.join(chain[point], chain[west]);
    if (colour[east] === player) this.join(chain[point], chain[east]);
    if (colour[north] === player) this.join(chain[point], chain[north]);
    const other = 1 - player;
    if (colour[south] === other && liberties[chain[south]] === 0) this.capture(chain[south], other);
    if (colour[west] === other && liberties[chain[west]] === 0) this.capture(chain[west], other);
    if (colour[east] === other && liberties[chain[east]] === 0) this.capture(chain[east], other);
    if (colour[north] === other && liberties[chain[north]] === 0) this.capture(chain[north], other);
    if (liberties[chain[point]] === 0) {
      trail[trailAt + SUICIDE] = 1;
      this.remove(chain[point], player);
    }
  }

  /**
   * Takes back the `put` that `trailAt` points at. It leaves the key as it is: the caller knows the old
   * key.
   */
  protected lift(point: number, player: number): void {
    const { colour, chain, liberties, trail, trailAt, width } = this;
    if (trail[trailAt + SUICIDE] === 1) this.restore(chain[point], player);
    for (let left = trail[trailAt + CAPTURED]; left > 0; left--)
      this.restore(trail[trailAt + CAPTURED_HEADS + left - 1], 1 - player);
    for (let left = trail[trailAt + JOINED]; left > 0; left--)
      this.split(trail[trailAt + JOINED_HEADS + left - 1]);
    const south = point - width;
    const west = point - 1;
    const east = point + 1;
    const north = point + width;
    if (colour[south] <= WHITE) liberties[chain[south]]!++;
    if (colour[west] <= WHITE) liberties[chain[west]]!++;
    if (colour[east] <= WHITE) liberties[chain[east]]!++;
    if (colour[north] <= WHITE) liberties[chain[north]]!++;
    colour[point] = EMPTY;
    this.toggle(point, player);
    chain[point] = trail[trailAt + OLD_CHAIN];
    this.next[point] = trail[trailAt + OLD_NEXT];
    liberties[point] = trail[trailAt + OLD_LIBERTIES];
  }

  /** Whether the last `put` captured one stone with a stone that stands alone, with the place of that stone its only liberty. */
  protected takesKo(point: number): boolean {
    const { trail, trailAt, next } = this;
    if (trail[trailAt + CAPTURED] !== 1 || trail[trailAt + JOINED] !== 0) return false;
    const head = trail[trailAt + CAPTURED_HEADS];
    return next[head] === head && this.liberties[point] === 1;
  }

  /** The head of the first chain that the last `put` captured. */
  protected get lastCaptured(): number {
    return this.trail[this.trailAt + CAPTURED_HEADS];
  }

  /** Whether a point beside that one is of a colour. */
  isBeside(point: number, colour: number): boolean {
    const { colour: found, width } = this;
    return (
      found[point - width] === colour ||
      found[point - 1] === colour ||
      found[point + 1] === colour ||
      found[point + width] === colour
    );
  }

  /** Whether a stone on an empty point would capture something. */
  captures(point: number, player: number): boolean {
    return this.findBeside(point, 1 - player, NOBODY);
  }

  /** Whether it would capture something, or join a chain with a liberty elsewhere. */
  livesBeside(point: number, player: number): boolean {
    const { colour, chain, liberties, width } = this;
    return (
      (colour[point - width] === player && liberties[chain[point - width]] > SIDES) ||
      (colour[point - 1] === player && liberties[chain[point - 1]] > SIDES) ||
      (colour[point + 1] === player && liberties[chain[point + 1]] > SIDES) ||
      (colour[point + width] === player && liberties[chain[point + width]] > SIDES) ||
      this.findBeside(point, 1 - player, player)
    );
  }

  /** Whether beside an empty point there is a chain of `taken` without a liberty elsewhere, or one of `living` with one. */
  private findBeside(point: number, taken: number, living: number): boolean {
    const { colour, chain, liberties, width } = this;
    const south = chain[point - width];
    const west = chain[point - 1];
    const east = chain[point + 1];
    const north = chain[point + width];
    liberties[south]!--;
    liberties[west]!--;
    liberties[east]!--;
    liberties[north]!--;
    const found =
      colour[point - width] === (liberties[south] === 0 ? taken : living) ||
      colour[point - 1] === (liberties[west] === 0 ? taken : living) ||
      colour[point + 1] === (liberties[east] === 0 ? taken : living) ||
      colour[point + width] === (liberties[north] === 0 ? taken : living);
    liberties[south]!++;
    liberties[west]!++;
    liberties[east]!++;
    liberties[north]!++;
    return found;
  }

  /**
   * Makes one chain of two, if they are two. The stones of the chain with fewer pseudo-liberties get the
   * new head: that chain is likely to be shorter.
   */
  private join(one: number, two: number): void {
    if (one === two) return;
    const { chain, next, liberties, trail, trailAt } = this;
    const kept = liberties[one] < liberties[two] ? two : one;
    const renamed = kept === one ? two : one;
    let stone = renamed;
    do {
      chain[stone] = kept;
      stone = next[stone];
    } while (stone !== renamed);
    const after = next[kept];
    next[kept] = next[renamed];
    next[renamed] = after;
    liberties[kept]! += liberties[renamed];
    trail[trailAt + JOINED_HEADS + trail[trailAt + JOINED]!++] = renamed;
  }

  private split(renamed: number): void {
    const { chain, next, liberties } = this;
    const kept = chain[renamed];
    liberties[kept]! -= liberties[renamed];
    const after = next[kept];
    next[kept] = next[renamed];
    next[renamed] = after;
    let stone = renamed;
    do {
      chain[stone] = renamed;
      stone = next[stone];
    } while (stone !== renamed);
  }

  private capture(head: number, player: number): void {
    const { trail, trailAt } = this;
    trail[trailAt + CAPTURED_HEADS + trail[trailAt + CAPTURED]!++] = head;
    this.remove(head, player);
  }

  private remove(head: number, player: number): void {
    const { colour, chain, next, liberties, width } = this;
    const other = 1 - player;
    let stone = head;
    do {
      colour[stone] = EMPTY;
      this.toggle(stone, player);
      this.toggleKey(stone, player);
      if (colour[stone - width] === other) liberties[chain[stone - width]]!++;
      if (colour[stone - 1] === other) liberties[chain[stone - 1]]!++;
      if (colour[stone + 1] === other) liberties[chain[stone + 1]]!++;
      if (colour[stone + width] === other) liberties[chain[stone + width]]!++;
      stone = next[stone];
    } while (stone !== head);
  }

  private restore(head: number, player: number): void {
    const { colour, chain, next, liberties, width } = this;
    const other = 1 - player;
    let stone = head;
    do {
      colour[stone] = player;
      this.toggle(stone, player);
      if (colour[stone - width] === other) liberties[chain[stone - width]]!--;
      if (colour[stone - 1] === other) liberties[chain[stone - 1]]!--;
      if (colour[stone + 1] === other) liberties[chain[stone + 1]]!--;
      if (colour[stone + width] === other) liberties[chain[stone + width]]!--;
      stone = next[stone];
    } while (stone !== head);
  }

  /** A point changes between a player's and nobody's. */
  private toggle(point: number, player: number): void {
    const { rows, rowOf, bitOf } = this;
    const row = rowOf[point];
    const bit = bitOf[point];
    rows[player * ROWS + row]! ^= bit;
    rows[EMPTY * ROWS + row]! ^= bit;
  }

  private toggleKey(point: number, player: number): void {
    const word = 2 * (player * MAX_POINTS + point);
    this.keyLow ^= WORDS[word];
    this.keyHigh ^= WORDS[word + 1];
  }

  /** The words that a stone adds to the key. */
  protected wordLow(point: number, player: number): number {
    return WORDS[2 * (player * MAX_POINTS + point)];
  }

  protected wordHigh(point: number, player: number): number {
    return WORDS[2 * (player * MAX_POINTS + point) + 1];
  }
}
