import { describe, expect, test } from "vitest";
import { TERMINAL, type Game, type State } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";
import { possibleActions } from "../../src/games/contract/notation.ts";
import { randomPositions } from "../agents/play.ts";

/** The actions that end the game with a win of who plays them. */
function winsOf(game: Game, state: State): number[] {
  const player = state.toMove;
  return [...possibleActions(game, state)].filter((action) => {
    state.apply(action);
    const wins = state.toMove === TERMINAL && state.returns(player) === game.maxReturn;
    state.undo();
    return wins;
  });
}

function keptIn(game: Game, state: State): number[] {
  const actions = Int32Array.from(possibleActions(game, state));
  return [...actions.subarray(0, game.decisiveMoves!.keep(state, actions, actions.length))];
}

describe.each([
  ["connect-four", { id: "connect-four" }],
  ["connect-four 5x4", { id: "connect-four", width: 5, height: 4 }],
  ["breakthrough", { id: "breakthrough" }],
  ["breakthrough 3x5", { id: "breakthrough", width: 3, height: 5, pieceRows: 1 }],
])("%s: decisive moves", (_, spec) => {
  const game = createGame(spec);
  const positions = randomPositions(game, 600);

  test("are wins where there are any", () => {
    let wins = 0;
    for (const state of positions) {
      const winning = winsOf(game, state);
      const kept = keptIn(game, state);
      // The capture of a last piece, which wins too, may be missing.
      if (kept.every((action) => winning.includes(action)) && winning.length > 0) wins++;
      if (game.id === "connect-four" && winning.length > 0) expect(kept).toEqual(winning);
    }
    expect(wins).toBeGreaterThan(20);
  });

  test("without a win, are those that do not lose at once, if one is left", () => {
    let forced = 0;
    for (const state of positions) {
      if (winsOf(game, state).length > 0) continue;
      const legal = [...possibleActions(game, state)];
      const safe = legal.filter((action) => {
        state.apply(action);
        const isSafe = state.toMove === TERMINAL || winsOf(game, state).length === 0;
        state.undo();
        return isSafe;
      });
      const kept = keptIn(game, state);
      // Nothing that is safe is left out; what is kept may still lose at once.
      expect(kept).toEqual(expect.arrayContaining(safe));
      if (kept.length < legal.length) forced++;
    }
    expect(forced).toBeGreaterThan(5);
  });
});
