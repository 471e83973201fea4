import { describe, expect, test } from "vitest";
import type { Agent } from "../../src/agents/agent.ts";
import { WeighedWorlds } from "../../src/agents/worlds.ts";
import { createRandom } from "../../src/base/random.ts";
import { ObservedGame } from "../../src/games/contract/privacy.ts";
import { createGame } from "../../src/games/index.ts";
import { slowTest } from "../support/thorough.ts";

const kuhn = createGame("kuhn");
const [JACK, QUEEN, KING] = [0, 1, 2];
const BET = 1;

/** A model whose first player bets with these probabilities, by card, and otherwise passes. */
function modelOf(bets: readonly number[]): { budget: object; create: () => Agent } {
  const weigh: Agent["weigh"] = (_state, actions, probabilities, at, count, codes) => {
    const bet = bets[codes![0]!]!;
    for (let index = at; index < at + count; index++)
      probabilities[index] = actions[index] === BET ? bet : 1 - bet;
    return 0;
  };
  return { budget: {}, create: () => ({ weigh, choose: () => expect.fail("it tells its probabilities") }) };
}

/** How often the first player has each card in draws for the second, who has the queen and sees a bet. */
function cardsAfterBet(bets: readonly number[]): number[] {
  const observed = new ObservedGame(kuhn);
  observed.replay([JACK, QUEEN, BET]);
  const random = createRandom("weighed");
  const worlds = new WeighedWorlds(kuhn, modelOf(bets), 4000).weigh(observed.worlds(1), 1, random);
  const world = new Int32Array(observed.privacy.maxEvents);
  const counts = [0, 0, 0];
  for (let draw = 0; draw < 4000; draw++) {
    expect(worlds.draw(random, world)).toBe(3);
    expect([world[1], world[2]]).toEqual([QUEEN, BET]);
    counts[world[0]!]!++;
  }
  return counts;
}

describe("weighed worlds", () => {
  // Two standard errors, of the candidates and of the draws, add up: four of them are below 0.04 of 4,000 draws.
  test.each([
    ["always with the king, one time in three with the jack", [1 / 3, 0, 1], 3 / 4],
    ["with every card alike", [0.4, 0.4, 0.4], 1 / 2],
    ["with neither: no candidate is likelier than another", [0, 1, 0], 1 / 2],
  ])("are as likely as Bayes' rule says, where the model bets %s", (_, bets, king) => {
    const counts = cardsAfterBet(bets);
    expect(counts[QUEEN]).toBe(0);
    expect(Math.abs(counts[KING]! / 4000 - king)).toBeLessThan(0.045);
  });

  slowTest("never have a card with which the model does not bet", () => {
    expect(cardsAfterBet([0, 0, 1])[JACK]).toBe(0);
  });
});
