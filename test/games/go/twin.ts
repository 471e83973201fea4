/** A slow, obvious Go on rows of X, O and dots: the twin of the fast one in the tests. */
export interface TwinRules {
  readonly suicide: boolean;
  readonly superko: boolean;
  readonly drawByRepetition: boolean;
  readonly moveLimit: number;
}

export interface TwinPosition {
  /** Every board so far, the present one last: its rows from the bottom. */
  readonly boards: readonly (readonly string[])[];
  readonly turn: "X" | "O";
  readonly passes: number;
}

const COLUMNS = "abcdefghjklmnopqrst";

export function twinStart(size: number): TwinPosition {
  return { boards: [Array.from({ length: size }, () => ".".repeat(size))], turn: "X", passes: 0 };
}

export function twinBoard(position: TwinPosition): readonly string[] {
  return position.boards.at(-1)!;
}

type Board = readonly string[];
export type Point = readonly [row: number, column: number];

export function neighbours([row, column]: Point): Point[] {
  return [
    [row - 1, column],
    [row, column - 1],
    [row, column + 1],
    [row + 1, column],
  ];
}

/** The connected points of the colour at a point, and all points beside them. */
export function flood(board: Board, start: Point): { points: Point[]; beside: Point[] } {
  const colour = board[start[0]]![start[1]];
  const seen = new Set<string>();
  const points: Point[] = [];
  const beside: Point[] = [];
  const visit = (point: Point): void => {
    if (seen.has(String(point))) return;
    seen.add(String(point));
    if (board[point[0]]?.[point[1]] !== colour) {
      beside.push(point);
      return;
    }
    points.push(point);
    neighbours(point).forEach(visit);
  };
  visit(start);
  return { points, beside };
}

function withCells(board: Board, points: readonly Point[], cell: string): Board {
  const changed = new Set(points.map(String));
  return board.map((cells, row) =>
    Array.from(cells, (old, column) => (changed.has(`${row},${column}`) ? cell : old)).join(""),
  );
}

function withoutBreathless(board: Board, starts: readonly Point[], colour: string): Board {
  let rest = board;
  for (const start of starts) {
    if (rest[start[0]]?.[start[1]] !== colour) continue;
    const { points, beside } = flood(rest, start);
    if (!beside.some(([row, column]) => rest[row]?.[column] === ".")) rest = withCells(rest, points, ".");
  }
  return rest;
}

/** The board after a stone; undefined where the rules, ko and superko included, forbid it. */
function afterStone(position: TwinPosition, point: Point, rules: TwinRules): Board | undefined {
  const { boards, turn } = position;
  const before = twinBoard(position);
  if (before[point[0]]![point[1]] !== ".") return undefined;
  const other = turn === "X" ? "O" : "X";
  const placed = withCells(before, [point], turn);
  const captured = withoutBreathless(placed, neighbours(point), other);
  const after = withoutBreathless(captured, [point], turn);
  if (after !== captured && !rules.suicide) return undefined;
  const same = (board: Board) => board.join() === after.join();
  if (same(before)) return undefined;
  if (rules.superko ? boards.some(same) : boards.slice(-2).some(same)) return undefined;
  return after;
}

/** The legal moves in the order of rows from the bottom, `pass` last, and what follows each. */
export function twinMoves(position: TwinPosition, rules: TwinRules): Map<string, TwinPosition> {
  const moves = new Map<string, TwinPosition>();
  const turn = position.turn === "X" ? "O" : "X";
  const board = twinBoard(position);
  board.forEach((cells, row) => {
    Array.from(cells).forEach((_, column) => {
      const after = afterStone(position, [row, column], rules);
      if (after === undefined) return;
      moves.set(`${COLUMNS[column]}${row + 1}`, { boards: [...position.boards, after], turn, passes: 0 });
    });
  });
  return moves.set("pass", { boards: [...position.boards, board], turn, passes: position.passes + 1 });
}

/** True if an earlier board has come back, other than by passing. */
function twinRepeats({ boards, passes }: TwinPosition): boolean {
  const keys = boards.map((board) => board.join());
  return passes === 0 && keys.indexOf(keys.at(-1)!) < keys.length - 1;
}

/** Why the game is over, or undefined. */
export function twinEnd(position: TwinPosition, rules: TwinRules): "repeated" | "scored" | undefined {
  if (rules.drawByRepetition && twinRepeats(position)) return "repeated";
  return position.passes === 2 || position.boards.length > rules.moveLimit ? "scored" : undefined;
}

/** Black's area less White's. */
export function twinLead(position: TwinPosition): number {
  const board = twinBoard(position);
  const owner = (start: Point): number => {
    const cell = board[start[0]]![start[1]]!;
    if (cell !== ".") return cell === "X" ? 1 : -1;
    const colours = new Set(flood(board, start).beside.map(([row, column]) => board[row]?.[column]));
    return (colours.has("X") ? 1 : 0) - (colours.has("O") ? 1 : 0);
  };
  return board
    .flatMap((cells, row) => Array.from(cells, (_, column) => owner([row, column])))
    .reduce((sum, value) => sum + value, 0);
}
