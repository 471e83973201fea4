import { Buffer } from "node:buffer";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { planTournament } from "../../../src/arena/plan/config.ts";
import { readOpenings, readSetups } from "../../../src/arena/plan/opening-file.ts";
import { openRun } from "../../../src/arena/store/run-folder.ts";
import { playTournament } from "../../../src/arena/tournament.ts";
import type { Game } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { temporaryFolder, writeInto } from "../../support/agon.ts";

function fileOf(name: string, text: string): string {
  return writeInto(temporaryFolder(), name, text);
}

/** The openings of a file as moves. */
async function moves(game: Game, path: string, plies?: number): Promise<string[]> {
  const { lines = [] } = await readOpenings(game, path, { plies });
  return lines.map((line) => {
    const state = game.start();
    return line
      .map((action) => {
        const text = game.formatAction(action, state);
        state.apply(action);
        return text;
      })
      .join(" ");
  });
}

describe("openings of a file", () => {
  const chess = createGame("chess");

  test("are lines of moves with comments, each once", async () => {
    const path = fileOf("book.txt", "# mine\n4 4 3\n\n 1 2 # a corner\n4 4 3\n7\n");
    expect(await moves(createGame("connect-four"), path)).toEqual(["4 4 3", "1 2", "7"]);
    expect(await moves(createGame("connect-four"), path, 1)).toEqual(["4", "1", "7"]);
  });

  test("are the first plies of the games of a PGN file, alike ones once", async () => {
    const path = fileOf(
      "book.PGN",
      '[Event "x"]\n1. e4 e5 2. Nf3 1-0\n1. e4 e5 2. Nc3 *\n1. d4 {c} d5 *\n[Event "none"]\n*',
    );
    expect(await moves(chess, path, 2)).toEqual(["e4 e5", "d4 d5"]);
    expect(await moves(chess, path)).toEqual(["e4 e5 Nf3", "e4 e5 Nc3", "d4 d5"]);
  });

  test("are the first plies of the games of an SGF file", async () => {
    const path = fileOf("book.sgf", "(;SZ[9];B[cc];W[dd];B[ee])(;SZ[9];B[aa])");
    expect(await moves(createGame("go"), path, 2)).toEqual(["c7 d6", "a9"]);
  });

  test("have the outcomes of chance in games of dice, and plies count decisions", async () => {
    const path = fileOf("book.txt", "roll 3 roll 4 hold roll 2");
    expect(await moves(createGame("pig"), path)).toEqual(["roll 3 roll 4 hold roll 2"]);
    expect(await moves(createGame("pig"), path, 2)).toEqual(["roll 3 roll"]);
  });

  test.each([
    ["chess", "a.txt", "\ne4 Ke3\n", /a\.txt: line 2: "Ke3" is not possible here; allowed: .*a6/],
    [
      "chess",
      "a.pgn",
      "\n\n1. e4 Ke3 *",
      /a\.pgn: line 3, game 1, ply 2: "Ke3" is not possible here; allowed/,
    ],
    [
      "chess",
      "a.pgn",
      "1. f3 e5 2. g4 Qh4# 0-1",
      /a\.pgn: game 1: the opening ends the game: .*checkmate.*fewer plies/,
    ],
    ["go", "a.sgf", "(;SZ[9];B[cc];W[cc])", /a\.sgf: line 1, game 1, ply 2: .*c7 is occupied/],
    ["go", "a.jsonl", "{}", /games of go in \.jsonl cannot be read; files that can: \.sgf/],
    ["connect-four", "a.txt", "1 2 1 2 1 2 1", /a\.txt: line 1: "1" in ".*" ends the game/],
    ["connect-four", "a.txt", "# none\n", /a\.txt: has no openings/],
  ])("of %s in %s: %j is refused", async (id, name, text, message) => {
    await expect(readOpenings(createGame(id), fileOf(name, text))).rejects.toThrow(message);
  });

  test("are positions where a game of the file begins at one", async () => {
    const path = fileOf(
      "a.pgn",
      '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 Kd7 2. e5 *\n\n[Event "b"]\n1. e4 e5 *\n',
    );
    expect(await readOpenings(chess, path, { plies: 2 })).toEqual({
      setups: [
        "8/3k4/8/8/4P3/8/8/4K3 w - - 1 2",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
      ],
      notes: [],
    });
  });

  test("that cannot be read are left out and told, or refuse the file", async () => {
    const text = "1. e4 *\n\n1. Ke3 *\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n1. d4 *\n";
    const path = fileOf("a.pgn", text);
    expect(await moves(chess, path)).toEqual(["e4", "d4"]);
    expect((await readOpenings(chess, path)).notes).toEqual([
      expect.stringMatching(
        /a\.pgn: 2 faults passed over: line 3, game 2, ply 1: "Ke3" .*; game 2: the opening ends/,
      ),
    ]);
    await expect(readOpenings(chess, path, { strict: true })).rejects.toThrow(/line 3, game 2, ply 1: "Ke3"/);
    const list = fileOf("a.txt", "e4\nKe3\n\nd4\nKe4\nKe5\nKe6\n");
    expect(await moves(chess, list)).toEqual(["e4", "d4"]);
    expect((await readOpenings(chess, list)).notes).toEqual([
      expect.stringMatching(
        /a\.txt: 4 faults passed over: line 2: "Ke3" .*; line 5: "Ke4" .*; line 6: "Ke5" .*; and others$/,
      ),
    ]);
    await expect(readOpenings(chess, list, { strict: true })).rejects.toThrow(/line 2: "Ke3"/);
  });

  test("declared as UTF-8 that are not are read as Windows-1252, and that is said", async () => {
    const path = join(temporaryFolder(), "a.sgf");
    writeFileSync(path, Buffer.from("(;CA[UTF-8]SZ[9]PB[M\xfcller];B[cc])", "latin1"));
    expect(await readOpenings(createGame("go"), path)).toMatchObject({
      lines: [[expect.any(Number)]],
      notes: [`${path}: is not UTF-8; it is read as windows-1252`],
    });
  });

  test("may be packed, and in other encodings", async () => {
    const text = '[White "M\xfcller"]\n\n1. e4 *\n';
    for (const [name, content] of [
      ["a.pgn", Buffer.from(text, "latin1")],
      ["b.pgn.gz", gzipSync(Buffer.from(text, "latin1"))],
      ["c.PGN", Buffer.from(`\ufeff${text}`, "utf16le")],
    ] as const) {
      const path = join(temporaryFolder(), name);
      writeFileSync(path, content);
      expect(await moves(chess, path)).toEqual(["e4"]);
      expect((await readOpenings(chess, path)).notes).toEqual(
        name === "c.PGN" ? [] : [`${path}: is not UTF-8; it is read as windows-1252`],
      );
    }
  });
});

describe("lists of positions", () => {
  const chess = createGame("chess");

  test("leave out lines that cannot be read, and name them, or are refused", async () => {
    const kings = "4k3/P7/8/8/8/8/8/4K3";
    const path = fileOf("a.epd", `${kings} w - -\nhello\n7k/6Q1/6K1/8/8/8/8/8 b - -\n${kings} b - -\n`);
    const { setups, notes } = await readSetups(chess, path);
    expect(setups).toEqual([`${kings} w - - 0 1`, `${kings} b - - 0 1`]);
    expect(notes).toEqual([
      expect.stringMatching(
        /a\.epd: 2 faults passed over: line 2: "hello" is no EPD.*; line 3: the game is over/,
      ),
    ]);
    await expect(readSetups(chess, path, { strict: true })).rejects.toThrow(/line 2: "hello" is no EPD/);
  });

  test("EPD has four fields and operations, FEN has counters; comments, blank lines and repeats are left out", async () => {
    const kings = "4k3/P7/8/8/8/8/8/4K3";
    const epd = [
      "# a list",
      `${kings} w - -`,
      "",
      `${kings} b - - bm Kd7; id "one; two";`,
      `${kings} w - - id "b"; hmvc 3; fmvn 40;`,
      `${kings} w - - 0 1 # the first one`,
      `${kings} w - - c0 "the same";`,
    ].join("\n");
    expect((await readSetups(chess, fileOf("a.epd", epd))).setups).toEqual([
      `${kings} w - - 0 1`,
      `${kings} b - - 0 1`,
      `${kings} w - - 3 40`,
    ]);
    const fen = `${kings} w - - 7 12\n${kings} b - - 0 5\n`;
    expect((await readSetups(chess, fileOf("a.fen", fen))).setups).toEqual([
      `${kings} w - - 7 12`,
      `${kings} b - - 0 5`,
    ]);
    const ticTacToe = createGame("tic-tac-toe");
    const state = ticTacToe.start();
    state.apply(4);
    const text = ticTacToe.formatState(state);
    expect((await readSetups(ticTacToe, fileOf("a.fen", text))).setups).toEqual([text]);
  });

  test.each<[string, string, string, RegExp]>([
    [
      "chess",
      "a.epd",
      "4k3/P7/8/8/8/8/8/4K3 w -",
      /a\.epd: line 1: .* is no EPD: it has fewer than the four fields/,
    ],
    [
      "chess",
      "a.epd",
      "\n4k3/P7/8/8/8/8/8/4K3 x - -",
      /a\.epd: line 2: .*side to move: must be w or b, got "x"/,
    ],
    ["chess", "a.fen", "hello", /a\.fen: line 1: "hello" is not a FEN/],
    ["chess", "a.fen", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", /a\.fen: line 1: the game is over in .*checkmate/],
    ["chess", "a.fen", "# nothing\n", /a\.fen: has no positions/],
    ["go", "a.epd", "x", /a\.epd: has positions of chess; those of go stand in a \.fen file/],
  ])("of %s in %s: %j is refused", async (id, name, text, message) => {
    await expect(readSetups(createGame(id), fileOf(name, text))).rejects.toThrow(message);
  });

  test("operations may lack the last semicolon, come in any order, and quote any sign", async () => {
    const epd = [
      "4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 7; fmvn 9",
      "4k3/8/8/8/8/8/4P3/4K3 w - - fmvn 80; hmvc 42",
      '4k3/8/8/8/8/8/4P3/4K2R w K - id "no. #5; b"; hmvc 60; fmvn 50; # a comment',
    ].join("\n");
    expect(await readSetups(chess, fileOf("a.epd", epd))).toEqual({
      setups: [
        "4k3/8/8/8/8/8/4P3/4K3 w - - 7 9",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 42 80",
        "4k3/8/8/8/8/8/4P3/4K2R w K - 60 50",
      ],
      notes: [],
    });
  });

  test("castling rights that are none are told", async () => {
    const given = "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1";
    expect(await readSetups(chess, fileOf("a.fen", `${given}\n`))).toEqual({
      setups: ["4k3/8/8/8/8/8/8/4K2R w K - 0 1"],
      notes: [expect.stringMatching(/are left out in 1 position, such as "4k3.* KQ - 0 1"$/)],
    });
    const pgn = fileOf("a.pgn", `[FEN "${given}"]\n\n1. Kd2 *\n[FEN "?"]\n\n1. e4 *\n`);
    expect(await readOpenings(chess, pgn)).toEqual({
      setups: [
        "4k3/8/8/8/8/8/3K4/7R b - - 1 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
      ],
      notes: [expect.stringMatching(/a\.pgn: castling rights .* in 1 position, such as "4k3.* KQ - 0 1"$/)],
    });
  });

  test("the start by its name, and counts that are not known, are read", async () => {
    const start = chess.formatState(chess.start());
    const bare = start.replace("0 1", "- -");
    expect(await readSetups(chess, fileOf("b.fen", `startpos\n${bare}\n`))).toEqual({
      setups: [start],
      notes: [],
    });
  });
});

describe("a tournament with openings from a file", () => {
  const config = {
    name: "t",
    game: "connect-four",
    blocks: 3,
    openings: { file: "book.txt", plies: 2 },
    entrants: ["random", "alpha-beta:depth=1"],
  };

  test("has them in its plan, and so goes on without the file", async () => {
    const dir = temporaryFolder();
    writeInto(dir, "book.txt", "4 4 3\n1 2 3\n");
    const plan = await planTournament(config, { baseDir: dir });
    expect(plan.openings).toEqual({
      lines: [
        [3, 3],
        [0, 1],
      ],
      file: "book.txt",
      order: "sequential",
    });
    rmSync(join(dir, "book.txt"));
    const out = join(dir, "run");
    const { report, records } = await playTournament(plan, { outDir: out, workers: 0 });
    expect(records.map(({ actions }) => actions.slice(0, 2).join()).toSorted()).toEqual(
      ["0,1", "0,1", "3,3", "3,3", "3,3", "3,3"].toSorted(),
    );
    const warning =
      "book.txt has 2 openings for 3 blocks of each pairing, so some are played 2 times, and intervals may be too narrow";
    expect(report.warnings[0]).toBe(warning);
  });

  test("cannot be gone on with after the file has changed", async () => {
    const dir = temporaryFolder();
    const planOf = async (text: string) => {
      writeInto(dir, "book.txt", text);
      return planTournament(config, { baseDir: dir });
    };
    const plan = await planOf("4 4\n1 2");
    const changed = await planOf("4 4\n1 3");
    openRun(join(dir, "run"), plan, { resume: false }).store.close();
    expect(() => openRun(join(dir, "run"), changed, { resume: true })).toThrow(
      "openings.lines[1][1]: the run was begun with another config: 1 there, 2 now",
    );
  });

  test("is refused with the file, the line and the moves that are legal", async () => {
    const dir = temporaryFolder();
    writeInto(dir, "book.txt", "\n1 9");
    await expect(planTournament(config, { baseDir: dir })).rejects.toThrow(
      `openings.file: ${join(dir, "book.txt")}: line 2: "9" is not possible here; allowed: 1 2 3 4 5 6 7`,
    );
    const none = { ...config, openings: { file: "other.txt" } };
    await expect(planTournament(none, { baseDir: dir })).rejects.toThrow(
      /^openings\.file: .*other\.txt: cannot be read/,
    );
  });
});
