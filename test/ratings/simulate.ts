import type { GameRecord } from "../../src/ratings/record.ts";
import type { Random } from "../../src/base/random.ts";

/** The truth behind a simulated tournament: log strength by entrant, log advantage by seat, delta of a tie. */
export interface Truth {
  readonly strengths: readonly number[];
  readonly seats: readonly number[];
  /** delta by number of tied players; 0 for never, 1 for one. */
  readonly ties: readonly number[];
}

/**
 * How the games of a block hang together. The chance of every single game's result stays exactly that of
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

/** A ranking drawn stage by stage; candidates stand in the order of entrants or of seats on the unit interval. */
function drawReturns(
  { strengths, seats: advantages, ties }: Truth,
  {
    seats,
    uniforms,
    byEntrant,
  }: { seats: readonly number[]; uniforms: readonly number[]; byEntrant: boolean },
): number[] {
  const weight = (set: readonly number[]) =>
    ties[set.length]! *
    Math.exp(set.reduce((sum, seat) => sum + strengths[seats[seat]!]! + advantages[seat]!, 0) / set.length);
  const key = (seat: number) => (byEntrant ? seats[seat]! : seat);
  let remaining = seats.map((_, seat) => seat).toSorted((a, b) => key(a) - key(b));
  const returns = seats.map(() => 0);
  for (let stage = 0; remaining.length > 0; stage++) {
    const candidates = subsets(remaining);
    const weights = candidates.map(weight);
    let left = uniforms[stage]! * weights.reduce((sum, value) => sum + value, 0);
    const index = weights.findIndex((value) => (left -= value) < 0);
    const chosen = candidates[index < 0 ? 0 : index]!;
    for (const seat of chosen) returns[seat] = -stage;
    remaining = remaining.filter((seat) => !chosen.includes(seat));
  }
  return returns;
}

/** The sets that can come next; of two players win, draw, loss, so that equal numbers mean like results. */
function subsets(items: readonly number[]): number[][] {
  return items.reduce<number[][]>(
    (sets, item) => [...sets, ...sets.map((set) => [...set, item]), [item]],
    [],
  );
}

function combinations(count: number, size: number, from = 0): number[][] {
  if (size === 0) return [[]];
  const found: number[][] = [];
  for (let first = from; first < count; first++) {
    for (const rest of combinations(count, size - 1, first + 1)) found.push([first, ...rest]);
  }
  return found;
}

function simulatedRecord(seats: readonly number[], returns: readonly number[], block: string): GameRecord {
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
  };
}
