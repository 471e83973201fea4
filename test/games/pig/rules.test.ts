import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import type { PigState, PigDecision } from "../../../src/games/pig/state.ts";
import { neller } from "./neller.ts";
import { shareOfWins } from "../../support/pig.ts";
import { slowTest } from "../../support/thorough.ts";

/** Player 0's expected return under optimal play, through the rules, back from the last turn. */
function backward(game: Game): (text: string) => number {
  const known = new Map<string, number>();
  const returns = (state: State): number => {
    if (state.toMove === TERMINAL) return state.returns(0);
    const key = game.formatState(state);
    const before = known.get(key);
    if (before !== undefined) return before;
    const out = new Int32Array(game.maxActions);
    const odds = new Float64Array(game.maxActions);
    const mover = state.toMove;
    const count = mover === CHANCE ? state.chanceOutcomes!(out, odds, 0) : state.legalActions(out, 0);
    const values = Array.from(out.subarray(0, count), (action) => {
      state.apply(action);
      const value = returns(state);
      state.undo();
      return value;
    });
    const best = mover === 0 ? Math.max(...values) : Math.min(...values);
    const value = mover === CHANCE ? values.reduce((sum, each, at) => sum + each * odds[at], 0) : best;
    known.set(key, value);
    return value;
  };
  return (text) => returns(game.parseState(text));
}

describe("optimal play", () => {
  slowTest("the equations give the published advantage of the first player at target 100", () => {
    expect(neller(100)(0, 0, 0)).toBeCloseTo(0.5306, 4);
  });

  slowTest("the game gives the same chances as the equations, at every position of a small target", () => {
    const target = 12;
    const game = createGame({ id: "pig", target, maxTurns: 60 });
    const value = backward(game);
    const wins = neller(target);
    expect((value("0,0 +0 t0") + 1) / 2).toBeCloseTo(wins(0, 0, 0), 6);
    for (let own = 0; own < target; own++) {
      for (let other = 0; other < target; other++) {
        for (const total of [0, 2, 5]) {
          if (own + total >= target) continue;
          const expected = wins(own, other, total);
          expect((value(`${own},${other} +${total} t0`) + 1) / 2).toBeCloseTo(expected, 6);
          expect((1 - value(`${other},${own} +${total} t1`)) / 2).toBeCloseTo(expected, 6);
        }
      }
    }
  });

  test("in the last two turns the values are those a hand computes", () => {
    const value = backward(createGame({ id: "pig", target: 10, maxTurns: 2 }));
    // Player 1 has the last turn and misses two points: any face but the 1 wins, the 1 draws.
    expect(value("4,8 +0 t1")).toBeCloseTo(-5 / 6, 12);
    // Player 0 misses one point. Rolling wins 5/6 and else leaves the other 5/6; holding is worse.
    expect(value("5,9 +4 t0")).toBeCloseTo(5 / 6 - (1 / 6) * (5 / 6), 12);
    expect(value("5,9 +4 rolling t0")).toBe(value("5,9 +4 t0"));
  });
});

test("the rules, step by step", () => {
  const game = createGame({ id: "pig", players: 3, target: 20, maxTurns: 5 });
  const state = game.start() as PigState;
  const play = (text: string) => {
    for (const word of text.split(" ")) state.apply(game.parseAction(word, state));
    return game.formatState(state);
  };
  expect(() => game.parseAction("hold", state)).toThrow(/"hold" is not possible here; allowed: roll/);
  expect(play("roll 6 roll 5")).toBe("0,0,0 +11 t0");
  expect(play("hold")).toBe("11,0,0 +0 t1");
  expect(play("roll 6 roll")).toBe("11,0,0 +6 rolling t1");
  expect(play("1")).toBe("11,0,0 +0 t2");
  expect(play("roll 1")).toBe("11,0,0 +0 t3");
  expect(play("roll 4 roll 5")).toBe("11,0,0 +9 t3");
  expect(state.toMove).toBe(TERMINAL);
  expect([0, 1, 2].map((player) => state.returns(player))).toEqual([1, -0.5, -0.5]);
  state.undo();
  expect(play("3 hold roll 1")).toBe("18,0,0 +0 t5");
  expect(state.toMove).toBe(TERMINAL);
  expect([0, 1, 2].map((player) => state.returns(player))).toEqual([0, 0, 0]);
});

test("a game much longer than the first history can be taken back", () => {
  const game = createGame({ id: "pig", target: 1000, maxTurns: 100_000 });
  const state = game.start();
  const random = createRandom("pig", "long");
  let steps = 0;
  // Rolling for ever: the six faces by turns never make a thousand in one turn.
  for (; steps < 5_000; steps++) state.apply(state.toMove === CHANCE ? 1 + random.below(6) : 1);
  expect(state.toMove).not.toBe(TERMINAL);
  for (; steps > 0; steps--) state.undo();
  expect(game.formatState(state)).toBe("0,0 +0 t0");
});

slowTest("one ply on `race` beats holding at 20, exactly computed", () => {
  const target = 50;
  const game = createGame({ id: "pig", target });
  const evaluate = (text: string) => game.heuristics["race"]!.evaluate(game.parseState(text), 0);
  const rolls = new Set<number>();
  for (let own = 0; own < target; own++) {
    for (let other = 0; other < target; other++) {
      for (let total = 2; own + total < target; total++) {
        const rolled = evaluate(`${own},${other} +${total} rolling t0`);
        const held = evaluate(`${own + total},${other} +0 t1`);
        if (rolled > held) rolls.add((own * target + other) * target + total);
      }
    }
  }
  const race: PigDecision = (own, other, total) => rolls.has((own * target + other) * target + total);
  const holdAt =
    (most: number): PigDecision =>
    (_own, _other, total) =>
      total < most;
  expect(shareOfWins(race, holdAt(20), target)).toBeGreaterThan(0.5);
  expect(shareOfWins(race, holdAt(10), target)).toBeGreaterThan(0.6);
});

test("the race features are nearness to the corners of a grid", () => {
  const game = createGame("pig");
  const features = game.featureSets["race"]!;
  const index = new Int32Array(features.maxActive);
  const value = new Float32Array(features.maxActive);
  const seen = (text: string, player: number) => {
    const count = features.extract(game.parseState(text), player, index, value);
    return Object.fromEntries(
      Array.from({ length: count }, (_, at) => [features.describe(index[at]), value[at]]),
    );
  };
  expect(seen("30,45 +7 t0", 0)).toEqual({
    "own near 30, best other near 45, turn near 5, die in the hand": Math.fround(0.6),
    "own near 30, best other near 45, turn near 10, die in the hand": Math.fround(0.4),
  });
  expect(seen("65,90 +30 rolling t0", 1)).toEqual({
    "own near 60, best other near 90, turn near 30, die in the air": -0.5,
    "own near 70, best other near 90, turn near 30, die in the air": -0.5,
    "5 missing, best other near 90, die in the air": -1,
  });
});

test("positions that cannot be are refused in words", () => {
  const game = createGame({ id: "pig", maxTurns: 50 });
  const cases: readonly (readonly [text: string, message: RegExp])[] = [
    ["41,23", /not of the form "41,23 \+12 t7"/],
    ["41,23,5 +0 t0", /3 scores; this game has 2 players/],
    ["100,23 +0 t0", /banked scores are below the target, 100/],
    ["10,23 +0 t51", /the game ends after 50 turns/],
    ["10,23 +4 t50", /ended after 50 turns/],
    ["10,23 +1 t0", /the total of a turn that nobody can have: 1/],
    ["95,23 +11 t0", /the total of a turn that nobody can have: 11/],
    ["95,23 +5 rolling t0", /the total of a turn that nobody can have: 5 and rolling/],
  ];
  for (const [text, message] of cases) expect(() => game.parseState(text)).toThrow(message);
  expect(game.parseState("95,23 +10 t0").returns(0)).toBe(1);
});
