import { type PolicyFamily, takeBest } from "../contract/facets.ts";
import { slidingPuzzleOf, type SlidingPuzzleState } from "./state.ts";

/** The largest board whose positions are all looked up. */
export const LARGEST_SOLVED = 3;
/** No number of moves. */
const UNKNOWN = 255;

/**
 * The fewest moves from every position to the goal, by breadth-first search from it. Boards of at most 3 x 3.
 */
export class SolutionLengths {
  /** By the number of a position among all orders of the tiles; 255 where the goal cannot be reached. */
  readonly lengths: Uint8Array;
  private readonly cells: number;

  constructor(size: number) {
    const { cells, steps } = slidingPuzzleOf(size, 1);
    this.cells = cells;
    let orders = 1;
    for (let count = 2; count <= cells; count++) orders *= count;
    this.lengths = new Uint8Array(orders).fill(UNKNOWN);
    const goal = Uint8Array.from({ length: cells }, (_, cell) => (cell + 1) % cells);
    this.lengths[this.numberOf(goal)] = 0;
    let layer = [goal];
    for (let length = 1; layer.length > 0; length++) {
      const next: (typeof goal)[] = [];
      for (const tiles of layer) {
        const empty = tiles.indexOf(0);
        for (const step of steps) {
          const from = empty + step;
          if (
            from < 0 ||
            from >= cells ||
            (Math.abs(step) === 1 && Math.floor(from / size) !== Math.floor(empty / size))
          )
            continue;
          tiles[empty] = tiles[from];
          tiles[from] = 0;
          const number = this.numberOf(tiles);
          if (this.lengths[number] === UNKNOWN) {
            this.lengths[number] = length;
            next.push(tiles.slice());
          }
          tiles[from] = tiles[empty];
          tiles[empty] = 0;
        }
      }
      layer = next;
    }
  }

  /** The fewest moves from these tiles to the goal. */
  of(tiles: Uint8Array): number {
    return this.lengths[this.numberOf(tiles)]!;
  }

  /** The number of an order of the tiles (Lehmer code). */
  private numberOf(tiles: Uint8Array): number {
    let number = 0;
    for (let cell = 0; cell < this.cells; cell++) {
      let less = 0;
      for (let later = cell + 1; later < this.cells; later++) if (tiles[later] < tiles[cell]) less++;
      number = number * (this.cells - cell) + less;
    }
    return number;
  }
}

/** Moves that solve the puzzle in the fewest moves. */
export function perfect(size: number): PolicyFamily<SlidingPuzzleState> {
  return {
    summary: "a shortest solution, by breadth-first search of all positions",
    create() {
      const lengths = new SolutionLengths(size);
      return takeBest(4, (state, action) => {
        state.apply(action);
        const length = lengths.of(state.tiles);
        state.undo();
        return 0 - length;
      });
    },
  };
}
