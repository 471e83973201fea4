import { expect, test } from "vitest";
import type { SearchNode } from "../../../../src/explain/tree/search-tree.ts";
import { stepsOf } from "../../../../src/explain/tree/text/steps.ts";
import { formatSearchTree } from "../../../../src/explain/tree/text/text.ts";
import { createGame } from "../../../../src/games/index.ts";
import type { TreeNode } from "../../../../src/games/tree/schema.ts";
import { randomPositions } from "../../../agents/play.ts";
import { createTree } from "../../../agents/random-trees.ts";
import { observe, plain } from "../observed.ts";

const leaf = (value: number): TreeNode => ({ player: 0, value, actions: [value] });
const hand = createTree({
  player: 0,
  actions: {
    left: { player: 1, value: 5, actions: { a: leaf(6), b: leaf(2) } },
    middle: { player: 1, value: 4, actions: { c: leaf(3), d: 9 } },
    right: { player: 1, value: 1, actions: { e: leaf(8), f: leaf(-9) } },
  },
});

test("each simulation adds what follows the best leaf", async () => {
  const found = await observe({ game: hand, spec: "descent:evaluator=value,ties=first,simulations=3" });
  expect(formatSearchTree(found, found.iterations).split("\n")).toEqual([
    "0 simulations",
    "",
    "▲ MAX 5 *",
    "├─ left ■ 5 evaluated *",
    "├─ middle ■ 4 evaluated",
    "└─ right ■ 1 evaluated",
    "",
    "1 simulation",
    "",
    "▲ MAX 4 1 visit *",
    "├─ left ▼ MIN 2 1 visit",
    "│  ├─ a ■ 6 evaluated",
    "│  └─ b ■ 2 evaluated",
    "├─ middle ■ 4 evaluated *",
    "└─ right ■ 1 evaluated",
    "",
    "2 simulations",
    "",
    "▲ MAX 3 2 visits *",
    "├─ left ▼ MIN 2 1 visit",
    "│  ├─ a ■ 6 evaluated",
    "│  └─ b ■ 2 evaluated",
    "├─ middle ▼ MIN 3 1 visit *",
    "│  ├─ c ■ 3 evaluated *",
    "│  └─ d ■ 9 end",
    "└─ right ■ 1 evaluated",
    "",
    "3 simulations",
    "",
    "▲ MAX 3 3 visits *",
    "├─ middle ▼ MIN 3 2 visits solved *",
    "│  ├─ c ▲ MAX 3 1 visit solved *",
    "│  │  └─ 1 ■ 3 end *",
    "│  └─ d ■ 9 end",
    "├─ left ▼ MIN 2 1 visit",
    "│  ├─ a ■ 6 evaluated",
    "│  └─ b ■ 2 evaluated",
    "└─ right ■ 1 evaluated",
    "",
    "descent plays middle, value 3, after 8 nodes; it expects middle c 1",
  ]);
  const steps = stepsOf(found).filter(({ iteration }) => iteration === 0 || iteration === 3);
  expect(steps.map(({ text }) => text)).toEqual([
    "At first: judges the positions after the root.",
    "Simulation 1: goes to left.",
    "Simulation 1: the tree ends after left.",
    "Simulation 3: the best position after it is worth (3, -3).",
    "Simulation 3: takes the best values back up through 3 nodes.",
  ]);
});

/** The value of a node by those of the nodes after it. */
const minimax = ({ role, value, children }: SearchNode): unknown =>
  children.length === 0
    ? value
    : children
        .map((child) => child.value as number)
        .reduce((one, other) => (role === "max" ? Math.max(one, other) : Math.min(one, other)));

test.each([
  ["tic-tac-toe", "open-lines"],
  ["connect-four", "threats"],
])("it decides as ever at %s, and has minimax values", async (id, heuristic) => {
  const game = createGame(id);
  for (const state of randomPositions(game, 5)) {
    const question = {
      game,
      spec: `descent:simulations=25,evaluator=${heuristic}`,
      state,
    };
    const { decision, iterations, player } = await observe(question);
    const { action, value, depth, nodes, line } = (await plain(question)).analysis;
    expect(decision).toEqual({ action, value, depth, nodes, line });
    const { root, paths, simulations, nodes: size } = iterations.at(-1)!;
    expect([root.visits ?? 0, paths!.length, size]).toEqual([simulations, simulations, nodes + 1]);
    const check = (node: SearchNode): void => {
      expect(node.value).toBe(minimax(node));
      if (node.toMove >= 0) expect(node.role).toBe(node.toMove === player ? "max" : "min");
      for (const child of node.children) check(child);
    };
    check(root);
    const after = (action: number) => paths!.filter(({ actions }) => actions[0] === action).length;
    for (const child of root.children) expect(child.visits ?? 0).toBe(after(child.action));
  }
});

test("with few nodes to record it keeps those of most visits", async () => {
  const question = { game: createGame("tic-tac-toe"), spec: "descent:simulations=200" };
  const { iterations } = await observe(question, { maxNodes: 50 });
  const { root, nodes } = iterations.at(-1)!;
  const count = ({ children }: SearchNode): number => children.reduce((sum, child) => sum + count(child), 1);
  const hidden = (node: SearchNode): number =>
    node.children.reduce((sum, child) => sum + hidden(child), node.hidden);
  expect(count(root)).toBeLessThanOrEqual(51);
  expect(count(root) + hidden(root)).toBe(nodes);
});
