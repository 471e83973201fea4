import { describe, expect, test } from "vitest";
import { compare, type Verdict } from "../../../src/arena/formats/comparison.ts";
import { gamesOf, type BlockScore, type FormatPlan, type Match } from "../../../src/arena/formats/format.ts";
import { formatOf } from "../../../src/arena/formats/index.ts";
import { planTournament } from "../../../src/arena/plan/config.ts";
import { playTournament } from "../../../src/arena/tournament.ts";
import { createRandom } from "../../../src/base/random.ts";
import { eloOfScore } from "../../../src/ratings/elo/scale.ts";
import { planFor } from "./play-out.ts";
import { slowTest } from "../../support/thorough.ts";

const plan = (change: Partial<FormatPlan> = {}): FormatPlan =>
  planFor({ type: "comparison", margin: 40 }, 4, { blocks: 400, round: 20, ...change });

/** Plays a tournament with made-up scores of the first entrant; results come two rounds late, as the format says. */
function play(of: FormatPlan, scoreOf: (entrant: number) => number) {
  const format = formatOf(of);
  const matches: (readonly Match[])[] = [];
  const past = { matches, scores: [] as BlockScore[] };
  const blocks = new Map<number, number>();
  const hidden: BlockScore[][] = [];
  for (;;) {
    const next = format.round(of, matches.length, past);
    if (next === undefined) break;
    matches.push(next);
    hidden.push(
      next.flatMap(({ entrants, from, blocks: count }, match) =>
        Array.from({ length: count }, (_, at) => {
          const own = scoreOf(entrants[1]!);
          const scores = [own, ...entrants.slice(1).map(() => 1 - own)];
          return { round: matches.length - 1, match, block: from + at, scores, returns: scores };
        }),
      ),
    );
    for (const { entrants, from, blocks: count } of next) {
      expect(entrants[0]).toBe(0);
      expect(from).toBe(blocks.get(entrants[1]!) ?? 0);
      blocks.set(entrants[1]!, from + count);
    }
    if (hidden.length >= 2) past.scores.push(...hidden.at(-2)!);
  }
  past.scores.push(...(hidden.at(-1) ?? []));
  return { past, blocks, games: gamesOf(matches.flat()) };
}

describe("comparisons with the first entrant", () => {
  test("each pairing ends by itself, with the round that is out, and is counted once", () => {
    const of = plan();
    const { past, blocks, games } = play(of, (entrant) => [0.5, 0.9, 0.5, 0.1][entrant]!);
    const verdicts = compare(of, past);
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(["stronger", "equal", "weaker"]);
    for (const { entrant, blocks: counted } of verdicts) expect(counted).toBe(blocks.get(entrant));
    // Scores without noise are clear soon; to be sure that nothing differs takes longer.
    expect(blocks.get(1)).toBeLessThan(blocks.get(2)!);
    const { least, most } = formatOf(of).size(of);
    expect([least, most]).toEqual([3 * 2 * 40, 3 * 2 * 400]);
    expect(games).toBeGreaterThanOrEqual(least);
    expect(games).toBeLessThanOrEqual(most);
  });

  test("without a verdict a pairing plays all blocks", () => {
    const random = createRandom("open");
    const { blocks } = play(plan({ format: { type: "comparison", margin: 0 } }), () => random.float());
    expect([...blocks.values()]).toEqual([400, 400, 400]);
  });

  // 1,000 tournaments: a rate of 5% would be seen as more than 7% once in 600 times.
  const truths = [
    { truth: 0.5, allowed: ["equal"] },
    { truth: 0.53, allowed: ["stronger", "equal"] },
    { truth: 0.6, allowed: ["stronger"] },
  ];
  slowTest.each(truths)(
    "at an expected score of $truth other verdicts are rarer than one in twenty",
    ({ truth, allowed }) => {
      const random = createRandom(`verdicts ${truth}`);
      const pair = () => [0, 1].reduce((sum) => sum + (random.float() < truth ? 0.5 : 0), 0);
      const of = planFor({ type: "comparison", margin: 40 }, 2, { blocks: 1500, round: 50 });
      const counts = new Map<Verdict, number>();
      for (let run = 0; run < 1000; run++) {
        const [{ verdict } = { verdict: undefined as Verdict }] = compare(of, play(of, pair).past);
        counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
      }
      const wrong = (["stronger", "weaker", "equal"] as const).filter((one) => !allowed.includes(one));
      for (const verdict of wrong) expect(counts.get(verdict) ?? 0).toBeLessThan(70);
      expect(allowed.reduce((sum, one) => sum + (counts.get(one as Verdict) ?? 0), 0)).toBeGreaterThan(300);
    },
  );

  test("a played one: more than two seats are filled with copies, and the report has its intervals", async () => {
    const config = {
      name: "comparison",
      game: { id: "nim", players: 3, piles: [1, 2, 3] },
      blocks: 40,
      round: 8,
      format: { type: "comparison" as const, margin: 100 },
      openings: { randomPlies: 1 },
      entrants: ["max-n:depth=8", "random", "max-n:depth=1"],
    };
    const { report, records } = await playTournament(config, { workers: 0 });
    expect(records.every(({ seats }) => seats.filter((seat) => seat === 0).length === 1)).toBe(true);
    const { format } = report;
    if (format?.type !== "comparison") throw new Error("no comparison");
    expect(format.name).toBe("max-n:depth=8");
    for (const { score, eloDifference, low, high } of format.comparisons) {
      expect(eloDifference).toBeCloseTo(eloOfScore(score), 9);
      expect(low ?? -Infinity).toBeLessThan(eloDifference!);
      expect(high ?? Infinity).toBeGreaterThan(eloDifference!);
    }
  });

  test("one entrant, a game of one player and a wrong margin are refused", async () => {
    const config = { name: "c", blocks: 2, format: { type: "comparison", margin: 10 } };
    await expect(planTournament({ ...config, game: "connect-four", entrants: ["random"] })).rejects.toThrow(
      "needs at least 2",
    );
    await expect(planTournament({ ...config, game: "2048", entrants: ["random", "greedy"] })).rejects.toThrow(
      "two or more players",
    );
    const wrong = { ...config, game: "connect-four", entrants: ["random", "greedy"] };
    await expect(planTournament({ ...wrong, format: { type: "comparison", margin: -1 } })).rejects.toThrow(
      "margin",
    );
  });
});
