import { describe, expect, test } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import { CHANCE } from "../../src/games/game.ts";
import { createGame } from "../../src/games/index.ts";
import { possibleActions } from "../../src/games/notation.ts";
import { createPlayer, decide, randomPositions } from "./play.ts";
import { createTree } from "./random-trees.ts";

const connectFour = createGame("connect-four");

describe("finds what is forced", () => {
  const CASES = [
    ["a win in one", "112233", "4"],
    ["the only defence", "1122733", "4"],
    ["an open three in the bottom row", "4172", "3 5"],
  ] as const;

  test.each(CASES)("%s: %s", (_, position, answers) => {
    const state = connectFour.parseState(position);
    for (let seed = 0; seed < 10; seed++) {
      const { action } = decide(connectFour, "mcts:simulations=4000", state, `seed ${seed}`);
      expect(answers.split(" ")).toContain(String(action + 1));
    }
  });
});

describe("converges to perfect play", () => {
  test("takes an optimal action in tic-tac-toe, as minimax values them", () => {
    const game = createGame("tic-tac-toe");
    for (const state of randomPositions(game, 40)) {
      const { value: best = 0 } = decide(game, "minimax:depth=9", state);
      const { action, value = 0 } = decide(game, "mcts:simulations=5000", state);
      const mover = state.toMove;
      state.apply(action);
      const { value: reply } = state.toMove < 0 ? { value: 0 - state.returns(mover) } : decide(game, "minimax:depth=9", state);
      state.undo();
      expect(0 - reply!).toBe(best);
      expect(Math.abs(value - best)).toBeLessThan(0.25);
    }
  });

  test("takes the only winning move of nim (3,4,5), and knows that it wins", () => {
    const game = createGame({ id: "nim", piles: [3, 4, 5] });
    for (let seed = 0; seed < 5; seed++) {
      const { action, value } = decide(game, "mcts:simulations=20000", game.start(), `seed ${seed}`);
      expect(game.formatAction(action, game.start())).toBe("1-2");
      expect(value).toBeGreaterThan(0.8);
    }
  });

  test("the more simulations, the nearer the value", () => {
    const game = createGame("tic-tac-toe");
    const lost = game.parseState("xx./.../o.o");
    const errors = [100, 1000, 10_000, 100_000].map((simulations) => {
      const { value } = decide(game, `mcts:simulations=${simulations}`, lost);
      return 1 - value!;
    });
    expect(errors).toEqual(errors.toSorted((a, b) => b - a));
    expect(errors.at(-1)).toBeLessThan(0.01);
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
    const start = () => {
      const state = tree.start();
      const apply = state.apply.bind(state);
      state.apply = (action) => {
        if (state.toMove === CHANCE) counts[action]!++;
        apply(action);
      };
      return state;
    };
    const simulations = 12_000;
    const { value, line } = decide({ ...tree, start }, `mcts:simulations=${simulations}`);
    // Chi-square with 2 degrees of freedom exceeds 27.6 once in a million. The root's first child is
    // first visited as a leaf, with the outcome drawn by the playout: every simulation draws one.
    expect(counts.reduce((sum, count) => sum + count)).toBe(simulations);
    const chi = counts.reduce((sum, count, at) => {
      const expected = simulations * PROBABILITIES[at]!;
      return sum + (count - expected) ** 2 / expected;
    }, 0);
    expect(chi).toBeLessThan(27.6);
    // The utilities' standard deviation is 12.6, so that of the mean is 0.115; five of them.
    expect(Math.abs(value! - 10)).toBeLessThan(0.58);
    expect(line).toEqual([0]);
  });

  test("in pig it holds with a win in hand, and rolls with nothing to lose", () => {
    const game = createGame("pig");
    const roll = game.parseAction("roll", game.start());
    expect(decide(game, "mcts:simulations=500").action).toBe(roll);
  });
});

describe("the tree", () => {
  test("an evaluator takes the place of playouts: no action is played beyond a new leaf", () => {
    const game = connectFour;
    let deepest = 0;
    const start = () => {
      const state = game.start();
      const apply = state.apply.bind(state);
      state.apply = (action) => {
        apply(action);
        deepest = Math.max(deepest, (state as unknown as { stones: number }).stones);
      };
      return state;
    };
    decide({ ...game, start }, "mcts:simulations=7,evaluator=threats");
    expect(deepest).toBe(1);
    decide({ ...game, start }, "mcts:simulations=7");
    expect(deepest).toBeGreaterThan(6);
  });

  test("the first simulations try each action of the root once", () => {
    const values = new Set<number>();
    for (let seed = 0; seed < 200; seed++) {
      const player = createPlayer(connectFour, "mcts:simulations=7");
      const turn = { random: createRandom("once", seed), budget: player.budget, clock: () => 0 };
      const decision = player.agent.choose(connectFour.start(), turn) as { value: number };
      values.add(decision.value);
    }
    // A single playout decides the best action's mean: a win, or nothing better than a draw.
    expect([...values].every((value) => Math.abs(value - 1) < 1e-9)).toBe(true);
  });

  test("when it is full the search goes on without growing", () => {
    const small = decide(connectFour, "mcts:simulations=20000,maxNodes=1000");
    expect(small.nodes).toBe(20_000);
    expect(possibleActions(connectFour, connectFour.start())).toContain(small.action);
    const large = decide(connectFour, "mcts:simulations=20000");
    expect(large.line.length).toBeGreaterThan(small.line.length);
  });
});
