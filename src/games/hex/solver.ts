import { bitsOf } from "../../base/hashing.ts";
import type { ExactValues } from "../contract/facets.ts";
import { Distances } from "./distances.ts";
import { EMPTY, FIRST_SIDE, type HexState, LAST_SIDE } from "./state.ts";

/** On larger boards an opening takes minutes, and a set of cells more than one word. */
const MAX_SOLVABLE = 5;

export function isSolvable(size: number): boolean {
  return size <= MAX_SOLVABLE;
}

/** Results that are kept between calls. */
const MOST_KNOWN = 1_000_000;
/** More than any cell. */
const CELLS = MAX_SOLVABLE ** 2;

/**
 * Solves who wins, by must-play regions (Hayward et al. 2005). A win comes with its region: empty cells that are enough to win
 * in, whatever the loser does elsewhere. So after a move that loses, only moves into the region of that loss can win. If none
 * is left, the position is lost, and all these regions together are its region. A set of cells has bit c for cell c.
 */
export class HexSolver implements ExactValues<HexState> {
  private readonly state: HexState;
  /** By position: the region if the player to move wins, otherwise `~` of the region. */
  private readonly known = new Map<number, number>();
  private readonly distances = new Distances();

  constructor(start: HexState) {
    this.state = start;
  }

  value(state: HexState, player: number): number {
    const { board, stones, turn } = state;
    // The first stone or its mirror image wins, so the player who may swap does.
    if (board.swap && stones === turn) return player === 1 ? 1 : -1;
    const sets = [0, 0];
    for (let cell = 0; cell < board.swapAction; cell++) {
      const owner = state.ownerOf(cell);
      if (owner >= 0) sets[owner]! |= 1 << cell;
    }
    if (this.known.size > MOST_KNOWN) this.known.clear();
    this.state.copyFrom(state);
    const wins = this.solve(sets[turn]!, sets[1 - turn]!) >= 0;
    return wins === (player === turn) ? 1 : -1;
  }

  /** Returns what `known` has, for the position of `state`: the cells of the player to move, and those of the other. */
  private solve(own: number, other: number): number {
    const { state, known } = this;
    const { turn, board } = state;
    const key = (own * 2 ** CELLS + other) * 2 + turn;
    const before = known.get(key);
    if (before !== undefined) return before;
    const wins = this.winningCells(turn);
    const threats = this.winningCells(1 - turn);
    let mustPlay = ~(own | other) & (2 ** board.swapAction - 1);
    let result = ~0;
    if (wins !== 0) {
      result = wins & -wins;
      mustPlay = 0;
    } else if (threats !== 0) {
      // Two of them cannot both be stopped.
      result = ~threats;
      mustPlay = (threats & (threats - 1)) === 0 ? threats : 0;
    }
    const isChoice = (mustPlay & (mustPlay - 1)) !== 0;
    for (const cell of isChoice ? this.ordered() : bitsOf(mustPlay)) {
      const move = 1 << cell;
      if ((mustPlay & move) === 0) continue;
      state.apply(cell);
      const found = this.solve(other, own | move);
      state.undo();
      if (found < 0) {
        result = ~found | move;
        break;
      }
      mustPlay &= found;
      result &= ~found;
    }
    known.set(key, result);
    return result;
  }

  /** The cells where a stone of the player wins at once. */
  private winningCells(player: number): number {
    const { points, sides, board } = this.state;
    const { steps, pointOf } = board;
    let cells = 0;
    for (let cell = 0; cell < pointOf.length; cell++) {
      const point = pointOf[cell];
      if (points[point] !== EMPTY) continue;
      let reaches = 0;
      for (let at = 0; at < steps.length; at++) {
        const next = point + steps[at];
        if (points[next] === player + 1) reaches |= sides[next];
      }
      if (reaches === (FIRST_SIDE | LAST_SIDE)) cells |= 1 << cell;
    }
    return cells;
  }

  /** The cells, those first that are on short ways of both players. */
  private ordered(): Int32Array {
    const { state, distances } = this;
    const { pointOf } = state.board;
    const order = Int32Array.from(pointOf, (_, cell) => cell);
    for (const player of [0, 1]) {
      distances.read(state, player);
      for (const side of [FIRST_SIDE, LAST_SIDE]) {
        distances.measure(side, 2);
        for (let at = 0; at < distances.count; at++) {
          const cell = distances.cells[at];
          order[cell] += CELLS * distances.of[cell];
        }
      }
    }
    return order.sort().map((entry) => entry % CELLS);
  }
}
