import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GumbelSelection, SequentialHalving } from "../../src/agents/mcts/gumbel.ts";
import { PolicyEstimates } from "../../src/agents/mcts/estimates.ts";
import { SimulationTree } from "../../src/agents/mcts/tree.ts";
import type { Uct } from "../../src/agents/mcts/uct.ts";
import { checkAgent } from "../../src/agents/check/check-agent.ts";
import { InputError } from "../../src/base/errors.ts";
import { createRandom, Random } from "../../src/base/random.ts";
import { formatFinding } from "../../src/games/check/finding.ts";
import type { Evaluator, Game, State } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";
import type { TreeNode } from "../../src/games/tree/schema.ts";
import { usualOpenGames, sampleName } from "../games/samples.ts";
import { expectFrequencies } from "../support/frequencies.ts";
import { ask, copyOf, createPlayer, type Player } from "./play.ts";
import { createTree } from "./random-trees.ts";
import { everyFew, slowTest } from "../support/thorough.ts";

const GUMBEL = "mcts:evaluator=none,priors=policy,root=gumbel";
const connectFour = createGame("connect-four");

/** A selection over a root with children of these logits, and a value of its own. */
function selectionAt(logits: readonly number[], { considered = 16, valueScale = 0.1, worth = 0.5 } = {}) {
  const tree = new SimulationTree(100);
  const prefer = (_: State, __: Int32Array, at: number, ___: number, out: Float32Array) =>
    out.set(logits, at);
  const estimates = new PolicyEstimates(tree, { evaluate: () => 0, prefer });
  tree.expand(0, Int32Array.from(logits.keys()), logits.length);
  estimates.worth[0] = worth;
  estimates.estimate(0, connectFour.start());
  const parts = { estimates, proofs: null, maxActions: logits.length, considered, valueScale };
  return { tree, selection: new GumbelSelection(tree, parts) };
}

const treeOf = ({ agent }: Player) => (agent as unknown as { tree: SimulationTree }).tree;
const selectionOf = ({ agent }: Player) => (agent as unknown as { selection: GumbelSelection }).selection;

function visitsAt({ visits, childCount }: SimulationTree): number[] {
  return [...visits.subarray(1, 1 + childCount[0]!)];
}

describe("sequential halving", () => {
  const sequence = (simulations: number, considered: number) => {
    const halving = new SequentialHalving();
    halving.begin(simulations, considered);
    return Array.from({ length: simulations }, () => halving.next()).join("");
  };

  test.each([
    // Two rounds of four, then four of two.
    [16, 4, "0000" + "1111" + "22" + "33" + "44" + "55"],
    [32, 16, "0".repeat(16) + "1".repeat(8) + "2222" + "3333"],
    // Three halves to two, for the rest of the simulations.
    [8, 3, "000" + "11" + "22" + "3"],
    [5, 16, "00000"],
    [6, 1, "012345"],
  ])("%i simulations among %i actions", (simulations, considered, visits) => {
    expect(sequence(simulations, considered)).toBe(visits);
  });
});

describe("a position by hand", () => {
  /** Priors of 1/2, 1/4 and 1/4; the first two have 2 visits of 0.6 on average and one of 0.3. */
  const position = () => {
    const given = selectionAt([Math.log(2), 0, 0], { worth: 0.5 });
    given.tree.visits.set([2, 1], 1);
    given.tree.reward.set([1.2, 0.3], 1);
    return given;
  };
  // The mean of the visited children by their priors is 0.5, which counts as three visits.
  const mixed = (0.5 + 3 * ((0.5 * 0.6 + 0.25 * 0.3) / 0.75)) / 4;
  // 0.3 to 0.6 becomes 0 to 1; sigma multiplies by 0.1 * (50 + 2).
  const scores = [Math.log(2) + 5.2, 0, (5.2 * (mixed - 0.3)) / 0.3];

  test("has the mixed value, which completes the values of its actions", () => {
    const out = new Float64Array(3);
    expect(position().selection.improve(0, 0, out)).toBeCloseTo(mixed, 7);
    const sum = scores.reduce((total, score) => total + Math.exp(score), 0);
    for (const [at, score] of scores.entries()) expect(out[at]).toBeCloseTo(Math.exp(score) / sum, 6);
  });

  test("below the root, the action furthest behind the improved policy is next", () => {
    const { tree, selection } = position();
    // The same children below another node.
    const below = new SimulationTree(100);
    const estimates = new PolicyEstimates(below, {
      evaluate: () => 0,
      prefer: (_, __, at, ___, out) => out.set([Math.log(2), 0, 0], at),
    });
    below.expand(0, Int32Array.of(0), 1);
    below.expand(1, Int32Array.of(0, 1, 2), 3);
    estimates.worth[1] = 0.5;
    estimates.estimate(1, connectFour.start());
    below.visits.set([2, 1], 2);
    below.reward.set([1.2, 0.3], 2);
    const parts = { estimates, proofs: null, maxActions: 3, considered: 16, valueScale: 0.1 };
    const inner = new GumbelSelection(below, parts);
    // Policies of 0.92, 0.003 and 0.08 against shares of 2/4, 1/4 and 0.
    expect(inner.select(1, 0)).toBe(2);
    below.visits[2] = 20;
    below.reward[2] = 12;
    expect(inner.select(1, 0)).toBe(4);
    expect(tree.visits[1]).toBe(2);
    expect(selection.improve(0, 0, new Float64Array(3))).toBeCloseTo(mixed, 7);
  });
});

describe("searches as mctx does", () => {
  interface Reference {
    readonly branching: number;
    readonly levels: number;
    readonly considered: number;
    readonly simulations: number;
    readonly valueScale: number;
    readonly noise: readonly number[];
    readonly visits: readonly number[];
    readonly action: number;
    readonly policy: readonly number[];
    readonly value: number;
  }
  // Made by gumbel.py beside it, which has the same tree of made-up numbers and asks mctx (DeepMind) to search it.
  const url = new URL("../fixtures/search/gumbel.jsonl", import.meta.url);
  const references = readFileSync(url, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Reference);

  const valueAt = (node: number) => (((node * 7919) % 1009) - 504) / 512;
  const logitAt = (node: number) => (((node * 104729) % 1013) - 506) / 256;

  function plant({ branching, levels }: Reference, node = 0, level = 0): TreeNode {
    const mover = level % 2;
    // A leaf's value is that of who chose it.
    if (level === levels) return mover === 1 ? valueAt(node) : 0 - valueAt(node);
    const value = mover === 0 ? valueAt(node) : 0 - valueAt(node);
    const child = (action: number) =>
      plant({ branching, levels } as Reference, branching * node + 1 + action, level + 1);
    return { player: mover, value, actions: Array.from({ length: branching }, (_, action) => child(action)) };
  }

  test.each(everyFew(references, 5))(
    "$simulations simulations, $considered of $branching actions",
    (reference) => {
      const { branching, considered, simulations, valueScale, noise } = reference;
      const game = createTree(plant(reference));
      const nodeOf = (state: State) => {
        const path = game.formatState(state);
        const names = path === "." ? [] : path.split("/").map(Number);
        return names.reduce((node, name) => branching * node + name, 0);
      };
      const evaluator: Evaluator = {
        evaluate: (state, player) => game.heuristics["value"]!.evaluate(state, player),
        prefer(state, actions, at, end, out) {
          for (let index = at; index < end; index++)
            out[index] = logitAt(branching * nodeOf(state) + 1 + actions[index]!);
        },
      };
      const isNoisy = noise.some((one) => one !== 0);
      const spec = `${GUMBEL},simulations=${simulations},considered=${considered},valueScale=${valueScale},solver=false,ties=first,noise=${Number(isNoisy)}`;
      const player = createPlayer(game, spec, { evaluator });
      // Draws that give the noise of the reference.
      const draws = noise.map((one) => Math.exp(0 - Math.exp(0 - one)) - 2 ** -33);
      const random = createRandom("reference");
      random.float = () => draws.shift()!;
      const { budget, agent } = player;
      const turn = { random, budget, clock: () => 0, tellFrom: {}, ranked: branching };
      const decision = (agent as Uct).choose(game.start(), turn);
      expect(visitsAt(treeOf(player))).toEqual(reference.visits);
      expect(decision.action).toBe(reference.action);
      const { actions, policy, value } = decision.found![0]!;
      expect([...actions]).toEqual([...reference.policy.keys()]);
      for (const [at, one] of reference.policy.entries())
        expect(Math.abs(policy[at]! - one)).toBeLessThan(1e-6);
      expect(Math.abs(value! - reference.value)).toBeLessThan(1e-6);
      const weights = reference.policy.map((_, at) => Math.exp(logitAt(1 + at)));
      const sum = weights.reduce((total, weight) => total + weight, 0);
      expect(decision.ranking).toHaveLength(reference.visits.filter((count) => count > 0).length);
      for (const { action: at, prior, improved } of decision.ranking!) {
        expect(prior).toBeCloseTo(weights[at]! / sum, 6);
        expect(improved).toBeCloseTo(reference.policy[at]!, 5);
      }
    },
  );
});

/** Plays a bandit: values of actions between 0 and 1, for who decides alone. */
function playBandit(values: readonly number[], logits: readonly number[], options: string) {
  const tree = createTree({ player: 0, actions: values.map((value) => ({ player: 0, actions: [value] })) });
  // The range is wider than that of the values, so that none is a proof.
  const game = { ...tree, minReturn: -1, maxReturn: 1 };
  const evaluator: Evaluator = {
    evaluate(state, player) {
      const name = game.formatState(state);
      const value = name === "." ? 0.5 : values[Number(name) - 1]!;
      return player === 0 ? value : 0 - value;
    },
    prefer: (_, actions, at, end, out) => {
      for (let index = at; index < end; index++) out[index] = logits[actions[index]!]!;
    },
  };
  const player = createPlayer(game, `${GUMBEL},${options}`, { evaluator });
  return { player, decision: ask(player, game, { state: game.start() }) };
}

slowTest("without noise, of equally likely actions that are all considered the best is chosen", () => {
  const value = fc.integer({ min: 0, max: 100 }).map((hundredths) => hundredths / 128);
  fc.assert(
    fc.property(
      fc.uniqueArray(value, { minLength: 2, maxLength: 10 }),
      fc.integer({ min: 0, max: 60 }),
      (values, more) => {
        const simulations = values.length + more;
        const { decision } = playBandit(
          values,
          values.map(() => 0),
          `simulations=${simulations},considered=${values.length},solver=false`,
        );
        expect(decision.action).toBe(values.indexOf(Math.max(...values)));
      },
    ),
    { numRuns: 60, seed: 1 },
  );
});

slowTest("the improved policy is worth at least as much as the priors, once all actions were visited", () => {
  const row = fc.record({ value: fc.integer({ min: 0, max: 100 }), logit: fc.integer({ min: -3, max: 3 }) });
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 2, maxLength: 8 }),
      fc.integer({ min: 0, max: 60 }),
      (rows, more) => {
        const values = rows.map(({ value }) => value / 128);
        const { player } = playBandit(
          values,
          rows.map(({ logit }) => logit),
          `simulations=${rows.length + more},ties=first,solver=false`,
        );
        const improved = new Float64Array(rows.length);
        selectionOf(player).improve(0, 0, improved);
        const sum = rows.reduce((total, { logit }) => total + Math.exp(logit), 0);
        const worth = (policy: (at: number) => number) =>
          values.reduce((total, one, at) => total + one * policy(at), 0);
        expect(worth((at) => improved[at]!)).toBeGreaterThan(
          worth((at) => Math.exp(rows[at]!.logit) / sum) - 1e-6,
        );
      },
    ),
    { numRuns: 60, seed: 2 },
  );
});

test("noise draws the considered actions by their priors", () => {
  const priors = [0.4, 0.3, 0.2, 0.1];
  const { tree, selection } = selectionAt(priors.map(Math.log));
  const random = createRandom("noise");
  const counts = [0, 0, 0, 0];
  for (let draw = 0; draw < 40_000; draw++) {
    selection.begin(1, 1, random);
    counts[tree.action[selection.select(0, 0)]!]!++;
  }
  expectFrequencies(counts, priors);
  const before = random.save();
  selection.begin(1, 0, random);
  expect(selection.select(0, 0)).toBe(1);
  expect(random.save()).toEqual(before);
});

describe("agents", () => {
  /** The first heuristic of a game, with logits by a hash of position and action. */
  function likes({ heuristics }: Game): Evaluator {
    const heuristic = Object.values(heuristics)[0];
    return {
      evaluate: (state, player) => heuristic?.evaluate(state, player) ?? state.returns(player),
      prefer(state, actions, at, end, out) {
        for (let index = at; index < end; index++)
          out[index] = new Random(state.hashLow, state.hashHigh, actions[index]!).float();
      },
    };
  }

  test.each(usualOpenGames.map((spec) => [sampleName(spec), spec] as const))("%s", async (_, spec) => {
    const game = createGame(spec);
    const create = () =>
      createPlayer(game, `${GUMBEL},simulations=20,maxNodes=1000,noise=1`, { evaluator: likes(game) });
    const findings = await checkAgent(
      game,
      { budget: create().budget, create: () => create().agent },
      { positions: 2 },
    );
    expect(findings.map(formatFinding)).toEqual([]);
  });

  test("take a proven win, and no proven loss while there is something else", () => {
    for (const [position, action, proven] of [
      ["112233", 3, true],
      ["11223", 3, false],
    ] as const) {
      const player = createPlayer(connectFour, `${GUMBEL},simulations=60,considered=4`, {
        evaluator: likes(connectFour),
      });
      for (let seed = 0; seed < 10; seed++) {
        const state = copyOf(connectFour, connectFour.parseState(position));
        const decision = ask(player, connectFour, { state, seed: `seed ${seed}` });
        expect(decision.action).toBe(action);
        expect(decision.value === 1).toBe(proven);
      }
    }
  });

  slowTest("make plans of twice the length while there is time", () => {
    const player = createPlayer(connectFour, `${GUMBEL},timeMs=1000,solver=false`, {
      evaluator: likes(connectFour),
    });
    let now = 0;
    ask(player, connectFour, { state: connectFour.start(), clock: () => now++ });
    const visits = visitsAt(treeOf(player));
    const all = visits.reduce((sum, count) => sum + count, 0);
    expect(all).toBeGreaterThan(64 + 128 + 256);
    // Each action gets a third of a plan's simulations, divided by seven, of the first three plans at least.
    expect(Math.min(...visits)).toBeGreaterThanOrEqual(3 + 6 + 12);
    expect(Math.max(...visits)).toBeGreaterThan(all / 5);
  });

  test("have options that need each other", () => {
    const problem = (spec: string) => {
      try {
        createPlayer(connectFour, `mcts:simulations=1,evaluator=none,${spec}`, {
          evaluator: likes(connectFour),
        });
        return "";
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        return error.message;
      }
    };
    expect(problem("root=gumbel")).toBe("");
    expect(problem("priors=0.3,root=gumbel")).toBe('root: "gumbel" needs priors=policy');
    expect(problem("priors=policy,considered=4")).toBe("considered: needs root=gumbel");
    expect(problem("priors=policy,root=gumbel,exploration=1")).toContain("exploration: must be left out");
    expect(problem("priors=policy,root=gumbel,memory=game")).toContain('memory: must be "decision"');
    expect(problem("priors=policy,root=gumbel,considered=4,valueScale=0.1,noise=1")).toBe("");
  });
});
