import type { FeatureSet } from "../game.ts";
import { PLAYER_SHIFT, type ConnectFourState } from "./state.ts";
import { createWindows, POPCOUNT } from "./windows.ts";

const DIRECTION_NAMES = ["row", "column", "diagonal", "anti-diagonal"];

/**
 * `lines`: for each window of four that only one player has stones in, one feature for the window
 * (mirror images share it) and its 1, 2 or 3 stones; for each open three, one feature for its owner
 * (first or second player) and the row of the open cell, and one more when that cell can be played
 * at once, by whether the owner is to move; and whose turn it is. +1 for `player`'s, -1 for the other's.
 */
export function linesFeatures(width: number, height: number): FeatureSet<ConnectFourState> {
  const windows = createWindows(width, height);
  const { count, line, shift, column, row } = windows;
  const shared = new Int32Array(count);
  const members: number[] = [];
  for (let window = 0; window < count; window++) {
    const twin = windows.mirror[window];
    if (twin < window) shared[window] = shared[twin];
    else shared[window] = members.push(window) - 1;
  }
  const openThrees = members.length * 3;
  const playable = openThrees + 2 * height;
  const turn = playable + 2;

  return {
    summary: "windows of four by stones, open threes by row and owner, playable wins, turn",
    version: 1,
    size: turn + 1,
    maxActive: 3 * count + 1,
    extract(state, player, index, value) {
      const { lines, heights, toMove } = state;
      const sign = player === 0 ? 1 : -1;
      let end = 0;
      for (let window = 0; window < count; window++) {
        const bits = lines[line[window]] >>> shift[window];
        const first = bits & 15;
        const second = (bits >>> PLAYER_SHIFT) & 15;
        if (first === 0 ? second === 0 : second !== 0) continue;
        const owner = first === 0 ? 1 : 0;
        const own = first | second;
        const stones = POPCOUNT[own];
        if (stones === 4) continue;
        const worth = owner === 0 ? sign : -sign;
        index[end] = shared[window] * 3 + stones - 1;
        value[end++] = worth;
        if (stones < 3) continue;
        const cell = 4 * window + POPCOUNT[(own ^ 15) - 1];
        index[end] = openThrees + owner * height + row[cell];
        value[end++] = worth;
        if (heights[column[cell]] !== row[cell]) continue;
        index[end] = playable + (owner === toMove ? 0 : 1);
        value[end++] = worth;
      }
      if (toMove >= 0) {
        index[end] = turn;
        value[end++] = player === toMove ? 1 : -1;
      }
      return end;
    },
    describe(feature) {
      if (feature < openThrees) {
        const window = members[Math.floor(feature / 3)]!;
        const stones = (feature % 3) + 1;
        const from = `${column[4 * window] + 1},${row[4 * window] + 1}`;
        return `${stones} in ${directionName(windows, window)} from ${from}`;
      }
      if (feature < playable) {
        const at = feature - openThrees;
        return `open three of the ${at < height ? "first" : "second"} player in row ${(at % height) + 1}`;
      }
      if (feature < turn)
        return `win on the board for the player ${feature === playable ? "to move" : "who waits"}`;
      return "to move";
    },
  };
}

function directionName(windows: ReturnType<typeof createWindows>, window: number): string {
  const columns = windows.column[4 * window + 1] - windows.column[4 * window];
  const rows = windows.row[4 * window + 1] - windows.row[4 * window];
  return DIRECTION_NAMES[rows === 0 ? 0 : columns === 0 ? 1 : rows === 1 ? 2 : 3]!;
}
