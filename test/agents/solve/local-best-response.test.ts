import { describe, expect, test } from "vitest";
import type { AgentParts } from "../../../src/agents/agent.ts";
import { prepareAgent } from "../../../src/agents/prepare.ts";
import { BestResponder } from "../../../src/agents/solve/best-response.ts";
import { Cfr } from "../../../src/agents/solve/cfr.ts";
import {
  buildGameTree,
  type GameTree,
  tabulate,
  uniformPolicy,
} from "../../../src/agents/solve/game-tree.ts";
import { localBestResponse } from "../../../src/agents/solve/local-best-response.ts";
import { createRandom } from "../../../src/base/random.ts";
import type { Game } from "../../../src/games/contract/game.ts";
import { ObservedGame } from "../../../src/games/contract/privacy.ts";
import { createGame } from "../../../src/games/index.ts";
import { thorough } from "../../support/thorough.ts";

type Model = NonNullable<AgentParts<unknown>["opponent"]>;

const create = (game: Game, opponent: Model, policy?: string) =>
  localBestResponse.create({
    game,
    evaluator: { evaluate: () => 0 },
    opponent,
    options: { candidates: thorough(300, 100), policy },
  });

describe("at Kuhn poker", () => {
  const kuhn = createGame("kuhn");
  const [JACK, QUEEN] = [0, 1];
  const [PASS, BET] = [0, 1];
  /** Bets or calls with these probabilities, by card. */
  const bets = (odds: readonly number[]): Model => ({
    budget: {},
    create: () => ({
      choose: () => expect.fail("it tells its probabilities"),
      weigh({ toMove }, actions, probabilities, at, count, codes) {
        // The first code tells of the first player's card, the second of the second's.
        const bet = odds[codes![toMove]!]!;
        for (let place = at; place < at + count; place++)
          probabilities[place] = actions[place] === BET ? bet : 1 - bet;
        return 0;
      },
    }),
  });

  // A call of the queen wins 2 from the jack and loses 2 to the king; a fold loses 1.
  test.each([
    ["folds to who bets with the king alone", [JACK, QUEEN, BET], [0, 0, 1], PASS],
    ["calls who bets with all cards", [JACK, QUEEN, BET], [1, 1, 1], BET],
    ["calls who bets with the jack half as often as with the king", [JACK, QUEEN, BET], [0.5, 0, 1], BET],
    ["folds to who bets with the jack seldom", [JACK, QUEEN, BET], [0.2, 0, 1], PASS],
    ["bluffs who folds all", [JACK, QUEEN], [0, 0, 0], BET],
    ["does not bluff who folds nothing", [JACK, QUEEN], [1, 1, 1], PASS],
  ])("it %s", (_, events, odds, wanted) => {
    const observed = new ObservedGame(kuhn);
    observed.replay(events);
    const player = observed.state.toMove;
    const codes = observed.codes[player]!.slice(0, observed.counts[player]);
    const turn = { knowledge: { codes, worlds: observed.worlds(player) }, budget: {}, clock: () => 0 };
    const decision = create(kuhn, bets(odds)).choose(observed.state, {
      ...turn,
      random: createRandom("kuhn"),
    });
    expect(decision).toMatchObject({ action: wanted });
  });
});

describe("at a small form of hold'em", () => {
  const small = createGame({
    id: "holdem",
    ranks: 3,
    suits: 2,
    hole: 1,
    flop: 1,
    streets: 2,
    stack: 8,
    bets: [1],
  });
  const tree = buildGameTree(small);
  const responder = new BestResponder(tree);

  /** The mean gain of local best responses against a policy of the tree, and of exact ones. */
  function gains(policy: Float64Array): [local: number, exact: number] {
    const agent = create(small, modelOf(tree, policy), "call");
    const own = tabulate(small, tree, (state, actions, odds, at, count, codes) => {
      const view = small.start();
      view.copyFrom(state);
      const worlds = small.privacy!.worlds(codes!, codes!.length, state.toMove);
      const { action } = agent.choose(view, {
        knowledge: { codes: codes!, worlds },
        random: createRandom("local", codes!.join(" ")),
        budget: {},
        clock: () => 0,
      }) as { action: number };
      for (let place = 0; place < count; place++) odds[at + place] = actions[place] === action ? 1 : 0;
      return 0;
    });
    const { values, exploitability } = responder.exploit(policy);
    let local = 0;
    for (let player = 0; player < 2; player++) {
      const mixed = policy.slice();
      for (const set of tree.sets)
        if (set.player === player) mixed.set(own.subarray(set.from, set.from + set.actions.length), set.from);
      local += (responder.exploit(mixed).values[player]! - values[player]!) / 2;
    }
    return [local, exploitability];
  }

  test("it gains most of what a best response gains from random play", () => {
    const [local, exact] = gains(uniformPolicy(tree));
    expect(local).toBeLessThanOrEqual(exact);
    expect(local).toBeGreaterThan(0.7 * exact);
  });

  test("it gains from a strategy that was hardly begun, and nothing from one that nobody beats", () => {
    const solver = new Cfr(tree, "cfr+");
    solver.iterate();
    const [early, most] = gains(solver.averagePolicy());
    expect(early).toBeLessThanOrEqual(most);
    expect(early).toBeGreaterThan(0.3 * most);
    for (let t = 0; t < thorough(300, 60); t++) solver.iterate();
    const [late, least] = gains(solver.averagePolicy());
    expect(late).toBeLessThanOrEqual(least);
    expect(least).toBeLessThan(0.01);
  });
});

/** An agent that plays a policy of a tree. */
function modelOf({ sets }: GameTree, policy: Float64Array): Model {
  const known = new Map(sets.map((set) => [`${set.player}: ${set.key}`, set]));
  return {
    budget: {},
    create: () => ({
      choose: () => expect.fail("it tells its probabilities"),
      weigh(state, actions, probabilities, at, count, codes) {
        const { from, actions: all } = known.get(`${state.toMove}: ${codes!.join(" ")}`)!;
        for (let place = at; place < at + count; place++)
          probabilities[place] = policy[from + all.indexOf(actions[place]!)]!;
        return 0;
      },
    }),
  };
}

test.each([
  [{}, "opponent: missing; such as { agent: strategy, strategy: FILE }"],
  [{ opponent: { agent: "random" }, policy: "cal" }, 'policy: unknown policy "cal"'],
])("options that fit nothing are refused: %j", (given, message) => {
  const spec = { agent: "local-best-response", ...given };
  expect(() => prepareAgent(createGame("holdem"), spec)).toThrow(message);
});
