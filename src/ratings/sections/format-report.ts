import { escapeControls } from "../../base/errors.ts";
import type { FormatResults, RunReport } from "../format-results.ts";
import type { RankedEntrant } from "../report.ts";
import {
  csvLine,
  escapeMarkdown,
  markdownSection,
  roundFigures,
  textSection,
  warningLines,
  wrap,
} from "./draw.ts";
import { formatSections } from "./formats.ts";
import { clockSection, matrixSections, ratingSection } from "./ratings.ts";
import type { Section } from "./section.ts";
import { paragraphsOf } from "./sentences.ts";

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
  return FORMATTERS[format](report, width);
}

/** The results of a format as tables for a terminal, without the ratings. */
export function formatResultTables(
  results: FormatResults,
  { width = USUAL_WIDTH }: { readonly width?: number | undefined } = {},
): string {
  return formatSections(results)
    .map((section) => textSection(section, width))
    .join("\n\n");
}

/** The results of the format, the clocks and the matrices, which follow the ratings. */
function sectionsOf(report: RunReport): Section[] {
  const { format, clocks } = report;
  return [
    ...(format ? formatSections(format) : []),
    ...(clocks ? [clockSection(clocks)] : []),
    ...matrixSections(report),
  ];
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

/** The rating table as comma-separated values, with the keys of the JSON form as its header. */
function formatCsv({ entrants, luck }: RunReport): string {
  const columns: readonly (keyof RankedEntrant)[] = [
    ...COLUMNS,
    ...(luck === undefined ? [] : LUCK_KEYS),
    ...(entrants.some(({ exploitability }) => exploitability !== undefined) ? EXPLOITABILITY_KEYS : []),
  ];
  const lines = entrants.map((entrant) =>
    csvLine(
      columns.map((column) => (column === "name" ? escapeControls(entrant.name) : (entrant[column] ?? ""))),
    ),
  );
  return [columns.join(","), ...lines].join("\n");
}

/** The report as a Markdown document. */
function formatMarkdown(report: RunReport): string {
  const warnings = report.warnings.map((warning) => `- ${escapeMarkdown(escapeControls(warning))}`);
  return [
    markdownSection(ratingSection(report)),
    ...paragraphsOf(report).flatMap((lines) => lines.map((line) => escapeMarkdown(escapeControls(line)))),
    ...sectionsOf(report).map(markdownSection),
    ...(warnings.length === 0 ? [] : [`## Warnings\n\n${warnings.join("\n")}`]),
  ].join("\n\n");
}

/** The report for a terminal. */
function formatTable(report: RunReport, width: number): string {
  const wrapped = (line: string) => wrap(escapeControls(line), width).trimStart();
  return [
    textSection(ratingSection(report), width),
    ...paragraphsOf(report).map((lines) => lines.map(wrapped).join("\n")),
    ...sectionsOf(report).map((section) => textSection(section, width)),
    ...warningLines(report.warnings, width),
  ].join("\n\n");
}
