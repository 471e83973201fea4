import { Composer, CST, isScalar, Lexer, LineCounter, Parser, visit, type Document } from "yaml";
import { InputError, type Problem } from "../../base/errors.ts";
import { findOffset } from "./document-places.ts";

/*
 * The text of a config as a value, in time that grows with its length alone. The text goes once through the lexer, the
 * parser and the composer of YAML, of which JSON is a part. Each limit stands before the step that would take too long.
 */

/** The most lexemes: words, numbers, texts, signs, and the blanks and line breaks between them. A line has some five. */
const MAX_LEXEMES = 25_000;
const MAX_DEPTH = 200;
/** The search for what an alias names passes all anchors. */
const MAX_ALIASES = 500;
/** The most values, and the most characters of texts, of a document in which each alias is written out. */
const MAX_VALUES = 25_000;
const MAX_CHARACTERS = 2 ** 21;

/** JSON's types of values alone: no dates, sets or binary data. `<<: *name` takes the keys of another mapping. */
const JSON_TYPES = { schema: "core", merge: true, resolveKnownTags: false } as const;

/** A config that was read. */
export interface DocumentText {
  readonly value: unknown;
  /** Line and column of what the path of a problem names, such as `7:12`; of what is around it, if it is missing. */
  readonly placeOf: (path: string) => string;
}

/** Parses YAML or JSON; throws InputError with the place of each syntax error. */
export function parseDocumentText(text: string, path: string): DocumentText {
  const lines = new LineCounter();
  const document = compose(parse(text, lines, path), text.length, path);
  const problems = document.errors.map(({ message, pos }) => problemAt(message, pos[0], lines));
  if (problems.length === 0) problems.push(...problemsOfKeys(document, lines));
  if (problems.length > 0) throw new InputError(problems, path);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: -1 });
  } catch (error) {
    // The library throws this for an alias without a target.
    if (error instanceof ReferenceError) throw new InputError(error.message, path);
    if (error instanceof Error && error.message.startsWith("Merge sources"))
      throw new InputError("`<<` takes the keys of mappings alone: write `<<: *name`", path);
    throw error;
  }
  checkSize(value, path);
  return { value, placeOf: (inside) => formatPlace(findOffset(document, inside), lines) };
}

/** The syntax tree. Throws InputError if it is too large, or too deep for the functions that are recursive. */
function parse(text: string, lines: LineCounter, path: string): CST.Token[] {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const tokens: CST.Token[] = [];
  let lexemes = 0;
  let aliases = 0;
  let before = "";
  for (const lexeme of new Lexer().lex(text)) {
    if (before !== CST.SCALAR) {
      lexemes++;
      if (lexeme.startsWith("*")) aliases++;
    }
    before = lexeme;
    if (lexemes > MAX_LEXEMES)
      throw new InputError(
        `is too long for a config: more than ${MAX_LEXEMES} words, numbers and signs`,
        path,
      );
    if (aliases > MAX_ALIASES)
      throw new InputError(`has more than ${MAX_ALIASES} aliases; write them out`, path);
    tokens.push(...parser.next(lexeme));
    // The stack has the document, its open lists and mappings, and a scalar.
    if (parser.stack.length > MAX_DEPTH + 2) throw tooDeep(path);
  }
  tokens.push(...parser.end());
  return tokens;
}

/** The one document of the text; an empty text is the document null. */
function compose(tokens: readonly CST.Token[], length: number, path: string): Document.Parsed {
  // The library compares each key with each other one: see `problemsOfKeys`.
  const composer = new Composer({ ...JSON_TYPES, uniqueKeys: false, prettyErrors: false });
  const [document, second] = composer.compose(tokens, true, length);
  if (second !== undefined)
    throw new InputError("has several documents, parted by `---`; a config is one", path);
  return document!;
}

/** Keys that stand twice in a mapping, or are no text. */
function problemsOfKeys(document: Document.Parsed, lines: LineCounter): Problem[] {
  const problems: Problem[] = [];
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<string>();
      for (const { key } of items) {
        const [at = 0] = (key as { range?: readonly number[] } | null)?.range ?? [];
        const name = isScalar(key) ? String(key.value) : undefined;
        if (name === undefined) problems.push(problemAt("A key must be a text", at, lines));
        else if (keys.has(name)) problems.push(problemAt("Map keys must be unique", at, lines));
        else keys.add(name);
      }
    },
  });
  return problems;
}

function problemAt(message: string, offset: number, lines: LineCounter): Problem {
  return { path: "", message: message.split("\n")[0]!, place: formatPlace(offset, lines) };
}

function formatPlace(offset: number, lines: LineCounter): string {
  const { line, col } = lines.linePos(offset);
  return `${line}:${col}`;
}

/** What a value is with its aliases written out. */
interface Size {
  readonly values: number;
  readonly characters: number;
  readonly depth: number;
}

/** Throws InputError for a value that contains itself, or becomes too large or too deep by its aliases. */
function checkSize(value: unknown, path: string): void {
  const around = new Set<object>();
  const measured = new Map<object, Size>();
  const measure = (part: unknown): Size => {
    if (typeof part === "string") return { values: 1, characters: part.length, depth: 0 };
    if (typeof part !== "object" || part === null) return { values: 1, characters: 0, depth: 0 };
    const known = measured.get(part);
    if (known !== undefined) return known;
    if (around.has(part)) throw new InputError("an alias stands inside what it names", path);
    around.add(part);
    const size = { values: 1, characters: 0, depth: 1 };
    for (const [key, inner] of Object.entries(part)) {
      const { values, characters, depth } = measure(inner);
      size.values += values;
      size.characters += key.length + characters;
      size.depth = Math.max(size.depth, 1 + depth);
    }
    around.delete(part);
    if (size.depth > MAX_DEPTH) throw tooDeep(path);
    if (size.values > MAX_VALUES || size.characters > MAX_CHARACTERS)
      throw new InputError("repeats too much by its aliases; write out what is meant", path);
    measured.set(part, size);
    return size;
  };
  measure(value);
}

function tooDeep(path: string): InputError {
  return new InputError(
    `is nested too deeply; at most ${MAX_DEPTH} lists and mappings inside each other`,
    path,
  );
}
