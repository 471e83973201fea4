import { describe, expect, test } from "vitest";
import { SimulationTree, UNEXPANDED } from "../../src/agents/mcts/tree.ts";
import type { Uct } from "../../src/agents/mcts/uct.ts";
import { createRandom } from "../../src/base/random.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";
import { everyFew, thorough } from "../support/thorough.ts";
import { ask, createPlayer, decide, stepRandomly, type Player } from "./play.ts";

interface Branch {
  readonly action: number;
  readonly visits: number;
  readonly reward: number;
  readonly children: readonly Branch[];
}

/** The tree as objects, from a node on, without the children of nodes with less than `leastVisits` (but the first). */
function branch(tree: SimulationTree, node: number, leastVisits = 0, isRoot = true): Branch {
  const { action, visits, reward, firstChild, childCount } = tree;
  const isLeaf = firstChild[node] === UNEXPANDED || (!isRoot && visits[node]! < leastVisits);
  const children = Array.from({ length: isLeaf ? 0 : childCount[node]! }, (_, at) =>
    branch(tree, firstChild[node]! + at, leastVisits, false),
  );
  return { action: isRoot ? 0 : action[node]!, visits: visits[node]!, reward: reward[node]!, children };
}

function sizeOf({ children }: Branch): number {
  return children.reduce((sum, child) => sum + sizeOf(child), 1);
}

/** A tree of random simulations that all count. */
function randomSimulations(simulations: number, seed: number): SimulationTree {
  const random = createRandom("tree", seed);
  const tree = new SimulationTree(5000);
  const actions = Int32Array.from({ length: 9 }, (_, at) => 100 + at);
  tree.expand(0, actions, 9);
  for (let simulation = 0; simulation < simulations; simulation++) {
    let node = 0;
    tree.visits[0]!++;
    for (;;) {
      if (tree.firstChild[node] === UNEXPANDED) {
        const count = random.below(10);
        if (tree.visits[node]! < 2 || count === 0 || !tree.hasRoomFor(count)) break;
        tree.expand(node, actions, count);
      }
      node = tree.firstChild[node]! + random.below(tree.childCount[node]!);
      tree.visits[node]!++;
      tree.reward[node]! += random.float();
    }
  }
  return tree;
}

describe("the tree as arrays", () => {
  const seeds = Array.from({ length: thorough(40, 10) }, (_, seed) => seed);

  test.each(seeds)("keeps a branch as it was, tree %i", (seed) => {
    for (const leastVisits of [0, 3]) {
      const tree = randomSimulations(1500, seed);
      const root = 1 + createRandom("root", seed).below(40);
      const before = branch(tree, root, leastVisits);
      tree.keep(root, leastVisits);
      expect(branch(tree, 0)).toEqual(before);
      expect(tree.size).toBe(sizeOf(before));
      expect(tree.visits.subarray(tree.size).every((visits) => visits === 0)).toBe(true);
    }
  });

  test.each(seeds)("recycled, has half its room again, and what was visited most, tree %i", (seed) => {
    const tree = randomSimulations(20_000, seed);
    expect(tree.size).toBeGreaterThan(4980);
    const whole = branch(tree, 0);
    const thresholds = Array.from({ length: 16 }, (_, power) => branch(tree, 0, 2 ** power));
    tree.recycle();
    expect(tree.size).toBeLessThanOrEqual(2500);
    expect(tree.visits[0]).toBe(whole.visits);
    // The first power of two that leaves half of the room free.
    expect(branch(tree, 0)).toEqual(thresholds.find((kept) => sizeOf(kept) <= 2500));
  });
});

const treeOf = ({ agent }: Player) => (agent as Uct)["tree"];

describe("a full tree", () => {
  const game = createGame("connect-four");

  test("is recycled, and the search goes on deeper", () => {
    const player = createPlayer(game, "mcts:simulations=20000,maxNodes=1000");
    const small = ask(player, game, { state: game.start() });
    const tree = treeOf(player);
    expect(tree.size).toBeLessThanOrEqual(1000);
    expect([small.nodes, tree.visits[0]]).toEqual([20_000, 20_000]);
    // A tree of 1,000 nodes that grows no more sees five plies at most.
    expect(small.line.length).toBeGreaterThan(5);
  });

  test("makes room only when it is full, even where a position may have very many actions", () => {
    // As many as the tree has nodes: there is never room for so many.
    const wide = { ...game, maxActions: 999 };
    const player = createPlayer(wide, "mcts:simulations=100,maxNodes=1000,solver=false");
    expect(ask(player, wide, { state: game.start() })).toEqual(
      decide(game, "mcts:simulations=100,solver=false", game.start(), "ask"),
    );
  });

  test("holds legal actions only", () => {
    const player = createPlayer(game, "mcts:simulations=5000,maxNodes=1000");
    ask(player, game, { state: game.start() });
    const tree = treeOf(player);
    const state = game.start();
    const check = (node: number) => {
      const first = tree.firstChild[node]!;
      if (first === UNEXPANDED) return;
      const children = Array.from({ length: tree.childCount[node]! }, (_, at) => first + at);
      const actions = new Int32Array(game.maxActions);
      const count = state.legalActions(actions, 0);
      expect(children.map((child) => tree.action[child]!).toSorted((a, b) => a - b)).toEqual([
        ...actions.subarray(0, count),
      ]);
      expect(children.reduce((sum, child) => sum + tree.visits[child]!, 0)).toBeLessThanOrEqual(
        tree.visits[node]!,
      );
      for (const child of children) {
        state.apply(tree.action[child]!);
        if (state.toMove !== TERMINAL) check(child);
        state.undo();
      }
    };
    check(0);
  });
});

describe("memory: game", () => {
  /** Plays the decided action and random ones until the same player decides again. */
  function goOn(game: Game, state: State, action: number, seed: number): void {
    const random = createRandom("others", seed);
    const mover = state.toMove;
    state.apply(action);
    while (state.toMove !== mover && state.toMove !== TERMINAL) stepRandomly(game, state, random);
  }

  test.each(
    everyFew(
      [
        ["connect-four", { id: "connect-four" }],
        ["othello, with passes", { id: "othello", size: 4 }],
        ["pig of three, with dice", { id: "pig", players: 3 }],
        ["2048, of one player", { id: "2048", height: 2, width: 2 }],
      ],
      2,
    ),
  )("%s: a decision begins with the tree of the one before", (_, spec) => {
    const game = createGame(spec);
    let kept = 0;
    for (let seed = 0; seed < 5; seed++) {
      const player = createPlayer(game, "mcts:simulations=400,memory=game,solver=false");
      const state = game.start();
      while (state.toMove === CHANCE) stepRandomly(game, state, createRandom("chance", seed));
      const first = ask(player, game, { state, seed: `${seed}` });
      goOn(game, state, first.action, seed);
      if (state.toMove === TERMINAL) continue;
      const tree = treeOf(player);
      const visited = Array.from(tree.visits.subarray(1, tree.size));
      ask(player, game, { state, seed: `${seed}` });
      const known = treeOf(player).visits[0]! - 400;
      expect(visited).toContain(known);
      kept += known;
    }
    expect(kept).toBeGreaterThan(0);
  });

  test("a position that does not follow, and a new game, begin anew", () => {
    const game = createGame("connect-four");
    const other = game.parseState("1726354");
    for (const isNewGame of [false, true]) {
      const player = createPlayer(game, "mcts:simulations=300,memory=game");
      const { action } = ask(player, game, { state: game.start() });
      const next = game.start();
      goOn(game, next, action, 1);
      if (isNewGame) player.agent.newGame!();
      const state = isNewGame ? next : other;
      expect(ask(player, game, { state })).toEqual(decide(game, "mcts:simulations=300", state, "ask"));
    }
  });

  test("a win that was proven before is played without more simulations", () => {
    const game = createGame("connect-four");
    const player = createPlayer(game, "mcts:simulations=3000,memory=game,decisive=none");
    // Three in a row, open at both ends, after the move.
    const state = game.parseState("3344");
    const { action, value } = ask(player, game, { state });
    expect(value).toBe(1);
    goOn(game, state, action, 1);
    expect(ask(player, game, { state })).toMatchObject({ value: 1, nodes: 0 });
  });
});
