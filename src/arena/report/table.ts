import type { Report } from "./report.ts";
import { firstSeatLines, reportSections, type Section } from "./sections.ts";

const MAX_NAME = 40;
const GAP = "  ";

/** The report for a terminal. */
export function formatTable(report: Report): string {
  const parts = reportSections(report, shortenMiddle).map(drawSection);
  parts.splice(1, 0, ...firstSeatLines(report));
  if (report.warnings.length > 0) {
    parts.push(["Warnings", ...report.warnings.map((warning) => `  ! ${warning}`)].join("\n"));
  }
  return parts.join("\n\n");
}

function drawSection({ title, header, rows, left }: Section): string {
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
