import type { Report } from "./report.ts";

/** The report as JSON. */
export function formatJson(report: Report): string {
  const round = (_key: string, value: unknown) => (typeof value === "number" ? roundFigure(value) : value);
  return JSON.stringify(report, round, 2);
}

/** Four decimals: beyond what any figure here is known to. */
export function roundFigure(value: number): number {
  return Number(value.toFixed(4)) + 0;
}
