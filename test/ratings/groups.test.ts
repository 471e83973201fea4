import { expect, test } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import { findGroups } from "../../src/ratings/counts/groups.ts";
import { addResults, emptyResults, tallyGames } from "../../src/ratings/counts/tally.ts";
import type { GameRecord } from "../../src/ratings/record.ts";
import { duels } from "./records.ts";
import { slowTest } from "../support/thorough.ts";

/** The entrants that `one` reaches over the steps, itself included. */
function reach(one: number, steps: ReadonlyMap<number, ReadonlySet<number>>): Set<number> {
  const reached = new Set([one]);
  for (const entrant of reached) for (const next of steps.get(entrant) ?? []) reached.add(next);
  return reached;
}

/** The classes of entrants that reach each other. */
function mutual(count: number, steps: ReadonlyMap<number, ReadonlySet<number>>): number[][] {
  const reached = Array.from({ length: count }, (_, one) => reach(one, steps));
  const classOf = (one: number) =>
    [...reached[one]!].filter((other) => reached[other]!.has(one)).toSorted((a, b) => a - b);
  return Array.from({ length: count }, (_, one) => classOf(one)).filter(([first], one) => first === one);
}

const sorted = (groups: readonly (readonly number[])[]) =>
  groups.map((group) => group.toSorted((a, b) => a - b)).toSorted((a, b) => a[0]! - b[0]!);

slowTest.each([5, 33, 70])(
  "the groups of %i entrants are those that a walk over the games finds",
  (count) => {
    const random = createRandom("groups", String(count));
    for (let sample = 0; sample < 20; sample++) {
      const met = new Map<number, Set<number>>();
      const scored = new Map<number, Set<number>>();
      const step = (steps: Map<number, Set<number>>, from: number, to: number) =>
        steps.set(from, (steps.get(from) ?? new Set()).add(to));
      const records: GameRecord[] = [];
      for (let pairing = 0; pairing < count; pairing++) {
        const [one, other] = [random.below(count), random.below(count)];
        if (one === other) continue;
        const isDrawn = random.below(4) === 0;
        records.push(...duels([one, other], isDrawn ? { drawn: 1 } : { won: 1 }));
        for (const [a, b] of [
          [one, other],
          [other, one],
        ] as const)
          step(met, a, b);
        step(scored, one, other);
        if (isDrawn) step(scored, other, one);
      }
      const { connected, bounded } = findGroups(tallyGames(records, count));
      expect(sorted(connected)).toEqual(mutual(count, met));
      expect(sorted(bounded)).toEqual(mutual(count, scored));
      // No group scores against a stronger one.
      for (const [at, group] of bounded.entries())
        for (const stronger of bounded.slice(0, at))
          expect(reach(group[0]!, scored).has(stronger[0]!)).toBe(false);
    }
  },
);

test("who plays no game has sums of 0", () => {
  const results = [emptyResults(), emptyResults(), emptyResults()];
  const records = duels([0, 1], { won: 2, drawn: 1, lost: 1 });
  addResults(results, records, records);
  expect(results[0]).toMatchObject({ games: 4, wins: 2, draws: 1, losses: 1, points: 2.5, opponents: 4 });
  expect(results[1]).toMatchObject({ games: 4, wins: 1, draws: 1, losses: 2, points: 1.5, opponents: 4 });
  expect(new Set(Object.values(results[2]!))).toEqual(new Set([0]));
});
