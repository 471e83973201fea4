import { countBits } from "../../base/hashing.ts";
import type { Foresight, Tactics } from "../contract/tactics.ts";
import {
  COLUMN,
  completingHigh,
  completingLow,
  hasTwo,
  LOW_COLUMNS,
  STRIDE,
  SolverBoard,
} from "./solver/position.ts";
import { COLUMNS, PLAYER_SHIFT, type ConnectFourState } from "./state.ts";
import { takeBest, type ExactValues, type PolicyFamily } from "../contract/facets.ts";
import { TERMINAL } from "../contract/rules.ts";
import { ConnectFourSolver } from "./solver/solver.ts";

/** The moves of a position as sets of cells, in two words each (see solver/cells.ts). */
class Moves {
  ownLow = 0;
  ownHigh = 0;
  /** All stones; -1 before the first position. */
  private allLow = -1;
  private allHigh = 0;
  emptyLow = 0;
  emptyHigh = 0;
  /** The cells where a stone can be put, and those of them that can be best. */
  openLow = 0;
  openHigh = 0;
  bestLow = 0;
  bestHigh = 0;
  /** The open cells below a cell that the other player needs. */
  poisonLow = 0;
  poisonHigh = 0;
  /** 1 where a move wins at once, -2 where the other player wins after every move, otherwise 0. */
  end = 0;
  private readonly board: SolverBoard;

  constructor(board: SolverBoard) {
    this.board = board;
  }

  /** Reads a position, unless it is the last one that was read. */
  read({ lines, stones, width }: ConnectFourState): void {
    const { board } = this;
    const own = (stones & 1) * PLAYER_SHIFT;
    let ownLow = 0;
    let ownHigh = 0;
    let allLow = 0;
    let allHigh = 0;
    for (let column = 0; column < width; column++) {
      const cells = lines[COLUMNS + column];
      const ownCells = (cells >>> own) & 0xff;
      const allCells = (cells | (cells >>> PLAYER_SHIFT)) & 0xff;
      if (column < LOW_COLUMNS) {
        ownLow |= ownCells << (STRIDE * column);
        allLow |= allCells << (STRIDE * column);
      } else {
        ownHigh |= ownCells << (STRIDE * (column - LOW_COLUMNS));
        allHigh |= allCells << (STRIDE * (column - LOW_COLUMNS));
      }
    }
    if (
      this.allLow === allLow &&
      this.allHigh === allHigh &&
      this.ownLow === ownLow &&
      this.ownHigh === ownHigh
    )
      return;
    this.ownLow = ownLow;
    this.ownHigh = ownHigh;
    this.allLow = allLow;
    this.allHigh = allHigh;
    this.emptyLow = board.low ^ allLow;
    this.emptyHigh = board.high ^ allHigh;
    this.openLow = (allLow + board.bottomLow) & board.low;
    this.openHigh = (allHigh + board.bottomHigh) & board.high;
    this.choose(allLow ^ ownLow, allHigh ^ ownHigh);
  }

  private choose(otherLow: number, otherHigh: number): void {
    const { ownLow, ownHigh, openLow, openHigh } = this;
    this.poisonLow = this.poisonHigh = 0;
    this.end = 1;
    this.bestLow = completingLow(ownLow, ownHigh) & openLow;
    this.bestHigh = completingHigh(ownLow, ownHigh) & openHigh;
    if ((this.bestLow | this.bestHigh) !== 0) return;
    const dangerLow = completingLow(otherLow, otherHigh) & this.emptyLow;
    const dangerHigh = completingHigh(otherLow, otherHigh) & this.emptyHigh;
    this.poisonLow = openLow & (dangerLow >>> 1);
    this.poisonHigh = openHigh & (dangerHigh >>> 1);
    this.bestLow = dangerLow & openLow;
    this.bestHigh = dangerHigh & openHigh;
    this.end = -2;
    if ((this.bestLow | this.bestHigh) === 0) {
      this.bestLow = openLow;
      this.bestHigh = openHigh;
    } else if (hasTwo(this.bestLow, this.bestHigh)) return;
    if ((this.bestLow & ~this.poisonLow) !== 0 || (this.bestHigh & ~this.poisonHigh) !== 0) this.end = 0;
  }

  /** True if a set of cells in two words has a cell in a column. */
  private hasIn(column: number, low: number, high: number): boolean {
    return column < LOW_COLUMNS
      ? (low & (COLUMN << (STRIDE * column))) !== 0
      : (high & (COLUMN << (STRIDE * (column - LOW_COLUMNS)))) !== 0;
  }

  isBest(column: number): boolean {
    return this.hasIn(column, this.bestLow, this.bestHigh);
  }

  isPoison(column: number): boolean {
    return this.hasIn(column, this.poisonLow, this.poisonHigh);
  }

  /** The number of empty cells that would complete four in a line after a stone in a column. */
  threatsAfter(column: number): number {
    const isLow = column < LOW_COLUMNS;
    const cells = COLUMN << (STRIDE * (isLow ? column : column - LOW_COLUMNS));
    const low = this.ownLow | (isLow ? this.openLow & cells : 0);
    const high = this.ownHigh | (isLow ? 0 : this.openHigh & cells);
    return (
      countBits(completingLow(low, high) & this.emptyLow) +
      countBits(completingHigh(low, high) & this.emptyHigh)
    );
  }
}

/** Noisy are wins at once, or else stones that stop the other player's; a stone below a cell that the other needs loses. */
export function createTactics(
  width: number,
  height: number,
): { tactics: Tactics<ConnectFourState>; solving: { foresight: Foresight<ConnectFourState> } } {
  const moves = new Moves(new SolverBoard(width, height));
  const isForced = () => moves.bestLow !== moves.openLow || moves.bestHigh !== moves.openHigh;
  const tactics: Tactics<ConnectFourState> = {
    summary: "four in a line, and the stone that stops the other player's",
    isForced(state) {
      moves.read(state);
      return isForced();
    },
    noisyActions(state, out, at) {
      moves.read(state);
      let end = at;
      if (isForced())
        for (let column = 0; column < width; column++) if (moves.isBest(column)) out[end++] = column;
      return end - at;
    },
    gain(state, column) {
      moves.read(state);
      return moves.isPoison(column) && !isForced() ? -1 : 0;
    },
    promises(state, columns, at, end, out) {
      moves.read(state);
      for (let index = at; index < end; index++) {
        const column = columns[index];
        const fromMiddle = Math.abs(2 * column - (width - 1)) >> 1;
        out[index] = moves.isPoison(column) ? -1 : (moves.threatsAfter(column) << 3) + 7 - fromMiddle;
      }
    },
    futility: 0.1,
  };
  const foresight: Foresight<ConnectFourState> = {
    candidates(state, out, at) {
      moves.read(state);
      let end = at;
      for (let column = 0; column < width; column++)
        if (moves.isBest(column) && !moves.isPoison(column)) out[end++] = column;
      return end - at;
    },
    foresee(state) {
      moves.read(state);
      return moves.end;
    },
    soonest: 3,
  };
  return { tactics, solving: { foresight } };
}

/** Keeps columns that complete four, or else those in which the other player would; see DecisiveMoves. */
export function keepDecisive(state: ConnectFourState, actions: Int32Array, count: number): number {
  const kept = keepFours(state, { actions, count, player: state.toMove });
  if (kept > 0) return kept;
  const threats = keepFours(state, { actions, count, player: 1 - state.toMove });
  // No move meets two threats, so any column will do.
  return threats === 0 ? count : threats;
}

/** Keeps the columns in which `player` would complete four; the actions are as before if there are none. */
function keepFours(
  state: ConnectFourState,
  { actions, count, player }: { actions: Int32Array; count: number; player: number },
): number {
  let kept = 0;
  for (let at = 0; at < count; at++)
    if (state.completesFour(actions[at], player)) actions[kept++] = actions[at];
  return kept;
}

/** On the usual board exactly one of the seven first moves wins: the middle column (Allis 1988). */
const USUAL_CELLS = 42;
const FIRST_COLUMN = 3;

/** Perfect play on boards that the solver can handle: the fastest win, the slowest loss. */
export function perfect(width: number, height: number): PolicyFamily<ConnectFourState> {
  return {
    summary: "solves the position: the fastest win, the slowest loss; slow with few stones on the board",
    create() {
      const solver = new ConnectFourSolver(width, height);
      let score = 0;
      const policy = takeBest<ConnectFourState>(width, (state, column) => {
        state.apply(column);
        const reaches =
          state.toMove !== TERMINAL
            ? solver.isAtMost(state, 0 - score)
            : score === (state.winner < 0 ? 0 : solver.winAfter(state.stones));
        state.undo();
        return reaches ? 1 : 0;
      });
      return {
        choose(state, random) {
          if (state.stones === 0 && state.width === 7 && state.cells === USUAL_CELLS) return FIRST_COLUMN;
          score = solver.solve(state);
          return policy.choose(state, random);
        },
      };
    },
  };
}

/** Solves who wins, on boards that the solver can handle. */
export function createSolver(width: number, height: number): ExactValues<ConnectFourState> {
  const solver = new ConnectFourSolver(width, height);
  return {
    value(state, player) {
      const value = solver.isAtMost(state, -1) ? -1 : solver.isAtMost(state, 0) ? 0 : 1;
      return state.toMove === player ? value : 0 - value;
    },
  };
}
