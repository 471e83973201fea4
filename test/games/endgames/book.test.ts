import { join } from "node:path";
import { expect, test } from "vitest";
import { prepareAgent } from "../../../src/agents/prepare.ts";
import { createRandom, type Random } from "../../../src/base/random.ts";
import { createGame } from "../../../src/games/index.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { loadBook } from "../../../src/specs/files/book-file.ts";
import { bookActions, BookMaker, keyOf, type Book } from "../../../src/games/endgames/book.ts";
import { agon, temporaryFolder, writeInto } from "../../support/agon.ts";
import { chess } from "./build.ts";
import { slowTest } from "../../support/thorough.ts";
import { expectFrequencies } from "../../support/frequencies.ts";
import { gamesIn } from "../../support/games-in.ts";

const PGN = `1. e4 e5 2. Nf3 1-0
1. e4 c5 2. Nf3 0-1
1. e4 e5 2. Nc3 1/2-1/2
1. d4 d5 2. c4 1/2-1/2
1. d4 d5 0-1
1. Nf3 d5 2. d4 1-0
`;

function bookOf(text: string, { plies = 16, least = 1 } = {}): Book {
  const maker = new BookMaker(chess, plies);
  for (const game of gamesIn(chess, "pgn", text).games) maker.add(game);
  return maker.book(least);
}

/** The moves of the book after a line, with their weights. */
function weightsAfter(book: Book, line: string): Record<string, number> {
  const state = chess.start();
  for (const move of line.split(" ").filter(Boolean)) state.apply(chess.parseAction(move, state));
  return Object.fromEntries(
    bookActions(chess, book, state).map(({ action, weight }) => [chess.formatAction(action, state), weight]),
  );
}

test("the weight of a move is what its player got with it; a move that always lost is not played", () => {
  const book = bookOf(PGN);
  expect(weightsAfter(book, "")).toEqual({ e4: 1.5, d4: 0.5, Nf3: 1 });
  expect(weightsAfter(book, "e4")).toEqual({ c5: 1, e5: 0.5 });
  // Reached by two orders of moves; black lost one of the games, and has no other move there.
  expect(weightsAfter(book, "d4 d5")).toEqual({ c4: 0.5 });
  expect(weightsAfter(book, "Nf3 d5")).toEqual({ d4: 1 });
  expect(weightsAfter(book, "a4")).toEqual({});
});

test("the key of a position has 16 digits, and no two positions of a game share one", () => {
  const state = chess.start();
  const keys = new Set<string>();
  for (const action of possibleActions(chess, state)) {
    state.apply(action);
    for (const reply of possibleActions(chess, state)) {
      state.apply(reply);
      expect(keyOf(state)).toMatch(/^[0-9a-f]{16}$/);
      keys.add(keyOf(state));
      state.undo();
    }
    state.undo();
  }
  expect(keys.size).toBe(400);
});

test("moves that occur seldom, or late, are left out", () => {
  const book = bookOf(PGN, { least: 2 });
  expect(weightsAfter(book, "")).toEqual({ e4: 1.5, d4: 0.5 });
  expect(weightsAfter(book, "e4")).toEqual({ e5: 0.5 });
  expect(bookOf(PGN, { plies: 1 }).size).toBe(1);
});

test("the moves of an opening that nobody chose are not learnt", () => {
  const game = createGame("tic-tac-toe");
  const maker = new BookMaker(game, 3);
  maker.add({ actions: [4, 0, 2, 6, 3, 5, 1, 7, 8], openingLength: 1, returns: [0, 0] });
  const book = maker.book(1);
  expect(book.has(keyOf(game.start()))).toBe(false);
  expect(book.size).toBe(2);
});

slowTest("an agent draws moves of the book by their weights, the same ones from the same seed", async () => {
  const book = bookOf(PGN);
  const prepared = prepareAgent(
    chess,
    { agent: "greedy", evaluator: "none", book: "b.json" },
    { loadBook: () => book },
  );
  const agent = prepared.create();
  const play = async (random: Random) => {
    const turn = { random, budget: {}, clock: () => 0 };
    const { action } = await agent.choose(chess.start(), turn);
    return chess.formatAction(action, chess.start());
  };
  const counts: Record<string, number> = {};
  const random = createRandom("book");
  for (let draw = 0; draw < 23_000; draw++) {
    const move = await play(random);
    counts[move] = (counts[move] ?? 0) + 1;
  }
  expect(Object.keys(counts).toSorted()).toEqual(["Nf3", "d4", "e4"]);
  expectFrequencies([counts["e4"]!, counts["d4"]!, counts["Nf3"]!], [3 / 6, 1 / 6, 2 / 6]);
  expect(await play(createRandom("7"))).toBe(await play(createRandom("7")));
  // Outside of the book it decides by itself.
  const lost = chess.parseState("8/7k/8/8/8/8/8/K5R1 w - - 0 1");
  const turn = { random: createRandom("x"), budget: {}, clock: () => 0 };
  expect((await agent.choose(lost, turn)).nodes).toBeGreaterThan(0);
});

slowTest("agon book reads files and runs, and says what it cannot use", async () => {
  const dir = temporaryFolder();
  const out = join(dir, "book.json");
  writeInto(dir, "games.pgn", PGN);
  const made = await agon(["book", "games.pgn", "--out", out, "--least", "1"], { cwd: dir });
  expect(made).toMatchObject({ code: 0, stdout: "" });
  expect(made.stderr).toMatch(/Written to .*: \d+ positions from 6 games/);
  expect(loadBook(out, chess)).toEqual(bookOf(PGN));
  const matched = await agon(
    ["match", "tic-tac-toe", "random", "greedy:evaluator=open-lines", "--blocks", "40", "--out", "run", "-q"],
    { cwd: dir },
  );
  expect(matched.code).toBe(0);
  expect((await agon(["book", "run", "--out", "small.json", "-q"], { cwd: dir })).code).toBe(0);
  expect(loadBook(join(dir, "small.json"), createGame("tic-tac-toe")).size).toBeGreaterThan(0);
  for (const [args, message] of [
    [["games.pgn", "run", "--out", "x.json"], /games of tic-tac-toe in \.pgn cannot be read/],
    [["none.pgn", "--out", "x.json"], /none\.pgn: cannot be read/],
    [["games.pgn", "--out", "x.json", "--least", "9"], /no move occurs in 9 games or more, of 6/],
    [["games.pgn", "--out", "x.txt"], /--out must end in \.json/],
  ] as const) {
    const { code, stderr } = await agon(["book", ...args], { cwd: dir });
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  }
});
