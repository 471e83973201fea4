import stringWidth from "string-width";
import { escapeControls } from "../../base/errors.ts";
import { padEnd, padStart } from "../../base/text.ts";
import type { Section } from "./section.ts";
import { shortenNames } from "./short-names.ts";

const LONGEST_NAME = 40;
/** The shortest form of a name. Columns are left out before names become shorter than `SHORT_NAME`. */
const SHORTEST_NAME = 12;
const SHORT_NAME = 20;
const GAP = "  ";

/** A section as plain strings, for one place. */
interface Texts extends Pick<Section, "columns"> {
  readonly title: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The section without the page's columns, and with control characters as escapes. */
function textsOf({ title, columns, rows }: Section): Texts {
  const shown = [...columns.keys()].filter((at) => columns[at].only !== "page");
  return {
    title: escapeControls(title),
    columns: shown.map((at) => columns[at]),
    header: shown.map((at) => escapeControls(columns[at].head)),
    rows: rows.map((row) => shown.map((at) => escapeControls(row[at].text))),
  };
}

/**
 * A section as lines. To fit, names are shortened first, then less important columns are left out. A table all of whose
 * columns are important is continued below if it is still too wide.
 */
export function textSection(section: Section, width = Infinity): string {
  const { title, columns, header, rows } = textsOf(section);
  const name = columns.findIndex(({ kind }) => kind === "name");
  let shown = [...header.keys()];
  let table = [header, ...rows];
  const widths = columns.map(({ kind }, at) =>
    kind === "line" ? stringWidth(header[at]) : columnWidth(table, at),
  );
  const isTooWide = () => widthOf(widths, shown) > width;
  const shorten = (least: number) => {
    if (name < 0) return;
    const room = Math.max(least, width - (widthOf(widths, shown) - widths[name]));
    const short = shortenNames(
      rows.map((row) => row[name]),
      Math.min(room, LONGEST_NAME),
    );
    table = [header, ...rows.map((row, at) => row.with(name, short[at]))];
    widths[name] = columnWidth(table, name);
  };
  shorten(SHORT_NAME);
  const lessImportant = [...columns.keys()]
    .filter((at) => columns[at].importance !== undefined)
    .toSorted((one, other) => columns[one].importance! - columns[other].importance!);
  for (const column of lessImportant) {
    if (!isTooWide()) break;
    shown = shown.filter((other) => other !== column);
    shorten(SHORT_NAME);
  }
  if (isTooWide()) shorten(SHORTEST_NAME);
  // A table that is continued below has room for names.
  if (isTooWide()) shorten(SHORT_NAME);
  const first = shown.slice(0, Math.max(1, name + 1));
  const pieces = [[...first]];
  for (const column of shown.slice(first.length)) {
    const piece = pieces.at(-1)!;
    const isFull = piece.length > first.length && widthOf(widths, [...piece, column]) > width;
    if (isFull && lessImportant.length === 0) pieces.push([...first, column]);
    else piece.push(column);
  }
  const drawn = pieces.map((piece) => drawColumns(table, { columns, widths, piece }));
  return [...(title === "" ? [] : [title]), ...drawn].join("\n\n");
}

/** Some columns below their heads and a rule. */
function drawColumns(
  table: readonly (readonly string[])[],
  {
    columns,
    widths,
    piece,
  }: Pick<Section, "columns"> & { readonly widths: readonly number[]; readonly piece: readonly number[] },
): string {
  const [header, ...rows] = table.map((row) =>
    piece
      .map((at) => {
        const pad = columns[at].kind === "figure" ? padStart : padEnd;
        return pad(row[at], widths[at]);
      })
      .join(GAP)
      .trimEnd(),
  );
  return [header, piece.map((at) => "-".repeat(widths[at])).join(GAP), ...rows].join("\n");
}

/** The width of these columns side by side. @param widths by column */
function widthOf(widths: readonly number[], columns: readonly number[]): number {
  return columns.reduce((sum, column) => sum + widths[column], GAP.length * (columns.length - 1));
}

function columnWidth(table: readonly (readonly string[])[], column: number): number {
  return table.reduce((widest, row) => Math.max(widest, stringWidth(row[column])), 0);
}

/** Lines of at most `width` characters, broken at blanks; indented by two blanks, continued by four. */
export function wrap(text: string, width: number): string {
  const lines: string[] = [];
  let line = " ";
  for (const word of text.split(" ")) {
    if (stringWidth(line) + 1 + stringWidth(word) > width && line.trim() !== "") {
      lines.push(line);
      line = "   ";
    }
    line += ` ${word}`;
  }
  return [...lines, line].join("\n");
}

/** A section as Markdown. */
export function markdownSection(section: Section): string {
  const { title, columns, header, rows } = textsOf(section);
  const line = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(" | ")} |`;
  const rule = `|${columns.map(({ kind }) => (kind === "figure" ? " ---: |" : " --- |")).join("")}`;
  const head = title === "" ? [] : [`## ${escapeMarkdown(title)}`, ""];
  return [...head, line(header), rule, ...rows.map(line)].join("\n");
}

/** Escapes a name, which is text, not markup. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\|*_`<>[\]]/g, "\\$&").replace(/\s*\n\s*/g, " ");
}

/** A line of comma-separated values, quoted as in RFC 4180; figures have four decimals. */
export function csvLine(values: readonly (string | number)[]): string {
  return values
    .map((value) => (typeof value === "number" ? String(roundFigure(value)) : csvText(value)))
    .join(",");
}

/** A text among comma-separated values. */
export function csvText(text: string): string {
  // A spreadsheet would read the text as a formula.
  const safe = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A report as JSON, its figures with four decimals; exploitability, which may be small, with four digits. */
export function roundFigures(report: object): string {
  const round = (key: string, value: unknown) => {
    if (typeof value !== "number") return value;
    return key === "exploitability" ? Number(value.toPrecision(4)) : roundFigure(value);
  };
  return JSON.stringify(report, round, 2);
}

/** Rounds to four decimals, more than any figure of a report is known to. */
function roundFigure(value: number): number {
  return Number(value.toFixed(4)) + 0;
}

/** Warnings as a paragraph under their title; none without warnings. */
export function warningLines(warnings: readonly string[], width: number): string[] {
  if (warnings.length === 0) return [];
  return [["Warnings", ...warnings.map((warning) => wrap(`! ${escapeControls(warning)}`, width))].join("\n")];
}
