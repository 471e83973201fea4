import { InputError } from "../../base/errors.ts";
import type { ReportFormat } from "../../arena/results/format-report.ts";
import type { Style } from "../../arena/results/styles.ts";
import type { RunReport } from "../../ratings/format-results.ts";
import { outputWidth, print, show } from "./command.ts";

/** The option of commands that print results. */
export const styleOption = {
  choices: ["fastchess", "cutechess", "ordo"] as const satisfies readonly Style[],
  describe: "print the lines of another program, which scripts read",
} as const;

/** Throws InputError if results cannot be printed like this. */
export async function checkStyle(
  style: Style | undefined,
  of: { readonly json: boolean; readonly players: number; readonly entrants: number },
): Promise<void> {
  if (style === undefined) return;
  if (of.json) throw new InputError("--style or another format, not both");
  const { refuseStyle } = await import("../../arena/results/styles.ts");
  refuseStyle(style, of);
}

/** Prints results in a style or, without one, in a format; a table is broken to fit the terminal. */
export async function showReport(
  report: RunReport,
  { style, format }: { readonly style: Style | undefined; readonly format: ReportFormat },
): Promise<void> {
  if (style !== undefined) {
    const { formatStyle } = await import("../../arena/results/styles.ts");
    print(formatStyle(report, style));
    return;
  }
  const { formatReport } = await import("../../arena/results/format-report.ts");
  const text = formatReport(report, format, { width: outputWidth() });
  if (format === "table") show(text);
  else print(text);
}
