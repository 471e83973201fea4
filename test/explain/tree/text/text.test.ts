import { expect, test } from "vitest";
import { drawSearchTree } from "../../../../src/explain/tree/picture/svg.ts";
import { formatSearchTree, formatProbability, formatValue } from "../../../../src/explain/tree/text/text.ts";
import { foldTree, type ShownNode, countNodes } from "../../../../src/explain/tree/search-tree.ts";
import { createGame } from "../../../../src/games/index.ts";
import { createTree } from "../../../agents/random-trees.ts";
import { observe } from "../observed.ts";

const PLAIN = "table=0,ordering=none,deepening=false";

test("a tree with a cut-off, line by line", async () => {
  const game = createTree({
    player: 0,
    actions: { left: 20, right: { player: 1, actions: [10, 99, 98] } },
  });
  const found = await observe({ game, spec: `alpha-beta:depth=2,${PLAIN}` });
  expect(formatSearchTree(found, found.iterations)).toBe(
    [
      "depth 2, 4 nodes",
      "",
      "▲ MAX 20 [-∞, +∞] #1",
      "├─ left ■ 20 end #2 *",
      "└─ right ▼ MIN ≤10 [20, +∞] #3",
      "   ├─ 1 ■ 10 end #4",
      "   └─ ✂ cut: 10 <= alpha 20; not looked at: 2, 3",
      "",
      "alpha-beta plays left, value 20, after 4 nodes; it expects left",
    ].join("\n"),
  );
});

test("chance has circles with probabilities, the iterations stand one below the other", async () => {
  const game = createTree({
    player: 0,
    actions: {
      sure: 9,
      dice: {
        chance: [
          { probability: "1/3", node: 24 },
          { probability: "2/3", node: -3.00001 },
        ],
        value: 2,
      },
    },
  });
  const found = await observe({ game, spec: "expectimax:nodes=100,ties=first,evaluator=value,pruning=none" });
  expect(formatSearchTree(found, found.iterations)).toBe(
    [
      "depth 1, 3 nodes",
      "",
      "▲ MAX 9 #1",
      "├─ sure ■ 9 end #2 *",
      "└─ dice ■ 2 evaluated #3",
      "",
      "depth 2, 5 nodes",
      "",
      "▲ MAX 9 #1",
      "├─ sure ■ 9 end #2 *",
      "└─ dice ● chance 6 #3",
      "   ├─ 1 (1/3) ■ 24 end #4",
      "   └─ 2 (2/3) ■ -3 end #5",
      "",
      "expectimax plays sure, value 9, after 8 nodes of all iterations; it expects sure",
    ].join("\n"),
  );
});

test("Star2: looks after each outcome, and the cut-off of a chance event", async () => {
  const game = createTree({
    player: 0,
    actions: {
      sure: 9,
      dice: {
        chance: [
          { probability: "1/3", node: 3 },
          { probability: "2/3", node: { player: 1, actions: [6, 3, 5, 2, 24] } },
        ],
      },
    },
  });
  const found = await observe({ game, spec: "expectimax:depth=2,deepening=false,ties=first" });
  expect(formatSearchTree(found, found.iterations)).toBe(
    [
      "depth 2, 6 nodes",
      "",
      "▲ MAX 9 [-∞, +∞] #1",
      "├─ sure ■ 9 end #2 *",
      "└─ dice ● chance ≤5 [9, +∞] #3",
      "   ├─ 1 (1/3) ■ 3 end, a look #4",
      "   ├─ 2 (2/3) ▼ MIN ≤6 [12, +∞] a look at one action #5",
      "   │  └─ 1 ■ 6 end #6",
      "   └─ ✂ cut: 5 <= alpha 9; not looked at: 1, 2",
      "",
      "expectimax plays sure, value 9, after 6 nodes; it expects sure",
    ].join("\n"),
  );
});

test("numbers are short, probabilities fractions", () => {
  expect([1, -0.33333333, 12345.678, 0.00004].map(formatValue)).toEqual(["1", "-0.3333", "12345.7", "0"]);
  expect([formatValue([1, 0.5, -2]), formatValue(null)]).toEqual(["(1, 0.5, -2)", "?"]);
  expect([1, 0.5, 1 / 18, 5 / 36, 0.123456].map(formatProbability)).toEqual([
    "1",
    "1/2",
    "1/18",
    "5/36",
    "0.123",
  ]);
});

/** The shown part of a tree, and the note about the rest. */
function sizes({ children, more }: ShownNode): { shown: number; more: number } {
  return children
    .map(sizes)
    .reduce((sum, one) => ({ shown: sum.shown + one.shown, more: sum.more + one.more }), {
      shown: 1,
      more,
    });
}

test.each([{ depth: 1 }, { width: 2 }, { nodes: 17 }, { depth: 2, width: 3, nodes: 5 }, { nodes: 1 }])(
  "%j: the others are counted, and the principal variation stays",
  async (limits) => {
    const spec = "alpha-beta:depth=4,evaluator=open-lines,deepening=false";
    const found = await observe({ game: createGame("tic-tac-toe"), spec });
    const { iterations } = found;
    const { root } = iterations[0]!;
    const top = foldTree(root, limits);
    const { shown, more } = sizes(top);
    expect(shown + more).toBe(countNodes(root));
    expect(shown).toBeLessThanOrEqual(limits.nodes ?? Infinity);
    // The title says how many nodes there are, and how many stand in the text and in the picture.
    const title = `depth 4, ${shown} of ${countNodes(root)} nodes shown`;
    const text = formatSearchTree(found, iterations, limits);
    expect(text.split("\n")[0]).toBe(title);
    expect(text.match(/#\d+/g)).toHaveLength(shown);
    const picture = drawSearchTree(found, iterations, limits);
    expect(picture).toContain(`>${title}<`);
    expect(picture.match(/class="node"/g)).toHaveLength(shown);
    expect(picture).toContain(`after ${countNodes(root)} nodes; it expects`);
    const check = (one: ShownNode, depth: number): void => {
      expect(one.children.length).toBeLessThanOrEqual(limits.width ?? 12);
      expect(depth).toBeLessThanOrEqual(limits.depth ?? Infinity);
      if (one.isOnLine && one.children.length > 0)
        expect(one.children.filter(({ isOnLine }) => isOnLine)).toHaveLength(1);
      for (const child of one.children) check(child, depth + 1);
    };
    check(top, 0);
  },
);
