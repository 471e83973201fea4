import { z } from "zod";
import type { Facets, FeatureSet, Heuristic } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import { numberedRows } from "../contract/grid.ts";
import type { Picture } from "../contract/picture.ts";
import type { Rules } from "../contract/rules.ts";
import { toPicture } from "../contract/simple-picture.ts";
import { historyNotation } from "../shared/history-state.ts";
import { squarePlaces } from "../shared/square-picture.ts";
import { linesOf, maxEventsOf, PhantomState } from "./state.ts";
import type { Privacy, Worlds } from "../contract/privacy.ts";

const options = z.strictObject({
  size: z.int().min(2).max(3).default(3).describe("rows and columns, and stones in a line"),
});

function cellName(cell: number, size: number): string {
  return "abc"[cell % size]! + String(size - Math.floor(cell / size));
}

/** Own stones and found stones of the other, by cell. */
function knowledge(size: number): FeatureSet<PhantomState> {
  const cells = size * size;
  return {
    summary: "own stones, and stones of the other that were found, by cell",
    version: 1,
    size: 2 * cells,
    maxActive: cells,
    unit: true,
    extract({ board, tried }, player, index) {
      let count = 0;
      for (let cell = 0; cell < cells; cell++)
        if (tried[player * cells + cell] === 1)
          index[count++] = cell + (board[cell] === 1 + player ? 0 : cells);
      return count;
    },
    describe: (index) => `${index < cells ? "own" : "other's"} ${cellName(index % cells, size)}`,
  };
}

/** Open lines, as at tic-tac-toe: those with own stones only, less those with the other's only. */
function openLines(size: number): Heuristic<PhantomState> {
  const lines = linesOf(size);
  return {
    summary: "open lines of the whole board, weighted by their stones",
    evaluate({ board }, player) {
      let sum = 0;
      for (const line of lines) {
        let own = 0;
        let other = 0;
        for (const cell of line) {
          if (board[cell] === 1 + player) own++;
          else if (board[cell] !== 0) other++;
        }
        if (other === 0) sum += own * own;
        else if (own === 0) sum -= other * other;
      }
      return sum / (1 + lines.length * size * size);
    },
  };
}

/** The stones; a player sees its own, and those that it has found. */
function createPicture(size: number): Picture<PhantomState> {
  const stones = [undefined, { text: "x" }, { text: "o" }];
  return toPicture<PhantomState, PhantomState>(
    {
      places: squarePlaces(numberedRows(size, size), (cell) => cellName(cell, size)),
      content: ({ board }, cell) => stones[board[cell]!],
      seen: ({ board, tried }, cell, player) =>
        tried[player * size * size + cell] === 0 ? undefined : stones[board[cell]!],
    },
    (state) => state,
  );
}

/**
 * Phantom tic-tac-toe, also blind tic-tac-toe: players do not see the other's stones. A player tries a cell; on a stone of the
 * other nothing is placed, the other notices nothing, and the player tries again. Actions: cells in reading order.
 */
export const phantomTicTacToe = defineGame({
  id: "phantom-tic-tac-toe",
  summary: "tic-tac-toe without sight of the other's stones",
  options,
  rules({ size }): Rules<PhantomState> {
    const form = {
      maxActions: size * size,
      start: () => new PhantomState(size),
      formatAction: (cell: number) => cellName(cell, size),
    };
    return {
      ...form,
      ...historyNotation<PhantomState>(form),
      hiddenInformation: true,
      outcomes: [-1, 0, 1],
      maxPlies: maxEventsOf(size),
      render: (state) => drawBoard(state),
    };
  },
  facets: ({ size }): Facets<PhantomState> => ({
    featureSets: { knowledge: knowledge(size) },
    heuristics: { "open-lines": openLines(size) },
    privacy: createPrivacy(size),
    picture: createPicture(size),
  }),
});

/** The code of a stone of the other player. Twice the cell, 1 more where a stone was placed, is an own try. */
const OTHER_PLACED = -1;

/** Players see the results of their own tries, and that the other has placed a stone. */
function createPrivacy(size: number): Privacy<PhantomState> {
  const maxEvents = maxEventsOf(size);
  return {
    maxEvents,
    maxCodes: maxEvents,
    seen({ board, toMove }, cell, player, out, at) {
      const isPlaced = board[cell] === 0;
      if (player !== toMove && !isPlaced) return 0;
      out[at] = player === toMove ? 2 * cell + (isPlaced ? 1 : 0) : OTHER_PLACED;
      return 1;
    },
    worlds: (codes, count) => worldsOf(codes, count, size),
    formatView: (state, player) => `${drawBoard(state, player)}\n${othersOf(state, player)} unseen`,
  };
}

/** The number of the other player's stones that the player has not found. */
function othersOf({ board, tried, size }: PhantomState, player: number): number {
  let unseen = 0;
  for (let cell = 0; cell < size * size; cell++)
    if (board[cell] === 2 - player && tried[player * size * size + cell] === 0) unseen++;
  return unseen;
}

/** The board, on which only the cells that `player` has tried show their stones; all of them for undefined. */
function drawBoard({ board, tried, size }: PhantomState, player?: number): string {
  const shown = (cell: number) =>
    player !== undefined && tried[player * size * size + cell] === 0 ? "." : ".xo"[board[cell]!]!;
  return Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (_unused, column) => shown(row * size + column)).join(" "),
  ).join("\n");
}

/**
 * The other's stones may be any cells that agree with the own tries and make no line. They are listed once, by the order of
 * their placing. Before each of them the other may have tried any of the own stones that it did not know, in any order: the
 * number of these ways depends on the stones' number alone, and is counted from the last turn to the first.
 */
function worldsOf(codes: Int32Array, count: number, size: number): Worlds {
  const cells = size * size;
  const own: number[] = [];
  /** By turn of the other: the number of own stones at it. */
  const stonesAt: number[] = [];
  /** By cell: the turns of the other by which it holds the other's stone; 0 where it never does; else unknown. */
  const deadlines = new Map<number, number>();
  for (let at = 0; at < count; at++) {
    const code = codes[at];
    if (code === OTHER_PLACED) stonesAt.push(own.length);
    else if ((code & 1) === 0) deadlines.set(code >> 1, stonesAt.length);
    else {
      own.push(code >> 1);
      deadlines.set(code >> 1, 0);
    }
  }
  const turns = stonesAt.length;
  const found = placings(deadlines, turns, size);
  const ways = waysOf(stonesAt);
  const hidden = new Int32Array(cells);
  return {
    draw(random, out) {
      const placed = random.below(found.length / Math.max(1, turns)) * turns;
      let [length, turn, stones, known] = [0, 0, 0, 0];
      for (let at = 0; at < count; at++) {
        const code = codes[at];
        if (code !== OTHER_PLACED) {
          out[length++] = code >> 1;
          if ((code & 1) === 1) hidden[stones++] = code >> 1;
          continue;
        }
        // The stones that the other knows stand first.
        let left = random.float() * ways[turn * (cells + 1) + known];
        for (let [tries, orders] = [0, 1]; ; tries++) {
          left -= orders * ways[(turn + 1) * (cells + 1) + known + tries];
          if (left < 0 || known + tries === stones) {
            for (let one = 0; one < tries; one++) {
              const other = known + random.below(stones - known);
              const cell = hidden[other];
              hidden[other] = hidden[known];
              hidden[known++] = cell;
              out[length++] = cell;
            }
            break;
          }
          orders *= stones - known - tries;
        }
        out[length++] = found[placed + turn++]!;
      }
      return length;
    },
  };

  /** At turn x (cells + 1) + known stones: the number of ways to try own stones from this turn on. */
  function waysOf(at: readonly number[]): Float64Array {
    const table = new Float64Array((at.length + 1) * (cells + 1)).fill(1, at.length * (cells + 1));
    for (let turn = at.length - 1; turn >= 0; turn--) {
      for (let known = 0; known <= at[turn]!; known++) {
        let orders = 1;
        for (let tries = 0; known + tries <= at[turn]!; tries++) {
          table[turn * (cells + 1) + known] += orders * table[(turn + 1) * (cells + 1) + known + tries];
          orders *= at[turn]! - known - tries;
        }
      }
    }
    return table;
  }
}

/** All orders in which the other may have placed its stones, one after the other, `turns` cells each. */
function placings(deadlines: ReadonlyMap<number, number>, turns: number, size: number): readonly number[] {
  const lines = linesOf(size);
  const found: number[] = [];
  const placed: number[] = [];
  const place = (): void => {
    const turn = placed.length;
    if (lines.some((line) => line.every((cell) => placed.includes(cell)))) return;
    const isLate = (deadline: number, cell: number) =>
      deadline > 0 && deadline <= turn && !placed.includes(cell);
    for (const [cell, deadline] of deadlines) if (isLate(deadline, cell)) return;
    if (turn === turns) {
      found.push(...placed);
      return;
    }
    for (let cell = 0; cell < size * size; cell++) {
      if (deadlines.get(cell) === 0 || placed.includes(cell)) continue;
      placed.push(cell);
      place();
      placed.pop();
    }
  };
  place();
  return found;
}
