import { expect, test } from "vitest";
import { z } from "zod";
import { defineGame, varyGame, type Facets, type Rules } from "../../../src/games/contract/game.ts";
import { NimState } from "../../../src/games/nim/state.ts";
import { decide } from "../../agents/play.ts";

/** Nim with one pile, written with as little as a game can have. */
function rules({ counters }: { counters: number }): Rules<NimState> {
  return {
    maxActions: counters,
    maxPlies: counters,
    start: () => new NimState([counters], 2, false),
    formatAction: (action) => `take ${action}`,
    formatState: (state) => String(state.left),
    parseState(text) {
      const state = this.start();
      state.place([Number(text)], 0);
      return state;
    },
    render: (state) => "|".repeat(state.left),
  };
}

const options = z.strictObject({ counters: z.int().default(4) });
const bare = { id: "pile", summary: "one pile", options, rules };

test("rules alone make a whole game: the usual traits, no knowledge", () => {
  const game = defineGame(bare).create({ counters: 3 });
  expect(game).toMatchObject({
    id: "pile",
    options: { counters: 3 },
    version: 1,
    players: 2,
    chance: false,
    dealt: false,
    hiddenInformation: false,
    zeroSum: true,
    rewardsAlongTheWay: false,
    minReturn: -1,
    maxReturn: 1,
    featureSets: {},
    heuristics: {},
    policies: {},
    transcripts: {},
    protocols: {},
  });
  expect([game.outcomes, game.phase, game.tupleBoard, game.renderUnicode]).toEqual(Array(4).fill(undefined));
  const state = game.start();
  expect(state).toBeInstanceOf(NimState);
  expect(game.parseAction(" take 2 ", state)).toBe(2);
  expect(() => game.parseAction("2", state)).toThrow(
    '"2" is not possible here; allowed: take 1, take 2, take 3',
  );
  expect(game.formatState(game.parseState("2"))).toBe("2");
});

test("agents play a game of pure rules", () => {
  const game = defineGame(bare).create({ counters: 6 });
  expect(decide(game, "alpha-beta:depth=6")).toMatchObject({ action: 6, value: 1 });
  expect(decide(game, "mcts:simulations=500").action).toBe(6);
});

test("a varied game has other members in place of some; what is lazy stays so", () => {
  let made = 0;
  const family = defineGame({
    ...bare,
    facets: () => {
      made++;
      return { heuristics: {} };
    },
  });
  const game = varyGame(family.create({ counters: 3 }), { spec: "bare" });
  const varied = varyGame(game, { maxPlies: 99, formatState: () => "?" });
  expect(made).toBe(0);
  expect(varied.heuristics).toEqual({});
  expect(made).toBe(1);
  expect(varied).toMatchObject({ id: game.id, spec: "bare", maxPlies: 99 });
  expect(varied.formatState(varied.start())).toBe("?");
  expect(game.maxPlies).not.toBe(99);
});

test("what the rules write replaces the defaults", () => {
  const family = defineGame({
    ...bare,
    version: 7,
    rules: (given: { counters: number }): Rules<NimState> => ({
      ...rules(given),
      players: 3,
      zeroSum: false,
      minReturn: -9,
      options: { counters: 99 },
      parseAction: Number,
    }),
  });
  const game = family.create({ counters: 3 });
  expect(game).toMatchObject({ version: 7, players: 3, zeroSum: false, minReturn: -9, maxReturn: 1 });
  expect(game.options).toEqual({ counters: 99 });
  expect(game.parseAction("2", game.start())).toBe(2);
});

test("a member that games do not have is refused wherever it is given", () => {
  const odd = { colour: 1 };
  const none = /has the unknown key "colour"/;
  expect(() => defineGame({ ...bare, ...odd })).toThrow(
    /the argument of defineGame has the unknown key "colour"/,
  );
  expect(() =>
    defineGame({ ...bare, rules: (given) => ({ ...rules(given), ...odd }) }).create({ counters: 3 }),
  ).toThrow(none);
  const family = defineGame({ ...bare, facets: (): Facets<NimState> => odd as Facets<NimState> });
  const game = family.create({ counters: 3 });
  expect(() => game.heuristics).toThrow(/the result of `facets` of pile has the unknown key "colour"/);
});

test("facets are made once, when somebody asks for one, and can read the rules of the game", () => {
  let calls = 0;
  const family = defineGame({
    ...bare,
    facets({ counters }, game): Facets<NimState> {
      calls++;
      const evaluate = () => counters / (100 * game.maxReturn);
      return {
        heuristics: { share: { summary: "a share", evaluate } },
        phase: { unit: "counters", max: counters, of: (state) => counters - state.left },
      };
    },
  });
  const game = family.create({ counters: 5 });
  expect(calls).toBe(0);
  const { share } = game.heuristics;
  expect(share!.evaluate(game.start(), 0)).toBe(0.05);
  expect(game.heuristics["share"]).toBe(share);
  expect(game.phase).toMatchObject({ unit: "counters", max: 5 });
  expect(game.featureSets).toEqual({});
  expect(calls).toBe(1);
});
