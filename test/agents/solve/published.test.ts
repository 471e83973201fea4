import { describe, expect, test } from "vitest";
import { createGame, type GameSpec } from "../../../src/games/index.ts";
import { BestResponder } from "../../../src/agents/solve/best-response.ts";
import { Cfr, type CfrVariant } from "../../../src/agents/solve/cfr.ts";
import { buildGameTree, sizeOf, uniformPolicy } from "../../../src/agents/solve/game-tree.ts";
import { slowTest } from "../../support/thorough.ts";

/**
 * Exploitability after so many iterations, as OpenSpiel's tabular solvers have it. `digits` says how exact the printed
 * figures are.
 */
interface Published {
  readonly game: GameSpec;
  readonly variant: CfrVariant;
  readonly after: Readonly<Record<number, number>>;
  readonly error: number;
}

const PUBLISHED: readonly Published[] = [
  {
    game: "leduc",
    variant: "cfr",
    after: { 1: 2.37361111, 2: 2.06131944, 5: 1.47132456, 10: 0.88857898, 100: 0.09571635 },
    error: 6e-8,
  },
  {
    game: "leduc",
    variant: "cfr+",
    after: { 1: 2.37361111, 2: 2.05791667, 5: 1.37123237, 10: 0.6104389, 100: 0.01341599 },
    error: 6e-8,
  },
  { game: "leduc", variant: "dcfr", after: { 1: 2.3736111, 10: 0.778802 }, error: 6e-7 },
  {
    game: { id: "goofspiel", cards: 4 },
    variant: "cfr",
    after: { 1: 0.70833, 10: 0.14965, 100: 0.03259 },
    error: 6e-6,
  },
  {
    game: { id: "goofspiel", cards: 4 },
    variant: "cfr+",
    after: { 1: 0.70833, 10: 0.143, 100: 0.01113 },
    error: 6e-6,
  },
];

function check({ game, variant, after, error }: Published): void {
  const tree = buildGameTree(createGame(game));
  const solver = new Cfr(tree, variant);
  const responder = new BestResponder(tree);
  for (const [iterations, exploitability] of Object.entries(after)) {
    while (solver.iterations < Number(iterations)) solver.iterate();
    const found = responder.exploit(solver.averagePolicy()).exploitability;
    expect({ iterations, error: Math.abs(found - exploitability) < error ? 0 : found }).toEqual({
      iterations,
      error: 0,
    });
  }
}

describe("exploitability is the published one", () => {
  test.each(PUBLISHED)("$game by $variant", check);

  slowTest("liar's dice of 6 sides by CFR+", () => {
    check({
      game: "liars-dice",
      variant: "cfr+",
      after: { 1: 0.78074432, 10: 0.14160143, 100: 0.00490828 },
      error: 6e-8,
    });
  });

  test("of uniform play at Leduc poker, and of the first action always", () => {
    const tree = buildGameTree(createGame("leduc"));
    const responder = new BestResponder(tree);
    const uniform = uniformPolicy(tree);
    expect(responder.exploit(uniform).exploitability).toBeCloseTo(2.3736111, 7);
    const first = uniform.slice();
    for (const { from, actions } of tree.sets)
      for (let at = 0; at < actions.length; at++) first[from + at] = at === 0 ? 1 : 0;
    expect(responder.exploit(first).exploitability).toBeCloseTo(1, 12);
  });
});

test("trees have the published numbers of histories", () => {
  expect(sizeOf(buildGameTree(createGame("leduc")))).toEqual({
    chance: 157,
    decisions: 3780,
    ends: 5520,
    sets: [468, 468],
  });
  expect(sizeOf(buildGameTree(createGame({ id: "liars-dice", sides: 4 }))).sets).toEqual([512, 512]);
});
