import { expect, test } from "vitest";
import { createGame } from "../../../src/games/index.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { PASS, type OthelloState } from "../../../src/games/othello/state.ts";
import { randomPositions } from "../../agents/play.ts";

function isCorner(action: number, size: number): boolean {
  return action !== PASS && (action >> 3) % (size - 1) === 0 && (action & 7) % (size - 1) === 0;
}

test.each([4, 6, 8] as const)("corners are noisy, size %i", (size) => {
  const game = createGame({ id: "othello", size });
  const noisy = new Int32Array(4);
  let seen = 0;
  for (const state of randomPositions(game, 100, { plies: size * size })) {
    const count = game.tactics!.noisyActions(state, noisy, 0);
    const corners = possibleActions(game, state).filter((action) => isCorner(action, size));
    expect(Array.from(noisy.subarray(0, count))).toEqual(Array.from(corners));
    seen += count;
  }
  expect(seen).toBeGreaterThan(5);
});

test.each([4, 6, 8] as const)("a move promises more the fewer replies it leaves, size %i", (size) => {
  const game = createGame({ id: "othello", size });
  for (const state of randomPositions(game, 100, { plies: size * size }) as OthelloState[]) {
    const actions = Int32Array.from(possibleActions(game, state));
    const promises = new Int32Array(actions.length);
    game.tactics!.promises!(state, actions, 0, actions.length, promises);
    for (const [index, action] of actions.entries()) {
      const promise = promises[index]!;
      if (action === PASS) {
        expect(promise).toBe(0);
        continue;
      }
      state.apply(action);
      const replies =
        state.toMove < 0 ? [] : Array.from(possibleActions(game, state)).filter((reply) => reply !== PASS);
      state.undo();
      const cost = 5 * (replies.length + replies.filter((reply) => isCorner(reply, size)).length);
      expect(promise).toBe(247 - cost + (isCorner(action, size) ? 8 : 0));
    }
  }
});
