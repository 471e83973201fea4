import { Z95 } from "./elo.ts";
import type { GameRecord } from "./record.ts";

/** A mean return a game, in the game's units, with its 95% interval; infinite ends where there is one block only. */
export interface MeanReturn {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The mean return of each entrant; 0 for one without games. A block's games share their opening and their chance
 * events, so blocks are the sample: each counts once, with the mean over its games (and seats).
 */
export function meanReturns(records: readonly GameRecord[], entrantCount: number): MeanReturn[] {
  const blocks = Array.from(
    { length: entrantCount },
    () => new Map<string, { sum: number; count: number }>(),
  );
  for (const { block, seats, returns } of records) {
    seats.forEach((entrant, seat) => {
      const known = blocks[entrant].get(block);
      if (known === undefined) {
        blocks[entrant].set(block, { sum: returns[seat], count: 1 });
      } else {
        known.sum += returns[seat];
        known.count++;
      }
    });
  }
  return blocks.map((own) => {
    // Sorted, so that the sum does not depend on the order of the records.
    const means = Float64Array.from(own.values(), ({ sum, count }) => sum / count).sort();
    if (means.length === 0) return { mean: 0, low: -Infinity, high: Infinity };
    const mean = means.reduce((sum, one) => sum + one, 0) / means.length;
    const squares = means.reduce((sum, one) => sum + (one - mean) ** 2, 0);
    const margin = means.length < 2 ? Infinity : Z95 * Math.sqrt(squares / (means.length - 1) / means.length);
    return { mean, low: mean - margin, high: mean + margin };
  });
}
