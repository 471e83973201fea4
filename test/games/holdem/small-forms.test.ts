import { describe, expect, test } from "vitest";
import { BestResponder } from "../../../src/agents/solve/best-response.ts";
import { buildGameTree, sizeOf, uniformPolicy } from "../../../src/agents/solve/game-tree.ts";
import { createSolver } from "../../../src/agents/solve/solver.ts";
import { createGame } from "../../../src/games/index.ts";
import { slowTest } from "../../support/thorough.ts";

const small = { id: "holdem", ranks: 3, suits: 2, hole: 1, flop: 1, streets: 2 };

slowTest("with three ranks, an ante and two raises of fixed size it is Leduc poker", () => {
  const game = createGame({ ...small, limit: true, blinds: false, ante: 1, raises: 2, stack: 20 });
  const [tree, leduc] = [buildGameTree(game), buildGameTree(createGame("leduc"))];
  expect(sizeOf(tree)).toEqual(sizeOf(leduc));
  const exploited = [tree, leduc].map((one) => {
    const solver = createSolver(one, { algorithm: "cfr+", seed: "leduc" });
    while (solver.iterations < 20) solver.iterate();
    const responder = new BestResponder(one);
    return [uniformPolicy(one), solver.averagePolicy()].map(
      (policy) => responder.exploit(policy).exploitability,
    );
  });
  for (const [at, exploitability] of exploited[0]!.entries())
    expect(exploitability).toBeCloseTo(exploited[1]![at]!, 9);
});

describe("a form of two streets without limit", () => {
  const tree = buildGameTree(createGame({ ...small, stack: 8, bets: [1] }));

  test("is solved until nobody gains a thousandth of a chip against the strategy", () => {
    const solver = createSolver(tree, { algorithm: "cfr+", seed: "small" });
    while (solver.iterations < 200) solver.iterate();
    const { exploitability, values } = new BestResponder(tree).exploit(solver.averagePolicy());
    expect(exploitability).toBeLessThan(0.001);
    expect(values[0]).toBeCloseTo(0.1, 3);
    expect(values[0]! + values[1]!).toBeCloseTo(0, 9);
  });
});
