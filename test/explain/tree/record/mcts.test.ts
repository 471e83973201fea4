import { describe, expect, test } from "vitest";
import {
  bestChild,
  countNodes,
  type SearchIteration,
  type SearchNode,
} from "../../../../src/explain/tree/search-tree.ts";
import { algorithmOf, stepsOf } from "../../../../src/explain/tree/text/steps.ts";
import { describeNode } from "../../../../src/explain/tree/text/text.ts";
import type { Heuristic } from "../../../../src/games/contract/facets.ts";
import { createGame } from "../../../../src/games/index.ts";
import { usualOpenGames, sampleName } from "../../../games/samples.ts";
import { randomPositions } from "../../../agents/play.ts";
import { allNodes, observe, plain } from "../observed.ts";

/** Simulations that went to a node, by the paths. */
function simulationsAt({ paths }: SearchIteration, path: readonly number[]): number {
  return paths!.filter(({ actions }) => path.every((action, at) => actions[at] === action)).length;
}

function checkVisits(iteration: SearchIteration, node: SearchNode, path: readonly number[]): void {
  expect(node.visits).toBe(simulationsAt(iteration, path));
  for (const child of node.children) checkVisits(iteration, child, [...path, child.action]);
}

describe.each(usualOpenGames.map((spec) => [sampleName(spec), spec] as const))("mcts at %s", (_, spec) => {
  test("decides as ever, and the tree has the visits of its simulations", async () => {
    const game = createGame(spec);
    const [state] = randomPositions(game, 1);
    const question = {
      game,
      spec: { agent: "mcts", simulations: 25, maxNodes: 1000, solver: false },
      state: state!,
    };
    const found = await observe(question);
    const { action, value, depth, nodes, line } = (await plain(question)).analysis;
    expect(found.decision).toEqual({ action, value, depth, nodes, line });
    expect(found.iterations.map(({ simulations }) => simulations)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 25,
    ]);
    for (const iteration of found.iterations) checkVisits(iteration, iteration.root, []);
    const chosen = found.iterations.at(-1)!.root.children.find(({ name }) => name === action);
    expect(chosen!.value).toBeCloseTo(value!, 12);
  });
});

test("a proven win is decided with the value of a win, and ends the record", async () => {
  const game = createGame("connect-four");
  const state = game.parseState("112233");
  const { decision, iterations } = await observe({ game, spec: "mcts:simulations=500", state });
  const { root, simulations } = iterations.at(-1)!;
  expect(decision).toMatchObject({ action: "4", value: 1, nodes: simulations });
  expect(root.children.find(({ name }) => name === "4")).toMatchObject({ value: 1, proof: "win" });
  expect(bestChild(root)!.name).toBe("4");
  expect(describeNode(bestChild(root)!)).toMatch(/^4 ■ 1 \d+ visits? proven win /);
});

test("a search by Gumbel's selection decides as ever, and has visits but no bounds", async () => {
  const game = createGame("connect-four");
  const heuristic: Heuristic = {
    summary: "threats, and a policy that likes the middle",
    evaluate: (state, player) => game.heuristics["threats"]!.evaluate(state, player),
    prefer(_, actions, at, end, out) {
      for (let index = at; index < end; index++) out[index] = 0 - Math.abs(3 - actions[index]!);
    },
  };
  const question = {
    game: { ...game, heuristics: { ...game.heuristics, middle: heuristic } },
    spec: "mcts:simulations=25,evaluator=middle,priors=policy,root=gumbel,considered=4,noise=1",
  };
  const { decision, iterations } = await observe(question);
  const { action, value, depth, nodes, line } = (await plain(question)).analysis;
  expect(decision).toEqual({ action, value, depth, nodes, line });
  const { children } = iterations.at(-1)!.root;
  expect(children.map(({ visits }) => visits!).toSorted((one, other) => one - other)).toEqual([3, 3, 9, 10]);
  for (const { bound } of children) expect(bound).toBeUndefined();
  const weights = Array.from({ length: 7 }, (_, column) => Math.exp(0 - Math.abs(3 - column)));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  for (const { action: column, prior } of children) expect(prior).toBeCloseTo(weights[column]! / sum, 6);
  expect(describeNode(children[0]!)).toMatch(/ \d+ visits? prior \d+/);
  // The root's line, and the one below it, say nothing of bounds.
  const found = await observe(question);
  const lines = stepsOf(found).map(({ line, text }) => `${text}| ${algorithmOf(found)[line]![1]}`);
  expect(lines.filter((text) => /: goes to \d\.\|/.test(text))).toHaveLength(25);
  for (const text of lines)
    if (/: goes to \d\.\|/.test(text))
      expect(text).toContain("at the root, take the next action of sequential halving");
    else if (text.includes(": goes to")) expect(text).toContain("furthest behind the improved policy");
});

test("the next simulation goes where the bound is highest, or where none has been", async () => {
  const game = createGame({ id: "nim", piles: [1, 2] });
  const { iterations } = await observe({ game, spec: "mcts:simulations=10,exploration=1.2" });
  const { paths } = iterations.at(-1)!;
  for (const { simulations, root } of iterations.slice(0, -1)) {
    const [next] = paths![simulations!]!.actions;
    if (root.unseen !== undefined) expect(root.children.map(({ action }) => action)).not.toContain(next);
    else {
      const bounds = root.children.map(({ bound }) => bound!);
      expect(root.children.find(({ action }) => action === next)!.bound).toBe(Math.max(...bounds));
    }
  }
  expect(iterations[4]!.root.unseen).toBeUndefined();
});

test("the nodes with the most visits are kept, the others counted", async () => {
  const game = createGame("connect-four");
  const question = { game, spec: "mcts:simulations=300" };
  const whole = (await observe(question)).iterations.at(-1)!.root;
  const part = (await observe(question, { maxNodes: 40 })).iterations.at(-1)!.root;
  const kept = allNodes(part);
  expect(kept.length).toBeLessThanOrEqual(40);
  expect(kept.length).toBeGreaterThan(7);
  expect(countNodes(part)).toBe(countNodes(whole));
  const visits = allNodes(whole).map((node) => node.visits!);
  const least = Math.min(...kept.map((node) => node.visits!));
  expect(visits.filter((count) => count >= least)).toHaveLength(kept.length);
});

test("chance has probabilities, and no mean of its own", async () => {
  const { iterations } = await observe({ game: createGame("pig"), spec: "mcts:simulations=200" });
  const events = allNodes(iterations.at(-1)!.root).filter(
    ({ toMove, children }) => toMove === -1 && children.length > 0,
  );
  expect(events.length).toBeGreaterThan(0);
  for (const { children } of events)
    for (const { probability, value } of children) expect([probability, value]).toEqual([1 / 6, null]);
});
