import { formatCsv } from "./csv.ts";
import { formatJson } from "./json.ts";
import { formatMarkdown } from "./markdown.ts";
import type { Report } from "./report.ts";
import { formatTable } from "./table.ts";

const FORMATTERS = {
  table: formatTable,
  markdown: formatMarkdown,
  csv: formatCsv,
  json: formatJson,
} as const satisfies Record<string, (report: Report) => string>;

/** A form in which a report can be written. */
export type ReportFormat = keyof typeof FORMATTERS;

export const REPORT_FORMATS: readonly ReportFormat[] = ["table", "markdown", "csv", "json"];

/** The report as text, without a line break at the end. */
export function formatReport(report: Report, format: ReportFormat): string {
  return FORMATTERS[format](report);
}
