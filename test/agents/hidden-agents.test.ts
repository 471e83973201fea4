import { describe, expect, test } from "vitest";
import type { Decision } from "../../src/agents/agent.ts";
import { DrawnWorld } from "../../src/agents/worlds.ts";
import { prepareAgent } from "../../src/agents/prepare.ts";
import { Referee } from "../../src/arena/play/referee.ts";
import { createRandom } from "../../src/base/random.ts";
import { createGame } from "../../src/games/index.ts";
import { parseAgentSpec } from "../../src/specs/agents.ts";
import { slowTest } from "../support/thorough.ts";

const AGENTS = [
  "ismcts:simulations=600",
  "ismcts:simulations=600,observers=single",
  "ismcts:simulations=600,opponent.agent=random,candidates=50",
  "determinized:worlds=20,search.agent=mcts,search.simulations=60",
  "determinized:worlds=20,search.agent=expectimax,search.depth=20,search.evaluator=none",
  "determinized:worlds=20,vote=mean,search.agent=mcts,search.simulations=60",
];

/** The decision of an agent after these events. */
async function decide(
  id: string,
  text: string,
  actions: readonly number[],
  clock = () => 0,
): Promise<Decision> {
  const game = createGame(id);
  const prepared = prepareAgent(game, parseAgentSpec(text));
  const { budget } = prepared;
  const state = game.start();
  const told = new DrawnWorld(game).draw(actions, state, createRandom("worlds"));
  const random = createRandom("agent");
  return prepared.create().choose(state, { random, budget, clock, ...told });
}

test("ismcts stops when the time is over, at one of its looks after every 16 simulations", async () => {
  let now = 5;
  const text = "ismcts:timeMs=10,simulations=1000000";
  expect((await decide("kuhn", text, [1, 2, 1], () => now++)).nodes).toBe(10 * 16);
});

describe.each(AGENTS)("%s", (text) => {
  test("calls with the king and folds with the jack", async () => {
    const [jack, queen, king] = [0, 1, 2];
    const [fold, call, bet] = [0, 1, 1];
    expect((await decide("kuhn", text, [queen, king, bet])).action).toBe(call);
    expect((await decide("kuhn", text, [queen, jack, bet])).action).toBe(fold);
    expect((await decide("kuhn", text, [king, queen, 0, bet])).action).toBe(call);
  });

  slowTest.each([
    ["leduc", 0.3],
    ["liars-dice:sides=4", 0.15],
  ])("wins against random play at %s", async (name, least) => {
    const [id, sides] = name.split(":sides=");
    const game = createGame(sides === undefined ? id! : { id: id!, sides: Number(sides) });
    const referee = new Referee(game, () => 0);
    const seats = [text, "random"].map((spec) => {
      const prepared = prepareAgent(game, parseAgentSpec(spec));
      return { agent: prepared.create(), budget: prepared.budget };
    });
    let sum = 0;
    const games = 120;
    for (let number = 0; number < games; number++) {
      const own = number % 2;
      const setup = { id: `${number}`, seed: "seed", block: `${number >> 1}`, opening: [] };
      const { returns, ending } = await referee.play(own === 0 ? seats : seats.toReversed(), setup);
      expect(ending).toBe("finished");
      sum += returns[own]!;
    }
    expect(sum / games).toBeGreaterThan(least);
  });
});

test("an opponent that cannot tell probabilities is refused", () => {
  const spec = parseAgentSpec("ismcts:simulations=10,opponent.agent=determinized");
  expect(() => prepareAgent(createGame("kuhn"), spec)).toThrow(
    "opponent: determinized cannot tell how likely its actions are; allowed: random, strategy, greedy",
  );
});

test("games with nothing hidden are refused", () => {
  for (const text of AGENTS)
    expect(() => prepareAgent(createGame("nim"), parseAgentSpec(text))).toThrow(
      /cannot play nim, which has perfect information; agents that fit: /,
    );
});
