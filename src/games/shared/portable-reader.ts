/*
 * Reading portable notation as people and programs write it: heads with tags in any order, on one line or on many, with
 * comments between them; moves with comments and variations, closed or not. (PGN standard, Edwards 1994, sections 7 and 8)
 */

/** Takes the content of a file, in its order. Lines count from 1. */
export interface PortableEvents {
  /** A tag of a game's head. */
  tag(name: string, value: string, line: number): void;
  /** A line of a head that begins as a tag and is none. */
  wrongTag(text: string, line: number): void;
  /**
   * A move of the main line, without its number and without marks of a commentator; or one that is left out in the file,
   * as `isNullMove` tells. Absent if the moves are of no interest.
   */
  move?(text: string, line: number): void;
  /** A comment of the main line, without its braces. Absent if comments are of no interest. */
  comment?(text: string): void;
  /** The end of a game that began on `line`, with the result behind its moves: the players' returns, none of an unfinished game. */
  end(result: readonly number[] | undefined, line: number): void;
  /** Something of the file cannot be read, and is left out. */
  leftOut(message: string, line: number): void;
}

/** The results by their texts: the returns of White and Black, none of an unfinished game. */
export const RESULTS: Readonly<Record<string, readonly number[]>> = {
  "1-0": [1, -1],
  "0-1": [-1, 1],
  "1/2-1/2": [0, 0],
  "*": [],
};

const OTHER_SIGNS = /^1\/2$|[½–—−:\s]|0[.,]5/;

/** The returns of a result as it is written in files: `½-½`, `1/2`, `0.5-0.5`, `1:0` and long dashes are known, too. */
export function parseResult(text: string): readonly number[] | undefined {
  if (Object.hasOwn(RESULTS, text)) return RESULTS[text];
  if (!OTHER_SIGNS.test(text)) return undefined;
  const plain = text
    .replaceAll(/\s/g, "")
    .replaceAll(/½|0[.,]5/g, "1/2")
    .replaceAll(/[–—−:]/g, "-")
    .replace(/^1\/2$/, "1/2-1/2");
  return Object.hasOwn(RESULTS, plain) ? RESULTS[plain] : undefined;
}

/** True for a move of nobody, which stands where an analysis goes on with the other side. */
export function isNullMove(text: string): boolean {
  return /^(?:--|z0|0000|null|<>|@@@@)$/i.test(text);
}

/**
 * Quotes within a value need a backslash by the standard; many files have none, so a value ends where the tag does. The standard
 * has no colon behind the name either.
 */
const TAG =
  /\[\s*(\w[\w .:-]{0,100}?)\s*(?::\s*)?"((?:[^"\\]|\\["\\]|\\(?!["\\])|"(?!\s*\])){0,10000})"\s*\]/y;
/** A tag whose value stands in other quotes than the standard's. */
const OTHER_TAG =
  /\[\s*(\w[\w .:-]{0,100}?)\s*(?::\s*)?['`´‘‚’“„”«]((?:['`´‘’“”»](?!\s*\])|[^'`´‘’“”»]){0,10000})['`´‘’“”»]\s*\]/y;
const TAGS = [TAG, OTHER_TAG];
/** The tags that somebody reads, whose names may be written in small or capital letters. */
const TAG_NAMES: ReadonlyMap<string, string> = new Map(
  ["Event", "White", "Black", "Round", "Result", "FEN", "Variant"].map((name) => [name.toLowerCase(), name]),
);
const BEGINS_TAG = /^\s*\[\s*\w/;
const BEGINS_QUOTED = /^\s*\[\s*\w[\w .:-]{0,100}(?:"|\s['`´‘‚’“„”«])/;
/** Lines that are held back until it is known whether they belong to a comment. */
const MOST_HELD = 1000;
const TOKEN = /\s*(?:([{}([;)])|\$\d*|([^\s{}()[\];]+)|\S)/y;
/** Words of commentators that stand alone: novelties, diagrams, checks and captures en passant. */
const REMARK = /^(?:N|D|TN|RR|(?:dis|dbl)?\.?(?:ch)?|e|p|e\.?p)$/i;
/** The signs of comments, variations and tags, and a result before the end of a line: all that a line of plain moves has not. */
const NOT_PLAIN = /[{}()[\];½\t–—−]|(?:^| )(?:1-0|0-1|1\/2(?:-1\/2)?|\*) +\S/;
const NUMBER = /^(?:\d+[.…]+|\d+$|[.…]+)/;
/** Evaluations and marks behind a move. */
const MARKS = /(?:\$\d+|[^\p{L}\p{N}])+$/u;

/** Reads games line by line, and tells of them as they come. */
export class PortableReader {
  private readonly events: PortableEvents;
  private line = 0;
  /** The line of the open comment; 0 outside comments. */
  private comment = 0;
  /** The lines of the open comment so far. */
  private readonly said: string[] = [];
  /** The lines of the open variations. */
  private readonly variations: number[] = [];
  /** The names of the head's tags. */
  private readonly names = new Set<string>();
  /** The line where the game began; 0 between games. */
  private begun = 0;
  private hasMoves = false;
  /** The result that stands last, be it in a variation. */
  private last: readonly number[] | undefined;
  /** The lines of the open comment from one on that begins as a tag; undefined before, and once they belong to it. */
  private held: string[] | undefined;
  private mayHold = true;
  private isAfterBlank = false;

  constructor(events: PortableEvents) {
    this.events = events;
  }

  /** Reads the next line, without its end. */
  read(text: string): void {
    if (this.comment > 0 && this.mayHold && (this.held !== undefined || BEGINS_QUOTED.test(text))) {
      this.hold(text);
      return;
    }
    this.line++;
    if (text.trim() === "") {
      // In a file without heads, a result and an empty line end what an open bracket has swallowed.
      if (this.variations.length > 0 && this.last !== undefined) this.endGame(this.last);
      this.isAfterBlank = true;
      return;
    }
    if (!text.startsWith("%") || this.comment > 0) this.readFrom(text);
    this.isAfterBlank = false;
  }

  /** Tells of the last game; nothing can be read afterwards. */
  end(): void {
    if (this.held !== undefined) this.release(false);
    if (this.comment > 0) this.leaveOut("the comment that begins here is not closed", this.comment);
    if (this.begun > 0) this.endGame(this.last);
  }

  /** Holds a line back: a comment may tell of other games, but one behind whose tags another one opens was not closed. */
  private hold(text: string): void {
    const held = (this.held ??= []);
    held.push(text);
    const brace = /[{}]/.exec(text)?.[0];
    if (brace !== undefined || held.length > MOST_HELD) this.release(brace === "}");
  }

  /** Reads the lines that were held back, as parts of the open comment or as what follows it. */
  private release(isComment: boolean): void {
    const held = this.held!;
    this.held = undefined;
    if (!isComment) {
      this.leaveOut("the comment that begins here is not closed", this.comment);
      this.comment = 0;
      this.last = resultAtEnd(this.said.join(" "));
    }
    this.mayHold = !isComment;
    for (const line of held) this.read(line);
    this.mayHold = true;
  }

  private readFrom(text: string): void {
    if (this.comment === 0 && BEGINS_TAG.test(text) && this.readHead(text)) return;
    this.readMoves(text, 0);
  }

  /** Reads a line of tags, behind which moves may stand. False if the line has none, and goes on with the moves. */
  private readHead(text: string): boolean {
    let at = text.indexOf("[");
    for (;;) {
      const tag = tagAt(text, at);
      if (tag === undefined) break;
      at = tag.end;
      this.readTag(tag.name, tag.value);
      while (text[at] === " " || text[at] === "\t") at++;
      if (text[at] !== "[") {
        this.readMoves(text, at);
        return true;
      }
    }
    if (this.hasMoves) {
      if (!this.isAfterBlank || !BEGINS_QUOTED.test(text)) return false;
      this.endGame(this.last);
    }
    this.begin();
    this.events.wrongTag(text.slice(at).trim(), this.line);
    return true;
  }

  private readTag(name: string, value: string): void {
    const { names } = this;
    const isRepeated = names.has(name) && (this.isAfterBlank || names.values().next().value === name);
    const isNext = this.isAfterBlank && (name === "Event" || names.has("FEN"));
    if (this.hasMoves || isRepeated || (isNext && names.size > 0)) this.endGame(this.last);
    this.isAfterBlank = false;
    this.begin();
    names.add(name);
    this.events.tag(name, value.replace(/\\(["\\])/g, "$1"), this.line);
  }

  private readMoves(text: string, from: number): void {
    if (this.events.move === undefined && this.comment === 0 && !NOT_PLAIN.test(text)) this.passMoves(text);
    else this.readTokens(text, from);
  }

  /** Passes a line of plain moves whose only result, if it has one, stands at its end. */
  private passMoves(text: string): void {
    const line = text.trimEnd();
    const word = line.slice(line.lastIndexOf(" ") + 1);
    if (parseResult(word) === undefined || word.length < line.length) this.readWord("1.");
    if (parseResult(word) !== undefined) this.readWord(word);
  }

  private readTokens(text: string, from: number): void {
    for (let at = from; at >= 0;) {
      if (this.comment > 0) {
        const close = text.indexOf("}", at);
        this.said.push(text.slice(at, close < 0 ? undefined : close));
        if (close < 0) return;
        this.comment = 0;
        if (this.variations.length === 0) this.events.comment?.(this.said.join(" "));
        at = close + 1;
      }
      at = this.readToken(text, at);
    }
  }

  /** Reads a word or a sign; returns the place behind it, or -1 at the end of the line. */
  private readToken(text: string, at: number): number {
    TOKEN.lastIndex = at;
    const [token, sign, word] = TOKEN.exec(text) ?? [];
    if (token === undefined || sign === ";") return -1;
    const next = TOKEN.lastIndex;
    if (word !== undefined) this.readWord(word);
    else if (sign === "{") {
      this.comment = this.line;
      this.said.length = 0;
    } else if (sign === "(") this.variations.push(this.line);
    else if (sign === ")" && this.variations.pop() === undefined && this.begun > 0)
      this.leaveOut("there is a ) without its (", this.line);
    else if (sign === "}" && this.begun > 0) this.leaveOut("there is a } without its {", this.line);
    else if (sign === "[") {
      if (tagAt(text, next - 1) === undefined) return next;
      this.readHead(text.slice(next - 1));
      return -1;
    }
    return next;
  }

  private readWord(word: string): void {
    const result = parseResult(word);
    if (result === undefined) {
      this.last = undefined;
      this.begin();
      this.hasMoves = true;
      if (this.variations.length > 0 || this.events.move === undefined) return;
      const text = word.replace(NUMBER, "").replace(/[!?]+$/, "");
      const move = isNullMove(text) ? text : text.replace(MARKS, "");
      if (move !== "" && !REMARK.test(move)) this.events.move(move, this.line);
    } else if (this.variations.length > 0) this.last = result;
    else {
      this.begin();
      this.endGame(result);
    }
  }

  private begin(): void {
    if (this.begun === 0) this.begun = this.line;
  }

  private endGame(result: readonly number[] | undefined): void {
    const [open] = this.variations;
    if (open !== undefined) this.leaveOut("the variation that begins here is not closed", open);
    this.events.end(result, this.begun);
    this.variations.length = 0;
    this.names.clear();
    this.begun = 0;
    this.hasMoves = false;
    this.last = undefined;
  }

  private leaveOut(message: string, line: number): void {
    this.events.leftOut(message, line);
  }
}

/** The tag that begins at a place of a line, and the place behind it; undefined if there is none. */
function tagAt(text: string, at: number): { name: string; value: string; end: number } | undefined {
  for (const pattern of TAGS) {
    pattern.lastIndex = at;
    const [, name, value] = pattern.exec(text) ?? [];
    if (name === undefined) continue;
    return { name: TAG_NAMES.get(name.toLowerCase()) ?? name, value: value!, end: pattern.lastIndex };
  }
  return undefined;
}

/** The result with which a text ends, if it does. */
function resultAtEnd(text: string): readonly number[] | undefined {
  const word = /(\S+)\s*$/.exec(text)?.[1];
  return word === undefined ? undefined : parseResult(word);
}
