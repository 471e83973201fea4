import stringWidth from "string-width";
import { padEnd, padStart } from "../../base/text.ts";
import type { HeatMap } from "./inspect.ts";

/** Background colours, of a terminal's 256, from pale to strong: orange for numbers below the map's mean, blue above it. */
const BELOW = [230, 223, 216, 209];
const ABOVE = [195, 153, 111, 75];
const BLACK = 16;
/** The most digits after the point. */
const MOST_DIGITS = 8;
/** Columns between two maps. */
const APART = 4;

/** A block of lines that are all `width` characters wide on the screen. */
export interface Drawing {
  readonly lines: readonly string[];
  readonly width: number;
}

/**
 * Draws maps as grids of numbers, as many side by side as fit into `width` characters. With `colour` each
 * number is shaded by its distance from the mean of its map.
 */
export function drawHeatMaps(
  maps: readonly HeatMap[],
  { colour, width }: { colour: boolean; width: number },
): string {
  return sideBySide(
    maps.map((map) => drawHeatMap(map, colour)),
    width,
  );
}

/** Puts as many drawings side by side as fit into `width` characters. */
export function sideBySide(blocks: readonly Drawing[], width: number): string {
  const rows: Drawing[][] = [];
  let left = 0;
  for (const block of blocks) {
    left -= APART + block.width;
    if (left < 0 || rows.length === 0) {
      rows.push([]);
      left = width - block.width;
    }
    rows.at(-1)!.push(block);
  }
  return rows.map(beside).join("\n\n");
}

function beside(blocks: readonly Drawing[]): string {
  const height = Math.max(...blocks.map(({ lines }) => lines.length));
  return Array.from({ length: height }, (_, at) =>
    blocks
      .map(({ lines, width }) => lines[at] ?? " ".repeat(width))
      .join(" ".repeat(APART))
      .trimEnd(),
  ).join("\n");
}

function drawHeatMap({ name, rows, rowNames = [], columnNames = [] }: HeatMap, colour: boolean): Drawing {
  const values = rows.flat().filter((value) => value !== undefined && !Number.isNaN(value)) as number[];
  const mean = values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
  const furthest = Math.max(0, ...values.map((value) => Math.abs(value - mean)));
  const isFlat = furthest <= 1e-6 * largestOf(values);
  const format = numberFormat(values, isFlat ? {} : { digits: digitsFor(furthest, 2) });
  const texts = rows.map((row) => row.map((value) => (value === undefined ? "" : format(value))));
  const cellWidth = Math.max(
    1,
    ...texts.flat().map(({ length }) => length),
    ...columnNames.map((column) => stringWidth(column)),
  );
  const nameWidth = Math.max(0, ...rowNames.map((row) => stringWidth(row)));
  const title = values.length === 0 ? `${name}: nothing learned` : `${name}: mean ${format(mean)}`;
  const width = Math.max(stringWidth(title), nameWidth + (cellWidth + 1) * (rows[0]?.length ?? 0));
  const lines = rows.map((row, y) => {
    const cells = row.map((value, x) => {
      const text = texts[y]![x]!.padStart(cellWidth);
      const level = value === undefined || isFlat ? NaN : (value - mean) / furthest;
      return ` ${colour ? shade(text, level) : text}`;
    });
    return `${padStart(rowNames[y] ?? "", nameWidth)}${cells.join("")}`;
  });
  const drawn = nameWidth + (cellWidth + 1) * (rows[0]?.length ?? 0);
  const header =
    columnNames.length === 0
      ? []
      : [" ".repeat(nameWidth) + columnNames.map((column) => ` ${padStart(column, cellWidth)}`).join("")];
  return {
    lines: [padEnd(title, width), ...[...header, ...lines].map((line) => line + " ".repeat(width - drawn))],
    width,
  };
}

/** @param level from -1, furthest below the mean, to 1, furthest above it; NaN for no shade */
function shade(text: string, level: number): string {
  const step = Math.round(Math.abs(level) * BELOW.length);
  if (!(step > 0)) return text;
  const background = (level < 0 ? BELOW : ABOVE)[step - 1];
  return `\u001b[48;5;${background};38;5;${BLACK}m${text}\u001b[0m`;
}

/**
 * Makes a function that writes numbers so that they can be compared: all with the same number of digits after the
 * point, and with a sign if any of `values` is below zero. It writes NaN as a dash.
 * @param digits after the point; by default the largest of `values` gets three significant digits
 */
export function numberFormat(
  values: readonly number[],
  { digits = digitsFor(largestOf(values), 3) }: { digits?: number } = {},
): (value: number) => string {
  const signed = values.some((value) => value < 0);
  return (value) => {
    if (Number.isNaN(value)) return "-";
    const rounded = Number(value.toFixed(digits)) + 0;
    return `${signed && rounded > 0 ? "+" : ""}${rounded.toFixed(digits)}`;
  };
}

/** Returns the number of digits after the point that gives `size` `significant` significant digits. */
function digitsFor(size: number, significant: number): number {
  if (size === 0) return 0;
  return Math.min(MOST_DIGITS, Math.max(0, significant - 1 - Math.floor(Math.log10(size))));
}

function largestOf(values: readonly number[]): number {
  return values.reduce((most, value) => (Math.abs(value) > most ? Math.abs(value) : most), 0);
}
