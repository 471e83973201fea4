import { escapeControls } from "../../base/errors.ts";
import type { Report, RankedEntrant } from "../../ratings/report.ts";
import { shortenNames } from "./short-names.ts";
import { firstSeatLines, matchLines, reportSections, type Section } from "./sections.ts";

const FORMATTERS = {
  table: formatTable,
  markdown: formatMarkdown,
  csv: formatCsv,
  json: formatJson,
} as const satisfies Record<string, (report: Report, width: number) => string>;

/** A text format of reports. */
export type ReportFormat = keyof typeof FORMATTERS;

/** The default width of a table, in characters. */
const USUAL_WIDTH = 80;

/** The report as text, without a line break at the end. A table is at most `width` characters wide, if possible. */
export function formatReport(
  report: Report,
  format: ReportFormat,
  { width = USUAL_WIDTH }: { readonly width?: number | undefined } = {},
): string {
  return FORMATTERS[format](format === "json" ? report : printable(report), width);
}

/** The report with control characters in names and warnings as escapes. */
function printable(report: Report): Report {
  return {
    ...report,
    entrants: report.entrants.map((entrant) => ({ ...entrant, name: escapeControls(entrant.name) })),
    warnings: report.warnings.map(escapeControls),
  };
}

const COLUMNS = [
  "rank",
  "name",
  "elo",
  "low",
  "high",
  "games",
  "wins",
  "draws",
  "losses",
  "score",
  "drawRate",
  "meanReturn",
  "returnLow",
  "returnHigh",
  "nodesPerMove",
  "msPerMove",
  "forfeits",
] as const satisfies readonly (keyof RankedEntrant)[];

/** The rating table as comma-separated values (quoted as in RFC 4180), with the keys of the JSON form as its header. */
function formatCsv({ entrants }: Report): string {
  const lines = entrants.map((entrant) => COLUMNS.map((column) => formatCell(entrant[column])).join(","));
  return [COLUMNS.join(","), ...lines].join("\n");
}

function formatCell(value: string | number): string {
  if (typeof value === "number") return String(roundFigure(value));
  // A spreadsheet would read the text as a formula.
  const text = /^[=+\-@]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The report as JSON. */
function formatJson(report: Report): string {
  const round = (_key: string, value: unknown) => (typeof value === "number" ? roundFigure(value) : value);
  return JSON.stringify(report, round, 2);
}

/** Rounds to four decimals, more than any figure of a report is known to. */
function roundFigure(value: number): number {
  return Number(value.toFixed(4)) + 0;
}

/** The report as a Markdown document. */
function formatMarkdown(report: Report): string {
  const [ratings, ...matrices] = reportSections(report).map(markdownSection);
  const warnings = report.warnings.map((warning) => `- ${escape(warning)}`).join("\n");
  const parts = [ratings, ...matchLines(report), ...firstSeatLines(report), ...matrices];
  if (warnings !== "") parts.push(`## Warnings\n\n${warnings}`);
  return parts.join("\n\n");
}

function markdownSection({ title, header, rows, left }: Section): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escape).join(" | ")} |`;
  const rule = `|${header.map((_, column) => (left.includes(column) ? " --- |" : " ---: |")).join("")}`;
  return [`## ${escape(title)}`, "", line(header), rule, ...rows.map(line)].join("\n");
}

/** Escapes a name, which is text, not markup. */
function escape(text: string): string {
  return text.replace(/[\\|*_`<>[\]]/g, "\\$&").replace(/\s*\n\s*/g, " ");
}

const LONGEST_NAME = 40;
/** The shortest form of a name. Columns are left out before names become shorter than `SHORT_NAME`. */
const SHORTEST_NAME = 12;
const SHORT_NAME = 20;
const GAP = "  ";

/** The report for a terminal. */
function formatTable(report: Report, width: number): string {
  const [ratings, ...matrices] = reportSections(report);
  const parts = [
    textSection(ratings, width),
    ...matchLines(report),
    ...firstSeatLines(report),
    ...matrices.map((matrix) => textSection(matrix, width)),
  ];
  if (report.warnings.length > 0) {
    parts.push(["Warnings", ...report.warnings.map((warning) => wrap(`! ${warning}`, width))].join("\n"));
  }
  return parts.join("\n\n");
}

/**
 * A section as lines. To fit, names are shortened first, then less important columns are left out. A matrix that is
 * still too wide is continued below.
 */
function textSection(section: Section, width: number): string {
  const { title, header, rows, lessImportant } = section;
  let shown = [...header.keys()];
  let table = [header, ...rows];
  const widths = header.map((_, column) => columnWidth(table, column));
  const shorten = (least: number) => {
    const names = Math.max(least, width - (widthOf(widths, shown) - widths[1]));
    const short = shortenNames(
      rows.map((row) => row[1]),
      Math.min(names, LONGEST_NAME),
    );
    table = [header, ...rows.map((row, at) => row.with(1, short[at]))];
    widths[1] = columnWidth(table, 1);
  };
  shorten(SHORT_NAME);
  for (const column of lessImportant) {
    if (widthOf(widths, shown) <= width) break;
    shown = shown.filter((other) => other !== column);
    shorten(SHORT_NAME);
  }
  if (widthOf(widths, shown) > width) shorten(SHORTEST_NAME);
  const [number, name, ...others] = shown;
  const pieces: number[][] = [[number, name]];
  for (const column of others) {
    if (lessImportant.length === 0 && widthOf(widths, [...pieces.at(-1)!, column]) > width) {
      if (pieces.at(-1)!.length > 2) pieces.push([number, name]);
    }
    pieces.at(-1)!.push(column);
  }
  const drawn = pieces.map((columns) =>
    drawColumns(
      table,
      columns.map((at) => ({ at, width: widths[at], left: section.left.includes(at) })),
    ),
  );
  return [title, ...drawn].join("\n\n");
}

function drawColumns(
  table: readonly (readonly string[])[],
  columns: readonly { readonly at: number; readonly width: number; readonly left: boolean }[],
): string {
  const [header, ...rows] = table.map((row) =>
    columns
      .map(({ at, width, left }) => {
        const padding = " ".repeat(width - lengthOf(row[at]));
        return left ? row[at] + padding : padding + row[at];
      })
      .join(GAP)
      .trimEnd(),
  );
  const rule = columns.map(({ width }) => "-".repeat(width)).join(GAP);
  return [header, rule, ...rows].join("\n");
}

/** The width of these columns side by side. @param widths by column */
function widthOf(widths: readonly number[], columns: readonly number[]): number {
  return columns.reduce((sum, column) => sum + widths[column], GAP.length * (columns.length - 1));
}

function columnWidth(table: readonly (readonly string[])[], column: number): number {
  return table.reduce((widest, row) => Math.max(widest, lengthOf(row[column])), 0);
}

/** Lines of at most `width` characters, broken at blanks; indented by two blanks, continued by four. */
function wrap(text: string, width: number): string {
  const lines: string[] = [];
  let line = " ";
  for (const word of text.split(" ")) {
    if (lengthOf(line) + 1 + lengthOf(word) > width && line.trim() !== "") {
      lines.push(line);
      line = "   ";
    }
    line += ` ${word}`;
  }
  return [...lines, line].join("\n");
}

/** The number of characters of a text; a character beyond 16 bits is two of its units. */
function lengthOf(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) !== 0xdc00) length++;
  return length;
}
