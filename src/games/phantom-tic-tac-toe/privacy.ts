import type { Privacy, Worlds } from "../contract/privacy.ts";
import { linesOf, maxEventsOf, type PhantomState } from "./state.ts";

/** The code of a stone of the other player. Twice the cell, 1 more where a stone was placed, is an own try. */
const OTHER_PLACED = -1;

/** Players see the results of their own tries, and that the other has placed a stone. */
export function createPrivacy(size: number): Privacy<PhantomState> {
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
export function drawBoard({ board, tried, size }: PhantomState, player?: number): string {
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
