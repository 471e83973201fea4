import { expect, test } from "vitest";
import type { FeatureSet, Game } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";

const two = createGame({ id: "chinese-checkers", side: 2 });
const three = createGame({ id: "chinese-checkers", side: 2, players: 3 });

function values(game: Game, text: string): number[] {
  const state = game.parseState(text);
  return Array.from({ length: game.players }, (_, player) =>
    game.heuristics["distance"]!.evaluate(state, player),
  );
}

/** By name, what is not zero. */
function read(game: Game, features: FeatureSet, { text, player }: { text: string; player: number }) {
  const index = new Int32Array(features.maxActive);
  const value = new Float32Array(features.maxActive);
  const count = features.extract(game.parseState(text), player, index, value);
  return Object.fromEntries(
    Array.from(index.subarray(0, count), (feature, at) => [features.describe(feature), value[at]]),
  );
}

test("distance: at the start whoever moves is a little ahead, and all values sum to zero", () => {
  const [first, second, third] = values(three, "start");
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(0.2);
  expect(second).toBe(third);
  expect(first! + second! + third!).toBeCloseTo(0, 12);
});

test("distance: a straggler costs more than the same steps spread, and so do men off the middle", () => {
  const steps = (text: string) => /steps left: A (\d+)/.exec(two.render(two.parseState(text)))![1];
  const pairs = [
    { better: "1/BB/6B/6/5/1AAA2/7/2/1 B 9", worse: "1/BB/6B/2A3/5/6/2AA3/2/1 B 9" },
    { better: "1/BB/6B/6/2A2/6/2AA3/2/1 B 9", worse: "1/BB/6B/6/A4/6/2AA3/2/1 B 9" },
  ];
  for (const { better, worse } of pairs) {
    expect(steps(better)).toBe(steps(worse));
    expect(values(two, better)[0]).toBeGreaterThan(values(two, worse)[0]!);
  }
});

test("distance: one step ahead counts for more near the end", () => {
  const [early] = values(two, "A/1A/2A4/6/5/6/7/BB/B B 9");
  const [late] = values(two, "B/B1/7/2B3/5/6/3A3/A1/A B 30");
  expect(early).toBeGreaterThan(0);
  expect(late).toBeGreaterThan(early!);
});

test("progress: what each of three players has left to do", () => {
  const text = "1/2/7/6/5/C4B/CC2ABB/A1/A A 9";
  const own = read(three, three.featureSets["progress"]!, { text, player: 0 });
  const third = Math.fround(1 / 3);
  const home = Object.entries({
    "steps left per man": Math.fround(20 / 3),
    "steps of the last man to the tip": 8,
    "men at home": 3,
    "half-cells off the middle per man": Math.fround(2 / 3),
    "steps that the longest move gains": 2,
    "moves that gain two steps or more": 2,
  });
  expect(own).toEqual({
    "own steps left per man": third,
    "own steps of the last man to the tip": 2,
    "own men in the target": 2,
    "own half-cells off the middle per man": 1,
    "own steps that the longest move gains": 1,
    "own to move": 1,
    ...Object.fromEntries(home.map(([name, value]) => [`1 seat on: ${name}`, value])),
    ...Object.fromEntries(home.map(([name, value]) => [`2 seats on: ${name}`, value])),
  });
});

test("progress: with two players it is the difference, foreign men included", () => {
  const text = "1/1B/1B5/6/5/6/A3A2/A1/B B 9";
  const seen = read(two, two.featureSets["progress"]!, { text, player: 0 });
  expect(seen).toMatchObject({ "foreign men in the target": 1, "men at home": -1, "to move": -1 });
  // One each.
  expect(seen).not.toHaveProperty("men in the target");
});
