import { describe, expect, test } from "vitest";
import { analysePosition, settleChance, type Analysis } from "../../src/agents/analysis.ts";
import type { AgentSpec } from "../../src/agents/agent.ts";
import { prepareAgent } from "../../src/agents/prepare.ts";
import { historyOf } from "../../src/agents/worlds.ts";
import { createGame } from "../../src/games/index.ts";
import { parseAgentSpec } from "../../src/specs/agents.ts";
import { everyFew, thorough } from "../support/thorough.ts";
import { hiddenGames, twins } from "../support/twins.ts";

const game = createGame({ id: "tic-tac-toe" });
const prepared = prepareAgent(game, { agent: "minimax", depth: 9 });
/** A clock that goes on by one millisecond each time it is read. */
const ticking = () => {
  let now = 0;
  return () => now++;
};

test("an analysis is the agent's decision in the notation of the game, and leaves the state as it was", async () => {
  const state = game.parseState("xx./oo./...");
  const analysis = await analysePosition({ game, prepared, state, seed: "one", clock: ticking() });
  expect(analysis).toMatchObject({ value: 1, depth: 1, line: [analysis.action], timeMs: expect.any(Number) });
  expect(game.formatState(state)).toBe(game.formatState(game.parseState("xx./oo./...")));
  state.apply(game.parseAction(analysis.action, state));
  expect(state.returns(0)).toBe(1);
});

test("each iteration is told on the way, one ply deeper than the one before", async () => {
  const iterations: Analysis[] = [];
  const onIteration = (analysis: Analysis) => void iterations.push(analysis);
  const state = game.start();
  const last = await analysePosition({ game, prepared, state, seed: "one", clock: ticking(), onIteration });
  expect(iterations.map(({ depth }) => depth)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(iterations.at(-1)).toEqual({ ...last, timeMs: expect.any(Number) });
});

test("a position where no player is to move is refused", async () => {
  const over = game.parseState("xxx/oo./...");
  await expect(
    analysePosition({ game, prepared, state: over, seed: "one", clock: ticking() }),
  ).rejects.toThrow('the game is over in "xxx/oo./...": player 1 has won');
  const pig = createGame({ id: "pig" });
  const rolling = pig.start();
  rolling.apply(pig.parseAction("roll", rolling));
  const roller = prepareAgent(pig, { agent: "random" });
  await expect(
    analysePosition({ game: pig, prepared: roller, state: rolling, seed: "one", clock: ticking() }),
  ).rejects.toThrow("chance is to move in");
});

test("of the line that an agent gives, the legal beginning is told", async () => {
  const state = game.start();
  const choose = () => ({ action: 4, nodes: 0, line: [4, 0, 4, 1] });
  const strange = { ...prepared, create: () => ({ choose }) };
  const analysis = await analysePosition({ game, prepared: strange, state, seed: "one", clock: ticking() });
  expect(analysis.line).toEqual(["b2", "a1"]);
});

describe("the best actions", () => {
  const connectFour = createGame({ id: "connect-four" });
  const state = connectFour.parseState("4435");
  const analyse = async (spec: AgentSpec, ranked: number | undefined, from = state) =>
    analysePosition({
      game: connectFour,
      prepared: prepareAgent(connectFour, spec),
      state: from,
      seed: "one",
      clock: ticking(),
      ranked,
    });

  test.each(everyFew(["alpha-beta", "minimax", "expectimax", "max-n", "paranoid", "best-reply"], 3))(
    "%s: their values are those of the positions after them",
    async (agent) => {
      const spec = { agent, depth: 5, evaluator: "threats", ties: "first" };
      const { best, action, value } = await analyse(spec, 7);
      expect(best!.map((one) => one.action).toSorted()).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
      expect(best![0]).toMatchObject({ action, value });
      for (const one of best!) {
        const after = connectFour.parseState(`4435${one.action}`);
        const reply = await analyse({ ...spec, depth: 4 }, undefined, after);
        expect(one.value).toBeCloseTo(0 - reply.value!, 12);
        expect(one.line[0]).toBe(one.action);
      }
      expect(best!.map((one) => one.value)).toEqual(best!.map((one) => one.value).toSorted((a, b) => b - a));
    },
  );

  test("who does not ask for them gets the decision from as many nodes as who asks for the best", async () => {
    const spec = { agent: "alpha-beta", depth: 5, evaluator: "threats" };
    const { best, nodes } = await analyse(spec, undefined);
    expect({ best, nodes }).toEqual({ best: undefined, nodes: (await analyse(spec, 1)).nodes });
  });

  test("in a lost position the decision is the first of them, and all are lost", async () => {
    // x threatens b1 and a2 at once.
    const lost = game.parseState("x.x/.o./x.o");
    const { action, best } = await analysePosition({
      game,
      prepared,
      state: lost,
      seed: "one",
      clock: ticking(),
      ranked: 9,
    });
    expect(best).toHaveLength(4);
    expect(best![0]!.action).toBe(action);
    expect(best!.map(({ value }) => value)).toEqual([-1, -1, -1, -1]);
  });

  test("mcts tells how often it tried each", async () => {
    const { action, best } = await analyse({ agent: "mcts", simulations: 200 }, 7);
    expect(best![0]!.action).toBe(action);
    expect(best!.reduce((sum, { visits }) => sum + visits!, 0)).toBe(200);
    expect(best!.map(({ share }) => share)).toEqual(best!.map(({ visits }) => visits! / 200));
    expect((await analyse({ agent: "mcts", simulations: 200 }, 2)).best).toEqual(best!.slice(0, 2));
  });

  test("greedy ranks what it has looked at, and random says nothing", async () => {
    const { best } = await analyse({ agent: "greedy", evaluator: "threats" }, 3);
    expect(best).toHaveLength(3);
    expect((await analyse({ agent: "random" }, 3)).best).toBeUndefined();
  });
});

describe("chance at the start", () => {
  test("is settled by the seed, until a player is to move", () => {
    const backgammon = createGame({ id: "backgammon" });
    const [first, again, other] = ["one", "one", "two"].map((seed) => {
      const state = backgammon.start();
      const outcomes = settleChance(backgammon, state, seed);
      expect(state.toMove).toBeGreaterThanOrEqual(0);
      return outcomes;
    });
    expect(first).toHaveLength(1);
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });

  test("of 2048 are two tiles; a game without chance has none", () => {
    const tiles = createGame({ id: "2048" });
    expect(settleChance(tiles, tiles.start(), "one")).toHaveLength(2);
    expect(settleChance(game, game.start(), "one")).toEqual([]);
  });
});

describe.each(hiddenGames)("an analysis of %s", (_, game) => {
  const agents = ["ismcts:simulations=20", "determinized:worlds=3,search.agent=mcts,search.simulations=10"];

  test.each(everyFew(agents, 11))(
    "is the same in all positions that the player cannot tell apart: %s",
    async (text) => {
      const prepared = prepareAgent(game, parseAgentSpec(text));
      const analyse = async (actions: readonly number[]) => {
        const state = game.start();
        for (const action of actions) state.apply(action);
        return analysePosition({ game, prepared, state, seed: "seed", clock: () => 0, ranked: 3 });
      };
      for (const { truth, twin } of twins(game, thorough(20, 4)))
        expect(await analyse(twin)).toEqual(await analyse(truth));
    },
  );

  test("is of the position that its notation gives", () => {
    for (const { truth } of twins(game, 20)) {
      const state = game.start();
      for (const action of truth) state.apply(action);
      expect(historyOf(game, state)).toEqual(truth);
    }
  });
});
