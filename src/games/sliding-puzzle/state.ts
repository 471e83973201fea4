import { mixHigh, mixLow } from "../../base/hashing.ts";
import { CHANCE, TERMINAL, type State } from "../contract/rules.ts";

/** The form of a puzzle. */
export interface SlidingPuzzle {
  /** Rows and columns. */
  readonly size: number;
  readonly cells: number;
  /** Moves after which an unsolved game ends. */
  readonly maxMoves: number;
  /** By action: from the empty cell to that of the tile which slides: 0 up, 1 right, 2 down, 3 left. */
  readonly steps: readonly number[];
  /** At tile x cells + cell: rows and columns between the cell and the tile's place in the goal; 0 for the empty cell. */
  readonly distances: Uint8Array;
}

/** The number of the empty cell among the tiles. In the goal it comes last. */
export const EMPTY = 0;

export function slidingPuzzleOf(size: number, maxMoves: number): SlidingPuzzle {
  const cells = size * size;
  const distances = new Uint8Array(cells * cells);
  for (let tile = 1; tile < cells; tile++)
    for (let cell = 0; cell < cells; cell++) distances[tile * cells + cell] = between(tile - 1, cell, size);
  return { size, cells, maxMoves, steps: [size, -1, -size, 1], distances };
}

function between(one: number, other: number, size: number): number {
  return (
    Math.abs(Math.floor(one / size) - Math.floor(other / size)) + Math.abs((one % size) - (other % size))
  );
}

/** True if the tiles can be brought to the goal: swaps and the steps of the empty cell to its corner are both odd or both even. */
export function canBeSolved(tiles: ArrayLike<number>, size: number): boolean {
  const count = size * size;
  let odd = between(Array.prototype.indexOf.call(tiles, EMPTY), count - 1, size);
  const place = (tile: number) => (tile + count - 1) % count;
  for (let cell = 0; cell < count; cell++)
    for (let later = cell + 1; later < count; later++) if (place(tiles[cell]!) > place(tiles[later]!)) odd++;
  return odd % 2 === 0;
}

/**
 * A position of a sliding puzzle. Chance deals: first the empty cell, then the tiles of the others in order. The last two tiles come
 * in the order that can be solved. So every position that can be solved is an equally likely start.
 */
export class SlidingPuzzleState implements State {
  toMove: number = CHANCE;
  readonly form: SlidingPuzzle;
  /** The tile of each cell; 0 for the empty cell, and for those that are not dealt yet. */
  readonly tiles: Uint8Array;
  /** Chance outcomes so far; all cells but two before the first move. */
  dealt = 0;
  moves = 0;
  /** The sum of the tiles' distances to their places in the goal; 0 before the first move. */
  distance = 0;
  /** The empty cell; -1 before chance has chosen it. */
  private empty = -1;
  /** The tiles, four bits each. */
  private readonly words = new Int32Array(2);
  /** The outcomes and actions since the start or since `copyFrom`. */
  private history: Uint8Array;
  private events = 0;

  constructor(form: SlidingPuzzle) {
    this.form = form;
    this.tiles = new Uint8Array(form.cells);
    this.history = new Uint8Array(form.cells + form.maxMoves);
  }

  get hashLow(): number {
    return mixLow(this.words[0]!, this.words[1]!, this.moves, 32 * this.dealt + this.empty);
  }

  get hashHigh(): number {
    return mixHigh(this.words[0]!, this.words[1]!, this.moves, 32 * this.dealt + this.empty);
  }

  legalActions(out: Int32Array, at: number): number {
    const { size } = this.form;
    const column = this.empty % size;
    let next = at;
    if (this.empty < size * (size - 1)) out[next++] = 0;
    if (column > 0) out[next++] = 1;
    if (this.empty >= size) out[next++] = 2;
    if (column < size - 1) out[next++] = 3;
    return next - at;
  }

  chanceOutcomes(out: Int32Array, probabilities: Float64Array, at: number): number {
    const { cells } = this.form;
    const count = cells - this.dealt;
    if (this.dealt === 0) for (let cell = 0; cell < cells; cell++) out[at + cell] = cell;
    for (let [tile, next] = [1, at]; tile < cells && this.dealt > 0; tile++)
      if (!this.tiles.includes(tile)) out[next++] = tile;
    probabilities.fill(1 / count, at, at + count);
    return count;
  }

  apply(action: number): void {
    this.history[this.events++] = action;
    if (this.toMove !== CHANCE) {
      this.slide(this.empty + this.form.steps[action]!);
      this.moves++;
      this.settle();
      return;
    }
    if (this.dealt++ === 0) this.empty = action;
    else this.put(this.cellOf(this.dealt - 2), action);
    if (this.dealt === this.form.cells - 2) this.finishDeal();
  }

  undo(): void {
    const action = this.history[--this.events]!;
    if (this.moves > 0) {
      this.slide(this.empty - this.form.steps[action]!);
      this.moves--;
      this.toMove = 0;
      return;
    }
    if (--this.dealt === 0) this.empty = -1;
    else for (let tile = this.dealt - 1; tile < this.form.cells - 1; tile++) this.put(this.cellOf(tile), 0);
    this.distance = 0;
    this.toMove = CHANCE;
  }

  /** The moves so far, less than zero. */
  returns(): number {
    return 0 - this.moves;
  }

  /** Becomes a position after so many moves; cells that are not dealt yet are undefined. */
  place(tiles: readonly (number | undefined)[], moves: number): void {
    const { cells } = this.form;
    this.events = 0;
    this.moves = moves;
    this.distance = 0;
    for (let cell = 0; cell < cells; cell++) this.put(cell, tiles[cell] ?? 0);
    this.empty = tiles.indexOf(EMPTY);
    const known = tiles.filter((tile) => tile !== undefined).length;
    this.dealt = Math.min(known, cells - 2);
    if (known === cells) this.begin();
    else this.toMove = CHANCE;
  }

  copyFrom(other: this): void {
    this.toMove = other.toMove;
    this.tiles.set(other.tiles);
    this.dealt = other.dealt;
    this.moves = other.moves;
    this.distance = other.distance;
    this.empty = other.empty;
    this.words.set(other.words);
    this.events = 0;
  }

  /** The cell of the tile that an action slides. */
  sourceOf(action: number): number {
    return this.empty + this.form.steps[action]!;
  }

  /** True if chance has not dealt this cell yet. */
  isOpen(cell: number): boolean {
    return this.toMove === CHANCE && cell !== this.empty && this.tiles[cell] === 0;
  }

  /** The cell of the tile of this number in the order of dealing. */
  private cellOf(number: number): number {
    return number < this.empty ? number : number + 1;
  }

  private put(cell: number, tile: number): void {
    this.words[cell >> 3] ^= (this.tiles[cell] ^ tile) << (4 * (cell & 7));
    this.tiles[cell] = tile;
  }

  /** Slides the tile of a cell to the empty one. */
  private slide(from: number): void {
    const { distances, cells } = this.form;
    const tile = this.tiles[from];
    this.distance += distances[tile * cells + this.empty] - distances[tile * cells + from];
    this.put(this.empty, tile);
    this.put(from, EMPTY);
    this.empty = from;
  }

  /** Puts the last two tiles in their cells. */
  private finishDeal(): void {
    const { cells, size } = this.form;
    const [one, other] = [this.cellOf(cells - 3), this.cellOf(cells - 2)];
    for (let tile = 1, cell = one; tile < cells; tile++) {
      if (this.tiles.includes(tile)) continue;
      this.put(cell, tile);
      cell = other;
    }
    if (!canBeSolved(this.tiles, size)) {
      const last = this.tiles[other]!;
      this.put(other, this.tiles[one]!);
      this.put(one, last);
    }
    this.begin();
  }

  /** Keeps what follows from the tiles, and lets the player move. */
  private begin(): void {
    const { cells, distances } = this.form;
    this.distance = 0;
    for (let cell = 0; cell < cells; cell++) this.distance += distances[this.tiles[cell] * cells + cell];
    this.settle();
  }

  private settle(): void {
    this.toMove = this.distance === 0 || this.moves === this.form.maxMoves ? TERMINAL : 0;
  }
}
