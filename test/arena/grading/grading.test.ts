import { expect, test } from "vitest";
import { grade, planGrading, type GradingPlan } from "../../../src/arena/grading/grading.ts";
import type { Play, TournamentResult } from "../../../src/arena/tournament.ts";
import { createRandom } from "../../../src/base/random.ts";
import { reportSprt, SequentialTest, type SprtRule } from "../../../src/ratings/sprt/sequential-test.ts";
import { thorough } from "../../support/thorough.ts";

const FROM = { baseDir: ".", source: "grading.yaml" };
const CONFIG = { name: "marks", game: "connect-four", tests: [{ against: "random", score: 90 }] };

/** Play in which the bot wins each game with a probability. */
function coin(probability: number, seed: string): Play {
  const random = createRandom(seed);
  return ({ format, blocks, round = 1, players, entrants }) => {
    const { type: _, ...given } = format as unknown as SprtRule & { type: string };
    const rule = { ...given, model: "logistic" as const };
    const sequential = new SequentialTest(rule, players);
    for (let at = 0; at < blocks && sequential.decision === undefined; at += round) {
      const scores = Array.from({ length: Math.min(round, blocks - at) }, () => {
        const wins = [0, 1].filter(() => random.float() < probability);
        return wins.length / 2;
      });
      sequential.addRound(scores);
    }
    const names = entrants.map(({ name }) => name);
    const sprt = reportSprt(rule, sequential.counts, { entrants: names, players });
    const report = { sprt, entrants: [] as unknown[] };
    return Promise.resolve({ complete: true, report, records: [] } as unknown as TournamentResult);
  };
}

/** The share of bots with an expected score that pass. */
async function passing(config: object, probability: number, bots: number) {
  const grading = await planGrading(config, FROM);
  const [first] = grading.tests;
  const plan = await first!.plan({ agent: "random" });
  const fixed: GradingPlan = { ...grading, tests: [{ ...first!, plan: () => Promise.resolve(plan) }] };
  const play = coin(probability, `${probability}`);
  let passed = 0;
  for (let bot = 0; bot < bots; bot++) {
    const grades = await grade(fixed, {}, { dir: undefined, resume: false, play });
    passed += Number(grades!.passed);
  }
  return passed / bots;
}

// With the error rate of 5%, more than three standard errors above it are one test in a thousand.
const BOTS = thorough(2000, 300);
const MOST = 0.05 + 3 * Math.sqrt((0.05 * 0.95) / BOTS);

test.each([
  { score: 90, margin: 5 },
  { score: 50, margin: 10 },
  { score: 95, margin: 4 },
])(
  "a test for $score% is wrong in at most 5% of bots at the score, and $margin% below it",
  async (wanted) => {
    const { score, margin } = wanted;
    const config = { ...CONFIG, tests: [{ against: "random", ...wanted }] };
    const [good, bad] = [
      await passing(config, score / 100, BOTS),
      await passing(config, (score - margin) / 100, BOTS),
    ];
    expect(1 - good).toBeLessThan(MOST);
    expect(bad).toBeLessThan(MOST);
  },
);

test.each([
  [{ tests: [{ against: "randm", score: 90 }] }, /grading.yaml: tests\[0\].against: unknown agent "randm"/],
  [{ tests: [{ against: "minimax:depth=x", score: 90 }] }, /tests\[0\].against.depth: /],
  [{ game: "chss", tests: [{ against: "random", score: 90 }] }, /grading.yaml: game: unknown game "chss"/],
  [{ tests: [{ against: "random", score: 90, game: "chss" }] }, /tests\[0\].game: unknown game/],
  [{ tests: [{ against: "random", score: 4 }] }, /tests\[0\].score: must be above the margin of 5/],
  [{ game: "2048" }, /sprt needs games of two or more players/],
])("a wrong config is refused with the place: %j", async (changes, message) => {
  await expect(planGrading({ ...CONFIG, ...changes }, FROM)).rejects.toThrow(message);
});

test("the games that are over before the decision go to the score that fits better", async () => {
  const config = { ...CONFIG, games: 12, tests: [{ against: "random", score: 90 }] };
  const grading = await planGrading(config, FROM);
  const marks = async (probability: number) => {
    const play = coin(probability, "few");
    const grades = await grade(grading, { agent: "random" }, { dir: undefined, resume: false, play });
    return grades!.tests[0]!;
  };
  expect(await marks(1)).toMatchObject({ verdict: "undecided", passed: true, points: 1 });
  expect(await marks(0.7)).toMatchObject({ verdict: "undecided", passed: false, points: 0 });
});
