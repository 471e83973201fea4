import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { AgentSpec } from "../../../../src/agents/agent.ts";
import { agents } from "../../../../src/agents/index.ts";
import { fittingAgents } from "../../../../src/agents/prepare.ts";
import {
  countNodes,
  isAside,
  type SearchNode,
  type SearchTree,
} from "../../../../src/explain/tree/search-tree.ts";
import { CHANCE, type Game, type State } from "../../../../src/games/contract/game.ts";
import { createGame, type GameSpec } from "../../../../src/games/index.ts";
import { usualOpenGames, sampleName } from "../../../games/samples.ts";
import { everyFew, thorough } from "../../../support/thorough.ts";
import { randomPositions } from "../../../agents/play.ts";
import { createTree, randomTree } from "../../../agents/random-trees.ts";
import { allNodes, observe, plain, positionsOf } from "../observed.ts";

/** The value of a node must be that of its visited children: a search keeps the best bound, cut off or not. */
function checkValue({ role, value, toMove, children, leaf, cut, order }: SearchNode): void {
  const visited = children.filter((child) => !isAside(child));
  // A spent budget stops the search before the values of the nodes on its path are known.
  if (leaf !== undefined || value === null) return;
  // The cut at a chance event is in the bound, and not in the children.
  if (role === "mean" && cut !== undefined) return;
  const values = visited.map((child) => child.value!);
  if (role === "max") expect(value).toBe(Math.max(...(values as number[])));
  if (role === "min") expect(value).toBe(Math.min(...(values as number[])));
  const mean = (of: readonly number[]) =>
    of.reduce((sum, one, at) => sum + visited[at]!.probability! * one, 0) + 0;
  if (role === "mean") {
    const tuples = values.map((one) => (typeof one === "number" ? [one] : one));
    const means = tuples[0]!.map((_, player) => mean(tuples.map((tuple) => tuple[player]!)));
    expect([value].flat()).toEqual(means.map((one) => expect.closeTo(one, 9) as number));
  }
  if (role === "player") {
    const tuples = values as (readonly number[])[];
    const most = Math.max(...tuples.map((one) => one[toMove]!));
    const best = visited.filter(({ value: one }) => (one as readonly number[])[toMove] === most);
    const first = best.toSorted((one, other) => one.action - other.action)[0]!;
    if (order > 1) expect(value).toEqual(first.value);
    else expect((value as readonly number[])[toMove]).toBe(most);
  }
}

/** Checks the properties of every whole record of a search. */
async function checkRecord(game: Game, spec: string | AgentSpec, state: State): Promise<SearchTree> {
  const found = await observe({ game, spec, state });
  const { analysis, visited } = await plain({ game, spec, state });
  const { action, value, depth, nodes, line } = analysis;
  expect(found.decision).toEqual({ action, value, depth, nodes, line });
  expect(found.iterations.reduce((sum, one) => sum + one.nodes, 0)).toBe(nodes);
  const seen = found.iterations.flatMap(({ root }) => positionsOf(game, root, state));
  // With a budget of nodes, the search plays one action more and then does not look at it.
  expect(visited.slice(0, seen.length)).toEqual(seen);
  expect(visited.length - seen.length).toBeLessThanOrEqual(1);
  for (const { root, nodes: count } of found.iterations) {
    const all = allNodes(root);
    expect(all.map(({ order }) => order)).toEqual(Array.from({ length: count }, (_, at) => at + 1));
    for (const node of all) checkValue(node);
  }
  return found;
}

const SPECS = [
  "minimax:depth=9",
  "minimax:depth=3,evaluator=value,ties=first",
  "minimax:nodes=40",
  "alpha-beta:depth=9",
  "alpha-beta:depth=9,table=0,ordering=none,deepening=false",
  "alpha-beta:depth=3,table=0.001,evaluator=value",
  "alpha-beta:nodes=40,table=0",
  "expectimax:depth=9,opponent=random",
  "expectimax:nodes=40",
  "expectimax:depth=9,pruning=star1,table=0,ordering=none,deepening=false",
  "expectimax:depth=9,pruning=star2,table=0",
  "expectimax:depth=9,pruning=none,evaluator=value",
  "max-n:depth=4,evaluator=value",
  "max-n:depth=4,pruning=none,ordering=none",
  "paranoid:depth=9",
  "best-reply:nodes=60,evaluator=value",
];

describe("in random trees the record is what the search did", () => {
  const options = { numRuns: thorough(40, 8), seed: 1 };

  test.each(everyFew(SPECS, 8))("%s", async (spec) => {
    await fc.assert(
      fc.asyncProperty(randomTree(), async (root) => {
        const game = createTree(root);
        await checkRecord(game, spec, game.start());
      }),
      options,
    );
  });

  test.each(
    everyFew(
      SPECS.filter((spec) => /^(expectimax|max-n)/.test(spec)),
      3,
    ),
  )("%s, with chance", async (spec) => {
    await fc.assert(
      fc.asyncProperty(randomTree({ chance: true }), async (root) => {
        const game = createTree(root);
        const { iterations } = await checkRecord(game, spec, game.start());
        for (const node of iterations.flatMap((one) => allNodes(one.root)))
          if (node.toMove === CHANCE && node.leaf === undefined)
            for (const { probability } of node.children)
              expect(probability! * 8).toBe(Math.round(probability! * 8));
      }),
      options,
    );
  });

  test.each(
    everyFew(
      ["max-n:depth=9", "paranoid:depth=9", "best-reply:depth=9", "best-reply:nodes=50,evaluator=value"],
      2,
    ),
  )("%s, three players", async (spec) => {
    await fc.assert(
      fc.asyncProperty(randomTree({ players: 3 }), async (root) => {
        const game = createTree(root, 3);
        await checkRecord(game, spec, game.start());
      }),
      options,
    );
  });
});

/** A search that reduces or prunes does not always return the best value that it saw. */
const EXACTLY = { table: 0.1, reductions: false, extensions: false, nullMove: false, futility: 0 };

const DEPTH_FIRST = ["minimax", "alpha-beta", "expectimax", "max-n", "paranoid", "best-reply"];

test("a bound that an evaluator gives is known to the search that is observed", async () => {
  const game = createGame("2048");
  const state = game.parseState(". . . 2 / . . 8 . / 2 4 64 8 / 4 32 4 32 score 604");
  await checkRecord(game, "expectimax:depth=2,evaluator=order,deepening=false", state);
});

describe("in every game the record is what the search did", () => {
  test.each(
    everyFew(
      usualOpenGames.map((spec) => [sampleName(spec), spec] as const),
      7,
    ),
  )("%s", async (_, spec) => {
    const game = createGame(spec);
    const [evaluator = "none"] = Object.keys(game.heuristics);
    const fitting = fittingAgents(game).filter((agent) => DEPTH_FIRST.includes(agent));
    for (const agent of fitting)
      for (const state of randomPositions(game, thorough(3, 1))) {
        const table = agent === "alpha-beta" ? EXACTLY : {};
        await checkRecord(game, { agent, nodes: thorough(250, 80), evaluator, ...table }, state);
      }
    expect(fitting).toContain("max-n");
  });
});

test.each(["opponent.agent=greedy", "opponent.agent=minimax,opponent.depth=2"])(
  "what a model of the opponent looks at is counted, and not in the record: %s",
  async (model) => {
    const game = createGame("tic-tac-toe");
    const spec = `expectimax:depth=3,evaluator=open-lines,${model}`;
    const found = await observe({ game, spec });
    const { analysis } = await plain({ game, spec });
    expect(found.decision.nodes).toBe(analysis.nodes);
    for (const { root, nodes } of found.iterations) {
      expect(countNodes(root)).toBe(nodes);
      for (const node of allNodes(root)) checkValue(node);
    }
  },
);

describe("limits", () => {
  test.each([{ maxNodes: 1 }, { maxNodes: 7 }, { maxLevels: 1 }, { maxLevels: 2, maxNodes: 30 }])(
    "%j: what is not kept is counted",
    async (limits) => {
      const game = createGame("tic-tac-toe");
      const spec = "alpha-beta:depth=5,table=0.002,evaluator=open-lines";
      const whole = await observe({ game, spec });
      const part = await observe({ game, spec }, limits);
      expect(part.decision).toEqual(whole.decision);
      for (const [at, { root, nodes }] of part.iterations.entries()) {
        expect(nodes).toBe(whole.iterations[at]!.nodes);
        expect(countNodes(root)).toBe(nodes);
        expect(allNodes(root).length).toBeLessThanOrEqual(limits.maxNodes ?? Infinity);
        expect(root.value).toBe(whole.iterations[at]!.root.value);
      }
    },
  );
});

/** A textbook tree. */
function load(name: string): Game {
  const url = new URL(`../../../../configs/tournaments/textbook/${name}.yaml`, import.meta.url);
  return createGame((parse(readFileSync(url, "utf8")) as { game: GameSpec }).game);
}

describe("the cut-offs of the textbook", () => {
  const spec = "alpha-beta:depth=4,table=0,ordering=none,deepening=false";

  test("T2: ten leaves in order, and where the six others were cut off", async () => {
    const { iterations } = await observe({ game: load("t02-binary-depth-4"), spec });
    const all = allNodes(iterations[0]!.root);
    const leaves = all.filter(({ leaf }) => leaf === "terminal").map(({ value }) => value);
    expect(leaves).toEqual([8, 7, 3, 9, 8, 1, 8, 9, 9, 9]);
    expect(all.flatMap(({ cut }) => (cut ? [cut] : []))).toEqual([
      { bound: "alpha", limit: 7, value: 3 },
      { bound: "beta", limit: 7, value: 8 },
      { bound: "alpha", limit: 7, value: 1 },
      { bound: "beta", limit: 8, value: 9 },
    ]);
    expect(iterations[0]!.root).toMatchObject({ value: 8, window: [null, null] });
  });

  test("T3: nothing after the 10 is looked at", async () => {
    const { iterations, decision } = await observe({ game: load("t03-cut-after-ten"), spec });
    expect(decision).toMatchObject({ action: "left", value: 20, nodes: 4 });
    const [left, right] = iterations[0]!.root.children;
    expect(left).toMatchObject({ value: 20, leaf: "terminal" });
    expect(right).toMatchObject({
      role: "min",
      window: [20, null],
      value: 10,
      cut: { bound: "alpha", limit: 20, value: 10 },
      unseen: { count: 2, names: ["2", "3"], reason: "cut" },
    });
  });
});

describe("what the search does not visit", () => {
  test("a spent budget leaves nodes without a value, and says what was not reached", async () => {
    const game = createGame("tic-tac-toe");
    const { iterations } = await observe({ game, spec: "alpha-beta:nodes=30,table=0,evaluator=open-lines" });
    const last = iterations.at(-1)!;
    expect(last.isFinished).toBe(false);
    expect(last.root).toMatchObject({ value: null, unseen: { reason: "budget" } });
    expect(iterations.slice(0, -1).every(({ isFinished }) => isFinished)).toBe(true);
  });

  test("best-reply search looks at moves to find the usual one, and leaves out those that are not", async () => {
    const game = createGame({ id: "nim", piles: [2, 2, 2], players: 3 });
    const { iterations } = await observe({ game, spec: "best-reply:depth=4,deepening=false" });
    const all = allNodes(iterations[0]!.root);
    expect(all.some(({ leaf }) => leaf === "usual")).toBe(true);
    expect(all.some(({ unseen }) => unseen?.reason === "usual")).toBe(true);
  });

  test("a position in the table is not looked at again", async () => {
    const game = createGame({ id: "nim", piles: [2, 2, 2] });
    const { iterations } = await observe({ game, spec: "alpha-beta:depth=6,deepening=false" });
    const hits = allNodes(iterations[0]!.root).filter(({ leaf }) => leaf === "table");
    expect(hits.length).toBeGreaterThan(5);
    for (const { children, unseen } of hits) expect([children, unseen]).toEqual([[], undefined]);
  });

  test.each(["random", "greedy:evaluator=open-lines", "policy:policy=perfect"])(
    "%s has no search",
    async (spec) => {
      await expect(observe({ game: createGame("tic-tac-toe"), spec })).rejects.toThrow(
        /has no search that could be shown; agents that have one: minimax, alpha-beta/,
      );
    },
  );
});

test("every agent with a depth or simulations can be observed", () => {
  const searching = Object.values(agents).filter(({ budgets }) => budgets.includes("depth"));
  expect(searching.map(({ id }) => id)).toEqual(DEPTH_FIRST);
});
