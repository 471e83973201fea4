import { join } from "node:path";
import { expect, test } from "vitest";
import { loadBook } from "../../src/specs/files/book-file.ts";
import { createGame } from "../../src/games/index.ts";
import { agon, temporaryFolder, writeInto } from "../support/agon.ts";

test("agon book reads games in a format that can be read, and names those formats for another", async () => {
  const dir = temporaryFolder();
  const pgn = writeInto(dir, "games.pgn", '[Result "1-0"]\n\n1. e4 e5 1-0\n');
  const book = join(dir, "book.json");
  const made = await agon(["book", pgn, "--out", book, "--least", "1", "-q"]);
  expect(made).toMatchObject({ code: 0, stdout: "" });
  expect(loadBook(book, createGame("chess")).size).toBe(2);
  const twice = await agon(["book", pgn, pgn, "--out", book, "--least", "2"]);
  expect(twice.stderr).toMatch(
    /games\.pgn: is named twice; it is read once\nno move occurs in 2 games or more, of 1/,
  );
  const other = await agon(["book", writeInto(dir, "games.txt", ""), "--out", book, "-q"]);
  expect(other.code).toBe(2);
  expect(other.stderr).toMatch(/games\.txt: games of chess in \.txt cannot be read; files that can: \.pgn/);
});
