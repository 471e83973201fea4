import { escapeControls } from "../../base/errors.ts";
import { counted } from "../../base/text.ts";
import type { EloInterval } from "../elo/scale.ts";
import { escapeMarkdown, markdownSection, textSection, wrap } from "./draw.ts";
import { csvLine, roundFigures, type ReportFormat } from "./format-report.ts";
import { formatEnd, type Section } from "./ratings.ts";
import type { ComparedGame, SuiteReport } from "../suite.ts";

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
        ...(report.warnings.length === 0
          ? []
          : [
              ["Warnings", ...report.warnings.map((one) => wrap(`! ${escapeControls(one)}`, width))].join(
                "\n",
              ),
            ]),
      ].join("\n\n");
  }
}

function sectionOf({ games, entrants, compared }: SuiteReport): Section {
  const labels = games.map(({ label }) => label);
  if (compared !== undefined)
    return {
      title: `${escapeControls(compared.name)} less each of the others, in Elo`,
      header: ["#", "Other", ...labels],
      rows: compared.others.map(({ name, games: own }, at) => [
        String(at + 1),
        escapeControls(name),
        ...own.map(formatCompared),
      ]),
      left: [1],
      lessImportant: [],
    };
  return {
    title: `Ratings over ${counted(games.length, "game")}`,
    header: ["#", "Entrant", "Elo", "+/-", ...labels],
    rows: entrants!.map(({ rank, name, games: own, ...overall }) => [
      String(rank),
      escapeControls(name),
      String(Math.round(overall.elo) + 0),
      String(marginOf(overall)),
      ...own.map((one) => `${Math.round(one.elo) + 0} +/- ${marginOf(one)}`),
    ]),
    left: [1],
    lessImportant: [],
  };
}

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
