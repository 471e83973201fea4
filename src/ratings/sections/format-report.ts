import { escapeControls } from "../../base/errors.ts";
import type { RankedEntrant } from "../report.ts";
import type { FormatResults, RunReport } from "../format-results.ts";
import { clockSection, formatSections } from "./formats.ts";
import { escapeMarkdown, markdownSection, textSection, wrap } from "./draw.ts";
import {
  beyondEloLines,
  choiceLines,
  firstSeatLines,
  luckLines,
  matchLines,
  reportSections,
  sprtLines,
  type Section,
} from "./ratings.ts";

const FORMATTERS = {
  table: formatTable,
  markdown: formatMarkdown,
  csv: formatCsv,
  json: roundFigures,
} as const satisfies Record<string, (report: RunReport, width: number) => string>;

/** A text format of reports. */
export type ReportFormat = keyof typeof FORMATTERS;

/** The default width of a table, in characters. */
const USUAL_WIDTH = 80;

/** The report as text, without a line break at the end. A table is at most `width` characters wide, if possible. */
export function formatReport(
  report: RunReport,
  format: ReportFormat,
  { width = USUAL_WIDTH }: { readonly width?: number | undefined } = {},
): string {
  return FORMATTERS[format](format === "json" ? report : printable(report), width);
}

/** The results of a format as tables for a terminal, without the ratings. */
export function formatResultTables(
  results: FormatResults,
  { width = USUAL_WIDTH }: { readonly width?: number | undefined } = {},
): string {
  return formatSections(escapeTexts(results))
    .map((section) => textSection(section, width))
    .join("\n\n");
}

/** The report with control characters in names and warnings as escapes. */
function printable(report: RunReport): RunReport {
  return {
    ...report,
    entrants: report.entrants.map((entrant) => ({ ...entrant, name: escapeControls(entrant.name) })),
    ...(report.sprt && { sprt: { ...report.sprt, entrants: report.sprt.entrants.map(escapeControls) } }),
    warnings: report.warnings.map(escapeControls),
    format: report.format && escapeTexts(report.format),
    clocks: report.clocks && escapeTexts(report.clocks),
  };
}

function escapeTexts<Data>(data: Data): Data {
  const escape = (_key: string, value: unknown) =>
    typeof value === "string" ? escapeControls(value) : value;
  return JSON.parse(JSON.stringify(data, escape)) as Data;
}

/** The results of the format and the clocks, which follow the ratings. */
function sectionsOf({ format, clocks }: RunReport): Section[] {
  return [...(format ? formatSections(format) : []), ...(clocks ? [clockSection(clocks)] : [])];
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

/** The columns that follow if luck was taken out. */
const LUCK_KEYS = [
  "luck",
  "adjustedReturn",
  "adjustedLow",
  "adjustedHigh",
] as const satisfies readonly (keyof RankedEntrant)[];

/** The last column in small games of hidden information; empty where it is not known. */
const EXPLOITABILITY_KEYS = ["exploitability"] as const satisfies readonly (keyof RankedEntrant)[];

/** The rating table as comma-separated values (quoted as in RFC 4180), with the keys of the JSON form as its header. */
function formatCsv({ entrants, luck }: RunReport): string {
  const columns: readonly (keyof RankedEntrant)[] = [
    ...COLUMNS,
    ...(luck === undefined ? [] : LUCK_KEYS),
    ...(entrants.some(({ exploitability }) => exploitability !== undefined) ? EXPLOITABILITY_KEYS : []),
  ];
  const lines = entrants.map((entrant) => csvLine(columns.map((column) => entrant[column] ?? "")));
  return [columns.join(","), ...lines].join("\n");
}

/** A line of comma-separated values, quoted as in RFC 4180; figures have four decimals. */
export function csvLine(values: readonly (string | number)[]): string {
  return values.map(formatCell).join(",");
}

function formatCell(value: string | number): string {
  if (typeof value === "number") return String(roundFigure(value));
  // A spreadsheet would read the text as a formula.
  const text = /^[=+\-@]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
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

/** The report as a Markdown document. */
function formatMarkdown(report: RunReport): string {
  const [ratings, ...matrices] = reportSections(report).map(markdownSection);
  const warnings = report.warnings.map((warning) => `- ${escapeMarkdown(warning)}`).join("\n");
  const parts = [
    ratings,
    ...matchLines(report),
    ...sprtLines(report).map(escapeMarkdown),
    ...firstSeatLines(report),
    ...choiceLines(report),
    ...luckLines(report).map(escapeMarkdown),
    ...beyondEloLines(report).map(escapeMarkdown),
    ...sectionsOf(report).map(markdownSection),
    ...matrices,
  ];
  if (warnings !== "") parts.push(`## Warnings\n\n${warnings}`);
  return parts.join("\n\n");
}

/** The report for a terminal. */
function formatTable(report: RunReport, width: number): string {
  const [ratings, ...matrices] = reportSections(report);
  const parts = [
    textSection(ratings, width),
    ...matchLines(report),
    ...sprtParagraph(report, width),
    ...firstSeatLines(report),
    ...choiceLines(report),
    ...luckLines(report),
    ...beyondEloLines(report).map((line) => wrap(line, width).trimStart()),
    ...[...sectionsOf(report), ...matrices].map((section) => textSection(section, width)),
  ];
  if (report.warnings.length > 0) {
    parts.push(["Warnings", ...report.warnings.map((warning) => wrap(`! ${warning}`, width))].join("\n"));
  }
  return parts.join("\n\n");
}

/** The sequential test as one paragraph. */
function sprtParagraph(report: RunReport, width: number): string[] {
  const lines = sprtLines(report);
  return lines.length === 0 ? [] : [lines.map((line) => wrap(line, width).trimStart()).join("\n")];
}
