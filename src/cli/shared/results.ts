import type { RunReport } from "../../ratings/format-results.ts";
import { formatReport, type ReportFormat } from "../../ratings/sections/format-report.ts";
import { outputWidth, print, show } from "./command.ts";

/** Prints results in a format; a table is broken to fit the terminal. */
export async function showReport(report: RunReport, format: ReportFormat): Promise<void> {
  const text = formatReport(report, format, { width: outputWidth() });
  if (format === "table") show(text);
  else print(text);
}
