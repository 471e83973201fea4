import { zobristTable } from "../../base/hashing.ts";
import { TERMINAL, type State } from "../contract/rules.ts";

export const MAX_SIZE = 11;
/** Points of the largest board, the border included. */
const MAX_POINTS = (MAX_SIZE + 2) ** 2;

/** A word for each player's stone on each point, and a last one for the second player's turn. */
const WORDS_LOW = zobristTable("hex/low", 2 * MAX_POINTS + 1);
const WORDS_HIGH = zobristTable("hex/high", 2 * MAX_POINTS + 1);
const TURN_WORD = 2 * MAX_POINTS;

/** The content of a point without a stone; a stone is its player + 1. */
export const EMPTY = 0;

/** The sides that a chain of stones reaches, as bits: the upper or left one, and the lower or right one. */
const FIRST_SIDE = 1;
const LAST_SIDE = 2;
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
  /** By cell: its point. */
  readonly pointOf: Int16Array;
  /** The steps from a point to the six that touch it. */
  readonly steps: Int16Array;
  /** By point: the stones of the border, and the sides that they stand for. */
  readonly border: Uint8Array;
  readonly borderSides: Uint8Array;
}

export function createBoard(size: number, swap: boolean): HexBoard {
  const stride = size + 2;
  const border = new Uint8Array(stride * stride);
  const borderSides = new Uint8Array(stride * stride);
  for (let at = 1; at <= size; at++) {
    const ends = [at, (size + 1) * stride + at, at * stride, at * stride + size + 1];
    ends.forEach((point, end) => {
      border[point] = end < 2 ? 1 : 2;
      borderSides[point] = end % 2 === 0 ? FIRST_SIDE : LAST_SIDE;
    });
  }
  return {
    size,
    swap,
    swapAction: size * size,
    pointOf: Int16Array.from(
      { length: size * size },
      (_, cell) => (Math.floor(cell / size) + 1) * stride + (cell % size) + 1,
    ),
    steps: Int16Array.of(-stride, 1 - stride, -1, 1, stride - 1, stride),
    border,
    borderSides,
  };
}

/** The cell with row and column exchanged. This exchanges the two players' directions. */
export function mirrored(cell: number, size: number): number {
  const row = Math.floor(cell / size);
  return (cell - row * size) * size + row;
}

/** By cell: the cells that touch it, ascending. */
export function neighboursOf({ pointOf, steps }: HexBoard): number[][] {
  return Array.from(pointOf, (point) =>
    Array.from(steps, (step) => pointOf.indexOf(point + step)).filter((cell) => cell >= 0),
  );
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
  /** By point: EMPTY, or the player of the stone + 1. */
  readonly points: Uint8Array;
  /** By point: the sides that the chain of its stone reaches. The stone that wins has none. */
  private readonly sides: Uint8Array;
  /** The points whose sides are not 0, in the order in which they got them. */
  private readonly reached: Int16Array;
  private reachedCount = 0;
  private readonly history: Uint8Array;
  private plies = 0;

  constructor(board: HexBoard) {
    this.board = board;
    this.points = board.border.slice();
    this.sides = board.borderSides.slice();
    this.reached = new Int16Array(board.swapAction);
    this.history = new Uint8Array(board.swapAction + 1);
  }

  legalActions(out: Int32Array, at: number): number {
    const { points } = this;
    const { pointOf, swapAction } = this.board;
    let end = at;
    for (let cell = 0; cell < swapAction; cell++) if (points[pointOf[cell]] === EMPTY) out[end++] = cell;
    if (this.board.swap && this.stones === 1 && this.turn === 1) out[end++] = swapAction;
    return end - at;
  }

  apply(action: number): void {
    this.history[this.plies++] = action;
    if (action === this.board.swapAction) this.takeOver(0);
    else this.put(this.board.pointOf[action], this.turn);
    this.passTurn();
  }

  undo(): void {
    const action = this.history[--this.plies];
    this.winner = -1;
    this.passTurn();
    if (action === this.board.swapAction) this.takeOver(1);
    else this.remove(this.board.pointOf[action]);
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
    this.sides.set(other.sides);
    this.reached.set(other.reached);
    this.reachedCount = other.reachedCount;
    this.plies = 0;
  }

  /** The player of the stone on a cell, or -1. */
  ownerOf(cell: number): number {
    return this.points[this.board.pointOf[cell]] - 1;
  }

  /** Puts a player's stone on an empty point. */
  put(point: number, player: number): void {
    const { points, sides } = this;
    const { steps } = this.board;
    const stone = player + 1;
    points[point] = stone;
    this.stones++;
    this.toggleHash(player * MAX_POINTS + point);
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
  private remove(point: number): void {
    const { points, sides, reached } = this;
    const player = points[point] - 1;
    points[point] = EMPTY;
    this.stones--;
    this.toggleHash(player * MAX_POINTS + point);
    while (sides[point] !== 0) sides[reached[--this.reachedCount]] = 0;
  }

  /** Exchanges the only stone, of `owner`, for one of the other player on the mirrored cell. */
  private takeOver(owner: number): void {
    const { pointOf, size } = this.board;
    const cell = pointOf.findIndex((point) => this.points[point] !== EMPTY);
    this.remove(pointOf[cell]);
    this.put(pointOf[mirrored(cell, size)], 1 - owner);
  }

  private toggleHash(word: number): void {
    this.hashLow ^= WORDS_LOW[word];
    this.hashHigh ^= WORDS_HIGH[word];
  }
}
