import { countBits, zobristTable } from "../../base/hashing.ts";
import { BLACK, boardOf, EDGE, EMPTY, MAX_SIZE, ROWS, WHITE, type GoBoard } from "./board.ts";

const MAX_POINTS = boardOf(MAX_SIZE).points;
/** A pair of words for each colour on each point. */
const WORDS = zobristTable("go/stones", 2 * 2 * MAX_POINTS);

/** The number of words about a stone in `trail`. */
export const TRAIL = 14;
/** The words about a stone in `trail`: the content of its point before, */
const OLD_CHAIN = 0;
const OLD_NEXT = 1;
const OLD_LIBERTIES = 2;
/** the numbers of chains that it joined and captured, 1 if it died itself, */
const JOINED = 3;
const CAPTURED = 4;
const SUICIDE = 5;
/** and the heads of up to four joined and four captured chains. */
const JOINED_HEADS = 6;
const CAPTURED_HEADS = 10;

/** The most points beside a point, and so the most pseudo-liberties that a chain has there. */
const SIDES = 4;
/** The colour of no point. */
const NOBODY = -1;

/**
 * Stones on a board, in chains. A chain is a ring of points: `next` leads from each stone to the next
 * one. One of its points is its head, and `chain` has the head of each stone. The pseudo-liberties of a
 * chain, `liberties[head]`, are the number of pairs of a stone and an empty point beside it. The number
 * is 0 exactly if the chain has no liberty. A chain that touches a point k times has no liberty elsewhere
 * exactly if the number is k.
 *
 * At an empty point the arrays keep their content for the last stone there. So putting the ring of a captured chain on the
 * board again restores the chain.
 */
export class Stones {
  /** Zobrist hash of the stones alone. */
  keyLow = 0;
  keyHigh = 0;
  readonly size: number;
  readonly board: GoBoard;
  /** The distance from a point to the one north of it. */
  readonly width: number;
  /** BLACK, WHITE, EMPTY or EDGE, by point. */
  readonly colour: Int16Array;
  readonly chain: Int16Array;
  readonly next: Int16Array;
  readonly liberties: Int16Array;
  /** The points of each colour, EMPTY too: row r, from 1, at [colour * ROWS + r], bit c for column c. */
  readonly rows = new Int32Array(3 * ROWS);
  /** The past of each `put`, for `lift`; the next one is written at `trailAt`. */
  protected readonly trail: Int16Array;
  protected trailAt = 0;
  /** The four arrays by point in one array. */
  private readonly cells: Int16Array;
  private readonly rowOf: Int16Array;
  private readonly bitOf: Int32Array;

  /** @param maxStones the most calls of `put` that are not taken back */
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

  /** Puts a stone on an empty point; takes off the other player's chains without liberties, or else its own. */
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

  /** Takes back the `put` at `trailAt`, except for the key: the caller knows the old one. */
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

  /** True if the last `put` captured one stone, with a lone stone that has its only liberty there. */
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

  /** True if a neighbour of the point has a colour. */
  isBeside(point: number, colour: number): boolean {
    const { colour: found, width } = this;
    return (
      found[point - width] === colour ||
      found[point - 1] === colour ||
      found[point + 1] === colour ||
      found[point + width] === colour
    );
  }

  /** True if a stone on an empty point would capture something. */
  captures(point: number, player: number): boolean {
    return this.findBeside(point, 1 - player, NOBODY);
  }

  /** True if a stone on an empty point would capture something, or join a chain with a liberty elsewhere. */
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

  /** The only liberty of the chain with that head, or 0 if it has several. */
  onlyLiberty(head: number): number {
    const { colour, next, liberties, width } = this;
    const count = liberties[head];
    if (count > SIDES) return 0;
    for (let stone = head; ; stone = next[stone]) {
      if (colour[stone - width] === EMPTY)
        return this.touches(stone - width, head) === count ? stone - width : 0;
      if (colour[stone - 1] === EMPTY) return this.touches(stone - 1, head) === count ? stone - 1 : 0;
      if (colour[stone + 1] === EMPTY) return this.touches(stone + 1, head) === count ? stone + 1 : 0;
      if (colour[stone + width] === EMPTY)
        return this.touches(stone + width, head) === count ? stone + width : 0;
    }
  }

  /** The number of a chain's stones beside an empty point. */
  private touches(point: number, head: number): number {
    const { width } = this;
    let count = 0;
    if (this.headAt(point - width) === head) count++;
    if (this.headAt(point - 1) === head) count++;
    if (this.headAt(point + 1) === head) count++;
    if (this.headAt(point + width) === head) count++;
    return count;
  }

  /** True if a chain beside an empty point is of `taken` without a liberty elsewhere, or of `living` with one. */
  private findBeside(point: number, taken: number, living: number): boolean {
    const { colour, liberties, width } = this;
    const south = this.headAt(point - width);
    const west = this.headAt(point - 1);
    const east = this.headAt(point + 1);
    const north = this.headAt(point + width);
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

  /** The head of the chain at a point; 0, which no chain has, at a point without a stone. */
  private headAt(point: number): number {
    return this.colour[point] <= WHITE ? this.chain[point] : 0;
  }

  /**
   * Joins two chains, if they are not the same. The stones of the chain with fewer pseudo-liberties get the
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

  /** Changes a point from empty to a player's, or back, in `rows`. */
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

const black = new Int32Array(ROWS);
const white = new Int32Array(ROWS);

/**
 * Black's area less White's, by the rules of Tromp and Taylor. A player's area is the player's stones, which all count as
 * alive, and the empty points that are connected only with stones of that player.
 */
export function areaLead({ rows, size }: Stones): number {
  fill(rows, BLACK, size, black);
  fill(rows, WHITE, size, white);
  let lead = 0;
  for (let row = 1; row <= size; row++)
    lead += countBits(black[row] & ~white[row]) - countBits(white[row] & ~black[row]);
  return lead;
}

/** Writes the stones of a player, and the empty points that are connected with them, to `reached`. */
function fill(rows: Int32Array, player: number, size: number, reached: Int32Array): void {
  for (let row = 0; row <= size + 1; row++) reached[row] = rows[player * ROWS + row];
  for (let changed = true; changed;) {
    changed = false;
    for (let row = 1; row <= size; row++) changed = fillRow(rows, row, reached) || changed;
    if (!changed) return;
    changed = false;
    for (let row = size; row >= 1; row--) changed = fillRow(rows, row, reached) || changed;
  }
}

/** Extends `reached` in one row; returns whether that added a point. */
function fillRow(rows: Int32Array, row: number, reached: Int32Array): boolean {
  const before = reached[row];
  const empty = rows[EMPTY * ROWS + row];
  let now = before | (empty & (reached[row - 1] | reached[row + 1]));
  for (;;) {
    const wider = now | (empty & ((now << 1) | (now >> 1)));
    if (wider === now) break;
    now = wider;
  }
  reached[row] = now;
  return now !== before;
}
