import { expect, test } from "vitest";
import { BAR, LARGE, OFF, PLACES, ROLLS, SMALL } from "../../../src/games/backgammon/position.ts";
import {
  countShots,
  pipsOf,
  rollsOf,
  tacticsFeatures,
  tesauroFeatures,
} from "../../../src/games/backgammon/features.ts";
import type { BackgammonState } from "../../../src/games/backgammon/state.ts";
import { position, randomPosition } from "./positions.ts";
import { slowTest } from "../../support/thorough.ts";

/** The features beyond TD-Gammon's inputs, by name. */
function read(state: BackgammonState, player: number): Record<string, number> {
  const index = new Int32Array(tacticsFeatures.maxActive);
  const value = new Float32Array(tacticsFeatures.maxActive);
  const count = tacticsFeatures.extract(state, player, index, value);
  const found = Array.from({ length: count }, (_, at) => [index[at]!, value[at]!] as const);
  return Object.fromEntries(
    found
      .filter(([feature]) => feature >= tesauroFeatures.size)
      .map(([feature, amount]) => [tacticsFeatures.describe(feature), amount]),
  );
}

/** The places that one man after the other can come to by the dice in this order, from the board as it is. */
function landings(state: BackgammonState, player: number, dice: readonly number[]): Set<number> {
  const found = new Set<number>();
  const other = 1 - player;
  const isOpen = (place: number) => place > OFF && state.men[other * PLACES + BAR - place]! < 2;
  const follow = (men: readonly number[], left: readonly number[]): void => {
    const [die, ...rest] = left;
    if (die === undefined) return;
    const mustEnter = men.includes(BAR);
    for (const [at, from] of men.entries()) {
      if ((mustEnter && from !== BAR) || !isOpen(from - die)) continue;
      found.add(from - die);
      follow(men.with(at, from - die), rest);
    }
  };
  const men = Array.from({ length: BAR }, (_, at) => at + 1).flatMap((place) =>
    Array.from({ length: state.men[player * PLACES + place]! }, () => place),
  );
  follow(men, dice);
  return found;
}

/** Hits found by moving men one die after the other. */
function slowShots(state: BackgammonState, player: number): { rolls: number; pips: number } {
  const other = 1 - player;
  let [rolls, pips] = [0, 0];
  for (let roll = 0; roll < ROLLS; roll++) {
    const [large, small] = [LARGE[roll]!, SMALL[roll]!];
    const orders =
      large === small
        ? [[large, large, large, large]]
        : [
            [large, small],
            [small, large],
          ];
    const places = orders.flatMap((dice) => [...landings(state, player, dice)]);
    const hits = places.filter((place) => state.men[other * PLACES + BAR - place] === 1);
    if (hits.length === 0) continue;
    rolls += orders.length;
    pips += orders.length * Math.max(...hits);
  }
  return { rolls, pips };
}

slowTest("shots are those found by moving men die after die", () => {
  let seen = 0;
  for (let number = 0; number < 150; number++) {
    const state = randomPosition("shots", number);
    for (const player of [0, 1]) {
      const shots = countShots(state, player);
      expect({ rolls: rollsOf(shots), pips: pipsOf(shots) }).toEqual(slowShots(state, player));
      if (rollsOf(shots) > 0) seen++;
    }
  }
  expect(seen).toBeGreaterThan(100);
});

// Shots at a single man, as every book has them.
test.each([
  [1, 11],
  [2, 12],
  [3, 14],
  [4, 15],
  [5, 15],
  [6, 17],
  [7, 6],
  [8, 6],
  [9, 5],
  [10, 3],
  [11, 2],
  [12, 3],
  [15, 1],
  [16, 1],
  [18, 1],
  [20, 1],
  [24, 1],
] as const)("a blot %d pips away is hit by %d of 36 rolls", (distance, rolls) => {
  const from = distance === 24 ? BAR : 24;
  const state = position({ [from]: 1 }, { [BAR - (from - distance)]: 1 });
  expect(rollsOf(countShots(state, 0))).toBe(rolls);
  expect(pipsOf(countShots(state, 0))).toBe(rolls * (from - distance));
});

test("what is read with contact, by hand", () => {
  // The other holds 4, 5, 6 and 7, two points at home and their 13 point, and has a blot on 18.
  const theirs = { 21: 2, 20: 2, 19: 2, 18: 2, 7: 1, 6: 2, 4: 2, 13: 2 };
  const state = position({ 25: 1, 9: 1, 8: 2, 6: 8, 3: 3 }, theirs);
  const blocked = [4, 5, 6, 7, 19, 21, 12];
  const ahead = (place: number) => freeRolls(blocked.map((point) => place - point));
  expect(read(state, 0)).toMatchObject({
    // A man from the bar hits on 18 by 5-2, 4-3 (entering with the 3) and 6-1 (with the 1).
    "own rolls that hit / 32": 6 / 32,
    "own pips that hits cost, over 36 rolls / 512": (6 * 18) / 512,
    // The own points at home are 3 and 6.
    "own rolls that hit x points at home / 128": (6 * 2) / 128,
    "own rolls that free the rearmost man / 32": ahead(25) / 32,
    "own rolls that free a man from the bar / 32": ahead(25) / 32,
    "own rolls that free a man from the worst place / 32":
      Math.min(...[19, 20, 21, 22, 23, 24, 25].map(ahead)) / 32,
    "own pips outside x rolls that free, over all men / 2048":
      Math.round((19 * ahead(25) + 3 * ahead(9) + 2 * 2 * ahead(8)) / 16) / 128,
    // Their last man is on 4.
    "own pips to break contact / 128": (21 + 5 + 2 * 4 + 8 * 2) / 128,
    "own rearmost man before a prime of 4": 1,
    "own men on the bar against 2 points": 1,
    "own pips to save the gammon / 64": (19 + 3 + 2 * 2) / 64,
    "their pips to save the gammon / 64": (2 * (15 + 14 + 13 + 12) + 1 + 2 * 7) / 64,
  });
  // Seen from the other side the same, with the names exchanged.
  const swap = (name: string) => name.replace(/^own|^their/, (owner) => (owner === "own" ? "their" : "own"));
  const exchanged = Object.entries(read(state, 1)).map(([name, amount]) => [swap(name), amount]);
  expect(Object.fromEntries(exchanged)).toEqual(read(state, 0));
});

/** Rolls of 36 that move a man by both dice over points blocked so many pips ahead. */
function freeRolls(blocked: readonly number[]): number {
  const isOpen = (pips: number) => !blocked.includes(pips);
  const dice = [1, 2, 3, 4, 5, 6];
  return dice.flatMap((a) => dice.filter((b) => isOpen(a + b) && (isOpen(a) || isOpen(b)))).length;
}

test("what is read in a race, by hand", () => {
  const state = position({ 10: 2, 3: 3 }, { 5: 1, 7: 2 });
  expect(read(state, 0)).toEqual({
    race: 1,
    "own lead in the race / 16": (19 - 29) / 16,
    "pips of both in the race / 128": 48 / 128,
  });
  expect(read(state, 1)["own lead in the race / 16"]).toBe(10 / 16);
});
