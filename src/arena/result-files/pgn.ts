import { Buffer } from "node:buffer";
import { shortened } from "../../base/errors.ts";
import { MOST_DIGITS, NO_ROUND, numberedRound, roundOf, type GameList } from "./game-list.ts";
import { forEachLine, LineProblems } from "./lines.ts";

/** Signs of the notation, as bytes. */
const [TAB, RETURN, BLANK, QUOTE, PERCENT, SEMICOLON] = [9, 13, 32, 34, 37, 59];
const [OPEN, BACKSLASH, CLOSE] = [91, 92, 93];
/** The digits, as bytes. */
const [ZERO, NINE] = [48, 57];

/** The tags that are read, and `Event`, which begins a game in files without moves. */
const TAGS = ["White", "Black", "Result", "Round", "Event"] as const;
type Tag = (typeof TAGS)[number];

/** The result of a game by its text: the returns of White and Black, or that it was not finished. */
export const RESULTS: Readonly<Record<string, readonly [number, number] | "unfinished">> = {
  "1-0": [1, -1],
  "0-1": [-1, 1],
  "1/2-1/2": [0, 0],
  "*": "unfinished",
};

/**
 * Adds the games of a file in Portable Game Notation to `list`: of each game the tags White, Black, Result and Round are
 * read. A line that begins with `[`, a name and a quote is a tag. Throws InputError with the lines of wrong and missing tags.
 */
export function readPgn(path: string, list: GameList): void {
  const reader = new TagReader(list, new LineProblems(path));
  forEachLine(path, (buffer, start, end) => reader.read(buffer, start, end));
  reader.end();
}

/** A game while its tags are read. */
class TagReader {
  private readonly list: GameList;
  private readonly problems: LineProblems;
  /** Players by the bytes of their tags, read as Latin-1: finding them needs no decoding. */
  private readonly players = new Map<string, number>();
  private readonly seats: [number, number] = [-1, -1];
  private result: readonly [number, number] | "unfinished" | undefined;
  private round = NO_ROUND;
  /** The tags of this game that were read, one bit each, wrong ones included. */
  private known = 0;
  private isBegun = false;
  private hasMoves = false;
  private isAfterBlank = false;
  private line = 0;
  private firstLine = 0;

  constructor(list: GameList, problems: LineProblems) {
    this.list = list;
    this.problems = problems;
  }

  end(): void {
    if (this.isBegun) this.endGame();
    this.problems.throwIfAny();
  }

  /** Reads one line: the bytes from `start` to before `end`. */
  read(buffer: Buffer, start: number, end: number): void {
    this.line++;
    let at = start;
    while (at < end && isBlank(buffer[at])) at++;
    if (at === end) this.isAfterBlank = true;
    else if (buffer[at] === OPEN && isLetter(buffer[at + 1])) this.readTag(buffer, at + 1, end);
    else if (buffer[at] !== PERCENT && buffer[at] !== SEMICOLON) {
      this.begin();
      this.hasMoves = true;
    }
  }

  private begin(): void {
    if (this.isBegun) return;
    this.isBegun = true;
    this.firstLine = this.line;
  }

  private readTag(buffer: Buffer, start: number, end: number): void {
    let at = start;
    while (at < end && buffer[at] !== BLANK && buffer[at] !== TAB && buffer[at] !== QUOTE) at++;
    const tag = tagOf(buffer, start, at);
    while (at < end && isBlank(buffer[at])) at++;
    if (this.hasMoves) {
      // A comment may go on with a bracket.
      if (buffer[at] !== QUOTE) return;
      this.endGame();
    }
    if (tag === undefined) {
      this.begin();
      return;
    }
    const bit = 1 << TAGS.indexOf(tag);
    if ((this.known & bit) !== 0 && this.isAfterBlank) this.endGame();
    if ((this.known & bit) !== 0) this.addProblem(`${tag} is given twice in one game`);
    this.begin();
    this.isAfterBlank = false;
    this.known |= bit;
    let close = at + 1;
    while (close < end && buffer[close] !== QUOTE) close += buffer[close] === BACKSLASH ? 2 : 1;
    let bracket = close + 1;
    while (bracket < end && isBlank(buffer[bracket])) bracket++;
    if (buffer[at] !== QUOTE || buffer[bracket] !== CLOSE || bracket >= end) {
      const text = shortened(buffer.toString("utf8", start - 1, end).trim(), 80);
      this.addProblem(`${text} is no tag; write [${tag} "..."]`);
    } else this.readValue(tag, buffer, at + 1, close);
  }

  private readValue(tag: Tag, buffer: Buffer, start: number, end: number): void {
    if (tag === "White" || tag === "Black") {
      const raw = buffer.toString("latin1", start, end);
      let player = this.players.get(raw);
      if (player === undefined) {
        const name = textOf(buffer.subarray(start, end));
        if (name === "" || name === "?") {
          this.addProblem(`${tag} is "${name}"; it must be the name of a player`);
          return;
        }
        player = this.list.numberOf(name);
        this.players.set(raw, player);
      }
      this.seats[tag === "White" ? 0 : 1] = player;
    } else if (tag === "Result") {
      const text = buffer.toString("latin1", start, end).trim();
      this.result = Object.hasOwn(RESULTS, text) ? RESULTS[text] : undefined;
      if (this.result === undefined)
        this.addProblem(`Result is "${shortened(text, 80)}"; allowed: ${Object.keys(RESULTS).join(", ")}`);
    } else if (tag === "Round") this.round = roundIn(buffer, start, end);
  }

  private endGame(): void {
    const [white, black] = this.seats;
    const missing = TAGS.slice(0, 3).filter((_, bit) => (this.known & (1 << bit)) === 0);
    if (missing.length > 0) this.addProblem(`the game has no ${missing.join(" and no ")}`, this.firstLine);
    else if (this.result === "unfinished") this.list.unfinished++;
    else if (white >= 0 && black >= 0 && this.result !== undefined)
      this.list.add(this.seats, this.result, this.round);
    this.seats[0] = this.seats[1] = -1;
    this.result = undefined;
    this.round = NO_ROUND;
    this.known = 0;
    this.isBegun = this.hasMoves = this.isAfterBlank = false;
  }

  private addProblem(message: string, line = this.line): void {
    this.problems.add(line, message);
  }
}

/** The tag of this name, if it is one that is read. */
function tagOf(buffer: Buffer, start: number, end: number): Tag | undefined {
  // Most tags are not read, and their first letter and length tell.
  for (const tag of TAGS) {
    if (tag.length !== end - start) continue;
    let at = 0;
    while (at < tag.length && tag.charCodeAt(at) === buffer[start + at]) at++;
    if (at === tag.length) return tag;
  }
  return undefined;
}

/** `roundOf` without making a text of a plain number. */
function roundIn(buffer: Buffer, start: number, end: number): number {
  let number = 0;
  for (let at = start; at < end; at++) {
    const digit = buffer[at]!;
    if (digit < ZERO || digit > NINE || end - start > MOST_DIGITS)
      return roundOf(buffer.toString("latin1", start, end).trim());
    number = 10 * number + (digit - ZERO);
  }
  return start === end ? NO_ROUND : numberedRound(number);
}

/** A tag's value as text: UTF-8 or, where it is not that, Latin-1, the set of the PGN standard. */
function textOf(bytes: Uint8Array): string {
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    text = Buffer.from(bytes).toString("latin1");
  }
  return text.replace(/\\(["\\])/g, "$1").trim();
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

function isBlank(byte: number | undefined): boolean {
  return byte === BLANK || byte === TAB || byte === RETURN;
}

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && (byte | 32) >= 97 && (byte | 32) <= 122;
}
