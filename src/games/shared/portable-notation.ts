import type { Transcript } from "../contract/facets.ts";
import type { Game } from "../contract/game.ts";
import { formatComment, moveTexts } from "../contract/notation.ts";
import type { State } from "../contract/rules.ts";

/*
 * Portable notation: a played game as a text of tags, numbered moves and the result, as PGN has it for chess and PDN for
 * draughts.
 */

/** The result by the colours: `1-0` where White has won, whoever moved first; `*` where the game was not finished. */
type PortableResult = "1-0" | "0-1" | "1/2-1/2" | "*";

/** A game in portable notation. */
export interface PortableGame {
  /** Tags by name, such as Event. A tag that the format demands is filled in where it is missing. */
  readonly tags: Readonly<Record<string, string>>;
  /** The moves as `formatAction` writes them. */
  readonly moves: readonly string[];
  /** By move, without braces; an empty text is no comment. */
  readonly comments?: readonly string[] | undefined;
  /** The comment before the result, without braces; an empty text is no comment. */
  readonly ending?: string;
  readonly result: PortableResult;
}

/** The result of a finished game by White's return. */
function resultOf(white: number): PortableResult {
  return white === 0 ? "1/2-1/2" : white > 0 ? "1-0" : "0-1";
}

/** The day as the PGN standard writes it (8.1.1.3), here or in UTC: `2026.11.23`. */
function dayOf(date: Date, timeZone?: "UTC"): string {
  const format = new Intl.DateTimeFormat("en-CA", {
    ...(timeZone && { timeZone }),
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  const parts = Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, value]));
  return [parts["year"], parts["month"], parts["day"]].join(".");
}

/** A played game in portable notation, a forfeit as a lost game with its reason. `colours` are the players' tags. */
export function portableGame<S extends State>(
  game: Game<S>,
  transcript: Transcript,
  colours: readonly ["White", "Black"] | readonly ["Black", "White"],
): PortableGame {
  const { event, round, names, returns, forfeit, adjudication, thoughts, block, date, program } = transcript;
  const white = returns[colours.indexOf("White")];
  return {
    tags: {
      Event: event,
      ...(date !== undefined && { Date: dayOf(date), UTCDate: dayOf(date, "UTC") }),
      Round: block?.join(".") ?? String(round),
      [colours[0]]: names[0]!,
      [colours[1]]: names[1]!,
      ...(forfeit !== "" && { Termination: forfeit }),
      ...(adjudication !== undefined && { Termination: "adjudication" }),
      ...(program !== undefined && { Software: program }),
    },
    moves: moveTexts(game, transcript),
    comments: thoughts?.map((thought) => formatComment(thought, game.maxReturn)),
    result: white === undefined ? "*" : resultOf(white),
  };
}

/** Tags one a line, in the order of their keys: `[Event "a"]`. */
export function formatTags(tags: Readonly<Record<string, string>>): string {
  const escape = (value: string) => value.replace(/[\r\n\t]+/g, " ").replace(/["\\]/g, (sign) => `\\${sign}`);
  return Object.entries(tags)
    .map(([name, value]) => `[${name} "${escape(value)}"]\n`)
    .join("");
}

/**
 * The moves with their numbers and comments, and the result, in lines of less than `width` characters.
 * @param number the number of the first move
 * @param isSecond whether the first move is the second player's: `12... Kb8`
 */
export function formatMoves(
  { moves, comments = [], ending = "", result }: PortableGame,
  { width, number = 1, isSecond = false }: { width: number; number?: number; isSecond?: boolean },
): string {
  const words = moves.flatMap((move, index) => {
    const ply = index + (isSecond ? 1 : 0);
    const count = number + (ply >> 1);
    const numbered = ply % 2 === 0 ? [`${count}.`] : index === 0 ? [`${count}...`] : [];
    const comment = comments[index] ?? "";
    return [...numbered, move, ...(comment === "" ? [] : [`{${comment}}`])];
  });
  const lines: string[] = [];
  let line = "";
  if (ending !== "") words.push(`{${ending.replace(/[{}]/g, "")}}`);
  for (const word of [...words, result]) {
    if (line !== "" && line.length + 1 + word.length >= width) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? word : ` ${word}`;
  }
  return [...lines, line].join("\n");
}
