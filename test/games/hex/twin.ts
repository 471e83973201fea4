/** A slow, obvious Hex on rows of x, o and dots: the twin of the fast one in the tests. */
export interface TwinPosition {
  readonly rows: readonly string[];
  readonly turn: "x" | "o";
  readonly swap: boolean;
}

export function twinStart(size: number, swap: boolean): TwinPosition {
  return { rows: Array.from({ length: size }, () => ".".repeat(size)), turn: "x", swap };
}

/** By the move as `a1`, the position after it. */
export function twinMoves({ rows, turn, swap }: TwinPosition): Map<string, TwinPosition> {
  const moves = new Map<string, TwinPosition>();
  const next = turn === "x" ? "o" : "x";
  const put = (on: readonly string[], row: number, column: number) =>
    on.map((cells, at) => (at === row ? cells.slice(0, column) + turn + cells.slice(column + 1) : cells));
  rows.forEach((cells, row) =>
    Array.from(cells).forEach((cell, column) => {
      const name = "abcdefghijk"[column]! + String(row + 1);
      if (cell === ".") moves.set(name, { rows: put(rows, row, column), turn: next, swap });
    }),
  );
  const [first, ...others] = rows.join("").replaceAll(".", "");
  if (swap && first === "x" && others.length === 0) {
    const row = rows.findIndex((cells) => cells.includes("x"));
    const empty = rows.map((cells) => ".".repeat(cells.length));
    moves.set("swap", { rows: put(empty, rows[row]!.indexOf("x"), row), turn: next, swap });
  }
  return moves;
}

export function twinWinner({ rows }: TwinPosition): "x" | "o" | undefined {
  // With rows and columns exchanged, o goes from top to bottom.
  const columns = rows.map((_, column) => rows.map((row) => row[column]).join(""));
  return isConnected(rows, "x") ? "x" : isConnected(columns, "o") ? "o" : undefined;
}

/** True if the stone's cells, grown from the top until nothing is added, reach the bottom. */
function isConnected(rows: readonly string[], stone: string): boolean {
  const isStone = (row: number, column: number) => rows[row]?.[column] === stone;
  const reached = new Set<string>();
  const grow = (row: number, column: number): void => {
    const cell = `${row} ${column}`;
    if (!isStone(row, column) || reached.has(cell)) return;
    reached.add(cell);
    for (const [down, right] of [
      [-1, 0],
      [-1, 1],
      [0, -1],
      [0, 1],
      [1, -1],
      [1, 0],
    ] as const)
      grow(row + down, column + right);
  };
  for (let column = 0; column < rows.length; column++) grow(0, column);
  return rows.some((_, column) => reached.has(`${rows.length - 1} ${column}`));
}

export function twinText({ rows, turn }: TwinPosition): string {
  return `${rows.map((row) => row.replace(/\.+/g, (run) => String(run.length))).join("/")} ${turn}`;
}
