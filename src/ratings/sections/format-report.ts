import { escapeControls } from "../../base/errors.ts";
import { type FormatResults, formatPlayed, type RunReport } from "../format-results.ts";
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
import { chatSection, clockSection, deedSection, matrixSections, ratingSection } from "./ratings.ts";
import { type Section, createSection, figures, formatEnd, NUMBERS, whole } from "./section.ts";
import { paragraphsOf } from "./sentences.ts";
import { counted } from "../../base/text.ts";
import type { EloInterval } from "../elo/scale.ts";
import type { ComparedGame, SuiteReport } from "../suite.ts";

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

/** The results of the format, the clocks, the chat models and the matrices, which follow the ratings. */
function sectionsOf(report: RunReport): Section[] {
  const { format, clocks, chat, deeds } = report;
  return [
    ...(format ? formatSections(format) : []),
    ...(clocks ? [clockSection(clocks)] : []),
    ...(chat ? [chatSection(chat)] : []),
    ...(deeds ? [deedSection(deeds)] : []),
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
function formatCsv({ entrants, luck, played: [first] = [] }: RunReport): string {
  const columns: readonly (keyof RankedEntrant)[] = [
    ...COLUMNS,
    ...(luck === undefined ? [] : LUCK_KEYS),
    ...(entrants.some(({ exploitability }) => exploitability !== undefined) ? EXPLOITABILITY_KEYS : []),
  ];
  const lines = entrants.map((entrant) =>
    csvLine([
      ...columns.map((column) =>
        column === "name" ? escapeControls(entrant.name) : (entrant[column] ?? ""),
      ),
      ...(first ? [formatPlayed(first)] : []),
    ]),
  );
  return [[...columns, ...(first ? ["played"] : [])].join(","), ...lines].join("\n");
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

/** The report of a suite as text, without a line break at the end. A table is at most `width` characters wide, if possible. */
export function formatSuite(
  report: SuiteReport,
  format: ReportFormat,
  { width = 80 }: { readonly width?: number | undefined } = {},
): string {
  switch (format) {
    case "json":
      return roundFigures(report);
    case "csv":
      return suiteCsv(report);
    case "markdown":
      return [
        markdownSection(sectionOf(report)),
        escapeMarkdown(explain(report)),
        ...report.warnings.map((warning) => `- ${escapeMarkdown(escapeControls(warning))}`),
      ].join("\n\n");
    case "table":
      return [
        textSection(sectionOf(report), width),
        wrap(explain(report), width).trimStart(),
        ...warningLines(report.warnings, width),
      ].join("\n\n");
  }
}

function sectionOf({ games, entrants, compared }: SuiteReport): Section {
  const labels = games.map(({ label }) => label);
  if (compared !== undefined)
    return createSection({ title: `${compared.name} less each of the others, in Elo` }, compared.others, [
      NUMBERS,
      { head: "Other", kind: "name", cell: ({ name }) => name },
      ...labels.map((head, at) => ({ head, cell: (one: Other) => formatCompared(one.games[at]!) })),
    ]);
  return createSection({ title: `Ratings over ${counted(games.length, "game")}` }, entrants!, [
    { head: "#", cell: ({ rank }) => rank },
    { head: "Entrant", kind: "name", cell: ({ name }) => name },
    figures("Elo", ({ elo }) => elo, whole),
    { head: "+/-", cell: marginOf },
    ...labels.map((head, at) => ({
      head,
      cell: ({ games: own }: Rated) => `${whole(own[at]!.elo)} +/- ${marginOf(own[at]!)}`,
    })),
  ]);
}

type Other = NonNullable<SuiteReport["compared"]>["others"][number];
type Rated = NonNullable<SuiteReport["entrants"]>[number];
function marginOf({ low, high }: EloInterval): number {
  return Math.round((high - low) / 2);
}

const VERDICTS = { equal: " =", stronger: "", weaker: "" } as const;

/** `+35 (12 to 58)`; an equals sign follows where the difference is less than the margin, a question mark where it is open. */
function formatCompared({ eloDifference, low, high, verdict }: ComparedGame): string {
  const sign = verdict === null ? " ?" : VERDICTS[verdict];
  return `${formatEnd(eloDifference)} (${formatEnd(low)} to ${formatEnd(high)})${sign}`;
}

function explain({ compared }: SuiteReport): string {
  return compared === undefined
    ? "Elo is the mean of the ratings in the games; each game counts the same, however many games of it were played."
    : "95% intervals, which hold whenever a pairing ends. = is less than the margin apart, ? is not clear after all blocks.";
}

function suiteCsv({ games, entrants, compared }: SuiteReport): string {
  const columns = games.flatMap(({ label }) => [label, `${label} low`, `${label} high`]);
  if (compared !== undefined)
    return [
      csvLine(["name", ...columns]),
      ...compared.others.map(({ name, games: own }) =>
        csvLine([
          name,
          ...own.flatMap(({ eloDifference, low, high }) => [eloDifference ?? "", low ?? "", high ?? ""]),
        ]),
      ),
    ].join("\n");
  return [
    csvLine(["rank", "name", "elo", "low", "high", ...columns]),
    ...entrants!.map(({ rank, name, elo, low, high, games: own }) =>
      csvLine([rank, name, elo, low, high, ...own.flatMap((one) => [one.elo, one.low, one.high])]),
    ),
  ].join("\n");
}
