import { GrowingInts } from "./growing-ints.ts";
import { MOST_PLIES } from "./verdict.ts";

/**
 * Positions and what one action leads to, for `solve`. Positions are numbers. Each is told once: `begin`, then
 * `lead` for each action, or `know` where the result of an action is known.
 */
export class PositionGraph {
  /** By position: the nearest win and the farthest loss among the actions with known results, in plies; 0 for none. */
  win: Int16Array;
  loss: Int16Array;
  /** By position: whether an action leads to a draw that is known. */
  draws: Uint8Array;
  /** The positions told, in their order, and how many edges each of them has. */
  readonly told = new GrowingInts();
  readonly counts = new GrowingInts();
  /** One after the other: twice the position that an action leads to, plus 1 if the same player moves there. */
  readonly edges = new GrowingInts();
  private position = 0;

  /** @param size the number of positions; it grows when a greater number is told */
  constructor(size: number) {
    this.win = new Int16Array(size);
    this.loss = new Int16Array(size);
    this.draws = new Uint8Array(size);
  }

  begin(position: number): void {
    if (position >= this.win.length) this.grow(2 * (position + 1));
    this.position = position;
    this.told.push(position);
    this.counts.push(0);
  }

  lead(to: number, isSame: boolean): void {
    this.edges.push(2 * to + (isSame ? 1 : 0));
    this.counts.values[this.counts.length - 1]++;
  }

  /** An action after which the verdict, as the player who took it sees it one ply before, is `verdict`. */
  know(verdict: number): void {
    const { win, loss, draws, position } = this;
    if (verdict > MOST_PLIES || verdict < -MOST_PLIES) throw new RangeError(`a verdict of ${verdict} plies`);
    if (verdict === 0) draws[position] = 1;
    else if (verdict > 0) win[position] = win[position] === 0 ? verdict : Math.min(win[position], verdict);
    else loss[position] = Math.max(loss[position], 0 - verdict);
  }

  private grow(size: number): void {
    const { win, loss, draws } = this;
    (this.win = new Int16Array(size)).set(win);
    (this.loss = new Int16Array(size)).set(loss);
    (this.draws = new Uint8Array(size)).set(draws);
  }
}
