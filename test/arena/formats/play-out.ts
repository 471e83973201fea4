import { expect } from "vitest";
import {
  gamesOf,
  type BlockScore,
  type FormatPlan,
  type Match,
  type Past,
} from "../../../src/arena/formats/format.ts";
import { formatOf } from "../../../src/arena/formats/index.ts";
import type { FormatSpec } from "../../../src/arena/plan/plan.ts";

/** The plan of a tournament of entrants named e0, e1 and so on. */
export function planFor(format: FormatSpec, entrants: number, change: Partial<FormatPlan> = {}): FormatPlan {
  const names = Array.from({ length: entrants }, (_, at) => ({ name: `e${at}` }));
  return { format, entrants: names, players: 2, blocks: 2, seed: "seed", ...change };
}

/**
 * Plays a tournament with made-up results, and checks that the number of games is one that the format told, and that no
 * block is played twice.
 * @param scoreOf the scores of a block by entrant of the match
 */
export function playOut(
  plan: FormatPlan,
  scoreOf: (entrants: readonly number[], block: number, round: number) => readonly number[],
): Past {
  const format = formatOf(plan);
  const matches: (readonly Match[])[] = [];
  const scores: BlockScore[] = [];
  const played = new Map<string, number>();
  for (;;) {
    const number = matches.length;
    const next = format.round(plan, number, { matches, scores });
    if (next === undefined) break;
    expect(next.length).toBeGreaterThan(0);
    matches.push(next);
    for (const [match, { entrants, from, blocks }] of next.entries()) {
      expect(entrants).toEqual([...new Set(entrants)].toSorted((a, b) => a - b));
      expect(from).toBe(played.get(entrants.join()) ?? 0);
      played.set(entrants.join(), from + blocks);
      for (let block = from; block < from + blocks; block++) {
        const own = scoreOf(entrants, block, number);
        scores.push({ round: number, match, block, scores: own, returns: own });
      }
    }
  }
  const { least, most } = format.size(plan);
  expect(gamesOf(matches.flat())).toBeGreaterThanOrEqual(least);
  expect(gamesOf(matches.flat())).toBeLessThanOrEqual(most);
  return { matches, scores };
}
