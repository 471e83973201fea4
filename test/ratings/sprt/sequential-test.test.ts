import { describe, expect, test } from "vitest";
import { logLikelihoodRatio } from "../../../src/ratings/sprt/likelihood.ts";
import {
  reportSprt,
  SequentialTest,
  sprtBounds,
  type SprtRule,
} from "../../../src/ratings/sprt/sequential-test.ts";

const RULE: SprtRule = { elo0: 0, elo1: 20, alpha: 0.05, beta: 0.05, model: "logistic" };

test("the bounds are those of Wald", () => {
  expect(sprtBounds(RULE)).toEqual({ lower: -Math.log(19), upper: Math.log(19) });
  const { lower, upper } = sprtBounds({ ...RULE, alpha: 0.01, beta: 0.2 });
  expect(lower).toBeCloseTo(-1.5994, 4);
  expect(upper).toBeCloseTo(4.382, 4);
});

describe("rounds", () => {
  const won = Array.from({ length: 40 }, (_, at) => (at % 4 === 0 ? 0.25 : 0.75));
  const lost = won.map((score) => 1 - score);

  test("a decision stays, whatever comes after it", () => {
    const sprt = new SequentialTest(RULE, 2);
    sprt.addRound(lost.slice(0, 10));
    expect(sprt.decision).toBeUndefined();
    const { llr } = sprt;
    expect(llr).toBeLessThan(0);
    while (sprt.decision === undefined) sprt.addRound(won);
    const { counts } = sprt.counts;
    expect(sprt.decision).toBe("H1");
    expect(sprt.llr).toBe(logLikelihoodRatio(counts, 2, RULE));
    expect(sprt.llr).toBeGreaterThanOrEqual(Math.log(19));
    for (let round = 0; round < 20; round++) sprt.addRound(lost);
    expect(sprt.decision).toBe("H1");
    expect(sprt.counts.counts).toEqual(counts);
    expect(sprt.counts.after.map(({ blocks }) => blocks)).toEqual([0, 600, 0, 200, 0]);
  });

  test("the report has what the test says", () => {
    const sprt = new SequentialTest({ ...RULE, model: "normalised" }, 2);
    sprt.addRound(lost);
    const report = reportSprt({ ...RULE, model: "normalised" }, sprt.counts, {
      entrants: ["one", "other"],
      players: 2,
    });
    expect(report).toMatchObject({ llr: sprt.llr, decision: sprt.decision ?? null, blocks: 40 });
    expect(report.counts).toEqual([0, 30, 0, 10, 0].map((blocks, at) => ({ score: at / 4, blocks })));
  });

  test("scores of three players are told apart, whatever the rounding of their means", () => {
    const sprt = new SequentialTest(RULE, 3);
    sprt.addRound([1 / 12, 0.25 / 3, (1 + 0.5 + 0.5) / 3, 2 / 3 + 1e-16, 0.5]);
    expect(sprt.counts.counts.filter(({ blocks }) => blocks > 0)).toEqual([
      { score: 1 / 12, blocks: 2 },
      { score: 0.5, blocks: 1 },
      { score: 8 / 12, blocks: 2 },
    ]);
    // Those of pairs are always there.
    expect(sprt.counts.counts.map(({ score }) => score)).toEqual([0, 1 / 12, 0.25, 0.5, 8 / 12, 0.75, 1]);
  });
});
