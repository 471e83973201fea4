import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { BookMaker, type Book } from "../../../src/games/endgames/book.ts";
import { loadBook, saveBook } from "../../../src/specs/files/book-file.ts";
import type { Game } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { createGame } from "../../../src/games/index.ts";
import { temporaryFolder, writeInto } from "../../support/agon.ts";

const chess = createGame("chess");

/** A book of random games of ten plies, which player 0 wins. */
function randomBook(game: Game, games: number): Book {
  const maker = new BookMaker(game, 10);
  const random = createRandom("book-file");
  for (let made = 0; made < games; made++) {
    const state = game.start();
    const actions = Array.from({ length: 10 }, () => {
      const possible = possibleActions(game, state);
      const action = possible[random.below(possible.length)]!;
      state.apply(action);
      return action;
    });
    maker.add({ actions, openingLength: 0, returns: [1, -1] });
  }
  return maker.book(1);
}

test("a book is read as it was written, for the game that it was made for", () => {
  const path = join(temporaryFolder(), "book.json");
  const book = randomBook(chess, 20);
  saveBook(path, chess, { book, games: 20 });
  expect(book.size).toBeGreaterThan(20);
  expect(loadBook(path, chess)).toEqual(book);
  expect(() => loadBook(path, createGame("checkers"))).toThrow(/book\.json: is for version \d+ of chess/);
  const other = createGame({ id: "chess", fen: "4k3/8/8/8/8/8/P7/4K3 w - - 0 1" });
  expect(() => loadBook(path, other)).toThrow(/starts from another position/);
});

test("a book of no games is read", () => {
  const path = join(temporaryFolder(), "book.json");
  saveBook(path, chess, { book: new Map(), games: 0 });
  expect(loadBook(path, chess).size).toBe(0);
});

test("equal books are equal files, in whatever order their positions were found", () => {
  const dir = temporaryFolder();
  const book = randomBook(chess, 5);
  const turned: Book = new Map([...book].toReversed());
  for (const [name, one] of Object.entries({ a: book, b: turned }))
    saveBook(join(dir, name), chess, { book: one, games: 5 });
  const text = readFileSync(join(dir, "a"), "utf8");
  expect(readFileSync(join(dir, "b"), "utf8")).toBe(text);
  const keys = Object.keys((JSON.parse(text) as { positions: object }).positions);
  expect(keys).toEqual(keys.toSorted());
});

test.each([
  ["points below 0", /\[\d+,\d+\]/, "[1,-1]", /positions\..*must be/],
  ["a move that no game has", /\[\d+,\d+\]/, "[0,0]", /positions\..*must be/],
  ["fewer games than none", '"games": 2', '"games": -1', /games: must be/],
  ["a key that is none", /"[0-9a-f]{16}": \{/, '"here": {', /positions.*here/],
  ["another version of the format", '"formatVersion": 1', '"formatVersion": 2', /formatVersion: must be 1/],
])("%s: the file is refused", (_, good, bad, message) => {
  const path = join(temporaryFolder(), "book.json");
  saveBook(path, chess, { book: randomBook(chess, 2), games: 2 });
  const text = readFileSync(path, "utf8");
  expect(text).toMatch(good);
  const damaged = writeInto(temporaryFolder(), "bad.json", text.replace(good, bad));
  expect(() => loadBook(damaged, chess)).toThrow(message);
  expect(() => loadBook(damaged, chess)).toThrow(/bad\.json/);
});
