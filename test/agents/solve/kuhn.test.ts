import { describe, expect, test } from "vitest";
import { createGame } from "../../../src/games/index.ts";
import { BestResponder } from "../../../src/agents/solve/best-response.ts";
import { Cfr, CFR_VARIANTS, type CfrVariant } from "../../../src/agents/solve/cfr.ts";
import { ALGORITHMS, createSolver } from "../../../src/agents/solve/solver.ts";
import { buildGameTree, sizeOf, uniformPolicy } from "../../../src/agents/solve/game-tree.ts";
import { slowTest } from "../../support/thorough.ts";

const tree = buildGameTree(createGame("kuhn"));
const responder = new BestResponder(tree);

/** Exploitability after so many iterations, as other programs have it (OpenSpiel 1.6, tabular, alternating updates). */
const PUBLISHED: Readonly<Record<CfrVariant, Readonly<Record<number, number>>>> = {
  cfr: { 1: 0.45833333, 2: 0.27083333, 5: 0.12138889, 10: 0.06869879, 100: 0.00822598, 1000: 0.00093762 },
  "cfr+": { 1: 0.45833333, 2: 0.26388889, 5: 0.07334453, 10: 0.03268709, 100: 0.0011944 },
  dcfr: { 1: 0.4583333, 10: 0.0227788, 100: 0.0016663 },
};

describe("Kuhn poker as a tree", () => {
  test("has the published numbers of histories and information sets", () => {
    expect(sizeOf(tree)).toEqual({ chance: 4, decisions: 24, ends: 30, sets: [6, 6] });
  });

  test("uniform play, and the first action always, are as exploitable as published", () => {
    const uniform = uniformPolicy(tree);
    expect(responder.exploit(uniform).exploitability).toBeCloseTo(0.4583333, 7);
    const first = uniform.slice();
    for (const { from, actions } of tree.sets)
      for (let at = 0; at < actions.length; at++) first[from + at] = at === 0 ? 1 : 0;
    expect(responder.exploit(first).exploitability).toBeCloseTo(1, 12);
  });

  test.each(CFR_VARIANTS)(
    "%s is as far from unbeatable as published after each number of iterations",
    (variant) => {
      const solver = new Cfr(tree, variant);
      for (const [iterations, exploitability] of Object.entries(PUBLISHED[variant])) {
        while (solver.iterations < Number(iterations)) solver.iterate();
        const found = responder.exploit(solver.averagePolicy()).exploitability;
        expect(Math.abs(found - exploitability)).toBeLessThan(6e-8);
      }
    },
  );

  test("the first player loses 1/18 of a chip a game, whatever the algorithm", () => {
    for (const variant of CFR_VARIANTS) {
      const solver = new Cfr(tree, variant);
      for (let t = 0; t < 3000; t++) solver.iterate();
      const { values, bestResponses } = responder.exploit(solver.averagePolicy());
      expect(values[0]).toBeCloseTo(-1 / 18, 3);
      expect(values[1]).toBeCloseTo(1 / 18, 3);
      expect(bestResponses[0]! + bestResponses[1]!).toBeGreaterThanOrEqual(0);
    }
  });

  test.each(ALGORITHMS)("%s goes on from its state as if it had never stopped", (algorithm) => {
    const of = { algorithm, seed: "a" };
    const whole = createSolver(tree, of);
    for (let t = 0; t < 50; t++) whole.iterate();
    const first = createSolver(tree, of);
    for (let t = 0; t < 20; t++) first.iterate();
    const second = createSolver(tree, { ...of, state: structuredClone(first.state) });
    for (let t = 0; t < 30; t++) second.iterate();
    expect(second.state).toEqual(whole.state);
  });

  slowTest("external sampling comes near the equilibrium, and nearer with more iterations", () => {
    const solver = createSolver(tree, { algorithm: "external-sampling", seed: "kuhn" });
    const after = [300, 30_000].map((iterations) => {
      while (solver.iterations < iterations) solver.iterate();
      return responder.exploit(solver.averagePolicy()).exploitability;
    });
    expect(after[0]).toBeLessThan(0.15);
    expect(after[1]).toBeLessThan(0.02);
    expect(after[1]).toBeLessThan(after[0]! / 3);
  });
});
