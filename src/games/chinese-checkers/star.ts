/** The longest side of a point: 121 cells. */
export const MAX_SIDE = 4;
/** Points of the star, numbered clockwise from the top. */
export const POINTS = 6;
/** Directions from a cell, in the order of the cells that they lead to. */
export const DIRECTIONS = 6;
/** Room for the lines of each of the three axes. */
export const AXIS_LINES = 4 * MAX_SIDE + 1;

/**
 * A six-pointed star. Cells are numbered in reading order. Rows are counted from the top. Columns are
 * the lines that run down to the right, and diagonals the lines that run down to the left, both counted
 * from the left. A cell also has its row and its offset from the middle in half-cells.
 */
export interface Star {
  readonly cells: number;
  /** Men that fill a point. */
  readonly men: number;
  /** The cells of each row. */
  readonly rows: readonly (readonly number[])[];
  /** Row letter from the top and number in the row from the left: `a1` is the upper tip. */
  readonly names: readonly string[];
  /** By cell: row, column in bits 5-9, diagonal in bits 10-14. */
  readonly place: Int32Array;
  /**
   * The lines of an empty board: rows, then from AXIS_LINES on columns, then diagonals. A cell is bit column + 2 of its
   * row, and bit row + 2 of its column and diagonal. Bits off the board are set, as those of cells with men are.
   */
  readonly emptyLines: Int32Array;
  /** At `DIRECTIONS * cell + direction`: the neighbour, and the cell behind it; 0 off the board. */
  readonly near: Uint8Array;
  readonly far: Uint8Array;
  /** The cells of each point, its tip first. */
  readonly points: readonly (readonly number[])[];
  /** The point that a cell belongs to, -1 for the hexagon in the middle. */
  readonly pointOf: Int8Array;
  /** At `cells * point + cell`: the cell after the rotation of the star that puts the point on top. */
  readonly turned: Uint8Array;
  /** By cell: half-cells to the right of the middle. */
  readonly offset: Int8Array;
  /** The number of cells in the largest class of cells that jumps alone connect. */
  readonly jumpClass: number;
}

interface Place {
  readonly row: number;
  readonly offset: number;
}

const STEPS: readonly Place[] = [
  { row: -1, offset: -1 },
  { row: -1, offset: 1 },
  { row: 0, offset: -2 },
  { row: 0, offset: 2 },
  { row: 1, offset: -1 },
  { row: 1, offset: 1 },
];

export function createStar(side: number): Star {
  const places = placesOf(side);
  const cells = places.length;
  const numbers = new Map(places.map((place, cell) => [keyOf(place), cell]));
  const cellAt = (place: Place) => numbers.get(keyOf(place)) ?? 0;
  const behind = (steps: number) =>
    Uint8Array.from(
      places.flatMap(({ row, offset }) =>
        STEPS.map((step) => cellAt({ row: row + steps * step.row, offset: offset + steps * step.offset })),
      ),
    );
  const men = (side * (side + 1)) / 2;
  const turned = turns(places, side, cellAt);
  const points = Array.from({ length: POINTS }, (_, point) => {
    const seen = Array.from(turned.subarray(point * cells, (point + 1) * cells));
    return Array.from({ length: men }, (__, cell) => seen.indexOf(cell));
  });
  const rows = Array.from({ length: 4 * side + 1 }, (_, row) =>
    places.flatMap((place, cell) => (place.row === row ? [cell] : [])),
  );
  const onAxes = places.map(({ row, offset }) => ({
    row,
    column: 3 * side + (offset - row) / 2,
    diagonal: side + (offset + row) / 2,
  }));
  return {
    cells,
    men,
    rows,
    names: rows.flatMap((row, number) => row.map((_, at) => `${String.fromCharCode(97 + number)}${at + 1}`)),
    place: Int32Array.from(onAxes, ({ row, column, diagonal }) => row | (column << 5) | (diagonal << 10)),
    emptyLines: emptyLines(onAxes),
    near: behind(1),
    far: behind(2),
    points,
    pointOf: Int8Array.from(places, (_, cell) => points.findIndex((point) => point.includes(cell))),
    turned,
    offset: Int8Array.from(places, ({ offset }) => offset),
    jumpClass: largestJumpClass(onAxes),
  };
}

function keyOf({ row, offset }: Place): string {
  return `${row},${offset}`;
}

/** All cells in reading order: a large triangle that points up and one that points down. */
function placesOf(side: number): Place[] {
  return Array.from({ length: 4 * side + 1 }, (_, row) => {
    const up = row <= 3 * side ? row + 1 : 0;
    const down = row >= side ? 4 * side - row + 1 : 0;
    const width = Math.max(up, down);
    return Array.from({ length: width }, (__, at) => ({ row, offset: 2 * at - width + 1 }));
  }).flat();
}

function turns(places: readonly Place[], side: number, cellAt: (place: Place) => number): Uint8Array {
  const sixthClockwise = places.map(({ row, offset }) => {
    const down = row - 2 * side;
    return cellAt({ row: 2 * side + (offset + down) / 2, offset: (offset - 3 * down) / 2 });
  });
  const turned = new Uint8Array(POINTS * places.length);
  for (let cell = 0; cell < places.length; cell++) {
    let seen = cell;
    for (let sixths = 0; sixths < POINTS; sixths++) {
      turned[((POINTS - sixths) % POINTS) * places.length + cell] = seen;
      seen = sixthClockwise[seen]!;
    }
  }
  return turned;
}

interface OnAxes {
  readonly row: number;
  readonly column: number;
  readonly diagonal: number;
}

function emptyLines(cells: readonly OnAxes[]): Int32Array {
  const lines = new Int32Array(3 * AXIS_LINES).fill(-1);
  for (const { row, column, diagonal } of cells) {
    lines[row] ^= 4 << column;
    lines[AXIS_LINES + column] ^= 4 << row;
    lines[2 * AXIS_LINES + diagonal] ^= 4 << row;
  }
  return lines;
}

/** The size of the largest class of cells with the same parities of row and column, which jumps keep. */
function largestJumpClass(cells: readonly OnAxes[]): number {
  const sizes = [0, 0, 0, 0];
  for (const { row, column } of cells) sizes[2 * (row & 1) + (column & 1)]!++;
  return Math.max(...sizes);
}

/** The possible numbers of players. */
export const PLAYER_COUNTS = [2, 3, 4, 6] as const;
type PlayerCount = (typeof PLAYER_COUNTS)[number];

/** By number of players: the points that they start from, clockwise. */
const HOMES: Readonly<Record<PlayerCount, readonly number[]>> = {
  2: [0, 3],
  3: [0, 2, 4],
  4: [0, 1, 3, 4],
  6: [0, 1, 2, 3, 4, 5],
};

/** The players on a star: their starts and targets, and the length of the game. */
export interface Seating {
  readonly star: Star;
  readonly players: PlayerCount;
  /** Moves of each player after which the game ends. */
  readonly maxRounds: number;
  /** By player: the point of the start, and the opposite point. */
  readonly homes: readonly number[];
  readonly targets: readonly number[];
  /** By point: the player whose target it is, or -1. */
  readonly playerOf: Int8Array;
  /** At `cells * player + cell`: the cell as the player sees it, with the target on top. */
  readonly seen: Uint8Array;
  /** By cell as the player sees it: the fewest steps to the tip of the target. */
  readonly stepsToTip: Int32Array;
  /** The steps of all men together when they fill the target. */
  readonly fewestSteps: number;
  /** An upper bound for the moves of a player: each man steps to a neighbour or jumps within its class. */
  readonly maxActions: number;
}

export function createSeating(star: Star, players: PlayerCount, maxRounds: number): Seating {
  const homes = HOMES[players];
  const targets = homes.map((home) => (home + 3) % POINTS);
  const stepsToTip = Int32Array.from({ length: star.cells }, (_, cell) => {
    const row = star.rows.findIndex((cells) => cells.includes(cell));
    return Math.max(row, (row + Math.abs(star.offset[cell])) / 2);
  });
  return {
    star,
    players,
    maxRounds,
    homes,
    targets,
    playerOf: Int8Array.from({ length: POINTS }, (_, point) => targets.indexOf(point)),
    seen: Uint8Array.from(
      targets.flatMap((target) =>
        Array.from(star.turned.subarray(target * star.cells, (target + 1) * star.cells)),
      ),
    ),
    stepsToTip,
    fewestSteps: star.points[0]!.reduce((sum, cell) => sum + stepsToTip[cell], 0),
    maxActions: star.men * (DIRECTIONS + star.jumpClass - 1),
  };
}
