import { describe, expect, test } from "vitest";
import type { ConnectFourState } from "../../src/games/connect-four/state.ts";
import { CHANCE, type Evaluator } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";
import { ask, createPlayer, decide, randomPositions } from "./play.ts";
import { createTree } from "./random-trees.ts";
import { watchActions } from "./watch.ts";
import { slowTest, thorough } from "../support/thorough.ts";
import { expectFrequencies } from "../support/frequencies.ts";

const connectFour = createGame("connect-four");

describe("finds what is forced", () => {
  const CASES = [
    ["a win in one", "112233", "4"],
    ["the only defence", "11223", "4"],
    ["an open three in the bottom row", "4455", "3 6"],
  ] as const;

  slowTest.each(CASES)("%s: %s", (_, position, answers) => {
    const state = connectFour.parseState(position);
    for (let seed = 0; seed < 10; seed++) {
      const { action } = decide(connectFour, "mcts:simulations=4000", state, `seed ${seed}`);
      expect(answers.split(" ")).toContain(String(action + 1));
    }
  });
});

describe("converges to perfect play", () => {
  slowTest("takes an optimal action in tic-tac-toe, as full searches value them", () => {
    const game = createGame("tic-tac-toe");
    for (const state of randomPositions(game, 40)) {
      const { value: best = 0 } = decide(game, "alpha-beta:depth=9", state);
      const { action } = decide(game, "mcts:simulations=2000", state);
      const mover = state.toMove;
      state.apply(action);
      const { value: reply } =
        state.toMove < 0 ? { value: 0 - state.returns(mover) } : decide(game, "alpha-beta:depth=9", state);
      state.undo();
      expect(0 - reply!).toBe(best);
    }
  });

  test("takes the only winning move of nim (1,2,4)", () => {
    const game = createGame({ id: "nim", piles: [1, 2, 4] });
    for (let seed = 0; seed < thorough(10, 4); seed++) {
      const { action } = decide(game, "mcts:simulations=2000", game.start(), `seed ${seed}`);
      expect(game.formatAction(action, game.start())).toBe("3-1");
    }
  });

  test.each([
    [{ id: "nim", piles: [1, 2, 4] }, 1],
    [{ id: "nim", piles: [2, 2] }, -1],
    [{ id: "tic-tac-toe" }, 0],
  ])("the more simulations of %j, the nearer the value to %i", (spec, best) => {
    const game = createGame(spec);
    const errors = [1000, 10_000, 100_000].map((simulations) =>
      Math.abs(decide(game, `mcts:exploration=0.5,simulations=${simulations}`).value! - best),
    );
    expect(errors).toEqual(errors.toSorted((a, b) => b - a));
    expect(errors.at(-1)).toBeLessThan(0.06);
  });
});

describe("several players", () => {
  test("each maximises its own entry: textbook tree of max-n", () => {
    // Worth (7,6,1) by the right: see the textbook's T13. A player taken for an enemy would make the right worth 2.
    const leaf = (left: number[], right: number[]) => ({ player: 2, actions: [left, right] });
    const game = createTree(
      {
        player: 0,
        actions: [
          { player: 1, actions: [leaf([3, 5, 4], [6, 2, 1]), leaf([1, 7, 3], [4, 1, 6])] },
          { player: 1, actions: [leaf([8, 3, 0], [2, 4, 5]), leaf([9, 9, 0], [7, 6, 1])] },
        ],
      },
      3,
    );
    const { line, value } = decide(game, "mcts:simulations=20000,ties=first");
    expect(line).toEqual([1, 1, 1]);
    expect(value).toBeGreaterThan(6.5);
    expect(value).toBeLessThan(7.2);
  });

  test("nim of three: the only action after which the others, for their own good, make it win", () => {
    // (1,1,2): taking one from the last pile leaves three single counters, of which the third is mine.
    const game = createGame({ id: "nim", piles: [1, 1, 2], players: 3 });
    const { action, value } = decide(game, "mcts:simulations=2000");
    expect([game.formatAction(action, game.start()), value]).toEqual(["3-1", expect.closeTo(1, 1)]);
    expect(decide(game, "max-n:depth=4").value).toBe(1);
  });
});

describe("chance", () => {
  const PROBABILITIES = [1 / 2, 1 / 3, 1 / 6];
  const tree = createTree({
    player: 0,
    actions: [
      {
        chance: [
          { probability: "1/2", node: 8 },
          { probability: "1/3", node: { player: 1, actions: [24, 24] } },
          { probability: "1/6", node: -12 },
        ],
      },
    ],
  });

  test("outcomes are sampled in proportion", () => {
    const counts = [0, 0, 0];
    const game = watchActions(tree, (action, { toMove }) => {
      if (toMove === CHANCE) counts[action]!++;
    });
    const simulations = 23_000;
    const { value, line } = decide(game, `mcts:simulations=${simulations}`);
    // The root's first child is first visited as a leaf, with the outcome drawn by the playout: every simulation draws one.
    expect(counts.reduce((sum, count) => sum + count)).toBe(simulations);
    expectFrequencies(counts, PROBABILITIES);
    // The utilities' standard deviation is 12.6, so that of the mean is 0.083; five of them.
    expect(Math.abs(value! - 10)).toBeLessThan(0.42);
    expect(line).toEqual([0]);
  });

  test.each([
    ["holds", "89,50 +10 t10", "hold"],
    ["rolls", "60,99 +20 t10", "roll"],
  ])("in pig it %s at %s", (_, position, answer) => {
    // With 89 + 10 banked the next turn wins with any roll but a 1; with the other at 99 there is no next turn.
    const game = createGame("pig");
    const state = game.parseState(position);
    for (let seed = 0; seed < 5; seed++) {
      const { action } = decide(game, "mcts:simulations=3000", state, `seed ${seed}`);
      expect(game.formatAction(action, state)).toBe(answer);
    }
  });
});

describe("the tree", () => {
  test("an evaluator takes the place of playouts: no action is played beyond a new leaf", () => {
    let longest = 0;
    const game = watchActions(connectFour, (_, state) => {
      longest = Math.max(longest, 1 + (state as ConnectFourState).stones);
    });
    decide(game, "mcts:simulations=7,evaluator=threats,priors=0");
    expect(longest).toBe(1);
    decide(game, "mcts:simulations=7");
    expect(longest).toBeGreaterThan(6);
  });

  test("a leaf is evaluated for each player, in a duel for both at once", () => {
    for (const [game, evaluations] of [
      [connectFour, 7],
      [createGame({ id: "nim", players: 3 }), 3 * 7],
    ] as const) {
      let count = 0;
      const evaluator: Evaluator = { evaluate: (_, player) => (++count && player === 0 ? 0.25 : -0.25) };
      const player = createPlayer(game, "mcts:simulations=7,evaluator=none,priors=0", { evaluator });
      expect(ask(player, game, { state: game.start() }).value).toBe(0.25);
      expect(count).toBe(evaluations);
    }
  });

  test("the first simulations try each action of the root once, in an order that the seed decides", () => {
    const firstActions = (seed: string) => {
      const tried: number[] = [];
      const game = watchActions(connectFour, (action, state) => {
        if ((state as ConnectFourState).stones === 0) tried.push(action);
      });
      decide(game, "mcts:simulations=7", undefined, seed);
      return tried.slice(0, 7);
    };
    expect(firstActions("one").toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(firstActions("one")).not.toEqual(firstActions("two"));
  });

  slowTest("the most visited action of the root is decided for", () => {
    for (let seed = 0; seed < 30; seed++) {
      const visits = [0, 0, 0, 0, 0, 0, 0];
      let left = 40;
      const game = watchActions(connectFour, (action, state) => {
        if ((state as ConnectFourState).stones === 0 && left-- > 0) visits[action]!++;
      });
      const { action } = decide(game, "mcts:simulations=40", undefined, `seed ${seed}`);
      expect(visits[action]).toBe(Math.max(...visits));
    }
  });
});

slowTest("where rewards come along the way the declared range is no matter, only what is seen", () => {
  const game = createGame({ id: "2048", height: 3, width: 3 });
  for (const state of randomPositions(game, 10)) {
    const decisions = [1 / 4, 1, 1024].map((factor) => {
      const declared = { ...game, maxReturn: factor * game.maxReturn };
      return decide(declared, "mcts:simulations=300", state);
    });
    const [{ value, ...first }] = decisions as [(typeof decisions)[0]];
    for (const decision of decisions)
      expect(decision).toEqual({ ...first, value: expect.closeTo(value!, 6) });
  }
});
