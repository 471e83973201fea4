import { describe, expect, test } from "vitest";
import {
  Amaf,
  type Estimates,
  type PolicyEstimates,
  Promises,
  Simulation,
  Trail,
} from "../../src/agents/mcts/estimates.ts";
import { GuidedSelection, Ucb1 } from "../../src/agents/mcts/selection.ts";
import { mixDirichlet } from "../../src/agents/mcts/noise.ts";
import { MastPlayout, PolicyPlayout } from "../../src/agents/mcts/playout.ts";
import { SimulationTree, UNEXPANDED } from "../../src/agents/mcts/tree.ts";
import type { Uct } from "../../src/agents/mcts/uct.ts";
import { InputError } from "../../src/base/errors.ts";
import { createRandom } from "../../src/base/random.ts";
import { checkAgent } from "../../src/agents/check/check-agent.ts";
import { formatFinding } from "../../src/games/check/finding.ts";
import type { ConnectFourState } from "../../src/games/connect-four/state.ts";
import { TERMINAL, type Evaluator, type Game, type State } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";
import { usualOpenGames, sampleName } from "../games/samples.ts";
import { ask, copyOf, createPlayer, decide, randomPositions, type Player } from "./play.ts";
import { createTree } from "./random-trees.ts";
import { watchActions } from "./watch.ts";
import { expectFrequencies } from "../support/frequencies.ts";
import { everyFew, slowTest } from "../support/thorough.ts";

const connectFour = createGame("connect-four");
const breakthrough = createGame("breakthrough");
const searchOf = ({ agent }: Player) => agent as Uct;

/** The children of a node of a search's tree. */
function childrenOf(tree: SimulationTree, node: number): number[] {
  const first = tree.firstChild[node]!;
  return first === UNEXPANDED ? [] : Array.from({ length: tree.childCount[node]! }, (_, at) => first + at);
}

/** Visits the nodes of a tree below the root, with the state there and who chose them. */
function forEachNode(
  game: Game,
  { tree, root }: { tree: SimulationTree; root: State },
  visit: (node: number, state: State, chooser: number) => void,
): void {
  const state = game.start();
  state.copyFrom(root);
  const walk = (node: number) => {
    const chooser = state.toMove;
    for (const child of childrenOf(tree, node)) {
      state.apply(tree.action[child]!);
      visit(child, state, chooser);
      walk(child);
      state.undo();
    }
  };
  walk(0);
}

test("a guided selection that has nothing to go by selects as UCB1 does", () => {
  const random = createRandom("guides");
  const actions = Int32Array.from({ length: 9 }, (_, at) => at);
  for (let sample = 0; sample < 200; sample++) {
    const tree = new SimulationTree(100);
    const exploration = random.float();
    tree.expand(0, actions, 9);
    for (let child = 1; child <= 9; child++) {
      tree.visits[child] = random.below(40) + (sample % 2);
      tree.reward[child] = tree.visits[child]! * random.float();
      tree.visits[0]! += tree.visits[child]!;
    }
    const nothing = {
      proofs: null,
      amaf: null,
      equivalence: 0,
      estimates: null,
      firstPlay: 0,
      promises: null,
      puct: false,
    };
    const guided = new GuidedSelection(tree, { ...nothing, exploration, minimax: null, minimaxShare: 0 });
    const ucb = new Ucb1(tree, exploration, null);
    expect(guided.select(0, 0)).toBe(ucb.select(0, 0));
    if (tree.visits[1]! > 0) expect(guided.bound(0, 1)).toBeCloseTo(ucb.bound(0, 1), 12);
  }
});

describe("AMAF", () => {
  test("counts the simulations in which who decides at a node took the action there or later", () => {
    // Each simulation begins with the children of the root, of which it plays one.
    const simulations: [player: number, action: number][][] = [];
    const game = watchActions(connectFour, (action, state) => {
      if ((state as ConnectFourState).stones === 6) simulations.push([]);
      simulations.at(-1)!.push([state.toMove, action]);
    });
    const root = connectFour.parseState("112244");
    const player = createPlayer(game, "mcts:simulations=60,rave=50,solver=false");
    const view = game.start();
    view.copyFrom(root);
    const { agent, budget } = player;
    void agent.choose(view, { random: createRandom("amaf"), budget, clock: () => 0 });
    const { tree, parts } = searchOf(player) as unknown as {
      tree: SimulationTree;
      parts: { learners: Amaf[] };
    };
    const [amaf] = parts.learners;
    // The line of the decision is played after the simulations.
    const counted = simulations.slice(0, 60);
    for (const child of childrenOf(tree, 0)) {
      const action = tree.action[child];
      const expected = counted.filter((moves) => moves.some(([who, what]) => who === 0 && what === action));
      expect(amaf!.visits[child]).toBe(expected.length);
      expect(amaf!.reward[child]).toBeLessThanOrEqual(expected.length);
    }
  });

  test("adds the reward of who decides, and nothing for the other player's same action", () => {
    const tree = new SimulationTree(100);
    const amaf = new Amaf(tree);
    tree.expand(0, Int32Array.of(5, 6, 7), 3);
    const simulation = new Simulation(2, new Trail());
    simulation.step(0, 1);
    simulation.trail!.add(1, 6);
    simulation.trail!.add(0, 7);
    simulation.rewards.set([0.75, 0.25]);
    amaf.learn(simulation);
    expect([...amaf.visits.subarray(1, 4)]).toEqual([1, 0, 1]);
    expect([...amaf.reward.subarray(1, 4)]).toEqual([0.75, 0, 0.75]);
  });
});

test("MAST plays an action in proportion to exp(mean / temperature)", () => {
  const game = createTree({ player: 0, actions: [1, 2, 3] });
  const tree = new SimulationTree(100);
  const temperature = 0.5;
  const playout = new MastPlayout(game, {
    temperature,
    tree,
    trail: new Trail(),
  });
  const learn = (action: number, reward: number) => {
    const simulation = new Simulation(2, new Trail());
    simulation.trail!.add(0, action);
    simulation.rewards.set([reward, 1 - reward]);
    playout.learn(simulation);
  };
  // Means of 0.5 and 0; the last one was never tried, and counts as 1.
  learn(0, 1);
  learn(0, 0);
  learn(1, 0);
  const weights = [0.5, 0, 1].map((mean) => Math.exp(mean / temperature));
  const counts = [0, 0, 0];
  const random = createRandom("mast");
  const state = game.start();
  const start = game.start();
  const draws = 45_000;
  for (let draw = 0; draw < draws; draw++) {
    state.copyFrom(start);
    playout.play(state, random);
    counts[state.returns(0) - 1]!++;
  }
  const sum = weights.reduce((total, weight) => total + weight);
  expectFrequencies(
    counts,
    weights.map((weight) => weight / sum),
  );
});

slowTest("MAST forgets everything between decisions, and picks among hopeless actions too", () => {
  for (const temperature of [0.3, 0.0001]) {
    const spec = `mcts:simulations=300,mast=${temperature}`;
    const player = createPlayer(breakthrough, spec);
    const [first, second] = randomPositions(breakthrough, 2);
    ask(player, breakthrough, { state: first! });
    const again = ask(player, breakthrough, { state: second! });
    expect(again).toEqual(decide(breakthrough, spec, second, "ask"));
  }
});

describe("an evaluator's estimates", () => {
  const heuristic = breakthrough.heuristics["advancement"]!;
  const spec = "mcts:simulations=400,evaluator=advancement";

  function search(options: string, root: State) {
    const player = createPlayer(breakthrough, `${spec},${options}`);
    ask(player, breakthrough, { state: root });
    return searchOf(player) as unknown as {
      tree: SimulationTree;
      parts: {
        estimates: { value: Float32Array; prior: Float32Array };
        minimax: { value: Float32Array };
      };
    };
  }

  slowTest("are its values of the children, in 0..1; priors are their softmax", () => {
    for (const root of randomPositions(breakthrough, 3)) {
      const { tree, parts } = search("priors=0.1,solver=false", root);
      const { value, prior } = parts.estimates;
      forEachNode(breakthrough, { tree, root }, (node, state, chooser) => {
        const expected =
          state.toMove === TERMINAL ? state.returns(chooser) : heuristic.evaluate(state, chooser);
        expect(value[node]).toBeCloseTo((expected + 1) / 2, 6);
      });
      for (let node = 0; node < tree.size; node++) {
        const children = childrenOf(tree, node);
        if (children.length === 0) continue;
        const sum = children.reduce((total, child) => total + Math.exp(value[child]! / 0.1), 0);
        for (const child of children)
          expect(prior[child]).toBeCloseTo(Math.exp(value[child]! / 0.1) / sum, 5);
      }
    }
  });

  test("make priors of temperature 0.3, if nothing else is asked for", () => {
    const [root] = randomPositions(breakthrough, 1);
    const decideWith = (options: string) => decide(breakthrough, `${spec}${options}`, root);
    expect(decideWith("")).toEqual(decideWith(",priors=0.3"));
    expect(decideWith("")).not.toEqual(decideWith(",priors=0"));
  });

  slowTest("are backed up by minimax, all over the tree", () => {
    for (const root of randomPositions(breakthrough, 3)) {
      const { tree, parts } = search("implicitMinimax=0.4,solver=false", root);
      const minimax = (node: number): number => {
        const children = childrenOf(tree, node);
        if (children.length === 0) return parts.estimates.value[node]!;
        return 1 - Math.max(...children.map(minimax));
      };
      for (const child of childrenOf(tree, 0))
        expect(parts.minimax.value[child]).toBeCloseTo(minimax(child), 6);
    }
  });
});

test("a promise counts as so many simulations before the first, for the mean and the exploration", () => {
  const tree = new SimulationTree(100);
  const policy = {
    choose: () => 0,
    promises: (_: State, actions: Int32Array, at: number, end: number, out: Int32Array) => {
      for (let index = at; index < end; index++) out[index] = 51 * actions[index]!;
    },
  };
  const promises = new Promises(tree, { policy, weight: 8 });
  tree.expand(0, Int32Array.of(1, 5, 3), 3);
  promises.begin(0, connectFour.start());
  const nothing = { proofs: null, amaf: null, equivalence: 0, estimates: null, firstPlay: 0, puct: false };
  const guides = { ...nothing, promises, exploration: 0.5, minimax: null, minimaxShare: 0 };
  const selection = new GuidedSelection(tree, guides);
  expect(selection.select(0, 0)).toBe(2);
  tree.visits.set([10, 2, 8]);
  tree.reward.set([0, 1.5, 2]);
  const explored = (visits: number) => 0.5 * Math.sqrt(Math.log(11) / visits);
  expect(selection.bound(0, 1)).toBeCloseTo((1.5 + 8 * 0.2) / 10 + explored(10), 12);
  expect(selection.bound(0, 2)).toBeCloseTo((2 + 8) / 16 + explored(16), 12);
  expect(selection.bound(0, 3)).toBeCloseTo((8 * 0.6) / 8 + explored(8), 12);
});

test("a playout by a policy plays its actions to the end, and writes them to the trail", () => {
  const game = createGame("tic-tac-toe");
  const perfect = game.policies["perfect"]!;
  for (const trail of [null, new Trail()]) {
    const state = game.parseState("x../.../...");
    const twin = copyOf(game, state);
    new PolicyPlayout(game, perfect.create(), trail).play(state, createRandom("policy"));
    const random = createRandom("policy");
    const played: [player: number, action: number][] = [];
    while (twin.toMove !== TERMINAL) {
      const action = perfect.create().choose(twin, random);
      played.push([twin.toMove, action]);
      twin.apply(action);
    }
    expect(game.formatState(state)).toBe(game.formatState(twin));
    expect(state.returns(0)).toBe(0);
    if (trail === null) continue;
    const { players, actions, length } = trail;
    expect(Array.from({ length }, (_, at) => [players[at], actions[at]])).toEqual(played);
  }
});

describe("a policy that was learnt", () => {
  /** Asks the agent, with an evaluator whose policy likes action 3 as much as both of its neighbours together. */
  function search(options: string, root: State) {
    const asked: string[] = [];
    const evaluator: Evaluator = {
      evaluate(state, player) {
        asked.push(`value of ${connectFour.formatState(state)}`);
        const value = ((state.hashLow >>> 0) / 2 ** 32 - 0.5) / 2;
        return player === 0 ? value : 0 - value;
      },
      prefer(state, actions, at, end, out) {
        asked.push(`policy of ${connectFour.formatState(state)}`);
        for (let index = at; index < end; index++)
          out[index] = 5 - Math.abs(3 - actions[index]!) * Math.log(2);
      },
    };
    const spec = `mcts:evaluator=none,${options}`;
    const player = createPlayer(connectFour, spec, { evaluator });
    const decision = ask(player, connectFour, { state: root });
    const { tree, parts } = searchOf(player) as unknown as {
      tree: SimulationTree;
      parts: { learnt: PolicyEstimates };
    };
    return { asked, evaluator, decision, tree, learnt: parts.learnt };
  }

  test("gives priors by the softmax of its logits over the legal actions, without being asked for", () => {
    const root = connectFour.parseState("111111");
    const { tree, learnt } = search("simulations=50,decisive=none", root);
    for (let node = 0; node < tree.size; node++) {
      const children = childrenOf(tree, node);
      const weights = children.map((child) => 2 ** -Math.abs(3 - tree.action[child]!));
      const sum = weights.reduce((total, weight) => total + weight, 0);
      for (const [at, child] of children.entries()) {
        expect(learnt.prior[child]).toBeCloseTo(weights[at]! / sum, 6);
        expect(learnt.value[child]).toBeCloseTo(learnt.worth[node]!, 6);
      }
    }
    expect(childrenOf(tree, 0)).toHaveLength(6);
  });

  test("is asked for once a position, at its first visit, right after the value", () => {
    const { asked, tree, learnt, evaluator } = search("simulations=100,solver=false", connectFour.start());
    const positions = asked.filter((one) => one.startsWith("policy")).map((one) => one.slice(10));
    // The line of the decision asks nothing more.
    expect(asked).toEqual(positions.flatMap((one) => [`value of ${one}`, `policy of ${one}`]));
    expect(positions).toHaveLength(101);
    expect(new Set(positions).size).toBeGreaterThan(60);
    forEachNode(connectFour, { tree, root: connectFour.start() }, (node, state) => {
      expect(childrenOf(tree, node).length > 0).toBe(tree.visits[node]! > 0);
      if (tree.visits[node]! > 0)
        expect(learnt.worth[node]).toBeCloseTo((1 + evaluator.evaluate(state, state.toMove)) / 2, 12);
    });
  });

  test("chooses by PUCT, in which an action without visits counts as its position less `firstPlay`", () => {
    const { tree, learnt } = search("simulations=1,firstPlay=0.25,exploration=0.5", connectFour.start());
    const selection = (firstPlay: number) =>
      new GuidedSelection(tree, {
        exploration: 0.5,
        proofs: null,
        amaf: null,
        equivalence: 0,
        estimates: learnt,
        firstPlay,
        promises: null,
        puct: true,
        minimax: null,
        minimaxShare: 0,
      });
    const middle = childrenOf(tree, 0).find((child) => tree.action[child] === 3)!;
    expect(tree.visits[middle]).toBe(1);
    const other = childrenOf(tree, 0).find((child) => tree.action[child] === 2)!;
    const explored = 0.5 * Math.sqrt(2);
    expect(selection(0.25).bound(0, other)).toBeCloseTo(
      learnt.worth[0]! - 0.25 + explored * learnt.prior[other]!,
      6,
    );
    expect(selection(0.25).bound(0, middle)).toBeCloseTo(
      tree.reward[middle]! + (explored * learnt.prior[middle]!) / 2,
      6,
    );
    tree.reward[middle] = learnt.worth[0]! - 0.15;
    expect(selection(0.25).select(0, 0)).toBe(middle);
    expect(selection(0).select(0, 0)).not.toBe(middle);
  });
});

describe("Dirichlet noise", () => {
  slowTest("has the mean and the variance of its distribution", () => {
    // The parameters of 4 actions are 10 / 4 each: mean 1/4, variance 1/4 * 3/4 / 11. Of 40 they are below 1.
    for (const count of [4, 40]) {
      const random = createRandom("dirichlet", count);
      const draws = Array.from({ length: 4000 }, () => {
        const prior = new Float32Array(count + 2);
        mixDirichlet(prior, { first: 1, end: count + 1, share: 1 }, random);
        expect([prior[0], prior[count + 1]]).toEqual([0, 0]);
        expect(prior.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 5);
        return prior[1]!;
      });
      const mean = draws.reduce((sum, one) => sum + one, 0) / draws.length;
      const variance = draws.reduce((sum, one) => sum + (one - mean) ** 2, 0) / draws.length;
      const expected = ((1 / count) * (1 - 1 / count)) / 11;
      expect(Math.abs(mean - 1 / count)).toBeLessThan(4 * Math.sqrt(expected / draws.length));
      expect(variance / expected).toBeGreaterThan(0.85);
      expect(variance / expected).toBeLessThan(1.15);
    }
  });

  test("takes its share of the root's priors, and of no others", () => {
    const root = breakthrough.start();
    const search = (noise: string) => {
      const player = createPlayer(
        breakthrough,
        `mcts:simulations=40,evaluator=advancement,priors=0.1,ties=first${noise}`,
      );
      ask(player, breakthrough, { state: root });
      const { tree, parts } = searchOf(player) as unknown as {
        tree: SimulationTree;
        parts: { estimates: Estimates };
      };
      const { prior, value } = parts.estimates;
      const priorsAt = (node: number) => childrenOf(tree, node).map((child) => prior[child]!);
      const softmaxAt = (node: number) => {
        const weights = childrenOf(tree, node).map((child) => Math.exp(value[child]! / 0.1));
        const sum = weights.reduce((total, weight) => total + weight, 0);
        return weights.map((weight) => weight / sum);
      };
      const below = childrenOf(tree, 0).find((child) => childrenOf(tree, child).length > 0)!;
      for (const [at, one] of softmaxAt(below).entries()) expect(priorsAt(below)[at]).toBeCloseTo(one, 5);
      return { priors: priorsAt(0), softmax: softmaxAt(0) };
    };
    const without = search("");
    for (const [at, one] of without.softmax.entries()) expect(without.priors[at]).toBeCloseTo(one, 5);
    const { priors, softmax } = search(",noise=0.25");
    expect(priors.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 5);
    for (const [at, one] of softmax.entries()) expect(priors[at]).toBeGreaterThanOrEqual(0.7499 * one);
    expect(Math.max(...softmax.map((one, at) => priors[at]! - 0.75 * one))).toBeGreaterThan(0.02);
  });
});

describe("agents with all that a game allows", () => {
  test.each(
    everyFew(
      usualOpenGames.map((spec) => [sampleName(spec), spec] as const),
      6,
    ),
  )("%s", async (_, spec) => {
    const game = createGame(spec);
    const [evaluator = "none"] = Object.keys(game.heuristics);
    const isDuel = game.players === 2 && game.zeroSum && !game.chance;
    const guides = `priors=0.1,${isDuel ? "implicitMinimax=0.3," : ""}`;
    // A perfect policy may search for minutes at every move.
    const policy = Object.keys(game.policies).find((name) => name !== "perfect");
    const playout = policy === undefined ? [] : [`playout=${policy},rave=100,promises=5`];
    for (const options of ["rave=100,mast=0.3", ...playout, `evaluator=${evaluator},${guides}rave=100`]) {
      const source = createPlayer(game, `mcts:simulations=12,maxNodes=1000,${options}`);
      const create = () => createPlayer(game, `mcts:simulations=12,maxNodes=1000,${options}`).agent;
      const findings = await checkAgent(game, { budget: source.budget, create }, { positions: 2 });
      expect(findings.map(formatFinding)).toEqual([]);
    }
  });
});

test("options that need something else say so", () => {
  const problem = (game: Game, spec: string) => {
    try {
      createPlayer(game, spec);
      return "";
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return error.message;
    }
  };
  expect(problem(connectFour, "mcts:simulations=1,priors=0.1")).toContain("priors: needs an evaluator");
  expect(problem(connectFour, "mcts:simulations=1,firstPlay=0.2")).toContain(
    "firstPlay: needs priors=policy",
  );
  expect(problem(connectFour, "mcts:simulations=1,noise=0.2")).toContain("noise: needs priors");
  expect(problem(connectFour, "mcts:simulations=1,priors=policy")).toContain("priors: needs an evaluator");
  expect(problem(connectFour, "mcts:simulations=1,evaluator=threats,priors=policy")).toContain(
    'priors: "policy" needs an evaluator that has a policy',
  );
  expect(
    problem(connectFour, "mcts:simulations=1,evaluator=threats,priors=policy,implicitMinimax=0.1"),
  ).toContain("implicitMinimax: must be 0 with priors=policy");
  expect(problem(connectFour, "mcts:simulations=1,evaluator=threats,mast=0.1")).toContain("needs playouts");
  expect(problem(connectFour, "mcts:simulations=1,promises=9")).toBe(
    "promises: needs a policy; give playout=NAME",
  );
  const go = createGame({ id: "go", size: 5 });
  expect(problem(go, "mcts:simulations=1,evaluator=area,playout=mogo")).toContain("playout: needs playouts");
  expect(problem(go, "mcts:simulations=1,mast=1,playout=mogo")).toContain("must be left out with mast");
  expect(problem(go, "mcts:simulations=1,playout=moggo")).toContain('did you mean "mogo"?');
  expect(problem(breakthrough, "mcts:simulations=1,playout=mogo")).toContain("breakthrough has none");
  expect(problem(createGame("pig"), "mcts:simulations=1,evaluator=race,implicitMinimax=0.1")).toContain(
    "must be 0 in pig, which has chance",
  );
});
