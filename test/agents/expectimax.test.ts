import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CHANCE, TERMINAL, type Game, type State } from "../../src/games/contract/game.ts";
import { possibleActions } from "../../src/games/contract/notation.ts";
import type { TreeNode } from "../../src/games/tree/schema.ts";
import { createRandom, type Random } from "../../src/base/random.ts";
import type { Agent, AgentFamily, Decision } from "../../src/agents/agent.ts";
import { Expectimax, expectimax } from "../../src/agents/expectimax/expectimax.ts";
import { prepareAgent } from "../../src/agents/prepare.ts";
import { parseAgentSpec } from "../../src/specs/agents.ts";
import { createGame } from "../../src/games/index.ts";
import { everyFew, slowTest, thorough } from "../support/thorough.ts";
import { ask, copyOf, createPlayer, decide, randomPositions } from "./play.ts";
import { againstRandom, backUp, createTree, playerAt, randomTree, valueForMover } from "./random-trees.ts";

const PLAIN = "pruning=none,table=0,ordering=none";

describe("expectimax", () => {
  slowTest("finds what minimax finds where there is no chance", () => {
    fc.assert(
      fc.property(randomTree(), fc.integer({ min: 1, max: 5 }), (root, depth) => {
        const how = `evaluator=value,depth=${depth},ties=first`;
        const game = createTree(root);
        expect(decide(game, `expectimax:${how},${PLAIN}`)).toEqual(decide(game, `minimax:${how}`));
      }),
      { seed: 1 },
    );
  });

  slowTest("agrees with direct recursion on random trees with chance, against the best play", () => {
    fc.assert(
      fc.property(randomTree({ chance: true }), (root) => {
        const { value } = decide(createTree(root), "expectimax:depth=9,table=64");
        expect(value).toBeCloseTo(valueForMover(root), 10);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  slowTest.each([2, 3])("agrees with it against %i players at random", (players) => {
    fc.assert(
      fc.property(randomTree({ players, chance: true }), (root) => {
        const { value } = decide(createTree(root, players), "expectimax:depth=9,opponent=random,table=64");
        expect(value).toBeCloseTo(backUp(root, againstRandom(playerAt(root))), 10);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  test.each(["best", "random"])("the plies of an opponent at its %s count as well", (opponent) => {
    const later = (value: number): TreeNode => ({ player: 0, value, actions: [1] });
    const root = { player: 0, actions: [{ player: 1, value: 7, actions: [later(3), later(5)] }] };
    const values = [1, 2, 3].map(
      (depth) =>
        decide(createTree(root), `expectimax:evaluator=value,opponent=${opponent},depth=${depth}`).value,
    );
    expect(values).toEqual([7, opponent === "best" ? 3 : 4, 1]);
  });

  test("chains of chance events may be long", () => {
    const chain = (left: number): TreeNode =>
      left === 0
        ? 64
        : {
            chance: [
              { probability: "1/2", node: chain(left - 1) },
              { probability: "1/2", node: 0 },
            ],
          };
    const game = createTree({ player: 0, actions: [chain(40), chain(6), 0.5] });
    for (const agent of ["expectimax", "max-n"])
      expect(decide(game, `${agent}:depth=5`)).toMatchObject({ action: 1, value: 1 });
  });
});

/** The exact value of every action, by the search that leaves out nothing. */
function plainValues(game: Game, how: string): Map<number, number> {
  const { agent, budget } = createPlayer(game, `expectimax:${how},${PLAIN}`);
  const turn = { random: createRandom("plain"), budget, clock: () => 0, ranked: 99 };
  const { ranking = [] } = agent.choose(game.start(), turn) as Decision;
  return new Map(ranking.map(({ action, value }) => [action, value]));
}

describe("what is left out does not change the value", () => {
  const kinds = ["star1", "star2"].flatMap((pruning) =>
    ["table=0,ordering=none", "table=0", "table=4", "table=64"].map((rest) => `pruning=${pruning},${rest}`),
  );

  slowTest.each([...kinds, "pruning=none,table=64"])("%s, on random trees with chance", (kind) => {
    const more = fc.constantFrom("", ",opponent=random");
    const shape = { chance: true, levels: 4, maxBranching: 9 };
    fc.assert(
      fc.property(randomTree(shape), fc.integer({ min: 1, max: 7 }), more, (root, depth, rest) => {
        const game = createTree(root);
        const how = `evaluator=value,depth=${depth}${rest}`;
        const wanted = plainValues(game, how);
        const { action, value } = decide(game, `expectimax:${how},${kind}`);
        expect(value).toBeCloseTo(Math.max(...wanted.values()), 10);
        expect(value).toBeCloseTo(wanted.get(action)!, 10);
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  test.each(
    everyFew(
      [
        ["backgammon", 2, "pubeval", 1 / 2],
        ["backgammon", 2, "pip-count", 1 / 2],
        ["2048", 3, "order", 1 / 2],
        ["pig", 5, "race", 3 / 5],
      ] as const,
      2,
    ),
  )("%s to depth %i by %s, to the last bit", (id, depth, evaluator, most) => {
    const game = createGame(id);
    let all = 0;
    let visited = 0;
    for (const state of randomPositions(game, thorough(12, 4))) {
      const how = `expectimax:evaluator=${evaluator},depth=${depth}`;
      const wanted = decide(game, `${how},deepening=false,${PLAIN}`, state);
      const found = decide(game, how, state);
      expect(found.value).toBe(wanted.value);
      all += wanted.nodes;
      visited += found.nodes;
    }
    expect(visited).toBeLessThan(most * all);
  });
});

describe("star2 looks at one action after each chance outcome", () => {
  /** Expectimax that counts what its looks come to, by who moves after the outcome. */
  class Watched extends Expectimax {
    readonly looks: Record<string, number>;

    constructor(parts: ConstructorParameters<typeof Expectimax>[0], looks: Record<string, number>) {
      super(parts);
      this.looks = looks;
    }

    protected override look(depth: number, at: number, ply: number, alpha: number, beta: number): number {
      const { toMove } = this.state;
      const value = super.look(depth, at, ply, alpha, beta);
      const who = { [TERMINAL]: "end", [CHANCE]: "chance", [this.me]: "me" }[toMove] ?? "other";
      const how = Number.isNaN(value) ? "no bound" : value <= alpha || value >= beta ? "cut" : "bound";
      const key = `${who}: ${how}`;
      this.looks[key] = (this.looks[key] ?? 0) + 1;
      return value;
    }
  }

  /** What stands at each level of a tree: decisions of any player (D) and chance events (C). */
  const SHAPES = ["DDCD", "DDCD", "DDCD", "DCDCD", "DDCCD", "DDDCD"];

  /** A tree with many actions, some of whose branches end early. */
  function bushyTree(random: Random): TreeNode {
    const whole = () => random.below(25) - 12;
    const shape = SHAPES[random.below(SHAPES.length)]!;
    const node = (level: number): TreeNode => {
      if (level === shape.length || (level > 0 && random.below(12) === 0)) return whole();
      const nodes = (count: number) => Array.from({ length: count }, () => node(level + 1));
      if (shape[level] === "D") return { player: random.below(2), actions: nodes(4), value: whole() };
      const eighths = 1 + random.below(7);
      const chance = nodes(2).map((inner, at) => ({
        probability: `${at === 0 ? eighths : 8 - eighths}/8`,
        node: inner,
      }));
      return { chance, value: whole() };
    };
    return node(0);
  }

  /** Counts, in `orders`, who decides at the root, before a chance event and after it. */
  function countOrders(node: TreeNode, path: readonly (number | string)[], orders: Record<string, number>) {
    const { player, actions, chance } = node as {
      player?: number;
      actions?: readonly TreeNode[];
      chance?: readonly { node: TreeNode }[];
    };
    const [root] = path;
    const [before, event] = path.slice(-2);
    if (player !== undefined && event === "chance" && before !== "chance") {
      const order = `${root} ${before} chance ${player}`;
      orders[order] = (orders[order] ?? 0) + 1;
    }
    const next = chance?.map((outcome) => outcome.node) ?? actions ?? [];
    for (const child of next) countOrders(child, [...path, player ?? "chance"], orders);
  }

  slowTest("the value is that without pruning, whoever moves before and after the outcome", () => {
    const random = createRandom("star2");
    const looks: Record<string, number> = {};
    const orders: Record<string, number> = {};
    const create: typeof expectimax.create = (parts) => new Watched(parts, looks);
    const watched = { ...expectimax, create } as unknown as AgentFamily;
    for (let trial = 0; trial < 1000; trial++) {
      const root = bushyTree(random);
      countOrders(root, [], orders);
      const game = createTree(root);
      const how = `evaluator=value,depth=${1 + random.below(5)}`;
      const wanted = plainValues(game, how);
      const table = ["table=0,ordering=none", "table=0", "table=64"][random.below(3)]!;
      const spec = parseAgentSpec(`expectimax:${how},${table}`);
      const prepared = prepareAgent(game, spec, { families: { expectimax: watched } });
      const player = { agent: prepared.create(), budget: prepared.budget };
      const { action, value } = ask(player, game, { state: game.start() });
      expect(value).toBeCloseTo(Math.max(...wanted.values()), 10);
      expect(value).toBeCloseTo(wanted.get(action)!, 10);
    }
    expect(Object.keys(orders)).toHaveLength(8);
    expect(Math.min(...Object.values(orders))).toBeGreaterThan(100);
    expect(Object.keys(looks).toSorted()).toEqual([
      "chance: no bound",
      "end: bound",
      "end: cut",
      "me: bound",
      "me: cut",
      "me: no bound",
      "other: bound",
      "other: cut",
      "other: no bound",
    ]);
    expect(Math.min(...Object.values(looks))).toBeGreaterThan(20);
  });
});

describe("models of the opponent", () => {
  /** The value for `me` when the others take their actions with these probabilities, by direct recursion. */
  function valueAgainst(game: Game, state: State, me: number, odds: (state: State) => number[]): number {
    if (state.toMove === TERMINAL) return state.returns(me);
    const actions = new Int32Array(game.maxActions);
    const chances = new Float64Array(game.maxActions);
    const isChance = state.toMove === CHANCE;
    const count = isChance ? state.chanceOutcomes!(actions, chances, 0) : state.legalActions(actions, 0);
    const values = Array.from(actions.slice(0, count), (action) => {
      state.apply(action);
      const value = valueAgainst(game, state, me, odds);
      state.undo();
      return value;
    });
    if (state.toMove === me) return Math.max(...values);
    const weights = isChance ? chances : odds(state);
    return values.reduce((sum, value, at) => sum + value * weights[at]!, 0);
  }

  /** The value of each action to the player to move, one ply on. */
  const worthsOf = (game: Game) => (state: State) =>
    Array.from(possibleActions(game, state), (action) => {
      const mover = state.toMove;
      state.apply(action);
      const worth =
        state.toMove === TERMINAL ? state.returns(mover) : game.heuristics["value"]!.evaluate(state, mover);
      state.undo();
      return worth;
    });
  const share = (weights: readonly number[]) => {
    const sum = weights.reduce((all, one) => all + one, 0);
    return weights.map((one) => one / sum);
  };
  const best = (worths: readonly number[]) =>
    share(worths.map((one) => (one === Math.max(...worths) ? 1 : 0)));

  const MODELS: Readonly<Record<string, (worths: readonly number[]) => number[]>> = {
    "opponent=random": (worths) => share(worths.map(() => 1)),
    "opponent.agent=random": (worths) => share(worths.map(() => 1)),
    "opponent.agent=greedy": best,
    "opponent.agent=greedy,opponent.epsilon=0.5": (worths) =>
      best(worths).map((one) => one / 2 + 1 / 2 / worths.length),
    "opponent.agent=greedy,opponent.temperature=2": (worths) => share(worths.map((one) => Math.exp(one / 2))),
    // One ply of minimax on the same evaluator is greedy; it takes the first of several best.
    "opponent.agent=minimax,opponent.depth=1,opponent.ties=first": (worths) =>
      worths.map((_, at) => (at === worths.indexOf(Math.max(...worths)) ? 1 : 0)),
  };

  test.each(everyFew(Object.keys(MODELS), 3))("%s: the value is that of direct recursion", (model) => {
    const isMinimax = model.includes("minimax");
    const players = isMinimax ? [2] : [2, 3];
    const trees = fc
      .constantFrom(...players)
      .chain((many) =>
        randomTree({ players: many, chance: !isMinimax, levels: 4 }).map((root) => createTree(root, many)),
      );
    fc.assert(
      fc.property(trees, fc.constantFrom("none", "star2"), (game, pruning) => {
        const state = game.start();
        const worths = worthsOf(game);
        const odds = (at: State) => MODELS[model]!(worths(at));
        const { value } = decide(
          game,
          `expectimax:evaluator=value,depth=9,table=64,pruning=${pruning},${model}`,
        );
        expect(value).toBeCloseTo(valueAgainst(game, state, state.toMove, odds), 9);
      }),
      { numRuns: thorough(150, 40), seed: 1 },
    );
  });

  test("an agent is asked with its own evaluator and budget; what it looks at counts", () => {
    const game = createGame("connect-four");
    const nodes = (opponent: string) =>
      decide(game, `expectimax:evaluator=threats,depth=2,deepening=false,${PLAIN},${opponent}`).nodes;
    expect(nodes("opponent=random")).toBe(1 + 7 + 49);
    expect(nodes("opponent.agent=greedy,opponent.evaluator=none")).toBe(1 + 7 + 7 * 7 + 49);
    expect(nodes("opponent.agent=greedy,opponent.evaluator=none,opponent.ties=first")).toBe(
      1 + 7 + 7 * 7 + 7,
    );
    // Its search to depth 1 visits the root and seven positions.
    expect(nodes("opponent.agent=minimax,opponent.depth=1")).toBe(1 + 7 + 7 * 8 + 7);
  });
});

/** The average score of a policy for player 0, if player 1 answers as `other` says. */
function score(game: Game, agent: string, other: "random" | "best", state: State = game.start()): number {
  if (state.toMove === TERMINAL) return state.returns(0);
  const actions =
    state.toMove === 0 ? [decide(game, agent, state).action] : Array.from(possibleActions(game, state));
  const values = actions.map((action) => {
    const next = copyOf(game, state);
    next.apply(action);
    return score(game, agent, other, next);
  });
  return other === "best"
    ? Math.min(...values)
    : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The average score of a policy for player 0 against an agent that tells the probability of each of its actions. */
function scoreAgainst(game: Game, other: Agent, agent: string, state: State = game.start()): number {
  if (state.toMove === TERMINAL) return state.returns(0);
  const actions = possibleActions(game, state);
  const odds = new Float64Array(actions.length);
  if (state.toMove === 0) odds[actions.indexOf(decide(game, agent, state).action)] = 1;
  else other.weigh!(state, actions, odds, 0, actions.length);
  return odds.reduce((sum, one, at) => {
    if (one === 0) return sum;
    const next = copyOf(game, state);
    next.apply(actions[at]!);
    return sum + one * scoreAgainst(game, other, agent, next);
  }, 0);
}

describe("T14, an opponent that plays at random", () => {
  const minimax = "minimax:depth=9";
  const ghostHunter = "expectimax:depth=9,opponent=random,table=64";

  test("to expect it pays against it, and costs against the best", () => {
    const game = createTree({
      player: 0,
      actions: [
        { player: 1, actions: [5, 5] },
        { player: 1, actions: [20, 0] },
      ],
    });
    expect([score(game, ghostHunter, "random"), score(game, minimax, "random")]).toEqual([10, 5]);
    expect([score(game, ghostHunter, "best"), score(game, minimax, "best")]).toEqual([0, 5]);
  });

  slowTest("on no tree does a wrong model of a player with faults do better than the right one", () => {
    fc.assert(
      fc.property(randomTree({ levels: 4 }), (root) => {
        const game = createTree({ ...(root as object), player: 0 });
        const { agent } = createPlayer(game, "greedy:evaluator=value,epsilon=0.5");
        const against = (model: string) => scoreAgainst(game, agent, `expectimax:depth=9,table=64,${model}`);
        const right = against("evaluator=value,opponent.agent=greedy,opponent.epsilon=0.5");
        expect(right).toBeGreaterThanOrEqual(against("opponent=best") - 1e-9);
        expect(right).toBeGreaterThanOrEqual(against("opponent=random") - 1e-9);
        expect(right).toBeGreaterThanOrEqual(against("evaluator=value,opponent.agent=greedy") - 1e-9);
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  slowTest("on no tree is it the other way round", () => {
    fc.assert(
      fc.property(randomTree(), (root) => {
        const game = createTree({ ...(root as object), player: 0 });
        expect(score(game, ghostHunter, "random")).toBeGreaterThanOrEqual(
          score(game, minimax, "random") - 1e-9,
        );
        expect(score(game, ghostHunter, "best")).toBeLessThanOrEqual(score(game, minimax, "best"));
      }),
      { numRuns: 200, seed: 1 },
    );
  });
});
