import type { Layout } from "../contract/facets.ts";
import type { Paint, Picture, Place, Shape } from "../contract/picture.ts";
import type { State } from "../contract/rules.ts";
import { circle, label, middleOf, path, rect } from "./shapes.ts";

/*
 * Pictures of boards of squares. A square's number is its cell's; `rows` holds the cells from the top, as `Layout` in
 * facets.ts does.
 */

type Rows = Layout["rows"];

/** A board in a picture: names of rows on its left, and of columns below or above it. */
export interface SquareBoard {
  /** The size of the whole picture, names included. */
  readonly width: number;
  readonly height: number;
  /** The upper left corner of the squares, and their number in a row and in a column. */
  readonly left: number;
  readonly top: number;
  readonly columns: number;
  readonly rows: number;
  /** The names at the edges. */
  readonly labels: readonly Shape[];
  /** By cell. */
  readonly places: readonly Place[];
}

/** The size of letters at the edges: large boards are shown smaller, so their letters are larger. */
const LETTERS = { least: 0.3, most: 0.52, perSquare: 0.034 } as const;
/** The strip that letters of size 1 take. */
const STRIP = 1.5;

interface SquareBoardOptions {
  /** The name of each cell, different from all others. */
  readonly nameOf: (cell: number) => string;
  /** True if places are round, as the pieces on them. Default: false. */
  readonly isRound?: boolean;
  /** True if the names of columns stand above the board. Default: false. */
  readonly columnsOnTop?: boolean;
}

/** One place for each square, one unit wide; the top left one is at `left`, `top`. */
export function squarePlaces(
  rows: Rows,
  nameOf: (cell: number) => string,
  { left = 0, top = 0, isRound = false } = {},
): Place[] {
  const places: Place[] = [];
  rows.forEach((row, y) =>
    row.forEach((cell, x) => {
      if (cell === undefined) return;
      places[cell] = { name: nameOf(cell), x: left + x, y: top + y, w: 1, h: 1, ...(isRound && { isRound }) };
    }),
  );
  return places;
}

/** Puts a board of squares into a picture that has room for the names at its edges. */
export function squareBoard(
  { rows, rowNames = [], columnNames = [] }: Layout,
  { nameOf, isRound = false, columnsOnTop = false }: SquareBoardOptions,
): SquareBoard {
  const columns = rows[0]!.length;
  const { least, most, perSquare } = LETTERS;
  const size = Math.min(most, Math.max(least, perSquare * Math.max(columns, rows.length)));
  const strip = STRIP * size;
  const left = rowNames.length > 0 ? strip : 0;
  const above = columnNames.length > 0 && columnsOnTop ? strip : 0;
  const below = columnNames.length > 0 && !columnsOnTop ? strip : 0;
  const height = above + rows.length + below;
  const name = (text: string, x: number, y: number) => label({ x, y }, text, { size, fill: "faint" });
  return {
    width: left + columns,
    height,
    left,
    top: above,
    columns,
    rows: rows.length,
    labels: [
      ...rowNames.map((text, row) => name(text, 0.4 * strip, above + row + 0.5)),
      ...columnNames.map((text, column) =>
        name(text, left + column + 0.5, columnsOnTop ? 0.4 * strip : height - 0.4 * strip),
      ),
    ],
    places: squarePlaces(rows, nameOf, { left, top: above, isRound }),
  };
}

/** The ground of chess: light and dark squares, the one in the lower left corner dark. */
export function chequers({ left, top, columns, rows, labels }: SquareBoard): Shape[] {
  let dark = "";
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if ((rows - 1 - row + column) % 2 === 0) dark += `M${column} ${row}h1v1h-1z`;
    }
  }
  const box = { x: left, y: top, w: columns, h: rows };
  return [
    rect(box, { fill: "light" }),
    path(dark, box, { fill: "dark" }),
    rect(box, { stroke: "edge", width: 0.05 }),
    ...labels,
  ];
}

/** The lines between the squares, or with an `inset` of 0.5 those through the middles of squares. */
export function gridLines({ left, top, columns, rows }: SquareBoard, inset: 0 | 0.5): Shape {
  let d = "";
  for (let row = inset; row <= rows - inset; row++) d += `M${inset} ${row}H${columns - inset}`;
  for (let column = inset; column <= columns - inset; column++) d += `M${column} ${inset}V${rows - inset}`;
  return path(d, { x: left, y: top }, { stroke: "edge", width: 0.03, opacity: 0.75 });
}

/** A round piece, white or black. */
export function disc(place: Place, fill: "white" | "black", r = 0.4): Shape {
  return circle(middleOf(place), r, { fill, stroke: "edge", width: 0.035 });
}

/** The parts of a picture of pieces on squares in which one game differs from another. */
interface Pieces<S extends State, Piece> {
  /** See Picture. */
  readonly players?: readonly Paint[];
  /** The board without pieces. */
  readonly ground: readonly Shape[];
  /** The piece on a place; undefined where there is none. */
  readonly pieceAt: (state: S, place: number) => Piece | undefined;
  readonly draw: (piece: Piece, place: Place) => readonly Shape[];
  /** The piece in words, such as `white knight`. */
  readonly nameOf: (piece: Piece) => string;
  readonly touches: (state: S, action: number) => readonly number[];
  readonly otherTouches?: (state: S, action: number) => readonly number[] | undefined;
  /** See Picture. */
  readonly below?: number;
  readonly won?: (state: S) => readonly number[];
}

const NAMES: Partial<Record<Paint, string>> = { white: "White", black: "Black" };

/** A picture of pieces on the squares of a board. Players with white and black pieces are named after them. */
export function piecePicture<S extends State, Piece>(
  { width, height, places }: Pick<SquareBoard, "width" | "height" | "places">,
  { pieceAt, draw, nameOf, ...given }: Pieces<S, Piece>,
): Picture<S> {
  return {
    width,
    height,
    ...given,
    ...(given.players?.every((paint) => paint in NAMES) && {
      names: given.players.map((paint) => NAMES[paint]!),
    }),
    places,
    draw: (state) =>
      places.flatMap((place, at) => {
        const piece = pieceAt(state, at);
        return piece === undefined ? [] : draw(piece, place);
      }),
    describe(state, place) {
      const piece = pieceAt(state, place);
      return piece === undefined ? "" : nameOf(piece);
    },
  };
}
