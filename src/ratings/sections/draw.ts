import { shortenNames } from "./short-names.ts";
import type { Section } from "./ratings.ts";

const LONGEST_NAME = 40;
/** The shortest form of a name. Columns are left out before names become shorter than `SHORT_NAME`. */
const SHORTEST_NAME = 12;
const SHORT_NAME = 20;
const GAP = "  ";

/**
 * A section as lines. To fit, names are shortened first, then less important columns are left out. A matrix that is
 * still too wide is continued below.
 */
export function textSection(section: Section, width: number): string {
  const { title, header, rows, lessImportant } = section;
  let shown = [...header.keys()];
  let table = [header, ...rows];
  const widths = header.map((_, column) => columnWidth(table, column));
  const shorten = (least: number) => {
    const names = Math.max(least, width - (widthOf(widths, shown) - widths[1]));
    const short = shortenNames(
      rows.map((row) => row[1]),
      Math.min(names, LONGEST_NAME),
    );
    table = [header, ...rows.map((row, at) => row.with(1, short[at]))];
    widths[1] = columnWidth(table, 1);
  };
  shorten(SHORT_NAME);
  for (const column of lessImportant) {
    if (widthOf(widths, shown) <= width) break;
    shown = shown.filter((other) => other !== column);
    shorten(SHORT_NAME);
  }
  if (widthOf(widths, shown) > width) shorten(SHORTEST_NAME);
  // A table that is continued below has room for names.
  if (widthOf(widths, shown) > width) shorten(SHORT_NAME);
  const [number, name, ...others] = shown;
  const pieces: number[][] = [[number, name]];
  for (const column of others) {
    if (lessImportant.length === 0 && widthOf(widths, [...pieces.at(-1)!, column]) > width) {
      if (pieces.at(-1)!.length > 2) pieces.push([number, name]);
    }
    pieces.at(-1)!.push(column);
  }
  const drawn = pieces.map((columns) =>
    drawColumns(
      table,
      columns.map((at) => ({ at, width: widths[at], left: section.left.includes(at) })),
    ),
  );
  return [title, ...drawn].join("\n\n");
}

function drawColumns(
  table: readonly (readonly string[])[],
  columns: readonly { readonly at: number; readonly width: number; readonly left: boolean }[],
): string {
  const [header, ...rows] = table.map((row) =>
    columns
      .map(({ at, width, left }) => {
        const padding = " ".repeat(width - lengthOf(row[at]));
        return left ? row[at] + padding : padding + row[at];
      })
      .join(GAP)
      .trimEnd(),
  );
  const rule = columns.map(({ width }) => "-".repeat(width)).join(GAP);
  return [header, rule, ...rows].join("\n");
}

/** The width of these columns side by side. @param widths by column */
function widthOf(widths: readonly number[], columns: readonly number[]): number {
  return columns.reduce((sum, column) => sum + widths[column], GAP.length * (columns.length - 1));
}

function columnWidth(table: readonly (readonly string[])[], column: number): number {
  return table.reduce((widest, row) => Math.max(widest, lengthOf(row[column])), 0);
}

/** Lines of at most `width` characters, broken at blanks; indented by two blanks, continued by four. */
export function wrap(text: string, width: number): string {
  const lines: string[] = [];
  let line = " ";
  for (const word of text.split(" ")) {
    if (lengthOf(line) + 1 + lengthOf(word) > width && line.trim() !== "") {
      lines.push(line);
      line = "   ";
    }
    line += ` ${word}`;
  }
  return [...lines, line].join("\n");
}

/** The number of characters of a text; a character beyond 16 bits is two of its units. */
function lengthOf(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) !== 0xdc00) length++;
  return length;
}

/** A section as Markdown. */
export function markdownSection({ title, header, rows, left }: Section): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(" | ")} |`;
  const rule = `|${header.map((_, column) => (left.includes(column) ? " --- |" : " ---: |")).join("")}`;
  return [`## ${escapeMarkdown(title)}`, "", line(header), rule, ...rows.map(line)].join("\n");
}

/** Escapes a name, which is text, not markup. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\|*_`<>[\]]/g, "\\$&").replace(/\s*\n\s*/g, " ");
}
