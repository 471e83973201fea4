import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { CHANCE, TERMINAL, type Game } from "../../../src/games/contract/game.ts";
import { possibleActions, sampleChance } from "../../../src/games/contract/notation.ts";
import { FIRST_PLAY, options as schema } from "../../../src/games/crossword/form.ts";
import { Form } from "../../../src/games/crossword/form.ts";
import { Lexicon, lettersOf } from "../../../src/games/crossword/lexicon.ts";
import type { CrosswordState } from "../../../src/games/crossword/state.ts";
import { commonWords } from "../../../src/games/crossword/words.ts";
import { createGame } from "../../../src/games/index.ts";
import { slowTest, thorough } from "../../support/thorough.ts";

const NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ?";

/** The rows of a board as text: capitals, small letters for blanks, and dots. */
type Rows = readonly string[];

function rowsOf({ board, form: { size } }: CrosswordState): string[] {
  return Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (__, column) => {
      const letter = board.letters[row * size + column]!;
      if (letter === 0) return ".";
      return board.blanks[row * size + column] === 1 ? NAMES[letter - 1]!.toLowerCase() : NAMES[letter - 1]!;
    }).join(""),
  );
}

const turned = (rows: Rows): string[] =>
  Array.from(rows[0]!, (_, column) => rows.map((row) => row[column]!).join(""));

/** The words of two letters or more in the rows: row, column and letters. */
function runsOf(rows: Rows): { row: number; column: number; text: string }[] {
  return rows.flatMap((line, row) =>
    [...line.matchAll(/[A-Za-z]{2,}/g)].map(({ index, 0: text }) => ({ row, column: index, text })),
  );
}

interface Premium {
  readonly letters: readonly number[][];
  readonly words: readonly number[][];
}

/**
 * All plays and their points by brute force: each word at each place with each choice of blanks, if the rack has the tiles, and all
 * words that lie on the board afterwards are in the list.
 */
function bruteForce(
  before: Rows,
  rack: string,
  game: { words: ReadonlySet<string>; points: ReadonlyMap<string, number>; premium: Premium; full: number },
): Map<string, number> {
  const plays = new Map<string, number>();
  const size = before.length;
  const middle = Math.floor(size / 2);
  const isEmpty = before.every((row) => !/[A-Za-z]/.test(row));
  const worth = (sign: string) => game.points.get(/[A-Z]/.test(sign) ? sign : "?")!;
  for (const isDown of [false, true]) {
    const rows = isDown ? turned(before) : before;
    const factor = (of: readonly number[][], row: number, column: number) =>
      isDown ? of[column]![row]! : of[row]![column]!;
    for (const word of game.words) {
      for (let row = 0; row < size; row++) {
        for (let column = 0; column + word.length <= size; column++) {
          const line = rows[row]!;
          if ((line[column - 1] ?? ".") !== "." || (line[column + word.length] ?? ".") !== ".") continue;
          let fits = true;
          for (let at = 0; at < word.length && fits; at++) {
            const sign = line[column + at]!;
            fits =
              sign === "." ? rack.includes("?") || rack.includes(word[at]!) : sign.toUpperCase() === word[at];
          }
          if (!fits) continue;
          const under = line.slice(column, column + word.length);
          const places = Array.from(under.matchAll(/\./g), ({ index }) => index);
          if (places.length === 0 || places.length > rack.length) continue;
          const unmet = Array.from(rack);
          const missing = places.filter((at) => {
            const held = unmet.indexOf(word[at]!);
            if (held >= 0) unmet.splice(held, 1);
            return held < 0;
          });
          if (missing.length > unmet.filter((sign) => sign === "?").length) continue;
          for (let blanks = 0; blanks < 1 << places.length; blanks++) {
            const signs = Array.from(under);
            const left = Array.from(rack);
            let has = true;
            for (const [number, at] of places.entries()) {
              const isBlank = ((blanks >> number) & 1) === 1;
              const held = left.indexOf(isBlank ? "?" : word[at]!);
              if (held < 0) has = false;
              else left.splice(held, 1);
              signs[at] = isBlank ? word[at]!.toLowerCase() : word[at]!;
            }
            if (!has) continue;
            const after = rows.map((other, at) =>
              at === row
                ? other.slice(0, column) + signs.join("") + other.slice(column + word.length)
                : other,
            );
            const isNew = (r: number, c: number) => rows[r]![c] === "." && after[r]![c] !== ".";
            const runs = [
              ...runsOf(after).map((run) => ({
                ...run,
                cell: (at: number) => [run.row, run.column + at] as const,
              })),
              ...runsOf(turned(after)).map((run) => ({
                ...run,
                cell: (at: number) => [run.column + at, run.row] as const,
              })),
            ];
            if (!runs.every(({ text }) => game.words.has(text.toUpperCase()))) continue;
            const made = runs.filter(({ text, cell }) =>
              Array.from(text).some((_, at) => isNew(...cell(at))),
            );
            // The tiles touch others, or cover the middle; one tile that makes two words is laid across.
            const touches = isEmpty ? isNew(middle, middle) : places.length < word.length || made.length > 1;
            if (!touches) continue;
            if (places.length === 1 && isDown && made.length > 1) continue;
            let points = places.length === game.full ? 50 : 0;
            for (const { text, cell } of made) {
              let sum = 0;
              let times = 1;
              for (const [at, sign] of Array.from(text).entries()) {
                const [r, c] = cell(at);
                sum += worth(sign) * (isNew(r, c) ? factor(game.premium.letters, r, c) : 1);
                if (isNew(r, c)) times *= factor(game.premium.words, r, c);
              }
              points += sum * times;
            }
            const place = isDown ? `${NAMES[row]!}${column + 1}` : `${row + 1}${NAMES[column]!}`;
            plays.set(`${place} ${signs.join("")}`, points);
          }
        }
      }
    }
  }
  return plays;
}

function premiumOf(layout: Rows): Premium {
  const factors = (of: string, other: string) =>
    layout.map((row) => Array.from(row).map((sign) => (sign === of ? 2 : sign === other ? 3 : 1)));
  return { letters: factors("2", "3"), words: factors("D", "T") };
}

/** Plays random games that seldom exchange tiles, and compares each position. */
function compare(game: Game, count: number, layout: Rows, words: readonly string[]): number {
  const { form } = game.start() as CrosswordState;
  const known = {
    words: new Set(words.map((word) => word.toUpperCase())),
    points: new Map(Array.from(NAMES).map((name, kind) => [name, form.points[kind]!])),
    premium: premiumOf(layout),
    full: form.rack,
  };
  let plays = 0;
  for (let number = 0; number < count; number++) {
    const random = createRandom("crossword moves", game.id, number);
    const state = game.start() as CrosswordState;
    while (state.toMove !== TERMINAL) {
      if (state.toMove === CHANCE) {
        state.apply(sampleChance(game, state, random));
        continue;
      }
      const found = [...possibleActions(game, state)].filter((action) => action >= FIRST_PLAY);
      const rack = Array.from(NAMES)
        .map((name, kind) => name.repeat(state.racks[27 * state.toMove + kind]!))
        .join("");
      const expected = bruteForce(rowsOf(state), rack, known);
      const listed = new Map<string, number>();
      for (const action of found) {
        const name = game.formatAction(action, state);
        expect(listed.has(name)).toBe(false);
        const before = state.scores[state.toMove]!;
        const player = state.toMove;
        state.apply(action);
        listed.set(name, state.scores[player]! - before);
        state.undo();
      }
      expect(listed).toEqual(expected);
      plays += found.length;
      state.apply(found.length > 0 ? found[random.below(found.length)]! : 0);
    }
  }
  return plays;
}

/** Every so many common words of up to five letters. */
const FEW = commonWords().filter(({ length }, at) => length <= 3 || (length <= 5 && at % 9 === 0));

test("plays and their points are those of brute force, on a small board with blanks", () => {
  const layout = ["T..2..T", ".D...3.", "..2.2..", "2..D..2", "..2.2..", ".3...D.", "T..2..T"];
  const letters = {
    a: [5, 1],
    e: [6, 1],
    o: [3, 1],
    t: [4, 1],
    s: [3, 1],
    n: [3, 2],
    q: [1, 9],
    d: [2, 3],
    "?": [2, 0],
  };
  const words = FEW.filter((_, at) => at % thorough(3, 5) === 0);
  const game = createGame({ id: "crossword", size: 7, rack: 5, layout, letters, words });
  expect(compare(game, thorough(30, 3), layout, words)).toBeGreaterThan(thorough(300, 15));
});

slowTest("plays and their points are those of brute force, on the classic board", () => {
  const quarter = [
    "T..2...T",
    ".D...3..",
    "..D...2.",
    "2..D...2",
    "....D...",
    ".3...3..",
    "..2...2.",
    "T..2...D",
  ];
  const folded = Array.from({ length: 15 }, (_, at) => Math.min(at, 14 - at));
  const layout = folded.map((row) => folded.map((column) => quarter[row]![column]!).join(""));
  const words = FEW.filter((_, at) => at % 4 === 0);
  expect(compare(createGame({ id: "crossword", words }), 4, layout, words)).toBeGreaterThan(500);
});

test("of more plays than are listed, those with the most points are legal", () => {
  const words = commonWords();
  const game = createGame({ id: "crossword", letters: { "?": [20, 0], e: [4, 1], z: [1, 10] }, words });
  const state = game.parseState("EZ?????, ???????") as CrosswordState;
  const plays = [...possibleActions(game, state)].filter((action) => action >= FIRST_PLAY);
  expect(plays).toHaveLength(8192);
  const least = Math.min(...plays.map((play) => state.board.pointsOf(play)));
  expect(plays.some((play) => game.formatAction(play, state).includes("Z"))).toBe(true);
  expect(least).toBeGreaterThan(0);
});

test("a play has a number of its own, which stands for its word, its place and its blanks", () => {
  const form = new Form(schema.parse({ size: 9, words: ["ab", "abacus", "zoo"] }));
  const out = { word: 0, direction: 0, square: 0, step: 1, length: 0, blanks: 0 };
  const seen = new Set<number>();
  for (const [word, text] of form.lexicon.words.entries())
    for (const direction of [0, 1])
      for (let square = 0; square < 81; square++)
        for (const blanks of [0, 1, 2, 3, 96]) {
          const along = direction === 0 ? square % 9 : Math.floor(square / 9);
          if (along + text.length > 9) continue;
          const action = form.encode(word, direction, square, blanks);
          form.decode(action, out);
          const step = direction === 0 ? 1 : 9;
          expect(out).toEqual({ word, direction, square, step, length: text.length, blanks });
          seen.add(action);
        }
  expect(seen.size).toBe(5 * 2 * 9 * (8 + 4 + 7));
});

/** Follows a word through the automaton: its number, or undefined. */
function numberOf({ next, skipped, ends, root }: Lexicon, word: string): number | undefined {
  let [node, number] = [root, 0];
  for (const letter of lettersOf(word)) {
    number += skipped[26 * node + letter]!;
    node = next[26 * node + letter]!;
  }
  return ends[node] === 1 ? number : undefined;
}

test("the automaton accepts exactly the words, in alphabetical order, and has no two nodes alike", () => {
  const words = commonWords();
  expect(words).toHaveLength(7715);
  expect(words).toEqual([...new Set(words)].toSorted());
  expect(words.every((word) => /^[a-z]{2,8}$/.test(word))).toBe(true);
  const lexicon = new Lexicon(words);
  expect(words.map((word) => numberOf(lexicon, word))).toEqual([...words.keys()]);
  for (const other of ["", "a", "aardvarks", "qu", "zzz", "abandone"])
    expect(numberOf(lexicon, other)).toBeUndefined();
  const nodes = Array.from(lexicon.ends, (end, node) =>
    [end, ...lexicon.next.subarray(26 * node, 26 * node + 26)].join(),
  );
  expect(new Set(nodes).size).toBe(nodes.length);
});
