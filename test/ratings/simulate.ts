import { plainElo } from "./plain-elo.ts";
import type { GameRecord } from "../../src/ratings/record.ts";
import type { Random } from "../../src/base/random.ts";

/** The truth behind a simulated tournament: log strength by entrant, log advantage by seat, share of draws. */
export interface Truth {
  readonly strengths: readonly number[];
  readonly seats: readonly number[];
  /** The share of the possible draws between two players, 0 to 1. Expected scores do not depend on it. */
  readonly draws: number;
}

/**
 * The games of a block depend on each other. The chance of every single game's result stays exactly that of
 * the model; but with probability 0.8 the games of a block reuse the same random numbers, so that the
 * same entrants (`entrants`: what a chance stream does), or the same seats (`seats`: what a one-sided
 * opening does) come first in all of them.
 */
export type Shared = "nothing" | "entrants" | "seats";
const SHARED_PROBABILITY = 0.8;

/** Every set of entrants plays `blocks` blocks of all seat rotations. */
export function simulate(
  truth: Truth,
  { blocks, shared, random }: { blocks: number; shared: Shared; random: Random },
): GameRecord[] {
  const count = truth.seats.length;
  const records: GameRecord[] = [];
  for (const entrants of combinations(truth.strengths.length, count)) {
    for (let block = 0; block < blocks; block++) {
      const draw = () => Array.from({ length: count }, () => random.float());
      const common = shared !== "nothing" && random.float() < SHARED_PROBABILITY ? draw() : undefined;
      for (let rotation = 0; rotation < count; rotation++) {
        const seats = entrants.map((_, seat) => entrants[(seat + rotation) % count]!);
        const returns = drawReturns(truth, {
          seats,
          uniforms: common ?? draw(),
          byEntrant: shared === "entrants",
        });
        records.push(simulatedRecord(seats, returns, `${entrants.join()} block ${block}`));
      }
    }
  }
  return records;
}

/**
 * Returns whose expected result for each pair of seats is the logistic function of the difference of its strengths.
 * Two players may draw: a draw takes as much from the wins as from the losses. More players rank by their strength
 * plus Gumbel noise (Luce 1959), by which each pair is logistic, and never tie.
 */
function drawReturns(
  { strengths, seats: advantages, draws }: Truth,
  {
    seats,
    uniforms,
    byEntrant,
  }: { seats: readonly number[]; uniforms: readonly number[]; byEntrant: boolean },
): number[] {
  const strength = seats.map((entrant, seat) => strengths[entrant]! + advantages[seat]!);
  // Equal numbers mean like results for the same entrants, or for the same seats.
  const order = [...seats.keys()].toSorted((a, b) => (byEntrant ? seats[a]! - seats[b]! : a - b));
  if (seats.length > 2) {
    const noise = seats.map(() => 0);
    order.forEach(
      (seat, place) => (noise[seat] = 0 - Math.log(0 - Math.log(Math.max(uniforms[place]!, 1e-12)))),
    );
    return strength.map((value, seat) => value + noise[seat]!);
  }
  const [one, other] = order as [number, number];
  const expected = 1 / (1 + Math.exp(strength[other]! - strength[one]!));
  const drawn = draws * 2 * Math.min(expected, 1 - expected);
  const result = uniforms[0]! < expected - drawn / 2 ? 1 : uniforms[0]! < expected + drawn / 2 ? 0 : -1;
  const returns = [0, 0];
  returns[one] = result;
  returns[other] = 0 - result;
  return returns;
}

/**
 * The ratings of endless tournaments: with them the expected scores, over all seats and opponents,
 * are equal to the true ones.
 */
export function populationElo({ strengths, seats: advantages }: Truth): {
  entrants: number[];
  firstSeat: number;
} {
  const zeros = (count: number) =>
    Array.from({ length: count }, () => Array.from({ length: count }, () => 0));
  const byEntrant = zeros(strengths.length);
  const bySeat = zeros(advantages.length);
  const seatCount = advantages.length;
  for (const entrants of combinations(strengths.length, seatCount)) {
    for (let rotation = 0; rotation < seatCount; rotation++) {
      const seats = entrants.map((_, seat) => entrants[(seat + rotation) % seatCount]!);
      for (const seat of seats.keys()) {
        for (const rival of seats.keys()) {
          if (seat === rival) continue;
          const [one, other] = [seats[seat]!, seats[rival]!];
          const gap = strengths[one]! + advantages[seat]! - strengths[other]! - advantages[rival]!;
          const expected = 1 / (1 + Math.exp(0 - gap));
          byEntrant[one]![other]! += expected;
          bySeat[seat]![rival]! += expected;
        }
      }
    }
  }
  const [first, ...others] = plainElo(bySeat);
  const mean = others.reduce((sum, elo) => sum + elo, 0) / others.length;
  return { entrants: plainElo(byEntrant), firstSeat: first! - mean };
}

function combinations(count: number, size: number, from = 0): number[][] {
  if (size === 0) return [[]];
  const found: number[][] = [];
  for (let first = from; first < count; first++) {
    for (const rest of combinations(count, size - 1, first + 1)) found.push([first, ...rest]);
  }
  return found;
}

export function simulatedRecord(
  seats: readonly number[],
  returns: readonly number[],
  block: string,
): GameRecord {
  const none = seats.map(() => 0);
  return {
    id: `${block} ${seats.join()}`,
    block,
    seats,
    actions: [],
    openingLength: 0,
    returns,
    ending: "finished",
    forfeitSeat: -1,
    detail: "",
    decisions: none,
    nodes: none,
    timeMs: none,
    thoughts: [],
  };
}
