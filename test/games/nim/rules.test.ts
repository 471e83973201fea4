import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Game, TERMINAL } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { slowTest } from "../../support/thorough.ts";

/** Every list of 1 to `most` piles of 1 to `counters` counters, ascending: order does not matter. */
function starts(most: number, counters: number): number[][] {
  const found: number[][] = [];
  const extend = (piles: number[]) => {
    if (piles.length > 0) found.push(piles);
    if (piles.length === most) return;
    for (let next = piles.at(-1) ?? 1; next <= counters; next++) extend([...piles, next]);
  };
  extend([]);
  return found;
}

/** True if the player to move wins, by playing everything out through the rules alone. */
function createSolver(game: Game) {
  const known = new Map<string, boolean>();
  const wins = (state = game.start()): boolean => {
    const key = game.formatState(state);
    const before = known.get(key);
    if (before !== undefined) return before;
    const mover = state.toMove;
    let won = false;
    for (const action of possibleActions(game, state)) {
      state.apply(action);
      won = state.toMove === TERMINAL ? state.returns(mover) === 1 : !wins(state);
      state.undo();
      if (won) break;
    }
    known.set(key, won);
    return won;
  };
  return wins;
}

const xor = (piles: readonly number[]) => piles.reduce((sum, pile) => sum ^ pile, 0);

describe.each([false, true])("two players, misere %s", (misere) => {
  slowTest(
    "brute force agrees with Bouton's rule and the exact heuristic on every start up to 4 piles of 6",
    () => {
      for (const piles of starts(4, 6)) {
        const game = createGame({ id: "nim", piles, misere });
        const wins = createSolver(game);
        const singles = piles.every((pile) => pile === 1);
        const rule = misere && singles ? piles.length % 2 === 0 : xor(piles) !== 0;
        expect([piles, wins()]).toEqual([piles, rule]);
        expect(game.heuristics["exact"]!.evaluate(game.start(), 0)).toBe(rule ? 0.999 : -0.999);
      }
    },
  );

  test("the winning moves are those that leave the other a lost position, by the rule", () => {
    const game = createGame({ id: "nim", piles: [5, 2, 6, 3], misere });
    const wins = createSolver(game);
    const state = game.start();
    const winning = Array.from(possibleActions(game, state)).filter((action) => {
      state.apply(action);
      const won = !wins(state);
      state.undo();
      return won;
    });
    // 5 ^ 2 ^ 6 ^ 3 = 2: some pile with the digit 2 goes to itself ^ 2, which is 2 -> 0, 6 -> 4, 3 -> 1.
    expect(winning.map((action) => game.formatAction(action, state))).toEqual(["2-2", "3-2", "4-2"]);
  });
});

test("(2,2,2) is won only by taking a whole pile", () => {
  const game = createGame({ id: "nim", piles: [2, 2, 2] });
  const state = game.start();
  const winning = Array.from(possibleActions(game, state)).filter((action) => {
    state.apply(action);
    const value = game.heuristics["exact"]!.evaluate(state, 0);
    state.undo();
    return value > 0;
  });
  expect(winning.map((action) => game.formatAction(action, state))).toEqual(["1-2", "2-2", "3-2"]);
});

test("several players: the last counter takes all, or pays all", () => {
  for (const misere of [false, true]) {
    const game = createGame({ id: "nim", piles: [1, 1, 1, 1], players: 3, misere });
    const state = game.start();
    for (const move of ["2-1", "1-1", "4-1", "3-1"]) state.apply(game.parseAction(move, state));
    const returns = [0, 1, 2].map((player) => state.returns(player));
    expect(returns).toEqual(misere ? [-1, 0.5, 0.5] : [1, -0.5, -0.5]);
    expect(game.formatState(state)).toBe("0,0,0,0 1");
    expect([game.minReturn, game.maxReturn]).toEqual(misere ? [-1, 0.5] : [-0.5, 1]);
  }
});

test("the parity features separate won from lost by a linear rule, normal and misere", () => {
  for (const misere of [false, true]) {
    const game = createGame({ id: "nim", piles: [7, 7, 7], misere });
    const features = game.featureSets["parity"]!;
    const index = new Int32Array(features.maxActive);
    const value = new Float32Array(features.maxActive);
    const wins = createSolver(game);
    const weight = (name: string) => {
      if (name.startsWith("nim-sum")) return name.startsWith("nim-sum 0,") ? -1 : 1;
      if (name.startsWith("no pile above one")) return name.includes("even") === misere ? 1 : -1;
      return 0;
    };
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 3, maxLength: 3 }), (piles) => {
        fc.pre(piles.some((pile) => pile > 0));
        const state = game.parseState(`${piles.join(",")} 1`);
        const count = features.extract(state, 1, index, value);
        let sum = 0;
        for (let at = 0; at < count; at++) sum += weight(features.describe(index[at])) * value[at];
        expect(sum > 0).toBe(wins(state));
      }),
      { seed: 1 },
    );
  }
});

test("a position read from text has room for a whole game", () => {
  const game = createGame({ id: "nim", piles: [3, 5] });
  const state = game.parseState("1,0 1");
  state.copyFrom(game.start());
  const moves = ["1-1", "2-1", "1-1", "2-1", "1-1", "2-1", "2-1", "2-1"];
  for (const move of moves) state.apply(game.parseAction(move, state));
  for (const _ of moves) state.undo();
  expect(game.formatState(state)).toBe("3,5 0");
});

test("wrong options and positions are refused in words", () => {
  expect(() => createGame({ id: "nim", piles: [] })).toThrow(/piles: must have at least 1 entry/);
  expect(() => createGame({ id: "nim", piles: [0, 300] })).toThrow(/piles\[0\].*\n.*piles\[1\]/);
  expect(() => createGame({ id: "nim", players: 7 })).toThrow(/players: must be at most 6, got 7/);
  const game = createGame("nim");
  expect(() => game.parseState("3,5")).toThrow(/cannot come from piles of 3,5,7/);
  expect(() => game.parseState("3,5,8 0")).toThrow(/cannot come from piles of 3,5,7/);
  expect(() => game.parseState("3,5,7 2")).toThrow(/"2" .* is not a player; allowed: 0 to 1/);
  expect(() => game.parseState("3,five,7")).toThrow(/not of the form "3,5,7 0"/);
  expect(() => game.parseAction("1-4", game.start())).toThrow(
    /"1-4" is not possible here; allowed: 1-1 1-2 1-3/,
  );
});
