/** A slow, obvious 2048 on rows of numbers, 0 for an empty cell: the twin of the fast one in the tests. */
export type TwinBoard = readonly (readonly number[])[];

export interface TwinMove {
  readonly board: TwinBoard;
  /** Sum of the tiles that came of merges. */
  readonly gain: number;
}

/** The line after a move towards its first cell. */
export function twinSlide(line: readonly number[]): { line: number[]; gain: number } {
  const tiles = line.filter((tile) => tile > 0);
  const moved: number[] = [];
  let gain = 0;
  while (tiles.length > 0) {
    const tile = tiles.shift()!;
    if (tile === tiles[0]) {
      tiles.shift();
      moved.push(2 * tile);
      gain += 2 * tile;
    } else moved.push(tile);
  }
  while (moved.length < line.length) moved.push(0);
  return { line: moved, gain };
}

function transposed(board: TwinBoard): TwinBoard {
  return board[0]!.map((_, column) => board.map((row) => row[column]!));
}

function mirrored(board: TwinBoard): TwinBoard {
  return board.map((row) => row.toReversed());
}

function left(board: TwinBoard): TwinMove {
  const moved = board.map(twinSlide);
  return {
    board: moved.map(({ line }) => line),
    gain: moved.reduce((sum, { gain }) => sum + gain, 0),
  };
}

/** Moves to the left a board that was brought there by `turn`, and brings it back. */
function leftAfter(board: TwinBoard, turn: (board: TwinBoard) => TwinBoard, back = turn): TwinMove {
  const moved = left(turn(board));
  return { ...moved, board: back(moved.board) };
}

/** The moves that change the board, by name. */
export function twinMoves(board: TwinBoard): Map<string, TwinMove> {
  const moves = new Map([
    ["up", leftAfter(board, transposed)],
    ["right", leftAfter(board, mirrored)],
    [
      "down",
      leftAfter(
        board,
        (given) => mirrored(transposed(given)),
        (given) => transposed(mirrored(given)),
      ),
    ],
    ["left", left(board)],
  ]);
  return new Map([...moves].filter(([, move]) => String(move.board) !== String(board)));
}

/** The boards after each tile that may come, with its probability, by name. */
export function twinTiles(board: TwinBoard): Map<string, { board: TwinBoard; probability: number }> {
  const empty = board.flatMap((row, r) => row.flatMap((tile, c) => (tile === 0 ? [{ r, c }] : [])));
  return new Map(
    empty.flatMap(({ r, c }) =>
      ([2, 4] as const).map((tile) => [
        `r${r + 1}c${c + 1}=${tile}`,
        {
          board: board.map((row, at) => (at === r ? row.with(c, tile) : row)),
          probability: (tile === 2 ? 0.9 : 0.1) / empty.length,
        },
      ]),
    ),
  );
}

export function twinText(board: TwinBoard): string {
  return board.map((row) => row.map((tile) => tile || ".").join(" ")).join(" / ");
}
