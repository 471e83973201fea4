import { describe, expect, test } from "vitest";
import { COLUMNS, PLAYER_SHIFT, type ConnectFourState } from "../../../src/games/connect-four/state.ts";
import { TERMINAL, type Game } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { randomPositions } from "../../agents/play.ts";

const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
] as const;

/** True if the player to move has an action that completes four. */
function winsAtOnce(game: Game<ConnectFourState>, state: ConnectFourState): boolean {
  if (state.toMove === TERMINAL) return false;
  return possibleActions(game, state).some((column) => {
    state.apply(column);
    const { winner } = state;
    state.undo();
    return winner >= 0;
  });
}

/** The actions after which the other player does not win at once. */
function safeActions(game: Game<ConnectFourState>, state: ConnectFourState): number[] {
  return Array.from(possibleActions(game, state)).filter((column) => {
    state.apply(column);
    const loses = winsAtOnce(game, state);
    state.undo();
    return !loses;
  });
}

/** The empty cells in which a stone of `player` would complete four, by looking along every line. */
function completing(state: ConnectFourState, player: number): number {
  const { height, lines, width } = state;
  const has = (column: number, row: number) =>
    column >= 0 &&
    column < width &&
    row >= 0 &&
    row < height &&
    ((lines[COLUMNS + column] >>> (player * PLAYER_SHIFT + row)) & 1) === 1;
  const run = (column: number, row: number, across: number, up: number): number =>
    has(column + across, row + up) ? 1 + run(column + across, row + up, across, up) : 0;
  let count = 0;
  for (let column = 0; column < width; column++)
    for (let row = state.heights[column]; row < height; row++)
      if (
        DIRECTIONS.some(([across, up]) => run(column, row, across, up) + run(column, row, -across, -up) >= 3)
      )
        count++;
  return count;
}

describe.each([
  { width: 7, height: 6 },
  { width: 4, height: 4 },
  { width: 5, height: 6 },
])("tactics on $width by $height", (size) => {
  const game = createGame({ id: "connect-four", ...size }) as Game<ConnectFourState>;
  const tactics = game.tactics!;
  const foresight = game.solving!.foresight!;
  const positions = randomPositions(game, 300, { plies: size.width * size.height }) as ConnectFourState[];

  test("foresee a win at once, a loss at the next ply, and nothing else", () => {
    const seen = new Set<number>();
    for (const state of positions) {
      const expected = winsAtOnce(game, state) ? 1 : safeActions(game, state).length === 0 ? -2 : 0;
      expect(foresight.foresee(state)).toBe(expected);
      seen.add(expected);
    }
    expect(seen.size).toBe(3);
  });

  test("candidates are all actions that do not lose at once", () => {
    const out = new Int32Array(size.width + 1);
    let left = 0;
    for (const state of positions) {
      if (foresight.foresee(state) !== 0) continue;
      const count = foresight.candidates(state, out, 1);
      expect(Array.from(out.subarray(1, 1 + count))).toEqual(safeActions(game, state));
      left += possibleActions(game, state).length - count;
    }
    expect(left).toBeGreaterThan(20);
  });

  test("actions promise more that leave more cells to complete four in, then those nearer to the middle", () => {
    for (const state of positions) {
      if (foresight.foresee(state) !== 0) continue;
      const me = state.toMove;
      const actions = possibleActions(game, state);
      const promises = new Int32Array(actions.length + 1);
      tactics.promises!(state, Int32Array.of(-1, ...actions), 1, actions.length + 1, promises);
      const safe = safeActions(game, state);
      for (const [index, column] of actions.entries()) {
        const promise = promises[index + 1]!;
        // An action that loses at once, because the other player completes four on top of it, comes last.
        if (promise < 0) expect(safe).not.toContain(column);
        state.apply(column);
        const threats = completing(state, me);
        state.undo();
        if (promise >= 0) {
          expect(promise >> 3).toBe(threats);
          expect(promise & 7).toBe(7 - Math.floor(Math.abs(column - (size.width - 1) / 2)));
        }
      }
    }
  });
});
