import type { Report } from "./report.ts";
import { firstSeatLines, reportSections, type Section } from "./sections.ts";

/** The report as a Markdown document. */
export function formatMarkdown(report: Report): string {
  const [ratings, ...matrices] = reportSections(report).map(drawSection);
  const warnings = report.warnings.map((warning) => `- ${escape(warning)}`).join("\n");
  const parts = [ratings, ...firstSeatLines(report), ...matrices];
  if (warnings !== "") parts.push(`## Warnings\n\n${warnings}`);
  return parts.join("\n\n");
}

function drawSection({ title, header, rows, left }: Section): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escape).join(" | ")} |`;
  const rule = `|${header.map((_, column) => (left.includes(column) ? " --- |" : " ---: |")).join("")}`;
  return [`## ${escape(title)}`, "", line(header), rule, ...rows.map(line)].join("\n");
}

/** Names are text, not markup. */
function escape(text: string): string {
  return text.replace(/[\\|*_`<>[\]]/g, "\\$&").replace(/\s*\n\s*/g, " ");
}
