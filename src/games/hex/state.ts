import { lowestBit, zobristTable } from "../../base/hashing.ts";
import { TERMINAL, type State } from "../contract/rules.ts";

export const MAX_SIZE = 11;
export const MAX_CELLS = MAX_SIZE ** 2;

/** A word for each player's stone on each cell, and a last one for the second player's turn. */
const WORDS_LOW = zobristTable("hex/low", 2 * MAX_CELLS + 1);
const WORDS_HIGH = zobristTable("hex/high", 2 * MAX_CELLS + 1);
const TURN_WORD = 2 * MAX_CELLS;

/** The content of a point without a stone, and of a corner outside the board; a stone is its player + 1. */
export const EMPTY = 0;
const CORNER = 3;

/** The sides that a chain of stones reaches, as bits: the upper or left one, and the lower or right one. */
export const FIRST_SIDE = 1;
export const LAST_SIDE = 2;
const BOTH_SIDES = FIRST_SIDE | LAST_SIDE;

/**
 * A rhombus of points in one array, with a border of points around it. The border above and below holds stones of the
 * first player, the one on the left and on the right stones of the second. So a chain reaches a side where it touches
 * the border.
 */
export interface HexBoard {
  readonly size: number;
  readonly swap: boolean;
  /** The number of cells, and so the action that takes the first stone over. Other actions are `size * row + column`. */
  readonly swapAction: number;
  /** The point of each cell. */
  readonly pointOf: Int16Array;
  /** The steps from a point to the six that touch it. */
  readonly steps: Int16Array;
  /** By cell the set of the cells that touch it, and the sets beside the upper, lower, left and right side. See `empty`. */
  readonly touching: Int32Array;
  readonly besides: Int32Array;
  /** The empty board with its border, and the sides that the stones of the border stand for; both by point. */
  readonly border: Uint8Array;
  readonly borderSides: Uint8Array;
}

export function createBoard(size: number, swap: boolean): HexBoard {
  const stride = size + 2;
  const pointOf = Int16Array.from(
    { length: size * size },
    (_, cell) => (Math.floor(cell / size) + 1) * stride + (cell % size) + 1,
  );
  const border = new Uint8Array(stride * stride).fill(CORNER);
  for (const point of pointOf) border[point] = EMPTY;
  const borderSides = new Uint8Array(stride * stride);
  for (let at = 1; at <= size; at++) {
    const ends = [at, (size + 1) * stride + at, at * stride, at * stride + size + 1];
    ends.forEach((point, end) => {
      border[point] = end < 2 ? 1 : 2;
      borderSides[point] = end % 2 === 0 ? FIRST_SIDE : LAST_SIDE;
    });
  }
  const steps = Int16Array.of(-stride, 1 - stride, -1, 1, stride - 1, stride);
  const line = (first: number, step: number) => Array.from({ length: size }, (_, at) => first + step * at);
  const lines = [line(0, 1), line(size * (size - 1), 1), line(0, size), line(size - 1, size)];
  return {
    size,
    swap,
    swapAction: size * size,
    pointOf,
    steps,
    touching: setsOf(neighboursOf({ pointOf, steps }), size * size),
    besides: setsOf(lines, size * size),
    border,
    borderSides,
  };
}

/** The cell with row and column exchanged. This exchanges the two players' directions. */
export function mirrored(cell: number, size: number): number {
  const row = Math.floor(cell / size);
  return (cell - row * size) * size + row;
}

/** The cells that touch each cell, ascending. */
export function neighboursOf({ pointOf, steps }: Pick<HexBoard, "pointOf" | "steps">): number[][] {
  return Array.from(pointOf, (point) =>
    Array.from(steps, (step) => pointOf.indexOf(point + step)).filter((cell) => cell >= 0),
  );
}

/** The words of a set of cells of a board with so many. */
export function wordsOf(cells: number): number {
  return (cells + 31) >> 5;
}

/** Lists of cells as sets, one behind the other. */
function setsOf(lists: readonly (readonly number[])[], cells: number): Int32Array {
  const words = wordsOf(cells);
  const sets = new Int32Array(lists.length * words);
  for (const [at, list] of lists.entries())
    for (const cell of list) sets[at * words + (cell >> 5)] |= 1 << cell;
  return sets;
}

/** A position. Player 0 connects the upper and the lower side, player 1 the left and the right one. */
export class HexState implements State {
  toMove = 0;
  /** The player on turn; after the end, the player whose turn it would be. */
  turn = 0;
  /** The player who has connected both sides, or -1. */
  winner = -1;
  stones = 0;
  hashLow = 0;
  hashHigh = 0;
  readonly board: HexBoard;
  /** The content of each point: EMPTY, or the player of the stone + 1. */
  readonly points: Uint8Array;
  /** The empty cells. In sets of cells, cell c is bit c & 31 of word c >> 5. */
  readonly empty: Int32Array;
  /** The sides that the chain of the stone on each point reaches. The stone that wins has none. */
  readonly sides: Uint8Array;
  /** The points whose sides are not 0, in the order in which they got them. */
  private readonly reached: Int16Array;
  private reachedCount = 0;
  private readonly history: Uint8Array;
  private plies = 0;

  constructor(board: HexBoard) {
    this.board = board;
    this.points = board.border.slice();
    this.empty = new Int32Array(wordsOf(board.swapAction));
    for (let cell = 0; cell < board.swapAction; cell++) this.empty[cell >> 5] |= 1 << cell;
    this.sides = board.borderSides.slice();
    this.reached = new Int16Array(board.swapAction);
    this.history = new Uint8Array(board.swapAction + 1);
  }

  legalActions(out: Int32Array, at: number): number {
    const { empty } = this;
    let end = at;
    for (let word = 0; word < empty.length; word++) {
      for (let rest = empty[word]; rest !== 0; rest &= rest - 1) out[end++] = (word << 5) | lowestBit(rest);
    }
    if (this.board.swap && this.stones === 1 && this.turn === 1) out[end++] = this.board.swapAction;
    return end - at;
  }

  apply(action: number): void {
    this.history[this.plies++] = action;
    if (action === this.board.swapAction) this.takeOver(0);
    else this.put(action, this.turn);
    this.passTurn();
  }

  undo(): void {
    const action = this.history[--this.plies];
    this.winner = -1;
    this.passTurn();
    if (action === this.board.swapAction) this.takeOver(1);
    else this.remove(action);
  }

  returns(player: number): number {
    return this.winner < 0 ? 0 : player === this.winner ? 1 : -1;
  }

  copyFrom(other: this): void {
    this.toMove = other.toMove;
    this.turn = other.turn;
    this.winner = other.winner;
    this.stones = other.stones;
    this.hashLow = other.hashLow;
    this.hashHigh = other.hashHigh;
    this.points.set(other.points);
    this.empty.set(other.empty);
    this.sides.set(other.sides);
    this.reached.set(other.reached);
    this.reachedCount = other.reachedCount;
    this.plies = 0;
  }

  /** The player of the stone on a cell, or -1. */
  ownerOf(cell: number): number {
    return this.points[this.board.pointOf[cell]] - 1;
  }

  /** Puts a player's stone on an empty cell. */
  put(cell: number, player: number): void {
    const { points, sides } = this;
    const { steps, pointOf } = this.board;
    const point = pointOf[cell];
    const stone = player + 1;
    points[point] = stone;
    this.stones++;
    this.toggle(cell, player);
    let reaches = 0;
    for (let at = 0; at < steps.length; at++) {
      const next = point + steps[at];
      if (points[next] === stone) reaches |= sides[next];
    }
    if (reaches === BOTH_SIDES) this.winner = player;
    else if (reaches !== 0) this.spread(point, stone, reaches);
  }

  /** Gives the turn to the other player, or ends the game that is won. */
  passTurn(): void {
    this.turn = 1 - this.turn;
    this.toggleHash(TURN_WORD);
    this.toMove = this.winner < 0 ? this.turn : TERMINAL;
  }

  /** Marks the whole chain of a stone. Each stone is marked once in a game, so wins cost next to nothing to find. */
  private spread(from: number, stone: number, reaches: number): void {
    const { points, sides, reached } = this;
    const { steps } = this.board;
    sides[from] = reaches;
    let end = this.reachedCount;
    let waiting = end;
    reached[end++] = from;
    while (waiting < end) {
      const point = reached[waiting++];
      for (let at = 0; at < steps.length; at++) {
        const next = point + steps[at];
        if (points[next] !== stone || sides[next] !== 0) continue;
        sides[next] = reaches;
        reached[end++] = next;
      }
    }
    this.reachedCount = end;
  }

  /** Takes the last stone away. Its chain was marked through it, if at all. */
  private remove(cell: number): void {
    const { points, sides, reached } = this;
    const point = this.board.pointOf[cell];
    this.toggle(cell, points[point] - 1);
    points[point] = EMPTY;
    this.stones--;
    while (sides[point] !== 0) sides[reached[--this.reachedCount]] = 0;
  }

  /** Exchanges the only stone, of `owner`, for one of the other player on the mirrored cell. */
  private takeOver(owner: number): void {
    const { pointOf, size } = this.board;
    const cell = pointOf.findIndex((point) => this.points[point] !== EMPTY);
    this.remove(cell);
    this.put(mirrored(cell, size), 1 - owner);
  }

  private toggle(cell: number, player: number): void {
    this.empty[cell >> 5] ^= 1 << cell;
    this.toggleHash(player * MAX_CELLS + cell);
  }

  private toggleHash(word: number): void {
    this.hashLow ^= WORDS_LOW[word];
    this.hashHigh ^= WORDS_HIGH[word];
  }
}
