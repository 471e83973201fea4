/** A slow, obvious Breakthrough on rows of b, w and dots: the twin of the fast one in the tests. */
export interface TwinPosition {
  readonly rows: readonly string[];
  readonly turn: "b" | "w";
}

export function twinStart(width: number, height: number, pieceRows: number): TwinPosition {
  const rows = Array.from({ length: height }, (_, row) =>
    (row < pieceRows ? "b" : row >= height - pieceRows ? "w" : ".").repeat(width),
  );
  return { rows, turn: "b" };
}

/** By the move as `d4c5*`, the position after it. */
export function twinMoves({ rows, turn }: TwinPosition): Map<string, TwinPosition> {
  const moves = new Map<string, TwinPosition>();
  const ahead = turn === "b" ? 1 : -1;
  const name = (row: number, column: number) => `${"abcdefgh"[column]}${rows.length - row}`;
  rows.forEach((cells, row) =>
    Array.from(cells).forEach((cell, column) => {
      if (cell !== turn) return;
      for (const side of [-1, 0, 1]) {
        const target = rows[row + ahead]?.[column + side];
        if (target === undefined || target === turn || (side === 0 && target !== ".")) continue;
        const after = rows.map((text) => Array.from(text));
        after[row]![column] = ".";
        after[row + ahead]![column + side] = turn;
        moves.set(name(row, column) + name(row + ahead, column + side) + (target === "." ? "" : "*"), {
          rows: after.map((text) => text.join("")),
          turn: turn === "b" ? "w" : "b",
        });
      }
    }),
  );
  return moves;
}

export function twinWinner({ rows }: TwinPosition): "b" | "w" | undefined {
  const all = rows.join("");
  if (rows.at(-1)!.includes("b") || !all.includes("w")) return "b";
  if (rows[0]!.includes("w") || !all.includes("b")) return "w";
  return undefined;
}

export function twinText({ rows, turn }: TwinPosition): string {
  return `${rows.map((row) => row.replace(/\.+/g, (run) => String(run.length))).join("/")} ${turn}`;
}
