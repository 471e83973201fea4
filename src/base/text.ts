import leven from "leven";
import stringWidth from "string-width";

/** The text with blanks up to a width on a terminal, where a character may take two columns, or none. */
export function padEnd(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - stringWidth(text)));
}

/** Like padEnd, with the blanks before the text. */
export function padStart(text: string, columns: number): string {
  return " ".repeat(Math.max(0, columns - stringWidth(text))) + text;
}

/** Made when it is first needed: it takes 10 ms. */
let segmenter: Intl.Segmenter | undefined;

/** The characters of a text as people see them: an emoji, or a letter with its accents, is one. */
export function charactersOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** `1 game`, `2 games`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** The words in a fault's detail before the last lines of a player's dialogue, which ` | ` separates. */
export const LAST_LINES = "the last lines: ";

/** 0..1 as a percentage with one decimal, without its sign. */
export function formatPercent(share: number): string {
  return (100 * share).toFixed(1);
}

/** A likelihood as a percentage; values that would round to certainty become `>99.9` or `<0.1`. */
export function formatLikelihood(likelihood: number): string {
  if (likelihood >= 0.9995) return ">99.9";
  return likelihood < 0.0005 ? "<0.1" : formatPercent(likelihood);
}

/** `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatSeconds(seconds: number): string {
  if (!Number.isFinite(seconds)) return "?";
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** Text with the escapes of XML. Characters that XML forbids become U+FFFD. */
export function escapeText(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Names with so many first letters in common are near, such as legalMoves and legalActions. */
const NEAR_LETTERS = 5;

/** The text ` (did you mean "x"?)` with the nearest of `allowed`; empty if none is near. */
export function didYouMean(given: string, allowed: readonly string[]): string {
  const near = allowed
    .map((name) => ({ name, distance: leven(given.toLowerCase(), name.toLowerCase()) }))
    .filter(
      ({ name, distance }) =>
        distance < name.length &&
        distance <= (name.length < 4 ? 1 : Math.max(2, Math.floor(name.length / 3))),
    )
    .toSorted((a, b) => a.distance - b.distance)[0]?.name;
  const begin = given.slice(0, NEAR_LETTERS);
  const alike = allowed.filter((name) => begin.length === NEAR_LETTERS && name.startsWith(begin));
  const meant = near ?? (alike.length === 1 ? alike[0] : undefined);
  return meant === undefined ? "" : ` (did you mean "${meant}"?)`;
}

/** The message `unknown game "conect-four" (did you mean "connect-four"?); allowed: ...`. */
export function unknownName(kind: string, given: string, allowed: readonly string[]): string {
  const list = allowed.length === 0 ? "none here" : allowed.join(", ");
  return `unknown ${kind} "${given}"${didYouMean(given, allowed)}; allowed: ${list}`;
}
