/**
 * A slow, obvious English draughts: a map from square numbers to pieces, neighbours found by row and
 * column. The twin of the fast one in the tests.
 */
export interface TwinPosition {
  readonly turn: "B" | "W";
  /** By square number: b, w for men, B, W for kings. */
  readonly pieces: ReadonlyMap<number, string>;
}

export interface TwinMove {
  /** Every square, the start included. */
  readonly path: readonly number[];
  readonly after: TwinPosition;
  readonly captures: boolean;
}

export const twinStart: TwinPosition = {
  turn: "B",
  pieces: new Map([
    ...Array.from({ length: 12 }, (_, index) => [index + 1, "b"] as const),
    ...Array.from({ length: 12 }, (_, index) => [index + 21, "w"] as const),
  ]),
};

/** Row and column, 0 to 7, of a square. */
function place(square: number): { row: number; column: number } {
  const row = Math.floor((square - 1) / 4);
  const column = 2 * ((square - 1) % 4) + (row % 2 === 0 ? 1 : 0);
  return { row, column };
}

function squareAt(row: number, column: number): number | undefined {
  if (row < 0 || row > 7 || column < 0 || column > 7) return undefined;
  return row * 4 + Math.floor(column / 2) + 1;
}

function directions(piece: string): (readonly [number, number])[] {
  const down = [
    [1, -1],
    [1, 1],
  ] as const;
  const up = [
    [-1, -1],
    [-1, 1],
  ] as const;
  if (piece === "b") return [...down];
  if (piece === "w") return [...up];
  return [...up, ...down];
}

function crown(piece: string, square: number): string {
  if (piece === "b" && square >= 29) return "B";
  if (piece === "w" && square <= 4) return "W";
  return piece;
}

function pathsOfCapture(
  pieces: ReadonlyMap<number, string>,
  path: readonly number[],
  piece: string,
): number[][] {
  const { row, column } = place(path.at(-1)!);
  const found: number[][] = [];
  for (const [down, right] of directions(piece)) {
    const over = squareAt(row + down, column + right);
    const landing = squareAt(row + 2 * down, column + 2 * right);
    if (over === undefined || landing === undefined || pieces.has(landing)) continue;
    const victim = pieces.get(over);
    if (victim === undefined || victim.toLowerCase() === piece.toLowerCase()) continue;
    const left = new Map(pieces);
    left.delete(over);
    const further = pathsOfCapture(left, [...path, landing], piece);
    found.push(...(further.length > 0 ? further : [[...path, landing]]));
  }
  return found;
}

export function twinMoves({ turn, pieces }: TwinPosition): TwinMove[] {
  const own = [...pieces].filter(([, piece]) => piece.toUpperCase() === turn);
  const next = turn === "B" ? "W" : "B";
  const captures = own.flatMap(([from, piece]) => {
    const others = new Map(pieces);
    others.delete(from);
    return pathsOfCapture(others, [from], piece).map((path) => {
      const left = new Map(others);
      path.slice(1).forEach((landing, index) => {
        const start = place(path[index]!);
        const end = place(landing);
        left.delete(squareAt((start.row + end.row) / 2, (start.column + end.column) / 2)!);
      });
      left.set(path.at(-1)!, crown(piece, path.at(-1)!));
      return { path, after: { turn: next, pieces: left }, captures: true } as const;
    });
  });
  if (captures.length > 0) return captures;
  return own.flatMap(([from, piece]) => {
    const { row, column } = place(from);
    return directions(piece).flatMap(([down, right]) => {
      const to = squareAt(row + down, column + right);
      if (to === undefined || pieces.has(to)) return [];
      const left = new Map(pieces);
      left.delete(from);
      left.set(to, crown(piece, to));
      return [{ path: [from, to], after: { turn: next, pieces: left }, captures: false } as const];
    });
  });
}

/** The position in PDN. */
export function twinText({ turn, pieces }: TwinPosition): string {
  const list = (colour: string) =>
    [...pieces]
      .filter(([, piece]) => piece.toUpperCase() === colour)
      .toSorted(([a], [b]) => a - b)
      .map(([square, piece]) => (piece === colour ? `K${square}` : `${square}`))
      .join(",");
  return `${turn}:W${list("W")}:B${list("B")}`;
}
