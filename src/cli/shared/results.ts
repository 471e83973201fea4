import type { ReportFormat } from "../../ratings/sections/format-report.ts";
import type { RunReport } from "../../ratings/format-results.ts";
import { outputWidth, print, show } from "./command.ts";

/** Prints results in a format; a table is broken to fit the terminal. */
export async function showReport(report: RunReport, format: ReportFormat): Promise<void> {
  const { formatReport } = await import("../../ratings/sections/format-report.ts");
  const text = formatReport(report, format, { width: outputWidth() });
  if (format === "table") show(text);
  else print(text);
}
