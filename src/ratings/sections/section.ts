/*
 * A table of results, described once: `draw.ts` draws it as text and Markdown, and the page's `section-table.tsx` in a browser.
 */

/** One table under a title. */
export interface Section {
  /** Empty for a table that stands alone. */
  readonly title: string;
  /** A sentence above the table, where there is room: on the page. */
  readonly note?: string | undefined;
  readonly columns: readonly Column[];
  /** A cell for each column. */
  readonly rows: readonly (readonly Cell[])[];
}

export interface Column {
  readonly head: string;
  /**
   * A `name` may be shortened, and names the row; a `line` at the end is as long as it needs to be. Figures are aligned
   * right, all others left.
   */
  readonly kind: "figure" | "name" | "text" | "line";
  /** What the head is short for. */
  readonly tooltip?: string | undefined;
  /** The columns with the lowest numbers are left out first where there is too little room; others never. */
  readonly importance?: number | undefined;
  /** A column for one place alone: text, or the page. */
  readonly only?: "text" | "page" | undefined;
}

export interface Cell {
  readonly text: string;
  /** The value that rows are sorted by. */
  readonly order?: number | string | undefined;
  readonly tooltip?: string | undefined;
  /** Small print below the text, on the page. */
  readonly detail?: string | undefined;
  /** The last lines of a dialogue, which the page folds below the text. */
  readonly lines?: readonly string[] | undefined;
  /** The games that the cell is about, as a query of the page's list of games. */
  readonly games?: Readonly<Record<string, string>> | undefined;
  /** The colour of the cell: -1 is the worst, 1 the best. */
  readonly heat?: number | undefined;
}

/** A column with what it shows of a row; a number is its own text, and sorts. */
export interface ColumnOf<Row> extends Omit<Column, "kind"> {
  readonly kind?: Column["kind"];
  readonly cell: (row: Row, at: number) => string | number | Cell;
}

/** Makes a section. Columns are figures if they do not say otherwise; those that are false are left out. */
export function createSection<Row>(
  { title = "", note }: { readonly title?: string; readonly note?: string },
  rows: readonly Row[],
  columns: readonly (ColumnOf<Row> | false)[],
): Section {
  const shown = columns.filter((column) => column !== false);
  return {
    title,
    note,
    columns: shown.map((column) => ({ ...column, kind: column.kind ?? "figure" })),
    rows: rows.map((row, at) => shown.map(({ cell }) => cellOf(cell(row, at)))),
  };
}

function cellOf(cell: string | number | Cell): Cell {
  if (typeof cell === "number") return { text: String(cell), order: cell };
  return typeof cell === "string" ? { text: cell } : cell;
}

/** A column of numbers that are written by `text`, and sort. */
export function figures<Row>(
  head: string,
  value: (row: Row) => number,
  text: (value: number) => string,
  more: Omit<Column, "head" | "kind"> = {},
): ColumnOf<Row> {
  return {
    head,
    ...more,
    cell: (row) => {
      const order = value(row);
      return { text: text(order), order };
    },
  };
}

/** The rows' numbers, from 1. */
export const NUMBERS: ColumnOf<unknown> = { head: "#", cell: (_, at) => at + 1 };

/** Rounded, and never `-0`. */
export function whole(value: number): string {
  return String(Math.round(value) + 0);
}

/** A whole number with its sign: `+12`, `-340`, `0`. */
export function formatSigned(elo: number): string {
  return Math.round(elo) > 0 ? `+${whole(elo)}` : whole(elo);
}

/** `+12`, or `?` where the interval is open. */
export function formatEnd(elo: number | null): string {
  return elo === null ? "?" : formatSigned(elo);
}

/** Three significant digits below 100, whole numbers from there on. */
export function formatMean(mean: number): string {
  if (mean === 0) return "0";
  const size = Math.abs(mean);
  if (size >= 100) return whole(mean);
  return mean.toFixed(size < 1 ? 3 : size < 10 ? 2 : 1);
}

/** At most so many significant digits. */
export function formatDigits(value: number, digits: number): string {
  return String(Number(value.toPrecision(digits)));
}

/** At most two decimals. */
export function formatPoints(points: number): string {
  return String(Number(points.toFixed(2)));
}

/** An interval of Elo, with the score that it comes from. */
interface EloBounds {
  readonly low: number;
  readonly high: number;
  /** 0..1; 1 if everything was won. */
  readonly score: number;
}

/** The ends of an interval that the results bound: who won everything has no upper end, who lost everything no lower one. */
export function boundsOf({ low, high, score }: EloBounds): [low: number | null, high: number | null] {
  return [score === 0 ? null : low, score === 1 ? null : high];
}

/** `-20 to +35`; `+120 or more` where the upper end is not known. */
export function formatInterval(entrant: EloBounds): string {
  const [low, high] = boundsOf(entrant);
  if (low === null) return `${formatSigned(entrant.high)} or less`;
  return high === null ? `${formatSigned(low)} or more` : `${formatSigned(low)} to ${formatSigned(high)}`;
}

/** Time on a clock: `1:02.3`; below ten seconds with two decimals, `0:09.87`. */
export function formatClock(ms: number): string {
  const decimals = ms < 10_000 ? 2 : 1;
  const scale = 10 ** decimals;
  const units = Math.floor((ms * scale) / 1000);
  const minutes = Math.floor(units / (60 * scale));
  const seconds = ((units - 60 * minutes * scale) / scale).toFixed(decimals);
  return `${minutes}:${seconds.padStart(3 + decimals, "0")}`;
}
