import { z } from "zod";
import { countBits } from "../../base/hashing.ts";
import { InputError, shortened } from "../../base/errors.ts";
import { LETTERS, Lexicon, lettersOf } from "./lexicon.ts";
import { commonWords } from "./words.ts";

/** The blank tile, after the letters. */
export const BLANK = LETTERS;
/** Kinds of tiles: letters, and the blank. */
export const KINDS = LETTERS + 1;
/** Signs of the tiles, by kind. */
export const TILE_NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ?";
/** Extra points for playing a whole rack. */
export const BONUS = 50;
/** The most squares of a side, tiles of a rack, and tiles in all. */
const MAX_SIZE = 15;
const MAX_RACK = 7;
const MAX_TILES = 200;
/** Actions: 0 passes; 1 to 127 is the set of tiles of the rack in order that are exchanged; then come plays. */
export const PASS = 0;
export const FIRST_PLAY = 1 << MAX_RACK;
/** The most plays of a position that are legal: beyond that those with the most points are. */
export const MAX_PLAYS = 8192;

/** Named sets of tiles: for each count and number of points, the letters. */
const SETS = {
  english: [
    [12, 1, "e"],
    [9, 1, "ai"],
    [8, 1, "o"],
    [6, 1, "nrt"],
    [4, 1, "lsu"],
    [4, 2, "d"],
    [3, 2, "g"],
    [2, 3, "bcmp"],
    [2, 4, "fhvwy"],
    [1, 5, "k"],
    [1, 8, "jx"],
    [1, 10, "qz"],
    [2, 0, "?"],
  ],
  small: [
    [6, 1, "e"],
    [4, 1, "aiorst"],
    [3, 1, "ln"],
    [2, 2, "du"],
    [1, 3, "bcghmpy"],
    [1, 0, "?"],
  ],
} as const;

/** The upper left quarter of the classic board, its middle row and column included. */
const CLASSIC = [
  "T..2...T",
  ".D...3..",
  "..D...2.",
  "2..D...2",
  "....D...",
  ".3...3..",
  "..2...2.",
  "T..2...D",
];

const tile = z.tuple([z.int().min(0).max(99), z.int().min(0).max(99)]);

const shape = z.strictObject({
  players: z.int().min(2).max(4).default(2).describe("number of players, who take turns"),
  size: z.int().min(2).max(MAX_SIZE).default(MAX_SIZE).describe("rows and columns"),
  layout: z
    .union([z.enum(["classic", "plain"]), z.array(z.string().regex(/^[.23DT]+$/)).min(1)])
    .default("classic")
    .describe(
      "the premium squares: classic, the middle of the usual board; plain, none; or rows of signs: 2 and 3 multiply a letter, D and T a word, . nothing",
    ),
  rack: z.int().min(1).max(MAX_RACK).default(MAX_RACK).describe("tiles of a rack"),
  letters: z
    .union([z.enum(["english", "small"]), z.record(z.string().regex(/^[a-z?]$/), tile)])
    .default("english")
    .describe(
      "the tiles: english, 100 of them; small, 44; or for each letter, and ? for blanks, [count, points]",
    ),
  words: z
    .union([z.literal("common"), z.array(z.string().regex(/^[a-z]{2,15}$/)).min(1)])
    .default("common")
    .describe(
      "the words: common, 7,715 English words of up to eight letters; a list; or a file with a word a line",
    ),
});

/** A word of a file, in small letters; undefined for one that no board has room for, or of one letter. Throws InputError. */
export function parseWord(line: string): string | undefined {
  const word = line.toLowerCase();
  if (!/^[a-z]+$/.test(word))
    throw new InputError(`"${shortened(line, 40)}" is no word of the letters a to z`);
  return word.length >= 2 && word.length <= MAX_SIZE ? word : undefined;
}

type Options = z.output<typeof shape>;

/** The options of the game. */
export const options = shape
  .refine(({ size, layout }) => typeof layout === "string" || isSquare(layout, size), {
    path: ["layout"],
    message: "must have as many rows, and signs in each row, as the board has rows and columns",
  })
  .refine(({ players, rack, letters }) => isBetween(tilesOf(letters).total, players * rack, MAX_TILES), {
    path: ["letters"],
    message: `must have at least a rack for each player, and at most ${MAX_TILES} tiles`,
  })
  .refine((given) => FIRST_PLAY + playsOf(given) <= 2 ** 31, {
    path: ["words"],
    message:
      "are too many: each way to lay a word onto the board, with blanks or without, must have a number below 2^31",
  });

function isSquare(rows: readonly string[], size: number): boolean {
  return rows.length === size && rows.every((row) => row.length === size);
}

function isBetween(value: number, least: number, most: number): boolean {
  return least <= value && value <= most;
}

/** By kind: how many tiles there are, and their points; and the number of all. */
function tilesOf(letters: Options["letters"]): { counts: Int32Array; points: Int32Array; total: number } {
  const counts = new Int32Array(KINDS);
  const points = new Int32Array(KINDS);
  const entries =
    typeof letters === "string"
      ? SETS[letters].flatMap(([count, worth, names]) =>
          Array.from(names, (name) => [name, [count, worth]] as const),
        )
      : Object.entries(letters);
  for (const [name, [count, worth]] of entries) {
    const kind = name === "?" ? BLANK : lettersOf(name)[0]!;
    counts[kind] = count;
    points[kind] = worth;
  }
  return { counts, points, total: counts.reduce((sum, count) => sum + count, 0) };
}

/** The words that fit on the board, in alphabetical order. */
function wordsOf({ words, size }: Pick<Options, "words" | "size">): string[] {
  const list = words === "common" ? commonWords() : [...new Set(words)].toSorted();
  return list.filter(({ length }) => length <= size);
}

/** The automata by their words, each made once: a game is made many times. */
const lexicons = new Map<string, Lexicon>();

function lexiconOf(words: readonly string[]): Lexicon {
  const key = words.join(" ");
  const lexicon = lexicons.get(key) ?? new Lexicon(words);
  lexicons.set(key, lexicon);
  return lexicon;
}

/** The sets of new tiles that can be blanks, the first tile as bit 0; ascending. */
function blankSetsOf(rack: number, blanks: number): number[] {
  return Array.from({ length: 1 << rack }, (_, set) => set).filter((set) => countBits(set) <= blanks);
}

/** The places of a word on a board. */
function placesOf(length: number, size: number): number {
  return 2 * size * (size - length + 1);
}

/** The number of all plays on any board. */
function playsOf(given: Options): number {
  const { rack, size, letters } = given;
  const places = wordsOf(given).reduce((sum, { length }) => sum + placesOf(length, size), 0);
  return places * blankSetsOf(rack, tilesOf(letters).counts[BLANK]!).length;
}

/** The sign of each square; a board is its own mirror image where the layout is classic. */
function marksOf(layout: Options["layout"], size: number): string {
  if (layout === "plain") return ".".repeat(size * size);
  if (layout !== "classic") return layout.join("");
  const edge = (MAX_SIZE - size) >> 1;
  const folded = (at: number) => Math.min(at + edge, MAX_SIZE - 1 - at - edge);
  return Array.from(
    { length: size * size },
    (_, square) => CLASSIC[folded(Math.floor(square / size))]![folded(square % size)]!,
  ).join("");
}

/** A word laid onto the board. */
export interface Placement {
  /** The number of the word. */
  word: number;
  /** 0 across, 1 down. */
  direction: number;
  /** The first square. */
  square: number;
  /** From a square to the next one. */
  step: number;
  length: number;
  /** The set of the newly laid tiles that are blanks: the first one is bit 0. */
  blanks: number;
}

/**
 * The form of a game: board, tiles and words. A play has a number of its own, which does not depend on the position: the word, its
 * place, and which of the newly laid tiles are blanks.
 */
export class Form {
  readonly players: number;
  readonly size: number;
  readonly rack: number;
  /** By square: its sign in the layout. */
  readonly marks: string;
  /** By square: the factors of a letter and of a word. */
  readonly letterFactors: Uint8Array;
  readonly wordFactors: Uint8Array;
  /** The square that the first word covers. */
  readonly middle: number;
  /** By kind of tile. */
  readonly counts: Int32Array;
  readonly points: Int32Array;
  readonly total: number;
  readonly lexicon: Lexicon;
  /** The letters of all words, one after the other; by word: where its letters begin. */
  readonly letters: Uint8Array;
  readonly starts: Int32Array;
  /** By word: the number of the places of all words before it. */
  private readonly places: Float64Array;
  /** The sets of blanks that a play can have, ascending; and the inverse. */
  private readonly blankSets: readonly number[];
  private readonly blankNumbers: Int32Array;

  constructor({ players, size, layout, rack, letters, words }: Options) {
    const marks = marksOf(layout, size);
    const { counts, points, total } = tilesOf(letters);
    this.players = players;
    this.size = size;
    this.rack = rack;
    this.marks = marks;
    this.letterFactors = Uint8Array.from(marks, (mark) => (mark === "2" ? 2 : mark === "3" ? 3 : 1));
    this.wordFactors = Uint8Array.from(marks, (mark) => (mark === "D" ? 2 : mark === "T" ? 3 : 1));
    this.middle = (size >> 1) * (size + 1);
    this.counts = counts;
    this.points = points;
    this.total = total;
    const list = wordsOf({ words, size });
    this.lexicon = lexiconOf(list);
    this.letters = Uint8Array.from(list.flatMap(lettersOf));
    this.starts = new Int32Array(list.length + 1);
    this.places = new Float64Array(list.length + 1);
    for (const [word, { length }] of list.entries()) {
      this.starts[word + 1] = this.starts[word]! + length;
      this.places[word + 1] = this.places[word]! + placesOf(length, size);
    }
    this.blankSets = blankSetsOf(rack, counts[BLANK]!);
    this.blankNumbers = new Int32Array(1 << rack);
    for (const [number, set] of this.blankSets.entries()) this.blankNumbers[set] = number;
  }

  /** The number of a play. */
  encode(word: number, direction: number, square: number, blanks: number): number {
    const { size, places, starts, blankSets, blankNumbers } = this;
    const ways = size - (starts[word + 1]! - starts[word]!) + 1;
    const row = Math.floor(square / size);
    const column = square - size * row;
    const way = direction === 0 ? row * ways + column : (size + column) * ways + row;
    return FIRST_PLAY + (places[word]! + way) * blankSets.length + blankNumbers[blanks]!;
  }

  /** Writes what a play's number stands for. */
  decode(action: number, out: Placement): void {
    const { size, places, starts, blankSets } = this;
    const number = action - FIRST_PLAY;
    const place = Math.floor(number / blankSets.length);
    out.blanks = blankSets[number - place * blankSets.length]!;
    let low = 0;
    let high = starts.length - 2;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (places[middle]! <= place) low = middle;
      else high = middle - 1;
    }
    out.word = low;
    out.length = starts[low + 1]! - starts[low]!;
    const ways = size - out.length + 1;
    const way = place - places[low]!;
    const line = Math.floor(way / ways);
    const first = way - line * ways;
    out.direction = line < size ? 0 : 1;
    out.step = line < size ? 1 : size;
    out.square = line < size ? line * size + first : first * size + line - size;
  }
}

/** A placement to decode into. */
export function newPlacement(): Placement {
  return { word: 0, direction: 0, square: 0, step: 1, length: 0, blanks: 0 };
}
