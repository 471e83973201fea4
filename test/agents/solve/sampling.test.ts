import { describe, expect, test } from "vitest";
import { createRandom, type Random } from "../../../src/base/random.ts";
import { createGame, type GameSpec } from "../../../src/games/index.ts";
import { CHANCE } from "../../../src/games/contract/rules.ts";
import { BestResponder } from "../../../src/agents/solve/best-response.ts";
import { matchRegrets } from "../../../src/agents/solve/cfr.ts";
import { buildGameTree, type GameTree, uniformPolicy } from "../../../src/agents/solve/game-tree.ts";
import { SAMPLINGS, TreeSampling } from "../../../src/agents/solve/sampling.ts";
import { slowTest, thorough } from "../../support/thorough.ts";

/** Runs something once for each way in which its draws can fall, and tells the probability of each. */
function forAllDraws(run: (random: Random) => void, tell: (probability: number) => void): void {
  const script: { choice: number; odds: Float64Array }[] = [];
  const next = (odds: Float64Array, after: number) => odds.findIndex((one, at) => at > after && one > 0);
  do {
    let at = 0;
    let probability = 1;
    run({
      weighted(given: Float64Array, from: number, count: number) {
        const odds = given.slice(from, from + count);
        if (at === script.length) script.push({ choice: next(odds, -1), odds });
        const { choice } = script[at++]!;
        probability *= odds[choice]!;
        return choice;
      },
    } as Random);
    tell(probability);
    while (script.length > 0) {
      const last = script.at(-1)!;
      last.choice = next(last.odds, last.choice);
      if (last.choice >= 0) break;
      script.pop();
    }
  } while (script.length > 0);
}

/**
 * By slot: the counterfactual regrets of `player`, and the policy of the next player times how likely it and chance come there.
 * The second is what the average of external sampling gets for two players, and of outcome sampling for any number.
 */
function exact(tree: GameTree, policy: Float64Array, player: number) {
  const { parent, slot, toMove, returns, players, actionSlots } = tree;
  const nodes = [...parent.keys()];
  const reach = (node: number, counts: (mover: number) => boolean): number =>
    node === 0
      ? 1
      : reach(parent[node]!, counts) * (counts(toMove[parent[node]!]!) ? policy[slot[node]!]! : 1);
  const values = nodes.map((node) => returns[player]![node]!);
  for (const node of nodes.slice(1).toReversed())
    values[parent[node]!]! += policy[slot[node]!]! * values[node]!;
  const regrets = new Float64Array(actionSlots);
  const sums = new Float64Array(actionSlots);
  const next = (player + 1) % players;
  for (const node of nodes.slice(1)) {
    const from = parent[node]!;
    if (toMove[from] === player)
      regrets[slot[node]!]! += reach(from, (mover) => mover !== player) * (values[node]! - values[from]!);
    if (toMove[from] === next)
      sums[slot[node]!]! += reach(node, (mover) => mover === next || mover === CHANCE);
  }
  return { regrets, sums };
}

const GAMES: readonly GameSpec[] = [
  "kuhn",
  { id: "liars-dice", sides: 2 },
  {
    id: "holdem",
    players: 3,
    ranks: 3,
    suits: 2,
    hole: 1,
    streets: 1,
    stack: 2,
    bet: 1,
    ante: 1,
    blinds: false,
  },
];

describe.each(SAMPLINGS)("%s", (algorithm) => {
  test.each(thorough(GAMES, GAMES.slice(0, 2)))(
    "changes regrets and averages of $id as a whole iteration does, in expectation",
    (spec) => {
      const tree = buildGameTree(createGame(spec));
      const random = createRandom("regrets");
      // With more players a third must come everywhere, or the next one would not add its policy there.
      const least = tree.players === 2 ? -0.3 : 0.1;
      const regrets = Float64Array.from({ length: tree.actionSlots }, () => random.float() + least);
      const policy = uniformPolicy(tree);
      for (const { from, actions } of tree.sets)
        matchRegrets(regrets, { from, count: actions.length }, policy, from);
      for (let player = 0; player < tree.players; player++) {
        const state = { iterations: 1, regrets, sums: new Float64Array(tree.actionSlots) };
        const mean = {
          regrets: new Float64Array(tree.actionSlots),
          sums: new Float64Array(tree.actionSlots),
        };
        let solver = new TreeSampling(tree, { algorithm, seed: "", state });
        let [games, all] = [0, 0];
        forAllDraws(
          (draws) => {
            solver = new TreeSampling(tree, { algorithm, seed: "", state });
            solver.update(player, draws);
          },
          (probability) => {
            games++;
            all += probability;
            for (const name of ["regrets", "sums"] as const)
              for (let at = 0; at < tree.actionSlots; at++)
                mean[name][at]! += probability * (solver.state[name][at]! - state[name][at]!);
          },
        );
        expect(all).toBeCloseTo(1, 10);
        expect(games).toBeGreaterThan(algorithm === "outcome-sampling" ? 15 : 6);
        const wanted = exact(tree, policy, player);
        expect(mean.regrets.every((one, at) => Math.abs(one - wanted.regrets[at]!) < 1e-10)).toBe(true);
        expect(Math.max(...wanted.regrets.map(Math.abs))).toBeGreaterThan(0.01);
        // External sampling adds a policy less often where the third player seldom comes: its average is another one.
        if (tree.players === 2 || algorithm === "outcome-sampling")
          expect(mean.sums.every((one, at) => Math.abs(one - wanted.sums[at]!) < 1e-10)).toBe(true);
      }
    },
  );
});

/** The mean exploitability of some seeds after each of two numbers of iterations. */
function meansAfter(spec: GameSpec, seeds: number, after: readonly [number, number]): [number, number] {
  const tree = buildGameTree(createGame(spec));
  const responder = new BestResponder(tree);
  const means: [number, number] = [0, 0];
  for (let seed = 0; seed < seeds; seed++) {
    const solver = new TreeSampling(tree, { algorithm: "outcome-sampling", seed: String(seed) });
    for (const [at, iterations] of after.entries()) {
      while (solver.iterations < iterations) solver.iterate();
      means[at]! += responder.exploit(solver.averagePolicy()).exploitability / seeds;
    }
  }
  return means;
}

test("outcome sampling comes nearer to an equilibrium of Kuhn poker", () => {
  const [early, late] = meansAfter("kuhn", thorough(20, 2), [500, thorough(50_000, 4000)]);
  expect(late).toBeLessThan(early / thorough(7, 2));
});

slowTest("outcome sampling comes nearer to an equilibrium of Leduc poker", () => {
  const [early, late] = meansAfter("leduc", 5, [10_000, 500_000]);
  expect(early).toBeLessThan(2.37);
  expect(late).toBeLessThan(early / 4);
});
