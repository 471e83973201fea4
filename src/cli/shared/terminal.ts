import process from "node:process";
import { styleText } from "node:util";
import stringWidth from "string-width";
import { charactersOf } from "../../base/text.ts";

/** A stream that text is written to: standard output or standard error. */
type Output = Pick<NodeJS.WriteStream, "isTTY" | "columns">;
type Environment = Readonly<Record<string, string | undefined>>;

/** The width if the terminal does not report one. */
const USUAL_WIDTH = 80;

/** The width of a terminal in characters. */
export function widthOf({ columns }: Pick<Output, "columns">): number {
  // A terminal that does not know its width says 0.
  return columns || USUAL_WIDTH;
}

/** True if written lines can be overwritten: on a terminal with control codes. */
export function isScreen({ isTTY }: Pick<Output, "isTTY">, environment: Environment = process.env): boolean {
  return isTTY && environment["TERM"] !== "dumb";
}

/**
 * True if text may have colours: on a screen, unless NO_COLOR is set (https://no-color.org). FORCE_COLOR overrides both: 0
 * or false means never, anything else always.
 */
export function wantsColour(output: Pick<Output, "isTTY">, environment: Environment = process.env): boolean {
  const forced = environment["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return !environment["NO_COLOR"] && isScreen(output, environment);
}

/** The text in a style, for a terminal. */
export function styled(text: string, style: "bold" | "dim" | "inverse"): string {
  return styleText(style, text, { validateStream: false });
}

/** The text in one of a terminal's 256 colours. */
export function coloured(text: string, colour: number): string {
  return `\u001b[38;5;${colour}m${text}\u001b[39m`;
}

/** Two or more columns of dashes, or the rule of a Markdown table. */
const RULE = /^(?=.*--)[-| :]+$/;

/**
 * Shows a plain text on a terminal: heads of tables, warnings, and titles of tables and of indented lines are bold, rules
 * are dim.
 */
export function decorate(text: string): string {
  const lines = text.split("\n");
  return lines
    .map((line, at) => {
      const next = lines[at + 1] ?? "";
      if (line === "") return line;
      if (RULE.test(line)) return styled(line, "dim");
      const isTitle = next === "" && RULE.test(lines[at + 3] ?? "");
      const isAbove = !/\S {2}/.test(line) && next.search(/\S/) > line.search(/\S/);
      return isTitle || isAbove || RULE.test(next) || line.startsWith("! ") ? styled(line, "bold") : line;
    })
    .join("\n");
}

/**
 * Breaks the lines of a text at blanks so that they are at most `width` columns wide. A line is continued under its
 * second column, if it has one. Rows of Markdown tables, and lines with styles, are left as they are.
 */
export function fitted(text: string, width: number): string {
  return text
    .split("\n")
    .flatMap((line) => (stringWidth(line) <= width || isWhole(line) ? [line] : brokenLine(line, width)))
    .join("\n");
}

/** True for lines that are not broken: rows of Markdown tables, and lines with styles. */
function isWhole(line: string): boolean {
  return line.startsWith("|") || line.includes("\u001b");
}

function brokenLine(line: string, width: number): string[] {
  const lead = /^ *(?:\S+(?: \S+)* {2,})*/.exec(line)![0];
  const indent = " ".repeat(stringWidth(lead) < width / 2 ? stringWidth(lead) : 2);
  const lines: string[] = [];
  let rest = line;
  while (stringWidth(rest) > width) {
    // No word longer than a line is broken.
    const end = endOf(rest, width);
    const last = rest.lastIndexOf(" ", end);
    const at = last > indent.length ? last : rest.indexOf(" ", end);
    if (at < 0) break;
    lines.push(rest.slice(0, at).trimEnd());
    rest = indent + rest.slice(at).trimStart();
  }
  return [...lines, rest];
}

/** The index of the first character of a text that is not within the width. */
function endOf(text: string, width: number): number {
  let [at, used] = [0, 0];
  for (const character of charactersOf(text)) {
    used += stringWidth(character);
    if (used > width) break;
    at += character.length;
  }
  return at;
}
