import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { TERMINAL } from "../../../src/games/contract/game.ts";
import { fromSetup, setupOf, withSetups } from "../../../src/games/contract/setups.ts";
import { createGame } from "../../../src/games/index.ts";

/** Positions after some random plies. */
function positionsOf(id: string, count: number): string[] {
  const game = createGame(id);
  const random = createRandom("setups", id);
  const actions = new Int32Array(game.maxActions);
  const positions = new Set<string>();
  while (positions.size < count) {
    const state = game.start();
    for (let ply = random.below(4); ply >= 0; ply--)
      state.apply(actions[random.below(state.legalActions(actions, 0))]!);
    positions.add(game.formatState(state));
  }
  return [...positions];
}

describe.each([
  ["tic-tac-toe", 1],
  ["tic-tac-toe", 9],
  ["tic-tac-toe", 10],
  ["tic-tac-toe", 100],
  ["chess", 300],
  ["go", 5],
] as const)("%s with %i positions", (id, count) => {
  const setups = positionsOf(id, count);
  const plain = createGame(id);
  const game = withSetups(plain, setups);

  test("each is chosen by its digits, and play goes on from it as in the plain game", () => {
    const random = createRandom("play", id);
    const actions = new Int32Array(game.maxActions);
    for (const [number, text] of setups.entries()) {
      const opening = setupOf(game, count, number);
      const state = game.start();
      for (const digit of opening) {
        expect(state.toMove).toBe(0);
        const legal = [...actions.subarray(0, state.legalActions(actions, 0))];
        expect(legal).toContain(digit);
        expect(game.parseAction(game.formatAction(digit, state), state)).toBe(digit);
        state.apply(digit);
      }
      const other = plain.parseState(text);
      const copy = game.start();
      copy.copyFrom(state);
      const line = [...opening];
      for (let ply = 0; ply < 4 && state.toMove !== TERMINAL; ply++) {
        expect(game.formatState(state)).toBe(plain.formatState(other));
        expect(state.toMove).toBe(other.toMove);
        expect([state.hashLow, state.hashHigh]).toEqual([other.hashLow, other.hashHigh]);
        const legal = actions.slice(0, state.legalActions(actions, 0));
        expect([...legal]).toEqual(legalOf(other));
        const action = legal[random.below(legal.length)]!;
        expect(game.formatAction(action, state)).toBe(plain.formatAction(action, other));
        for (const one of [state, other, copy]) one.apply(action);
        line.push(action);
      }
      expect(game.formatState(copy)).toBe(game.formatState(state));
      expect(fromSetup(game, line)).toEqual({ from: text, actions: line.slice(opening.length) });
    }
  });

  const legalOf = (state: ReturnType<typeof plain.start>) => {
    const actions = new Int32Array(plain.maxActions);
    return [...actions.subarray(0, state.legalActions(actions, 0))];
  };

  test("the start offers these positions and no others", () => {
    const found: string[] = [];
    const walk = (line: readonly number[]): void => {
      const state = game.start();
      for (const digit of line) state.apply(digit);
      if (line.length === setupOf(game, count, 0).length) {
        found.push(game.formatState(state));
        return;
      }
      const actions = new Int32Array(game.maxActions);
      for (const digit of actions.slice(0, state.legalActions(actions, 0))) walk([...line, digit]);
    };
    walk([]);
    expect(found).toEqual(setups);
  });
});

test("a game without setups has no position, and nonsense is refused", () => {
  const game = createGame("chess");
  expect(fromSetup(game, [1, 2])).toEqual({ actions: [1, 2] });
  expect(() => createGame({ id: "chess", setups: ["hello"] })).toThrow(/is not a FEN/);
  expect(() => createGame({ id: "chess", setups: [] })).toThrow();
  const withOne = withSetups(game, [game.formatState(game.start())]);
  expect(() => withOne.parseAction("hello", withOne.start())).toThrow('"hello" is none of the positions');
});
