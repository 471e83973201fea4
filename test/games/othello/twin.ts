/** A slow, obvious Othello on rows of X, O and -: the twin of the fast one in the tests. */
export interface TwinPosition {
  readonly rows: readonly string[];
  readonly turn: "X" | "O";
}

export function twinStart(size: number): TwinPosition {
  const middle = size / 2;
  const rows = Array.from({ length: size }, (_, row) => {
    const centre = row === middle - 1 ? "OX" : row === middle ? "XO" : "--";
    return "-".repeat(middle - 1) + centre + "-".repeat(middle - 1);
  });
  return { rows, turn: "X" };
}

const DIRECTIONS = [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((right) => [down, right] as const));

/** The squares that turn when the player to move plays at row, column; none where that is not allowed. */
function twinFlips({ rows, turn }: TwinPosition, row: number, column: number): [number, number][] {
  if (rows[row]?.[column] !== "-") return [];
  const other = turn === "X" ? "O" : "X";
  return DIRECTIONS.flatMap(([down, right]) => {
    const run: [number, number][] = [];
    let at: [number, number] = [row + down, column + right];
    while (rows[at[0]]?.[at[1]] === other) {
      run.push(at);
      at = [at[0] + down, at[1] + right];
    }
    return rows[at[0]]?.[at[1]] === turn ? run : [];
  });
}

/** The moves as `c4`, in the order of the squares. */
export function twinMoves(position: TwinPosition): string[] {
  return position.rows.flatMap((cells, row) =>
    Array.from(cells, (_, column) => column)
      .filter((column) => twinFlips(position, row, column).length > 0)
      .map((column) => `${"abcdefgh"[column]}${row + 1}`),
  );
}

export function twinPlay(position: TwinPosition, move: string): TwinPosition {
  const turn = position.turn === "X" ? "O" : "X";
  if (move === "pass") return { rows: position.rows, turn };
  const row = Number(move[1]) - 1;
  const column = "abcdefgh".indexOf(move[0]!);
  const changed = new Set([...twinFlips(position, row, column), [row, column]].map(String));
  const rows = position.rows.map((cells, r) =>
    Array.from(cells, (cell, c) => (changed.has(`${r},${c}`) ? position.turn : cell)).join(""),
  );
  return { rows, turn };
}
