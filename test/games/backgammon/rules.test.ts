import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { backgammon } from "../../../src/games/backgammon/backgammon.ts";
import { LARGE, PLACES, rollOf, SMALL } from "../../../src/games/backgammon/position.ts";
import type { BackgammonState } from "../../../src/games/backgammon/state.ts";
import { CHANCE, TERMINAL, type Game } from "../../../src/games/contract/game.ts";
import { game, play, position, randomPosition, randomTurn, turnsOf, type Men } from "./positions.ts";
import { actionResults, naiveResults } from "./twin.ts";
import { slowTest } from "../../support/thorough.ts";

const out = new Int32Array(game.maxActions);
const probabilities = new Float64Array(game.maxActions);

const START: Men = { 6: 5, 8: 3, 13: 5, 24: 2 };

describe("dice", () => {
  test("21 distinct rolls: doubles 1/36, the others 1/18 (T16)", () => {
    const state = game.parseState("4HPwATDgc/ABMA:x:roll");
    expect(state.chanceOutcomes(out, probabilities, 0)).toBe(21);
    for (let index = 0; index < 21; index++) {
      const [large, small] = game.formatAction(out[index], state).split("-");
      expect(probabilities[index]).toBe(large === small ? 1 / 36 : 1 / 18);
    }
    expect(new Set(Array.from(out.subarray(0, 21), (roll) => game.formatAction(roll, state))).size).toBe(21);
  });

  test("the opening roll is unequal and lets either player start: 30 outcomes of 1/30", () => {
    const state = game.start();
    expect(state.toMove).toBe(CHANCE);
    expect(state.chanceOutcomes(out, probabilities, 0)).toBe(30);
    const texts = Array.from(out.subarray(0, 30), (outcome) => game.formatAction(outcome, state));
    expect(new Set(texts).size).toBe(30);
    expect(texts.filter((text) => text.startsWith("x:")).length).toBe(15);
    for (const text of texts) {
      const [name, large, small] = text.split(/[:-]/);
      expect(large).not.toBe(small);
      state.apply(game.parseAction(text, state));
      expect(state.toMove).toBe(name === "x" ? 0 : 1);
      expect([LARGE[state.roll], SMALL[state.roll]]).toEqual([Number(large), Number(small)]);
      state.undo();
      expect(state.toMove).toBe(CHANCE);
    }
  });
});

describe("turns", () => {
  /** Distinct positions after each opening roll, published: 447 over the 21 rolls. */
  const OPENING: Readonly<Record<string, number>> = {
    "1-1": 42, "2-2": 75, "3-3": 73, "4-4": 52, "5-5": 4, "6-6": 11,
    "2-1": 15, "3-1": 16, "3-2": 17, "4-1": 14, "4-2": 18, "4-3": 17, "5-1": 8, "5-2": 8, "5-3": 9,
    "5-4": 9, "6-1": 10, "6-2": 14, "6-3": 14, "6-4": 14, "6-5": 7,
  }; // prettier-ignore

  test("distinct positions after each roll at the start, for either player", () => {
    for (const name of ["x", "o"]) {
      let sum = 0;
      for (const [dice, expected] of Object.entries(OPENING)) {
        const { results, count } = actionResults(game.parseState(`4HPwATDgc/ABMA:${name}:${dice}`), out);
        expect([dice, count, results.size]).toEqual([dice, expected, expected]);
        sum += count;
      }
      expect(sum).toBe(447);
    }
  });

  test("6-5 at the start, by hand (T16)", () => {
    expect(turnsOf(position(START, START, [6, 5]))).toEqual([
      "8/3 8/2",
      "13/2",
      "13/7 8/3",
      "13/8 13/7",
      "24/18 8/3",
      "24/18 13/8",
      "24/13",
    ]);
  });

  test("5-5 at the start: four moves, as 24/19 and 6/1 are blocked (T16)", () => {
    expect(turnsOf(position(START, START, [5, 5]))).toEqual([
      "13/3 8/3(2)",
      "13/3(2)",
      "13/3 13/8(2)",
      "13/8(4)",
    ]);
  });

  /** Two men on each of the points 1 to 6. */
  const CLOSED: Men = { 1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2 };

  test.each<[string, BackgammonState, string[]]>([
    ["no entry against a closed board", position({ 25: 1, 6: 5 }, CLOSED, [6, 1]), ["pass"]],
    ["no entry by doubles either", position({ 25: 1, 6: 5 }, CLOSED, [3, 3]), ["pass"]],
    ["one of two men enters", position({ 25: 2, 6: 3 }, { 6: 2 }, [6, 1]), ["bar/24"]],
    ["both men enter", position({ 25: 2, 6: 3 }, { 5: 2 }, [6, 1]), ["bar/24 bar/19"]],
    ["entering comes first", position({ 25: 1, 6: 1 }, { 6: 2 }, [6, 1]), ["bar/18"]],
    ["entering hits", position({ 25: 1 }, { 1: 1, 6: 2, 7: 2 }, [6, 1]), ["bar/24*"]],
    ["doubles enter and go on", position({ 25: 2 }, { 1: 1 }, [6, 6]), ["bar/7 bar/19", "bar/13(2)"]],
    [
      "both dice where one order allows it",
      position({ 9: 1, 4: 1 }, { 23: 2, 24: 2 }, [4, 3]),
      ["9/6 4/off"],
    ],
    ["the larger die where either can be played alone", position({ 14: 1 }, { 22: 2 }, [6, 5]), ["14/8"]],
    ["the smaller die where it alone can be played", position({ 14: 1 }, { 22: 2, 17: 2 }, [6, 5]), ["14/9"]],
    ["one man by either way is one turn", position({ 14: 1 }, { 1: 1 }, [6, 5]), ["14/3"]],
    [
      "either hit on the way is a turn of its own",
      position({ 14: 1 }, { 16: 1, 17: 1 }, [6, 5]),
      ["14/9*/3", "14/8*/3"],
    ],
    ["a larger die takes the rearmost man off", position({ 4: 2, 2: 1 }, { 1: 1 }, [6, 5]), ["4/off(2)"]],
    [
      "a die moves inside while a man stands behind",
      position({ 6: 1, 3: 1 }, { 1: 1 }, [4, 3]),
      ["6/off", "6/2 3/off"],
    ],
    ["two men off by either die is one turn", position({ 2: 1, 1: 1 }, { 1: 1 }, [6, 5]), ["2/off 1/off"]],
    ["the last man off, whatever the other die", position({ 2: 1 }, { 1: 1 }, [6, 5]), ["2/off"]],
    ["no bearing off with a man outside", position({ 7: 1, 1: 1 }, { 22: 2, 20: 2 }, [2, 2]), ["pass"]],
    ["doubles bear off what they bring home", position({ 6: 1, 5: 2 }, { 1: 1 }, [5, 5]), ["6/off 5/off(2)"]],
    ["doubles stop where they are blocked", position({ 8: 2 }, { 23: 2 }, [3, 3]), ["8/5(2)"]],
  ])("%s", (_, state, expected) => {
    expect(turnsOf(state)).toEqual(expected);
  });
});

describe("agreement", () => {
  interface MovesTrace {
    readonly dice: readonly [number, number];
    readonly mover: readonly number[];
    readonly opponent: readonly number[];
    readonly results: readonly (readonly [readonly number[], readonly number[]])[];
  }

  const men = (list: readonly number[]): Men =>
    Object.fromEntries(list.map((count, index) => [index + 1, count]));

  /** A slice of random positions of an independent program (OpenSpiel 1.x), every distinct result of a roll. */
  const traces = readFileSync(new URL("../../fixtures/traces/backgammon.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as MovesTrace);

  test("an independent program reaches the same positions", () => {
    expect(traces.length).toBe(80);
    for (const { dice, mover, opponent, results } of traces) {
      const state = position(men(mover), men(opponent), dice);
      const count = state.legalActions(out, 0);
      const reached = Array.from(out.slice(0, count), (action) => {
        state.apply(action);
        const sides = [0, 1].map((player) =>
          Array.from(state.men.subarray(player * PLACES + 1, (player + 1) * PLACES)),
        );
        state.undo();
        return JSON.stringify(sides);
      });
      expect(reached.toSorted()).toEqual(results.map((result) => JSON.stringify(result)).toSorted());
    }
  });

  const compare = (state: BackgammonState) => {
    const { results, count } = actionResults(state, out);
    expect(results.size).toBe(count);
    expect(results).toEqual(naiveResults(state));
  };

  slowTest("the slow twin finds the same results in random games", () => {
    for (let number = 0; number < 6; number++) {
      const random = createRandom("backgammon twin", number);
      play(randomTurn(random), random, compare);
    }
  });

  slowTest("the slow twin finds the same results in positions thrown together", () => {
    for (let number = 0; number < 5000; number++) compare(randomPosition("backgammon twin", number));
  });
});

describe("the end", () => {
  const single = backgammon.create({ gammons: false, maxTurns: 4096 }) as Game<BackgammonState>;

  test.each<[string, Men, number]>([
    ["a man off saves the gammon", { 25: 14 }, 1],
    ["no man off is a gammon", { 18: 15 }, 2],
    ["and one in the winner's home a backgammon", { 10: 14, 19: 1 }, 3],
    ["and one on the bar a backgammon", { 10: 14, 25: 1 }, 3],
  ])("%s", (_, loser, points) => {
    const state = position({ 1: 1 }, loser, [2, 1]);
    const before = [state.hashLow, state.hashHigh];
    const text = game.formatState(state);
    state.apply(game.parseAction("1/off", state));
    expect(state.toMove).toBe(TERMINAL);
    expect([state.returns(0), state.returns(1)]).toEqual([points, 0 - points]);
    expect(game.parseState(game.formatState(state)).returns(0)).toBe(points);
    state.undo();
    expect([state.hashLow, state.hashHigh]).toEqual(before);

    const mirrored = single.parseState(text.replace(":x:", ":o:"));
    mirrored.apply(single.parseAction("1/off", mirrored));
    expect([mirrored.returns(0), mirrored.returns(1)]).toEqual([-1, 1]);
  });

  test("a game that reaches the limit of turns is a draw, and can be taken back", () => {
    const short = backgammon.create({ gammons: true, maxTurns: 2 }) as Game<BackgammonState>;
    const state = short.start();
    for (const text of ["o:3-1", "8/5 6/5", "6-5"]) state.apply(short.parseAction(text, state));
    const before = short.formatState(state);
    state.apply(short.parseAction("24/13", state));
    expect(state.toMove).toBe(TERMINAL);
    expect([state.returns(0), state.returns(1)]).toEqual([0, 0]);
    expect(short.render(state)).toContain("draw");
    const again = short.parseState(short.formatState(state));
    expect([again.toMove, again.returns(0), again.hashLow]).toEqual([TERMINAL, 0, state.hashLow]);
    state.undo();
    expect(short.formatState(state)).toBe(before);
    expect(state.toMove).toBe(0);
  });

  test("random games end with a winner long before the limit", () => {
    for (let number = 0; number < 40; number++) {
      const random = createRandom("backgammon end", number);
      const state = play(randomTurn(random), random);
      expect(Math.abs(state.returns(0))).toBeGreaterThanOrEqual(1);
    }
  });
});

test("the same position has the same hash by another order of moves, and another one with other dice", () => {
  const reach = (...texts: string[]) => {
    const state = game.start();
    for (const text of texts) state.apply(game.parseAction(text, state));
    return state;
  };
  const once = reach("x:2-1", "13/11 6/5", "5-3", "8/3 6/3", "4-3", "24/20 13/10", "6-2");
  const again = reach("x:4-3", "24/20 13/10", "5-3", "8/3 6/3", "2-1", "13/11 6/5", "6-2");
  expect([again.hashLow, again.hashHigh]).toEqual([once.hashLow, once.hashHigh]);
  again.undo();
  again.apply(rollOf(6, 3));
  expect(again.hashLow).not.toBe(once.hashLow);
  const parsed = game.parseState(game.formatState(once));
  expect([parsed.hashLow, parsed.hashHigh]).toEqual([once.hashLow, once.hashHigh]);
});
