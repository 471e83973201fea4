import { escapeControls } from "../../base/errors.ts";
import { counted } from "../../base/text.ts";
import type { EloInterval } from "../elo/scale.ts";
import type { ComparedGame, SuiteReport } from "../suite.ts";
import {
  csvLine,
  escapeMarkdown,
  markdownSection,
  roundFigures,
  textSection,
  warningLines,
  wrap,
} from "./draw.ts";
import type { ReportFormat } from "./format-report.ts";
import { createSection, figures, formatEnd, NUMBERS, whole, type Section } from "./section.ts";

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
      return formatCsv(report);
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

function formatCsv({ games, entrants, compared }: SuiteReport): string {
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
