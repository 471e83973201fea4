import type { CountedGame } from "./record.ts";
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
  /** The number of each opening, and by it the games and the points of each seat. */
  private readonly openings = new Map<string, number>();
  private readonly openingGames: number[] = [];
  private readonly openingPoints: number[] = [];
  /** The games that the first seat won, shared and lost, by length. */
  private readonly lengths = new Map<number, [won: number, drawn: number, lost: number]>();

  constructor(entrants: number, seats: number) {
    const table = () => Array.from({ length: entrants }, () => Array.from({ length: seats }, () => 0));
    [this.points, this.met, this.counts] = [table(), table(), table()];
  }

  add({ seats, returns, line, openingLength }: CountedGame): void {
    const points = returns.map((_, seat) => pointsOf(returns, seat));
    seats.forEach((entrant, seat) => {
      this.points[entrant]![seat]! += points[seat]!;
      this.met[entrant]![seat]! += seats.length - 1;
      this.counts[entrant]![seat]!++;
    });
    const [length, key] = [lengthOf(line), openingOf(line, openingLength)];
    let opening = this.openings.get(key);
    if (opening === undefined && this.openings.size < MOST_DISTINCT) {
      opening = this.openingGames.push(0) - 1;
      for (const _ of seats) this.openingPoints.push(0);
      // A part of a text keeps all of it in memory; this is a text of its own.
      this.openings.set(key.split(",").join(), opening);
    }
    if (opening !== undefined) {
      this.openingGames[opening]!++;
      for (const [seat, value] of points.entries())
        this.openingPoints[opening * seats.length + seat]! += value;
    }
    const bin = this.lengths.get(length) ?? [0, 0, 0];
    const best = Math.max(...returns.slice(1), -Infinity);
    bin[returns.length === 1 || returns[0]! > best ? 0 : returns[0] === best ? 1 : 2]++;
    this.lengths.set(length, bin);
  }

  result(): Breakdown {
    const { openingGames, openingPoints } = this;
    const players = this.counts[0]?.length ?? 0;
    const openings = [...this.openings].toSorted(
      ([a, one], [b, other]) => openingGames[other]! - openingGames[one]! || (a < b ? -1 : 1),
    );
    return {
      seats: this.counts.map((row, entrant) =>
        row.map((games, seat) => ({
          games,
          score: ratio(this.points[entrant]![seat]!, this.met[entrant]![seat]!),
        })),
      ),
      openings: openings.slice(0, MOST_OPENINGS).map(([key, at]) => ({
        actions: key === "" ? [] : key.split(",").map(Number),
        games: openingGames[at]!,
        scores: openingPoints
          .slice(at * players, (at + 1) * players)
          .map((value) => ratio(value, openingGames[at]! * (players - 1))),
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

/** The number of actions in a line. */
export function lengthOf(line: string): number {
  let count = line === "" ? 0 : 1;
  for (let at = line.indexOf(","); at >= 0; at = line.indexOf(",", at + 1)) count++;
  return count;
}

/** The first `count` actions of a line. */
export function openingOf(line: string, count: number): string {
  if (count === 0) return "";
  let end = -1;
  for (let left = count; left > 0; left--) {
    end = line.indexOf(",", end + 1);
    if (end < 0) return line;
  }
  return line.slice(0, end);
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
