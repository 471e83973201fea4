import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { pubevalFeatures } from "../../../src/games/backgammon/judge.ts";
import { BAR, PLACES } from "../../../src/games/backgammon/position.ts";
import type { BackgammonState } from "../../../src/games/backgammon/state.ts";
import { tesauroFeatures } from "../../../src/games/backgammon/features.ts";
import type { FeatureSet } from "../../../src/games/contract/game.ts";
import { game, play, position, randomPosition, randomTurn } from "./positions.ts";
import { slowTest } from "../../support/thorough.ts";

function read(
  features: FeatureSet<BackgammonState>,
  state: BackgammonState,
  player: number,
): Record<string, number> {
  const index = new Int32Array(features.maxActive);
  const value = new Float32Array(features.maxActive);
  const count = features.extract(state, player, index, value);
  expect(count).toBeLessThanOrEqual(features.maxActive);
  const sums: Record<string, number> = {};
  for (let at = 0; at < count; at++) {
    const name = features.describe(index[at]);
    sums[name] = Math.round(((sums[name] ?? 0) + value[at]) * 1e6) / 1e6;
  }
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
}

/** The same position with the seats exchanged. */
function exchanged(state: BackgammonState): BackgammonState {
  const text = game.formatState(state);
  return game.parseState(/:x:/.test(text) ? text.replace(":x:", ":o:") : text.replace(":o:", ":x:"));
}

test("tesauro's inputs, by hand", () => {
  expect(tesauroFeatures.size).toBe(198);
  expect(read(tesauroFeatures, game.parseState("4HPwATDgc/ABMA:x:roll"), 0)).toEqual({
    "own made on point 6": 1,
    "own men beyond three / 2 on point 6": 1,
    "own made on point 8": 1,
    "own three men on point 8": 1,
    "own made on point 13": 1,
    "own men beyond three / 2 on point 13": 1,
    "own made on point 24": 1,
    "their made on point 6": 1,
    "their men beyond three / 2 on point 6": 1,
    "their made on point 8": 1,
    "their three men on point 8": 1,
    "their made on point 13": 1,
    "their men beyond three / 2 on point 13": 1,
    "their made on point 24": 1,
    "own roll": 1,
  });
  const state = position({ 25: 1, 3: 1, 2: 4 }, { 20: 3 }, [6, 1]);
  expect(read(tesauroFeatures, state, 1)).toEqual({
    "own made on point 20": 1,
    "own three men on point 20": 1,
    "own men off / 15": 0.8,
    "their men on the bar / 2": 0.5,
    "their blot on point 3": 1,
    "their made on point 2": 1,
    "their men beyond three / 2 on point 2": 0.5,
    "their men off / 15": 0.6,
    "their roll": 1,
  });
});

slowTest("mirrored sets: a player's view does not depend on the seat", () => {
  for (const features of [tesauroFeatures, pubevalFeatures]) {
    expect(features.symmetry).toBe("mirrored");
    for (let number = 0; number < 200; number++) {
      const state = randomPosition("backgammon views", number);
      if (number % 2 === 1) state.place({ onRoll: 1, roll: state.roll, opening: false });
      for (const player of [0, 1])
        expect(read(features, exchanged(state), 1 - player)).toEqual(read(features, state, player));
    }
  }
});

test("no heuristic depends on the seat, and the two views of one position negate each other", () => {
  for (const [name, heuristic] of Object.entries(game.heuristics)) {
    for (let number = 0; number < 50; number++) {
      const state = randomPosition(`backgammon ${name}`, number);
      const other = exchanged(state);
      expect(heuristic.evaluate(other, 1)).toBe(heuristic.evaluate(state, 0));
      expect(heuristic.evaluate(other, 0)).toBe(heuristic.evaluate(state, 1));
      expect(heuristic.evaluate(state, 0) + heuristic.evaluate(state, 1)).toBe(0);
    }
  }
});

test("a race is told apart, and a heuristic by hand", () => {
  const state = position({ 10: 2, 3: 1 }, { 12: 1, 1: 1 });
  expect(state.isRace()).toBe(true);
  expect(position({ 10: 2 }, { 15: 1 }).isRace()).toBe(false);
  expect(position({ 10: 2 }, { 14: 1 }).isRace()).toBe(true);
  // 13 pips to 23, and half a roll (4) for being on roll: 3 * -6 / (100 + 6).
  expect(game.heuristics["pip-count"]!.evaluate(state, 0)).toBeCloseTo((3 * -6) / 106, 12);
});

test("the pip count of the start is 167, and each turn lowers it by the dice it plays", () => {
  expect(game.start().pips(0)).toBe(167);
  const state = game.parseState("4HPwATDgc/ABMA:x:5-3");
  state.apply(game.parseAction("8/3 6/3", state));
  expect([state.pips(0), state.pips(1)]).toEqual([159, 167]);
});

test("what is kept beside the men agrees with them all along", () => {
  const random = createRandom("backgammon masks");
  play(randomTurn(random), random, (state) => {
    for (const player of [0, 1]) {
      const men = Array.from({ length: PLACES }, (_, place) => state.men[player * PLACES + place]);
      const bits = (test: (count: number) => boolean, bit: (place: number) => number) =>
        men.reduce((sum, count, place) => (test(count) ? sum | (1 << bit(place)) : sum), 0);
      expect(men.reduce((sum, count) => sum + count, 0)).toBe(15);
      expect(state.occupied[player]).toBe(
        bits(
          (count) => count > 0,
          (place) => place,
        ),
      );
      expect(state.made[player]).toBe(
        bits(
          (count) => count > 1,
          (place) => BAR - place,
        ),
      );
      expect(state.blots[player]).toBe(
        bits(
          (count) => count === 1,
          (place) => BAR - place,
        ),
      );
    }
  });
});
