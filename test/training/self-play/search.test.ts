import { describe, expect, test } from "vitest";
import type { Agent, Decision } from "../../../src/agents/agent.ts";
import { prepareAgent } from "../../../src/agents/prepare.ts";
import { parseAgentSpec } from "../../../src/specs/agents.ts";
import { createRandom } from "../../../src/base/random.ts";
import { LinearEvaluator, type Output } from "../../../src/evaluators/linear.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import type { Learner } from "../../../src/training/learn/learner.ts";
import { SearchMoves } from "../../../src/training/self-play/search.ts";
import { LeafListener, SelfPlay } from "../../../src/training/self-play/self-play.ts";
import { StartPositions } from "../../../src/training/self-play/start-positions.ts";
import { TdLearner } from "../../../src/training/learn/td.ts";
import { copyOf } from "../../agents/play.ts";
import { Witness } from "../play.ts";
import { expectFrequencies } from "../../support/frequencies.ts";
import { walk } from "../walk.ts";
import { slowTest } from "../../support/thorough.ts";

interface Decided extends Decision {
  /** The position that was decided in. */
  readonly state: State;
}

interface Setup {
  readonly evaluator: LinearEvaluator;
  readonly learner: Learner;
  readonly search: string;
  readonly epsilon?: number;
  readonly seed?: string;
}

/** Games of a searching agent against itself, and what it decided in each. */
function searchPlay(game: Game, { evaluator, learner, search, epsilon = 0, seed = "leaf" }: Setup) {
  const prepared = prepareAgent(game, parseAgentSpec(search), { evaluator });
  const inner = prepared.create();
  const decided: Decided[][] = [];
  const agent: Agent = {
    newGame: () => {
      decided.push([]);
      inner.newGame?.();
    },
    choose: (state, turn) => {
      const before = copyOf(game, state);
      const decision = inner.choose(state, turn) as Decision;
      decided.at(-1)!.push({ ...decision, state: before });
      return decision;
    },
  };
  const random = createRandom(seed);
  const starts = new StartPositions(game, [{ randomPlies: { from: 0, to: 0 } }], random);
  const moves = new SearchMoves(game, { searcher: { agent, budget: prepared.budget }, starts, random });
  moves.exploration.epsilon = epsilon;
  const play = new SelfPlay(game, { starts, moves, listener: new LeafListener(learner) });
  return { play, decided };
}

/** An evaluator with small random weights. */
function evaluatorOf(game: Game, name: string, output: Output = "tanh"): LinearEvaluator {
  const features = game.featureSets[name]!;
  const random = createRandom("leaf weights");
  const weights = Float32Array.from({ length: features.size }, () => 0.1 * random.float() - 0.05);
  return new LinearEvaluator(game, features, { weights, output });
}

test.each([
  ["connect-four", "lines", "alpha-beta:depth=3,table=0,quiescence=false"],
  ["tic-tac-toe", "lines", "minimax:depth=2"],
  ["tic-tac-toe", "lines", "max-n:depth=2"],
  ["pig", "race", "expectimax:depth=1"],
])(
  "%s: what the learner sees is the end of the line, whose estimate is the decision's value",
  (id, name, search) => {
    const game = createGame(id === "pig" ? { id, target: 30 } : id);
    const evaluator = evaluatorOf(game, name);
    const learner = new Witness(game);
    const { play, decided } = searchPlay(game, { evaluator, learner, search, epsilon: 0.2 });
    for (let number = 0; number < 5; number++) play.playGame();
    let estimates = 0;
    for (const [number, decisions] of decided.entries()) {
      const seen = learner.games[number]!.slice(1, -1);
      expect(seen).toHaveLength(decisions.length);
      for (const [at, { state, line, value }] of decisions.entries()) {
        const me = state.toMove;
        const leaf = copyOf(game, state);
        for (const action of line) if (leaf.toMove >= 0) leaf.apply(action);
        expect(seen[at]!.by).toBe(me);
        expect(game.formatState(seen[at]!.state)).toBe(game.formatState(leaf));
        // A chance event that was searched beyond has a mean for its value; a proven loss, the plan before it.
        if (leaf.toMove === CHANCE || value! <= game.minReturn) continue;
        const over = leaf.toMove === TERMINAL;
        expect(over ? leaf.returns(me) : evaluator.evaluate(leaf, me)).toBe(value);
        if (!over) estimates++;
      }
    }
    expect(estimates).toBeGreaterThan(10);
    expect(play.decisions).toBe(decided.flat().length);
  },
);

describe("a tree, two plies deep", () => {
  /*
   * Estimates at depth two: left/a 0.2, left/b 0.4, right/a -0.1. So the line from the root ends in left/a
   * by 0.2. One ply on, the ends come into sight: left/b is worth 0.9 to the first player, left/a 1.
   */
  const game = createGame({
    id: "tree",
    root: {
      player: 0,
      actions: {
        left: {
          player: 1,
          actions: {
            a: { player: 0, actions: { win: 1, lose: -1 } },
            b: { player: 0, actions: { end: 0.9 } },
          },
        },
        right: { player: 1, actions: { a: { player: 0, actions: { end: 0.3 } } } },
      },
    },
  });
  const features = game.featureSets["nodes"]!;
  const weightOf = new Map(Array.from({ length: features.size }, (_, at) => [features.describe(at), at]));

  test.each([0, 1])("lambda %d: the leaf of the line learns, and no position that was played", (lambda) => {
    const weights = new Float32Array(features.size);
    for (const [name, weight] of [
      ["left/a", 0.2],
      ["left/b", 0.4],
      ["right/a", -0.1],
    ] as const)
      weights[weightOf.get(name)!] = weight;
    const before = weights.slice();
    const evaluator = new LinearEvaluator(game, features, { weights, output: "identity" });
    const learner = new TdLearner(game, evaluator, { lambda, leaves: true });
    learner.stepSize = 0.5;
    const { play, decided } = searchPlay(game, { evaluator, learner, search: "minimax:depth=2" });
    play.playGame();
    expect(decided[0]!.map(({ state }) => game.formatState(state))).toEqual([".", "left", "left/b"]);
    const learnt = Array.from(weights.keys()).filter((at) => weights[at] !== before[at]);
    expect(learnt.map((at) => features.describe(at))).toEqual(["left/a"]);
    expect(weights[weightOf.get("left/a")!]).toBeCloseTo(0.2 + 0.5 * (0.9 - 0.2), 6);
  });
});

/* A walk of 3 cells: the leaves are cell 2, the end on the right (1), cell 1; then the game ends on the right. */
test.each([
  // Cell 2 learns from 1; the proven end has nothing to learn; cell 1 learns from 1.
  [0, [0.5, 0.5, 0]],
  // Cell 2 then has half the credit for the step from 1 to the 0 of cell 1, and a quarter for the last one.
  [0.5, [0.5, 0.5 - 0.25 + 0.125, 0]],
  [1, [0.5, 0.5 - 0.5 + 0.5, 0]],
])(
  "lambda %d: a proven result is what the leaf before it approaches, and no weight is blamed for it",
  (lambda, wanted) => {
    const game = walk({ cells: 3 });
    const features = game.featureSets["cells"]!;
    const weights = new Float32Array(3);
    const evaluator = new LinearEvaluator(game, features, { weights, output: "identity" });
    const learner = new TdLearner(game, evaluator, { lambda, leaves: true });
    learner.stepSize = 0.5;
    const at = (cell: number) => {
      const state = game.start();
      state.cell = cell;
      return state;
    };
    learner.begin(at(2));
    for (const cell of [2, 4, 1]) learner.observe(at(cell), 0, false);
    learner.end(at(4), false);
    expect(Array.from(weights)).toEqual(wanted);
  },
);

test.each([0, 0.6, 1])("one ply deep, lambda %d: it is TD on afterstates, bit for bit", (lambda) => {
  const game = createGame("tic-tac-toe");
  const [leaf, plain] = [evaluatorOf(game, "lines"), evaluatorOf(game, "lines")];
  const learner = new TdLearner(game, leaf, { lambda, leaves: true });
  const other = new TdLearner(game, plain, { lambda, positions: "afterstates" });
  learner.stepSize = other.stepSize = 0.05;
  const { play, decided } = searchPlay(game, { evaluator: leaf, learner, search: "greedy:evaluator=none" });
  const before = leaf.weights.slice();
  for (let number = 0; number < 60; number++) {
    play.playGame();
    const state = game.start();
    other.begin(state);
    for (const { action } of decided.at(-1)!) {
      const by = state.toMove;
      state.apply(action);
      if (state.toMove === TERMINAL) other.end(state, false);
      else other.observe(state, by, false);
    }
    expect(leaf.weights).toEqual(plain.weights);
  }
  expect(leaf.weights).not.toEqual(before);
});

describe("random moves", () => {
  const game = createGame("connect-four");
  const search = "alpha-beta:depth=1";

  slowTest("come as often as they should, and the next leaf says so", () => {
    const evaluator = evaluatorOf(game, "lines");
    const learner = new Witness(game);
    const { play, decided } = searchPlay(game, { evaluator, learner, search, epsilon: 0.3 });
    for (let number = 0; number < 550; number++) play.playGame();
    let explored = 0;
    let strayed = 0;
    for (const [number, decisions] of decided.entries()) {
      // After the start: each leaf, then the end, tell of the move before.
      const told = learner.games[number]!.slice(1).map((seen) => seen.explored);
      expect(told[0]).toBe(false);
      for (const [at, { state, action }] of decisions.entries()) {
        if (told[at + 1]!) explored++;
        if (at + 1 === decisions.length) continue;
        state.apply(action);
        const next = decisions[at + 1]!.state;
        if (next.hashLow === state.hashLow && next.hashHigh === state.hashHigh) continue;
        strayed++;
        if (!told[at + 1]!) throw new Error("a random move is not told");
      }
    }
    expectFrequencies([explored, play.decisions - explored], [0.3, 0.7]);
    // One in seven or more random moves is the planned one.
    expect(strayed).toBeGreaterThan(explored / 2);
    expect(strayed).toBeLessThan(explored);
  });

  test("are any of the legal ones, each as often", () => {
    const five = createGame({ id: "tree", players: 1, root: { player: 0, actions: [0, 1, 2, 3, 4] } });
    const counts = [0, 0, 0, 0, 0];
    class Counter extends Witness {
      override end(state: State): void {
        counts[state.returns(0)]!++;
      }
    }
    const [evaluator, learner] = [evaluatorOf(game, "lines"), new Counter(five)];
    const { play } = searchPlay(five, { evaluator, learner, search: "random", epsilon: 1 });
    for (let number = 0; number < 18_000; number++) play.playGame();
    expectFrequencies(counts);
  });

  test("cut: nothing is learnt across them, unless they are to be ignored", () => {
    const learn = (afterRandomMove: "cut" | "continue") => {
      const evaluator = evaluatorOf(game, "lines");
      const before = evaluator.weights.slice();
      const learner = new TdLearner(game, evaluator, { lambda: 0.8, leaves: true, afterRandomMove });
      learner.stepSize = 0.05;
      const { play } = searchPlay(game, { evaluator, learner, search, epsilon: 1 });
      for (let number = 0; number < 5; number++) play.playGame();
      return evaluator.weights.some((weight, at) => weight !== before[at]);
    };
    expect(learn("cut")).toBe(false);
    expect(learn("continue")).toBe(true);
  });
});
