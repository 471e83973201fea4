import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { TERMINAL, type Game, type State } from "../../src/games/contract/game.ts";
import { createGame, type GameSpec } from "../../src/games/index.ts";
import { possibleActions } from "../../src/games/contract/notation.ts";
import type { TreeNode } from "../../src/games/tree/schema.ts";
import { leavesOf, watchLeaves } from "./watch.ts";
import { ask, copyOf, createPlayer, decide, type Player } from "./play.ts";
import { createTree, mapUtilities, randomTree } from "./random-trees.ts";
import { slowTest } from "../support/thorough.ts";

/** A textbook tree; a leaf whose place from left to right is a key of `changes` gets another utility. */
function load(name: string, changes: Readonly<Record<number, number>> = {}): Game {
  const url = new URL(`../../configs/tournaments/textbook/${name}.yaml`, import.meta.url);
  let place = 0;
  const change = (node: unknown, key: string): unknown => {
    if (Array.isArray(node)) return node.map((child) => change(child, key));
    if (typeof node === "object" && node !== null)
      return Object.fromEntries(Object.entries(node).map(([name, child]) => [name, change(child, name)]));
    const isLeaf = typeof node === "number" && key !== "player" && key !== "players" && key !== "probability";
    return isLeaf ? (changes[place++] ?? node) : node;
  };
  const { game } = parse(readFileSync(url, "utf8")) as { game: unknown };
  return createGame(change(game, "") as GameSpec);
}

/** The name of the action chosen, and the value. */
function choose(game: Game, spec: string, state: State = game.start()): [string, number | undefined] {
  const { action, value } = decide(game, spec, state);
  return [game.formatAction(action, state), value];
}

const PLAIN = "table=0,ordering=none,deepening=false";

/** The places, from left to right, of the leaves that plain alpha-beta looks at, in its order. */
function leavesSeen(tree: Game): number[] {
  const { game, seen } = watchLeaves(tree);
  decide(game, `alpha-beta:depth=${tree.maxPlies},${PLAIN}`);
  const leaves = leavesOf(tree);
  return seen.map((leaf) => leaves.indexOf(leaf));
}

const BOTH = ["minimax", "alpha-beta"] as const;

describe("T1, two bags", () => {
  test.each([-1000, 0, 1, 2, 3, 9, 1000])("three balls are enough, whatever the last (%i) is", (x) => {
    const game = load("t01-two-bags", { 3: x });
    for (const agent of BOTH) expect(choose(game, `${agent}:depth=2`)).toEqual(["bag1", 2]);
    expect(leavesSeen(game)).toEqual([0, 1, 2]);
  });
});

describe("T2, a binary tree of depth 4", () => {
  const unknown = [3, 6, 7, 9, 14, 15];

  slowTest("alpha-beta evaluates 8 7 3 9 8 1 8 9 9 9, in this order, whatever the other leaves are", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 6, maxLength: 6 }), (values) => {
        const game = load(
          "t02-binary-depth-4",
          Object.fromEntries(unknown.map((leaf, at) => [leaf, values[at]!])),
        );
        expect(leavesSeen(game)).toEqual([0, 1, 2, 4, 5, 8, 10, 11, 12, 13]);
        for (const agent of BOTH) expect(choose(game, `${agent}:depth=4`)).toEqual(["right", 8]);
      }),
      { seed: 1, numRuns: 100 },
    );
  });
});

describe("T3, nothing after the 10 is looked at", () => {
  test.each([11, 99, 15])("be it %i or not", (x) => {
    const game = load("t03-cut-after-ten", { 2: x, 3: 0 - x });
    expect(leavesSeen(game)).toEqual([0, 1]);
    expect(choose(game, `alpha-beta:depth=2,${PLAIN}`)).toEqual(["left", 20]);
    expect(choose(game, "minimax:depth=2")).toEqual(["left", 20]);
  });
});

describe("T4 and T5, chance", () => {
  test("8/2 + 24/3 - 12/6 is 10, exactly", () => {
    expect(choose(load("t04-chance-ten"), "expectimax:depth=2")).toEqual(["gamble", 10]);
    expect(choose(load("t04-chance-ten"), "max-n:depth=2")).toEqual(["gamble", 10]);
  });

  test("0.5 x 4 + 0.5 x 2 is 3", () => {
    expect(choose(load("t05-chance-three"), "expectimax:depth=2")).toEqual(["gamble", 3]);
  });

  test("a search without limit of depth looks behind the chance event after the last ply", () => {
    expect(decide(load("t04-chance-ten"), "expectimax:nodes=1000")).toMatchObject({ value: 10, depth: 2 });
  });

  test("at the depth limit the evaluator is asked before chance", () => {
    expect(choose(load("t04-chance-ten"), "expectimax:depth=1,evaluator=value")).toEqual(["certain", 9]);
  });
});

describe("T6 and T7, nim", () => {
  const nimSum = (piles: readonly number[]) => piles.reduce((sum, pile) => sum ^ pile, 0);
  const spec = "alpha-beta:depth=24,table=1";

  test("from (2,2,2) only taking a whole pile wins", () => {
    const game = createGame({ id: "nim", piles: [2, 2, 2] });
    const state = game.start();
    const winning = Array.from(possibleActions(game, state)).filter((action) => {
      state.apply(action);
      const { value } = decide(game, "minimax:depth=6", state);
      state.undo();
      return value === -1;
    });
    expect(winning.map((action) => game.formatAction(action, state))).toEqual(["1-2", "2-2", "3-2"]);
    expect(decide(game, "minimax:depth=6").value).toBe(1);
  });

  slowTest("the search agrees with the XOR rule on every start of up to 4 piles, and plays by it", () => {
    const most = 6;
    const game = createGame({ id: "nim", piles: [6, 6, 6, 6] });
    const player = createPlayer(game, spec);
    let starts = 0;
    for (let a = 1; a <= most; a++)
      for (let b = 0; b <= a; b++)
        for (let c = 0; c <= b; c++)
          for (let d = 0; d <= c; d++) {
            const piles = [a, b, c, d];
            const state = game.parseState(`${piles.join(",")} 0`);
            const { action, value } = ask(player, game, { state });
            expect([piles, value]).toEqual([piles, nimSum(piles) === 0 ? -1 : 1]);
            state.apply(action);
            const left = game.formatState(state).split(" ")[0]!.split(",").map(Number);
            if (nimSum(piles) !== 0) expect(nimSum(left)).toBe(0);
            starts++;
          }
    // Multisets of four numbers from 0 to `most`, without the empty one.
    expect(starts).toBe(209);
  });

  test("(5,2,6,3) is won, by the moves of the XOR rule and no others", () => {
    const game = createGame({ id: "nim", piles: [5, 2, 6, 3] });
    const player = createPlayer(game, spec);
    const state = game.start();
    for (const action of possibleActions(game, state)) {
      state.apply(action);
      const { value } = ask(player, game, { state });
      const left = game.formatState(state).split(" ")[0]!.split(",").map(Number);
      state.undo();
      expect([game.formatAction(action, state), value]).toEqual([
        game.formatAction(action, state),
        nimSum(left) === 0 ? -1 : 1,
      ]);
    }
  });

  test("misere nim follows the XOR rule until no pile has more than one, then the other parity", () => {
    const game = createGame({ id: "nim", piles: [4, 4, 4], misere: true });
    const player = createPlayer(game, spec);
    for (let a = 1; a <= 4; a++)
      for (let b = 0; b <= 4; b++)
        for (let c = 0; c <= 4; c++) {
          const piles = [a, b, c];
          const wins = Math.max(...piles) > 1 ? nimSum(piles) !== 0 : nimSum(piles) === 0;
          const { value } = ask(player, game, { state: game.parseState(`${piles.join(",")} 0`) });
          expect([piles, value]).toEqual([piles, wins ? 1 : -1]);
        }
  });
});

describe("T8 and T9, tic-tac-toe", () => {
  const game = createGame("tic-tac-toe");

  test("open lines put X in the centre, with one ply (E = 4) and with two (E = 1)", () => {
    expect(choose(game, "greedy:evaluator=open-lines")).toEqual(["b2", 0.4]);
    for (const agent of BOTH) {
      expect(choose(game, `${agent}:depth=1,evaluator=open-lines`)).toEqual(["b2", 0.4]);
      expect(choose(game, `${agent}:depth=2,evaluator=open-lines`)).toEqual(["b2", 0.1]);
    }
  });

  test("is a draw; the whole tree has 549,946 nodes", () => {
    expect(decide(game, "minimax:depth=9,deepening=false")).toMatchObject({ value: 0, nodes: 549_946 });
    expect(decide(game, "alpha-beta:depth=9").value).toBe(0);
  });

  /** The worst that can happen to `me`, over every play of the other. */
  function worst(player: Player, me: number, state: State, known: Map<string, number>): number {
    if (state.toMove === TERMINAL) return state.returns(me);
    const key = game.formatState(state);
    const before = known.get(key);
    if (before !== undefined) return before;
    const actions =
      state.toMove === me ? [ask(player, game, { state }).action] : possibleActions(game, state);
    const results = Array.from(actions, (action) => {
      const next = copyOf(game, state);
      next.apply(action);
      return worst(player, me, next, known);
    });
    known.set(key, Math.min(...results));
    return Math.min(...results);
  }

  test.each([0, 1])("full alpha-beta as player %i never loses, whatever the other plays", (me) => {
    expect(worst(createPlayer(game, "alpha-beta:depth=9"), me, game.start(), new Map())).toBe(0);
  });

  test("the measure bites: one ply is not enough", () => {
    expect(worst(createPlayer(game, "alpha-beta:depth=1"), 1, game.start(), new Map())).toBe(-1);
  });
});

describe("T10, changes of the evaluation", () => {
  test("keeping the order, no decision of minimax changes, yet one of expectimax does", () => {
    for (const scale of ["plain", "squared", "linear"])
      for (const agent of BOTH)
        expect(choose(load(`t10-minimax-${scale}`), `${agent}:depth=2`)[0]).toBe("narrow");
    const [plain, squared, linear] = ["plain", "squared", "linear"].map((scale) =>
      choose(load(`t10-expectimax-${scale}`), "expectimax:depth=2"),
    );
    expect([plain, squared, linear]).toEqual([
      ["narrow", 25],
      ["wide", 800],
      ["narrow", 53],
    ]);
  });

  const actionOf = (root: TreeNode, agent: string) => decide(createTree(root), `${agent},ties=first`).action;

  slowTest("minimax heeds nothing but their order", () => {
    const changes = [(x: number) => x ** 3, (x: number) => Math.exp(x / 2), (x: number) => 2 * x + 3];
    fc.assert(
      fc.property(randomTree(), fc.constantFrom(...changes), (root, change) => {
        const plain = mapUtilities(root, (utility) => utility);
        for (const agent of ["minimax:depth=9", "alpha-beta:depth=9,ordering=none"])
          expect(actionOf(mapUtilities(root, change), agent)).toBe(actionOf(plain, agent));
      }),
      { numRuns: 100, seed: 1 },
    );
  });

  slowTest("expectimax heeds nothing but their order and proportions", () => {
    fc.assert(
      fc.property(randomTree({ chance: true }), (root) => {
        const plain = mapUtilities(root, (utility) => utility);
        const scaled = mapUtilities(root, (utility) => 2 * utility + 3);
        expect(actionOf(scaled, "expectimax:depth=9")).toBe(actionOf(plain, "expectimax:depth=9"));
      }),
      { seed: 1 },
    );
  });
});

describe("T13, max-n", () => {
  const outcome = (game: Game) => {
    const state = game.start();
    for (const action of decide(game, "max-n:depth=9,ties=first").line) state.apply(action);
    return [0, 1, 2].map((player) => state.returns(player));
  };

  test("everybody takes what is best for itself", () => {
    expect(outcome(load("t13-max-n"))).toEqual([7, 6, 1]);
  });

  test("cooperation comes up where it serves everybody", () => {
    expect(outcome(load("t13-max-n-cooperation"))).toEqual([6, 8, 7]);
  });

  test("the first of equal actions is expected of the others", () => {
    expect(outcome(load("t13-max-n-tie"))).toEqual([9, 5, 0]);
    expect(decide(load("t13-max-n-tie"), "max-n:depth=9,ties=random").value).toBe(9);
  });
});
