import type { Report, RankedEntrant } from "./report.ts";
import { firstSeatLines, reportSections, type Section } from "./sections.ts";

const FORMATTERS = {
  table: formatTable,
  markdown: formatMarkdown,
  csv: formatCsv,
  json: formatJson,
} as const satisfies Record<string, (report: Report) => string>;

/** A form in which a report can be written. */
export type ReportFormat = keyof typeof FORMATTERS;

/** The report as text, without a line break at the end. */
export function formatReport(report: Report, format: ReportFormat): string {
  return FORMATTERS[format](report);
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
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** The report as JSON. */
function formatJson(report: Report): string {
  const round = (_key: string, value: unknown) => (typeof value === "number" ? roundFigure(value) : value);
  return JSON.stringify(report, round, 2);
}

/** Four decimals: beyond what any figure here is known to. */
function roundFigure(value: number): number {
  return Number(value.toFixed(4)) + 0;
}

/** The report as a Markdown document. */
function formatMarkdown(report: Report): string {
  const [ratings, ...matrices] = reportSections(report).map(markdownSection);
  const warnings = report.warnings.map((warning) => `- ${escape(warning)}`).join("\n");
  const parts = [ratings, ...firstSeatLines(report), ...matrices];
  if (warnings !== "") parts.push(`## Warnings\n\n${warnings}`);
  return parts.join("\n\n");
}

function markdownSection({ title, header, rows, left }: Section): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escape).join(" | ")} |`;
  const rule = `|${header.map((_, column) => (left.includes(column) ? " --- |" : " ---: |")).join("")}`;
  return [`## ${escape(title)}`, "", line(header), rule, ...rows.map(line)].join("\n");
}

/** Names are text, not markup. */
function escape(text: string): string {
  return text.replace(/[\\|*_`<>[\]]/g, "\\$&").replace(/\s*\n\s*/g, " ");
}

const MAX_NAME = 40;
const GAP = "  ";

/** The report for a terminal. */
function formatTable(report: Report): string {
  const parts = reportSections(report, shortenMiddle).map(textSection);
  parts.splice(1, 0, ...firstSeatLines(report));
  if (report.warnings.length > 0) {
    parts.push(["Warnings", ...report.warnings.map((warning) => `  ! ${warning}`)].join("\n"));
  }
  return parts.join("\n\n");
}

function textSection({ title, header, rows, left }: Section): string {
  const lines = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...lines.map((line) => width(line[column]))));
  const draw = (line: readonly string[]) =>
    line
      .map((cell, column) => {
        const padding = " ".repeat(widths[column] - width(cell));
        return left.includes(column) ? cell + padding : padding + cell;
      })
      .join(GAP)
      .trimEnd();
  const rule = widths.map((size) => "-".repeat(size)).join(GAP);
  return [title, "", draw(header), rule, ...rows.map(draw)].join("\n");
}

/** Long names differ at either end: `alpha-beta:depth=6,...linear.json`. */
function shortenMiddle(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= MAX_NAME) return name;
  const kept = MAX_NAME - 3;
  const head = Math.ceil(kept / 2);
  return `${characters.slice(0, head).join("")}...${characters.slice(head - kept).join("")}`;
}

function width(text: string): number {
  return Array.from(text).length;
}
