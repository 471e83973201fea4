import type { GameRecord } from "../../src/ratings/record.ts";

/**
 * Elo written down as the rating programs of chess define it: the ratings at which everybody's expected score equals
 * its score. One number is moved at a time, without a prior and without regard to speed: the independent way that the
 * fit is checked against. Only for results that leave all numbers finite.
 *
 * @param score [one][other]: points that `one` took from `other`
 */
export function plainElo(score: readonly (readonly number[])[]): number[] {
  const elo = score.map(() => 0);
  for (let round = 0; round < 50_000; round++) {
    let largest = 0;
    elo.forEach((_, one) => {
      let missing = 0;
      let slope = 0;
      elo.forEach((__, other) => {
        const games = score[one]![other]! + score[other]![one]!;
        if (other === one || games === 0) return;
        const expected = 1 / (1 + 10 ** ((elo[other]! - elo[one]!) / 400));
        missing += score[one]![other]! - games * expected;
        slope += (games * expected * (1 - expected) * Math.LN10) / 400;
      });
      const by = slope === 0 ? 0 : missing / slope;
      elo[one]! += by;
      largest = Math.max(largest, Math.abs(by));
    });
    if (largest < 1e-9) break;
  }
  const mean = elo.reduce((sum, value) => sum + value, 0) / elo.length;
  return elo.map((value) => value - mean);
}

/** The points that each entrant, or each seat, took from each other one. */
export function scores(records: readonly GameRecord[], count: number, by: "entrant" | "seat"): number[][] {
  const score = Array.from({ length: count }, () => Array.from({ length: count }, () => 0));
  for (const { seats, returns } of records) {
    for (const seat of seats.keys()) {
      for (const rival of seats.keys()) {
        const [one, other] = by === "seat" ? [seat, rival] : [seats[seat]!, seats[rival]!];
        if (one === other) continue;
        score[one]![other]! +=
          returns[seat]! > returns[rival]! ? 1 : returns[seat] === returns[rival] ? 0.5 : 0;
      }
    }
  }
  return score;
}
