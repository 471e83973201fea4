import {
  defineGame,
  InputError,
  TERMINAL,
  z,
  zobristTable,
  type Picture,
  type Rules,
  type Shape,
  type State,
  type TupleBoard,
} from "agon-arena";

const MAX_SIZE = 11;
const MAX_CELLS = MAX_SIZE * MAX_SIZE;

/** A word for each player's stone on each cell, and a last one for the second player's turn. */
const WORDS_LOW = zobristTable("hex/low", 2 * MAX_CELLS + 1);
const WORDS_HIGH = zobristTable("hex/high", 2 * MAX_CELLS + 1);
const TURN_WORD = 2 * MAX_CELLS;

/** The content of a cell: 0 if it is empty, otherwise the number of the stone's player plus 1. */
const SYMBOLS = ".xo";

/** Cells that touch each other, as steps in row and column. */
const NEIGHBOURS = [
  [-1, 0],
  [-1, 1],
  [0, -1],
  [0, 1],
  [1, -1],
  [1, 0],
] as const;

/** A board without stones. Cells are numbered row by row from the upper left corner. */
interface Board {
  readonly size: number;
  readonly swap: boolean;
  /** By cell: the cells that touch it. */
  readonly neighbours: readonly (readonly number[])[];
}

function createBoard(size: number, swap: boolean): Board {
  const neighbours = Array.from({ length: size * size }, (_, cell) =>
    NEIGHBOURS.flatMap(([rows, columns]) => {
      const row = Math.floor(cell / size) + rows;
      const column = (cell % size) + columns;
      return row >= 0 && row < size && column >= 0 && column < size ? [row * size + column] : [];
    }),
  );
  return { size, swap, neighbours };
}

/** A position. The first player (x) connects top and bottom, the second (o) left and right. */
class HexState implements State {
  toMove = 0;
  /** The player on turn; after the end, the player whose turn it would be. */
  turn = 0;
  /** The player who has connected both sides, or -1. */
  winner = -1;
  hashLow = 0;
  hashHigh = 0;
  readonly cells: Uint8Array;
  readonly board: Board;
  private stones = 0;
  private plies = 0;
  private readonly history: Int32Array;
  private readonly waiting: Int32Array;
  private readonly seen: Int32Array;
  private search = 0;

  constructor(board: Board) {
    const count = board.size * board.size;
    this.board = board;
    this.cells = new Uint8Array(count);
    this.history = new Int32Array(count + 1);
    this.waiting = new Int32Array(count);
    this.seen = new Int32Array(count);
  }

  /** The number of the action that takes the first stone over. */
  get swapAction(): number {
    return this.cells.length;
  }

  legalActions(out: Int32Array, at: number): number {
    const { cells } = this;
    let end = at;
    for (let cell = 0; cell < cells.length; cell++) {
      if (cells[cell] === 0) out[end++] = cell;
    }
    if (this.board.swap && this.stones === 1 && this.turn === 1) out[end++] = this.swapAction;
    return end - at;
  }

  apply(action: number): void {
    if (action === this.swapAction) {
      const cell = this.cells.findIndex((holds) => holds !== 0);
      this.history[this.plies++] = action;
      this.toggle(cell, 0);
      this.toggle(this.mirrored(cell), 1);
    } else {
      this.history[this.plies++] = action;
      this.toggle(action, this.turn);
      if (this.connects(action, this.turn)) this.winner = this.turn;
    }
    this.passTurn();
  }

  undo(): void {
    const action = this.history[--this.plies]!;
    this.winner = -1;
    this.passTurn();
    if (action === this.swapAction) {
      const cell = this.cells.findIndex((holds) => holds !== 0);
      this.toggle(cell, 1);
      this.toggle(this.mirrored(cell), 0);
    } else {
      this.toggle(action, this.turn);
    }
  }

  returns(player: number): number {
    return this.winner < 0 ? 0 : player === this.winner ? 1 : -1;
  }

  copyFrom(other: this): void {
    this.toMove = other.toMove;
    this.turn = other.turn;
    this.winner = other.winner;
    this.hashLow = other.hashLow;
    this.hashHigh = other.hashHigh;
    this.cells.set(other.cells);
    this.stones = other.stones;
    this.plies = 0;
  }

  /** Becomes the position with these stones; `cells` holds what each cell holds. */
  place(cells: readonly number[], turn: number): void {
    cells.forEach((holds, cell) => {
      if (holds !== 0) this.toggle(cell, holds - 1);
    });
    if (turn === 1) this.passTurn();
    const end = cells.findIndex((holds, cell) => holds !== 0 && this.connects(cell, holds - 1));
    if (end < 0) return;
    this.winner = cells[end]! - 1;
    this.toMove = TERMINAL;
  }

  /** Puts a player's stone on an empty cell, or takes it away. */
  private toggle(cell: number, player: number): void {
    const word = player * MAX_CELLS + cell;
    this.hashLow ^= WORDS_LOW[word]!;
    this.hashHigh ^= WORDS_HIGH[word]!;
    this.stones += this.cells[cell] === 0 ? 1 : -1;
    this.cells[cell] = this.cells[cell] === 0 ? player + 1 : 0;
  }

  private passTurn(): void {
    this.turn = 1 - this.turn;
    this.hashLow ^= WORDS_LOW[TURN_WORD]!;
    this.hashHigh ^= WORDS_HIGH[TURN_WORD]!;
    this.toMove = this.winner < 0 ? this.turn : TERMINAL;
  }

  /** The cell with row and column exchanged. This exchanges the two players' directions. */
  mirrored(cell: number): number {
    const { size } = this.board;
    return (cell % size) * size + Math.floor(cell / size);
  }

  /** True if the player's chain of stones through `cell` reaches both sides. */
  private connects(cell: number, player: number): boolean {
    const { cells, waiting, seen } = this;
    const { size, neighbours } = this.board;
    const search = ++this.search;
    let reachesFirst = false;
    let reachesLast = false;
    let count = 0;
    waiting[count++] = cell;
    seen[cell] = search;
    while (count > 0) {
      const at = waiting[--count]!;
      const line = player === 0 ? Math.floor(at / size) : at % size;
      reachesFirst ||= line === 0;
      reachesLast ||= line === size - 1;
      if (reachesFirst && reachesLast) return true;
      for (const next of neighbours[at]!) {
        if (cells[next] !== player + 1 || seen[next] === search) continue;
        seen[next] = search;
        waiting[count++] = next;
      }
    }
    return false;
  }
}

/** Rows of symbols from the top. */
function rowsOf({ cells, board }: HexState): string[] {
  const symbols = Array.from(cells, (holds) => SYMBOLS[holds]).join("");
  return Array.from({ length: board.size }, (_, row) =>
    symbols.slice(row * board.size, (row + 1) * board.size),
  );
}

/** `.../.x./... o`: the rows from the top, then who is to move. */
function formatState(state: HexState): string {
  return `${rowsOf(state).join("/")} ${"xo"[state.turn]}`;
}

function parseState(text: string, board: Board): HexState {
  const { size, swap } = board;
  const [rows = "", turnSymbol = "", ...rest] = text.trim().split(/\s+/);
  const turn = turnSymbol.length === 1 ? "xo".indexOf(turnSymbol) : -1;
  if (turn < 0 || rest.length > 0)
    throw new InputError(`"${text}" must be the rows, then x or o to move, such as ".../.x./... o"`);
  const lines = rows.split("/");
  if (lines.length !== size || lines.some((line) => line.length !== size || /[^.xo]/.test(line)))
    throw new InputError(`"${rows}" is not ${size} rows of ${size} cells, each of them x, o or .`);
  const cells = Array.from(lines.join(""), (symbol) => SYMBOLS.indexOf(symbol));
  const [xs, os] = [1, 2].map((player) => cells.filter((holds) => holds === player).length);
  const isUsual = xs! - os! === turn;
  const isSwapped = swap && os! > 0 && xs! - os! === turn - 1;
  if (!isUsual && !isSwapped)
    throw new InputError(`"${text}" has ${xs} x and ${os} o, which cannot be when ${turnSymbol} is to move`);
  const state = new HexState(board);
  state.place(cells, turn);
  if (state.winner === turn)
    throw new InputError(`${turnSymbol} has won in "${text}", and cannot be to move`);
  return state;
}

/** The board leans to the right; x goes from top to bottom, o from left to right. */
function render(state: HexState): string {
  const { size } = state.board;
  const columns = Array.from({ length: size }, (_, column) => String.fromCharCode(97 + column));
  const rows = rowsOf(state).map(
    (row, at) => `${" ".repeat(at)}${String(at + 1).padStart(2)}  ${Array.from(row).join(" ")}`,
  );
  const next = state.winner >= 0 ? `${"xo"[state.winner]} has won` : `${"xo"[state.turn]} to move`;
  return [`   ${columns.join(" ")}`, ...rows, next].join("\n");
}

/** A hexagon is one unit wide and has a corner on top. Its side, and how far two rows lie apart: */
const SIDE = 1 / Math.sqrt(3);
const ROW = 1.5 * SIDE;
/** Room around the board, for its coloured sides and the names. */
const AROUND = 0.7;

const COLOURS = ["player0", "player2"] as const;
const NAMES = ["orange stone", "blue stone"] as const;

/** `a1` for the upper left cell: columns from the left, rows from the top. */
function formatCell(cell: number, size: number): string {
  return `${String.fromCharCode(97 + (cell % size))}${Math.floor(cell / size) + 1}`;
}

/** The sides that a player connects have the colour of the player's stones; o's stones have a ring. */
function createPicture(size: number): Picture<HexState> {
  const middles = Array.from({ length: size * size }, (_, cell) => {
    const row = Math.floor(cell / size);
    return { x: AROUND + 0.5 + (cell % size) + row / 2, y: AROUND + SIDE + ROW * row };
  });
  const hexagons = middles.map(
    ({ x, y }) => `M${x} ${y - SIDE}l.5 ${SIDE / 2}v${SIDE}l-.5 ${SIDE / 2}-.5 ${-SIDE / 2}v${-SIDE}z`,
  );
  const [top, left] = [middles.slice(0, size), middles.filter((_, cell) => cell % size === 0)];
  const [bottom, right] = [middles.slice(-size), middles.filter((_, cell) => cell % size === size - 1)];
  const side = (player: number, lines: string[]): Shape => ({
    kind: "path",
    d: lines.join(""),
    stroke: COLOURS[player]!,
    width: 0.3,
  });
  const label = (text: string, x: number, y: number): Shape => ({
    kind: "text",
    text,
    x,
    y,
    size: 0.35,
    fill: "faint",
  });
  return {
    width: 1.5 * size - 0.5 + 2 * AROUND,
    height: ROW * (size - 1) + 2 * SIDE + 2 * AROUND,
    ground: [
      side(
        1,
        left.map(({ x, y }) => `M${x - 0.5} ${y - SIDE / 2}v${SIDE}l.5 ${SIDE / 2}`),
      ),
      side(
        1,
        right.map(({ x, y }) => `M${x} ${y - SIDE}l.5 ${SIDE / 2}v${SIDE}`),
      ),
      side(
        0,
        top.map(({ x, y }) => `M${x - 0.5} ${y - SIDE / 2}l.5 ${-SIDE / 2} .5 ${SIDE / 2}`),
      ),
      side(
        0,
        bottom.map(({ x, y }) => `M${x - 0.5} ${y + SIDE / 2}l.5 ${SIDE / 2} .5 ${-SIDE / 2}`),
      ),
      { kind: "path", d: hexagons.join(""), fill: "board", stroke: "line", width: 0.03 },
      ...top.map(({ x, y }, column) => label(formatCell(column, size)[0]!, x - 0.35, y - 1)),
      ...left.map(({ x, y }, row) => label(String(row + 1), x - 0.95, y)),
    ],
    places: middles.map(({ x, y }, cell) => ({
      name: formatCell(cell, size),
      x: x - 0.5,
      y: y - 0.5,
      w: 1,
      h: 1,
      isRound: true,
    })),
    draw: ({ cells }) =>
      middles.flatMap(({ x, y }, cell): Shape[] => {
        const player = cells[cell]! - 1;
        if (player < 0) return [];
        return [
          { kind: "circle", x, y, r: 0.38, fill: COLOURS[player]!, stroke: "edge" },
          ...(player === 1 ? [{ kind: "circle", x, y, r: 0.17, stroke: "white", width: 0.06 } as const] : []),
        ];
      }),
    describe: ({ cells }, cell) => NAMES[cells[cell]! - 1] ?? "",
    // The swap has no place: it is chosen by its name.
    touches: ({ swapAction }, action) => (action === swapAction ? [] : [action]),
  };
}

/**
 * Cells row by row, as the player sees them who has just moved, with that player's own sides above and below: the second
 * player sees rows and columns exchanged. Half a turn is the board's only symmetry.
 */
function createTupleBoard({ size, neighbours }: Board): TupleBoard<HexState> {
  const cells = Array.from({ length: size * size }, (_, cell) => cell);
  return {
    cells: cells.length,
    digits: 3,
    symmetries: [cells, cells.toReversed()],
    neighbours,
    layout: {
      rows: Array.from({ length: size }, (_, row) => cells.slice(row * size, (row + 1) * size)),
    },
    viewer: (state) => 1 - state.turn,
    read(state, player, digits) {
      for (const cell of cells) {
        const holds = state.cells[player === 0 ? cell : state.mirrored(cell)]!;
        digits[cell] = holds === 0 ? 0 : holds === player + 1 ? 1 : 2;
      }
    },
    cellName: (cell) => formatCell(cell, size),
    digitName: (digit) => [".", "own", "other"][digit]!,
  };
}

/**
 * Hex (Hein 1942, Nash 1948). An action is a cell, written `a1` for the upper left one; the last action is
 * the swap.
 */
export const game = defineGame({
  id: "hex",
  summary: "connect your two sides of a board of hexagons; nobody can draw",
  options: z.strictObject({
    size: z.int().min(3).max(MAX_SIZE).default(7).describe("rows and columns of the board"),
    swap: z
      .boolean()
      .default(false)
      .describe("whether the second player may take over the first stone, mirrored, instead of moving"),
  }),
  rules({ size, swap }): Rules<HexState> {
    const board = createBoard(size, swap);
    const cells = size * size;
    return {
      outcomes: [-1, 1],
      maxActions: cells,
      maxPlies: swap ? cells + 1 : cells,
      start: () => new HexState(board),
      formatAction: (action) => (action === cells ? "swap" : formatCell(action, size)),
      formatState,
      parseState: (text) => parseState(text, board),
      render,
    };
  },
  facets: ({ size, swap }) => ({
    picture: createPicture(size),
    tupleBoard: createTupleBoard(createBoard(size, swap)),
  }),
});
