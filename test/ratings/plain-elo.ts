import type { GameRecord } from "../../src/ratings/record.ts";

/** Elo by entrant, and the advantage of each seat in Elo. */
export interface PlainElo {
  readonly entrants: number[];
  readonly seats: number[];
}

/**
 * Elo written down as the rating programs of chess define it (Ordo): the ratings at which every entrant's expected
 * score equals its score, and likewise for every seat. One number is moved at a time, without a prior and without
 * regard to speed: the independent way that the fit is checked against. Only for results that leave all numbers finite.
 */
export function plainElo(records: readonly GameRecord[], entrantCount: number): PlainElo {
  const seatCount = records[0]!.seats.length;
  const elo: PlainElo = {
    entrants: Array.from({ length: entrantCount }, () => 0),
    seats: Array.from({ length: seatCount }, () => 0),
  };
  for (let round = 0; round < 20_000; round++) {
    let largest = 0;
    const move = (list: number[], at: number, belongs: (entrant: number, seat: number) => boolean) => {
      const { missing, slope } = missingScore(records, elo, belongs);
      if (slope === 0) return;
      const by = missing / slope / 2;
      list[at]! += by;
      largest = Math.max(largest, Math.abs(by));
    };
    elo.entrants.forEach((_, entrant) => move(elo.entrants, entrant, (one) => one === entrant));
    elo.seats.forEach((_, seat) => move(elo.seats, seat, (__, own) => own === seat));
    if (largest < 1e-7) break;
  }
  return { entrants: centred(elo.entrants), seats: centred(elo.seats) };
}

/** Score less expected score of those whom `belongs` names against all others, and how it falls with their Elo. */
function missingScore(
  records: readonly GameRecord[],
  { entrants, seats: advantages }: PlainElo,
  belongs: (entrant: number, seat: number) => boolean,
): { missing: number; slope: number } {
  let missing = 0;
  let slope = 0;
  for (const { seats, returns } of records) {
    seats.forEach((one, seat) => {
      if (!belongs(one, seat)) return;
      seats.forEach((other, rival) => {
        if (rival === seat || belongs(other, rival)) return;
        const score = returns[seat]! > returns[rival]! ? 1 : returns[seat] === returns[rival] ? 0.5 : 0;
        const gap = entrants[one]! + advantages[seat]! - entrants[other]! - advantages[rival]!;
        const expected = 1 / (1 + 10 ** (-gap / 400));
        missing += score - expected;
        slope += (expected * (1 - expected) * Math.LN10) / 400;
      });
    });
  }
  return { missing, slope };
}

function centred(list: readonly number[]): number[] {
  const mean = list.reduce((sum, value) => sum + value, 0) / list.length;
  return list.map((value) => value - mean);
}
