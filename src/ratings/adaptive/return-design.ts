import type { PairingBlocks } from "./ranking-design.ts";

/** The number of blocks that the variance of all entrants counts for in that of each one. */
const PRIOR_BLOCKS = 4;

/**
 * Decides who should play next in a game of one player: the entrant whose mean return is known least, by its standard error. The
 * variance of an entrant's returns is drawn towards that of all, because two equal returns do not make it 0. Of equal
 * errors the one with the fewest blocks counts. The decisions depend on the results alone, not on the calls before.
 */
export class ReturnDesign {
  /** By entrant: blocks that were given out, blocks with results, their returns, and the squares of those. */
  private readonly given: number[];
  private readonly played: number[];
  private readonly sums: number[];
  private readonly squares: number[];

  /** @param count the number of entrants */
  constructor(count: number) {
    const zeros = () => Array.from({ length: count }, () => 0);
    [this.given, this.played, this.sums, this.squares] = [zeros(), zeros(), zeros(), zeros()];
  }

  /** Notes that blocks of an entrant have been given out. */
  giveOut(entrant: number, blocks: number): void {
    this.given[entrant]! += blocks;
  }

  /** Adds the result of a block that was out: its return, in the game's units. */
  add(entrant: number, value: number): void {
    this.played[entrant]!++;
    this.sums[entrant]! += value;
    this.squares[entrant]! += value * value;
  }

  /** The entrants of the next `blocks` blocks. */
  next(blocks: number): PairingBlocks[] {
    const variances = this.variances();
    const counts = [...this.given];
    const error = (entrant: number) =>
      counts[entrant] === 0 ? Infinity : variances[entrant]! / counts[entrant]!;
    const chosen = new Map<number, PairingBlocks>();
    for (let left = blocks; left > 0; left--) {
      const widest = [...counts.keys()].reduce((best, one) =>
        error(one) > error(best) || (error(one) === error(best) && counts[one]! < counts[best]!) ? one : best,
      );
      counts[widest]!++;
      chosen.set(widest, { entrants: [widest], blocks: (chosen.get(widest)?.blocks ?? 0) + 1 });
    }
    return [...chosen.values()];
  }

  /** By entrant: the variance of the return of a block. */
  private variances(): number[] {
    const { played, sums, squares } = this;
    const spreads = played.map((count, at) =>
      count === 0 ? 0 : Math.max(0, squares[at]! - sums[at]! ** 2 / count),
    );
    const degrees = played.map((count) => Math.max(0, count - 1));
    const total = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0);
    const common = total(spreads) / Math.max(1, total(degrees));
    return spreads.map((spread, at) => (PRIOR_BLOCKS * common + spread) / (PRIOR_BLOCKS + degrees[at]!));
  }
}
