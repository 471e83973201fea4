import { describe, expect, test } from "vitest";
import { AlphaBeta } from "../../src/agents/alpha-beta/alpha-beta.ts";
import type { AlphaBetaOptions } from "../../src/agents/alpha-beta/options.ts";
import { SharedTable } from "../../src/agents/alpha-beta/transposition-table.ts";
import {
  type AgentParts,
  type HelperTask,
  type MakeHelpers,
  type Turn,
  divideBudget,
} from "../../src/agents/agent.ts";
import { createHelper } from "../../src/agents/index.ts";
import { prepareAgent } from "../../src/agents/prepare.ts";
import type { RootTally } from "../../src/agents/mcts/agent.ts";
import { createRandom } from "../../src/base/random.ts";
import { ConnectFourSolver } from "../../src/games/connect-four/solver/solver.ts";
import type { ConnectFourState } from "../../src/games/connect-four/state.ts";
import { createGame } from "../../src/games/index.ts";
import type { Game, State } from "../../src/games/contract/game.ts";
import { parseAgentSpec } from "../../src/specs/agents.ts";
import { ask, copyOf, createPlayer, randomPositions } from "./play.ts";
import { everyFew, slowTest } from "../support/thorough.ts";

/*
 * Agents use the reports of helpers. Here helpers need no threads: they do all of their work before the agent
 * begins, or after it has decided. test/players/helper-threads.test.ts has the threads.
 */

/** An agent with helpers in this thread, and what its last helpers were told and found. */
function together(game: Game, spec: string, when: "before" | "after") {
  const { threads, ...alone } = parseAgentSpec(spec);
  const seen: { task?: HelperTask; reports: unknown[] } = { reports: [] };
  const makeHelpers: MakeHelpers = <Report>(count: number, memory?: SharedArrayBuffer) => {
    const helpers = Array.from({ length: count }, (_, at) =>
      createHelper(prepareAgent(game, alone as { agent: string }), { number: at + 1, memory }),
    );
    return {
      async during<Result>(task: HelperTask, decide: () => Result) {
        const early = when === "after" ? [decide()] : [];
        const reports = helpers.map((helper, at) => {
          const root = game.parseState(task.played.from!);
          const turn = { random: createRandom(task.seed, at), budget: task.budget, clock: () => 0 };
          return helper.help(root, turn) as Report;
        });
        const [result = decide()] = early;
        Object.assign(seen, { task, reports });
        return { result, reports };
      },
    };
  };
  const prepared = prepareAgent(game, { ...alone, threads } as { agent: string }, {
    findHelpers: () => makeHelpers,
  });
  const agent = prepared.create();
  const decide = async (state: State, turn: Partial<Turn> = {}) =>
    agent.choose(copyOf(game, state), {
      random: createRandom("together"),
      budget: prepared.budget,
      clock: () => 0,
      ...turn,
    });
  return { decide, seen, agent };
}

/** Options with which the value at a depth is that of minimax. */
const EXACT = "quiescence=false,reductions=false,extensions=false,nullMove=false,futility=0";

const connectFour = createGame("connect-four");

describe("the budget of several threads", () => {
  test("has one depth and one time, and shares of the rest that sum to it", () => {
    const budget = { depth: 7, timeMs: 50, nodes: 1003, simulations: 11 };
    const { first, other } = divideBudget(budget, 4);
    expect(first).toEqual({ depth: 7, timeMs: 50, nodes: 253, simulations: 5 });
    expect(other).toEqual({ depth: 7, timeMs: 50, nodes: 250, simulations: 2 });
    expect(divideBudget({ timeMs: 5 }, 3)).toEqual({ first: { timeMs: 5 }, other: { timeMs: 5 } });
  });
});

describe("threads of alpha-beta", () => {
  test("with one thread it is the search itself, which decides at once", () => {
    const spec = "alpha-beta:depth=5,evaluator=threats,table=0.1";
    const [state] = randomPositions(connectFour, 1, { plies: 12 });
    const one = createPlayer(connectFour, `${spec},threads=1`);
    expect(one.agent).toBeInstanceOf(AlphaBeta);
    expect(ask(one, connectFour, { state: state! })).toEqual(
      ask(createPlayer(connectFour, spec), connectFour, { state: state! }),
    );
  });

  slowTest.each(["connect-four", "breakthrough", "chess"])(
    "a search in %s with the shared table alone is that with a table of its own",
    (id) => {
      const game = createGame(id);
      const [heuristic] = Object.keys(game.heuristics);
      const spec = parseAgentSpec(`alpha-beta:nodes=5000,table=0.05,evaluator=${heuristic},memory=game`);
      const { parts, budget } = prepareAgent(game, spec);
      const own = parts as unknown as AgentParts<AlphaBetaOptions>;
      const shared = { agent: new AlphaBeta(own, SharedTable.lead(0.05)), budget };
      const plain = { agent: new AlphaBeta(own), budget };
      for (const state of randomPositions(game, 4, { plies: 30 }))
        expect(ask(shared, game, { state })).toEqual(ask(plain, game, { state }));
    },
  );

  test.each(
    everyFew(
      [
        ["connect-four", `depth=7,evaluator=threats,${EXACT}`],
        ["othello", `depth=5,evaluator=weighted-squares,${EXACT}`],
        ["tic-tac-toe", `depth=9,${EXACT}`],
        ["connect-four", `depth=6,${EXACT},ordering=none,scout=false`],
      ],
      2,
    ),
  )("find the value of one thread at a fixed depth: %s, %s", async (id, options) => {
    const game = createGame(id);
    // A table that is kept, so that helpers who come before the first thread do not work for nothing.
    const spec = `alpha-beta:table=1,memory=game,${options}`;
    const alone = createPlayer(game, spec);
    for (const when of ["before", "after"] as const) {
      const { decide, seen, agent } = together(game, `${spec},threads=3`, when);
      for (const state of randomPositions(game, 6, { plies: 25 })) {
        for (const each of [alone.agent, agent]) each.newGame!();
        const one = ask(alone, game, { state });
        const all = await decide(state);
        expect(all.value).toBe(one.value);
        expect(all.pliesToEnd).toBe(one.pliesToEnd);
        // The first thread finds in the table all that a helper searched before.
        const helped = (seen.reports as number[]).reduce((sum, nodes) => sum + nodes, 0);
        const own = all.nodes - helped;
        expect(own).toBeGreaterThan(0);
        if (when === "before" && one.nodes > 1000) expect(own).toBeLessThan(0.8 * one.nodes);
      }
    }
  });

  slowTest("solve connect four as one thread does", async () => {
    const solver = new ConnectFourSolver(7, 6);
    const { decide } = together(
      connectFour,
      "alpha-beta:solve=true,depth=1,table=4,memory=game,threads=3",
      "before",
    );
    const late = (randomPositions(connectFour, 100, { plies: 40 }) as ConnectFourState[]).filter(
      (state) => state.stones >= 16,
    );
    expect(late.length).toBeGreaterThan(10);
    for (const state of late) {
      const { action, value, pliesToEnd } = await decide(state);
      const score = solver.solve(state);
      expect(value).toBe(Math.sign(score));
      if (score !== 0) expect(solver.winAfter(state.stones + pliesToEnd!)).toBe(Math.abs(score));
      state.apply(action);
      if (state.toMove >= 0) expect(solver.solve(state)).toBe(0 - score);
    }
  });

  test("visit no more nodes than the budget allows, and all count", async () => {
    const { decide, seen } = together(connectFour, "alpha-beta:nodes=3001,threads=3", "before");
    const { nodes } = await decide(connectFour.start());
    expect(seen.reports).toEqual([1000, 1000]);
    expect(nodes).toBe(3001);
  });

  test("remember from move to move where the memory is the game's", async () => {
    const spec = "alpha-beta:nodes=6000,evaluator=threats,table=1,threads=2";
    const state = connectFour.parseState("44");
    const decideTwice = async (memory: string) => {
      const { decide, agent } = together(connectFour, `${spec},memory=${memory}`, "before");
      const depths = [];
      depths.push((await decide(state)).depth!, (await decide(state)).depth!);
      agent.newGame!();
      depths.push((await decide(state)).depth!);
      return depths;
    };
    const [first, again, anew] = await decideTwice("game");
    expect(again).toBeGreaterThan(first!);
    expect(anew).toBe(first);
    expect(new Set(await decideTwice("decision")).size).toBe(1);
  });
});

describe("threads of mcts", () => {
  slowTest("visits and simulations add up, and values are means of all", async () => {
    const { decide, seen } = together(connectFour, "mcts:simulations=1000,solver=false,threads=3", "after");
    for (const state of randomPositions(connectFour, 4, { plies: 10 })) {
      const { nodes, ranking = [], action, value } = await decide(state, { ranked: 7 });
      const tallies = seen.reports as RootTally[];
      expect(nodes).toBe(1000);
      expect(tallies.map(({ simulations }) => simulations)).toEqual([333, 333]);
      expect(ranking.reduce((sum, { visits }) => sum + visits!, 0)).toBe(1000);
      expect(ranking[0]).toMatchObject({ action, value });
      for (const one of ranking) {
        const theirs = tallies.map(({ actions, visits, reward }) => {
          const at = actions.indexOf(one.action);
          return { visits: visits[at]!, reward: reward[at]! };
        });
        const visits = theirs.reduce((sum, each) => sum + each.visits, 0);
        const reward = theirs.reduce((sum, each) => sum + each.reward, 0);
        expect(one.visits).toBeGreaterThan(visits);
        // The first thread's part of the sum is a sum of rewards too, each 0, 0.5 or 1.
        const own = ((one.value + 1) / 2) * one.visits! - reward;
        expect(own).toBeCloseTo(Math.round(2 * own) / 2, 6);
        expect(own).toBeGreaterThan(-1e-6);
        expect(own).toBeLessThan(one.visits! - visits + 1e-6);
      }
    }
  });

  test("what a helper has proven is proven, wherever its actions stand", async () => {
    const state = connectFour.parseState("4");
    const [me, other] = [1 << state.toMove, 1 << (1 - state.toMove)];
    /** A helper that knows of some columns what it cannot know. */
    const told = async (won: readonly number[], lost: readonly number[]) => {
      const columns = [7, 6, 5, 4, 3, 2, 1].map((column) => connectFour.parseAction(String(column), state));
      const sets = (mine: number, theirs: number) =>
        Int32Array.from([7, 6, 5, 4, 3, 2, 1], (column) =>
          won.includes(column) ? mine : lost.includes(column) ? theirs : 0,
        );
      const tally: RootTally = {
        simulations: 7,
        actions: Int32Array.from(columns),
        visits: new Int32Array(7).fill(1),
        reward: new Float64Array(7),
        wins: sets(me, other),
        losses: sets(other, me),
      };
      const makeHelpers = <Report>() => ({
        during: async <Result>(_: HelperTask, decide: () => Result) => ({
          result: decide(),
          reports: [tally as Report],
        }),
      });
      const spec = parseAgentSpec("mcts:simulations=200,threads=2");
      const prepared = prepareAgent(connectFour, spec, { findHelpers: () => makeHelpers });
      const turn = { random: createRandom("told"), budget: prepared.budget, clock: () => 0 };
      const decision = await prepared.create().choose(copyOf(connectFour, state), turn);
      return { column: Number(connectFour.formatAction(decision.action, state)), ...decision };
    };
    expect(await told([1], [])).toMatchObject({ column: 1, value: 1, nodes: 107 });
    expect(await told([], [2, 3, 4, 5, 6, 7])).toMatchObject({ column: 1, nodes: 107 });
    expect((await told([], [1, 2, 3, 4, 5, 6, 7])).value).toBe(-1);
  });

  test("a tree that is kept from move to move has its own visits alone", async () => {
    const spec = "mcts:simulations=600,memory=game,threads=2";
    const { decide } = together(connectFour, spec, "after");
    const state = connectFour.start();
    for (let ply = 0; ply < 6; ply++) {
      const { nodes, action, ranking = [] } = await decide(state, { ranked: 7 });
      expect(nodes).toBe(600);
      const visits = ranking.reduce((sum, one) => sum + one.visits!, 0);
      // The earlier visits of the first thread are counted too: less than half of the visits of all threads.
      expect(visits).toBeGreaterThanOrEqual(600);
      expect(visits).toBeLessThan(1200);
      state.apply(action);
      state.apply((await decide(state)).action);
    }
  });
});
