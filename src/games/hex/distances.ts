import { lowestBit } from "../../base/hashing.ts";
import { FIRST_SIDE, type HexState, MAX_CELLS, wordsOf } from "./state.ts";

/** The distance of a cell that a player cannot reach from a side. */
const FAR = 100;

/**
 * Distances of empty cells from the sides of a player. Empty cells are neighbours if they touch, or touch the same chain of the
 * player. Sets of cells are words of 32 bits, as in HexBoard; they are made once for a position and player, and serve both sides.
 */
export class Distances {
  /** By cell: the distance that `measure` found; of empty cells alone. */
  readonly of = new Uint8Array(MAX_CELLS);
  /** The empty cells, ascending: the first `count` of `cells`. */
  readonly cells = new Uint8Array(MAX_CELLS);
  count = 0;
  private words = 0;
  /** By empty cell: the set of its neighbours. */
  private readonly near: Int32Array;
  /** The cells beside each side, or beside a chain that reaches it. */
  private readonly starts: readonly [Int32Array, Int32Array];
  /** The player's stones that belong to no chain yet; a chain's stones to go on from, and the empty cells that it touches. */
  private readonly stones: Int32Array;
  private readonly waiting = new Uint8Array(MAX_CELLS);
  private readonly liberties: Int32Array;
  private readonly seen: Int32Array;
  private readonly reached: Int32Array;
  private readonly queue = new Uint8Array(MAX_CELLS);

  constructor() {
    const words = wordsOf(MAX_CELLS);
    const set = () => new Int32Array(words);
    this.near = new Int32Array(MAX_CELLS * words);
    this.starts = [set(), set()];
    [this.stones, this.liberties, this.seen, this.reached] = [set(), set(), set(), set()];
  }

  /** Reads a player's chains. */
  read(state: HexState, player: number): void {
    const { cells, near, starts, stones, liberties, waiting } = this;
    const { points, sides, empty, board } = state;
    const { pointOf, touching, besides } = board;
    const words = (this.words = empty.length);
    for (const [at, start] of starts.entries())
      for (let word = 0; word < words; word++)
        start[word] = empty[word] & besides[(2 * player + at) * words + word];
    stones.fill(0);
    let count = 0;
    for (let cell = 0; cell < pointOf.length; cell++) {
      const owner = points[pointOf[cell]] - 1;
      if (owner === player) stones[cell >> 5] |= 1 << cell;
      if (owner >= 0) continue;
      cells[count++] = cell;
      for (let word = 0, at = cell * words; word < words; word++, at++) near[at] = touching[at] & empty[word];
    }
    this.count = count;
    for (let first = 0; first < words; first++)
      while (stones[first] !== 0) {
        // A chain: its stones leave `stones` as they come to `waiting`.
        const cell = (first << 5) | lowestBit(stones[first]);
        stones[first] &= stones[first] - 1;
        const reaches = sides[pointOf[cell]];
        liberties.fill(0);
        waiting[0] = cell;
        for (let end = 1; end > 0;) {
          let at = waiting[--end] * words;
          for (let word = 0; word < words; word++, at++) {
            liberties[word] |= touching[at] & empty[word];
            for (let more = touching[at] & stones[word]; more !== 0; more &= more - 1)
              waiting[end++] = (word << 5) | lowestBit(more);
            stones[word] &= ~touching[at];
          }
        }
        if (reaches !== 0) {
          const start = starts[reaches === FIRST_SIDE ? 0 : 1];
          for (let word = 0; word < words; word++) start[word] |= liberties[word];
        }
        for (let word = 0; word < words; word++)
          for (let rest = liberties[word]; rest !== 0; rest &= rest - 1) {
            const from = ((word << 5) | lowestBit(rest)) * words;
            for (let other = 0; other < words; other++) near[from + other] |= liberties[other];
          }
      }
  }

  /**
   * Measures from a side: the distance is 1 beside the side or a chain that reaches it, otherwise 1 more than that of the nearest
   * neighbour (`ways` 1) or of the second nearest (`ways` 2, van Rijswijck 2002: the other player takes the nearest).
   */
  measure(side: number, ways: 1 | 2): void {
    const { of, words, cells, count, near, seen, reached, queue } = this;
    const start = this.starts[side === FIRST_SIDE ? 0 : 1];
    for (let at = 0; at < count; at++) of[cells[at]] = FAR;
    let end = 0;
    for (let word = 0; word < words; word++) {
      reached[word] = start[word];
      // With one way nothing has to be seen twice.
      seen[word] = ways === 1 ? -1 : 0;
      for (let rest = start[word]; rest !== 0; rest &= rest - 1) {
        const cell = (word << 5) | lowestBit(rest);
        of[cell] = 1;
        queue[end++] = cell;
      }
    }
    for (let first = 0; first < end; first++) {
      const from = queue[first];
      const distance = of[from] + 1;
      for (let word = 0, at = from * words; word < words; word++, at++) {
        const fresh = near[at] & ~reached[word];
        const ready = fresh & seen[word];
        seen[word] |= fresh;
        reached[word] |= ready;
        for (let rest = ready; rest !== 0; rest &= rest - 1) {
          const cell = (word << 5) | lowestBit(rest);
          of[cell] = distance;
          queue[end++] = cell;
        }
      }
    }
  }
}
