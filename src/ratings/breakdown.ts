import type { GameRecord } from "./record.ts";
import { pointsOf } from "./score.ts";

/** The results by seat, by opening and by length of the game. */
export interface Breakdown {
  /** [entrant][seat] in the plan's order. */
  readonly seats: readonly (readonly SeatResults[])[];
  /** The openings with the most games first. */
  readonly openings: readonly OpeningResults[];
  readonly openingCount: number;
  /** Games of `from` to `to` actions, chance outcomes included; ascending. */
  readonly lengths: readonly LengthResults[];
}

interface SeatResults {
  readonly games: number;
  /** Share of opponents beaten, ties counting a half: 0..1; 0 without games. */
  readonly score: number;
}

interface OpeningResults {
  readonly actions: readonly number[];
  readonly games: number;
  /** [seat]: share of opponents beaten, ties counting a half: 0..1. */
  readonly scores: readonly number[];
}

interface LengthResults {
  readonly from: number;
  readonly to: number;
  readonly games: number;
  /** Games that the first seat won, shared and lost. */
  readonly won: number;
  readonly drawn: number;
  readonly lost: number;
}

/** The number of openings that are listed. */
const MOST_OPENINGS = 40;
/** The number of openings that are told apart; games of later ones are not counted by opening. */
const MOST_DISTINCT = 100_000;
const LENGTH_BINS = 24;

/** Adds games up one by one; its memory grows with the openings, not with the games. */
export class BreakdownSums {
  private readonly points: number[][];
  private readonly met: number[][];
  private readonly counts: number[][];
  private readonly openings = new Map<string, { games: number; points: number[] }>();
  /** The games that the first seat won, shared and lost, by length. */
  private readonly lengths = new Map<number, [won: number, drawn: number, lost: number]>();

  constructor(entrants: number, seats: number) {
    const table = () => Array.from({ length: entrants }, () => Array.from({ length: seats }, () => 0));
    [this.points, this.met, this.counts] = [table(), table(), table()];
  }

  add({ seats, returns, actions, openingLength }: GameRecord): void {
    const points = returns.map((_, seat) => pointsOf(returns, seat));
    seats.forEach((entrant, seat) => {
      this.points[entrant]![seat]! += points[seat]!;
      this.met[entrant]![seat]! += seats.length - 1;
      this.counts[entrant]![seat]!++;
    });
    const key = actions.slice(0, openingLength).join();
    let opening = this.openings.get(key);
    if (opening === undefined && this.openings.size < MOST_DISTINCT) {
      opening = { games: 0, points: seats.map(() => 0) };
      this.openings.set(key, opening);
    }
    if (opening !== undefined) {
      opening.games++;
      points.forEach((value, seat) => (opening.points[seat]! += value));
    }
    const bin = this.lengths.get(actions.length) ?? [0, 0, 0];
    const best = Math.max(...returns.slice(1), -Infinity);
    bin[returns.length === 1 || returns[0]! > best ? 0 : returns[0] === best ? 1 : 2]++;
    this.lengths.set(actions.length, bin);
  }

  result(): Breakdown {
    const openings = [...this.openings].toSorted(
      ([a, one], [b, other]) => other.games - one.games || (a < b ? -1 : 1),
    );
    return {
      seats: this.counts.map((row, entrant) =>
        row.map((games, seat) => ({
          games,
          score: ratio(this.points[entrant]![seat]!, this.met[entrant]![seat]!),
        })),
      ),
      openings: openings.slice(0, MOST_OPENINGS).map(([key, { games, points }]) => ({
        actions: key === "" ? [] : key.split(",").map(Number),
        games,
        scores: points.map((value) => ratio(value, games * (points.length - 1))),
      })),
      openingCount: openings.length,
      lengths: this.bins(),
    };
  }

  private bins(): LengthResults[] {
    const lengths = [...this.lengths.keys()];
    if (lengths.length === 0) return [];
    const least = Math.min(...lengths);
    const width = Math.max(1, Math.ceil((Math.max(...lengths) - least + 1) / LENGTH_BINS));
    const bins: LengthResults[] = [];
    for (let from = least; from <= Math.max(...lengths); from += width) {
      const sums = [0, 0, 0];
      for (const [length, counts] of this.lengths) {
        if (length < from || length >= from + width) continue;
        counts.forEach((count, at) => (sums[at]! += count));
      }
      const [won, drawn, lost] = sums as [number, number, number];
      bins.push({ from, to: from + width - 1, games: won + drawn + lost, won, drawn, lost });
    }
    return bins;
  }
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
