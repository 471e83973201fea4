import { describe, expect, test } from "vitest";
import { formatPgn } from "../../../src/games/chess/pgn.ts";
import { renderUnicode } from "../../../src/games/chess/text.ts";
import { chess } from "../../../src/games/chess/chess.ts";
import { START_FEN, uci } from "../../../src/games/chess/fen.ts";
import type { ChessState } from "../../../src/games/chess/state.ts";
import type { Game } from "../../../src/games/contract/game.ts";

const game = chess.create(chess.options.parse({})) as Game<ChessState>;

describe("FEN", () => {
  test.each([
    START_FEN,
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 17 42",
    "8/8/8/8/8/5k2/8/r3K3 w - - 8 70 rc 2;",
  ])("%s is read and written again", (fen) => {
    expect(game.formatState(game.parseState(fen))).toBe(fen);
  });

  test("counts may be left out, and an en passant square that no pawn can use is dropped", () => {
    expect(game.formatState(game.parseState("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3"))).toBe(
      "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    );
  });

  test("moves may follow, which bring the past with them", () => {
    const state = game.parseState("startpos moves e2e4 e5 Nf3 b8c6");
    expect(game.formatState(state)).toBe("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    const again = game.parseState(`fen ${START_FEN} moves Nf3 Nf6 Ng1 Ng8`);
    expect(game.formatState(again)).toBe("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 3 rc 2;");
    expect(() => game.parseState("startpos moves e4 e4")).toThrow(
      'move 2, "e4", is not possible in rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1',
    );
  });

  test.each([
    ["8/8/8/8 w", /not a FEN: 2 of the 6 fields/],
    ["8/8/8/8/8/8/8 w - - 0 1", /: pieces: must be 8 ranks separated by \/, got 7$/],
    [
      "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPP/RNBQKBNR w KQkq - 0 1",
      /: pieces: rank 2, "PPPPPPP", has 7 squares, not 8$/,
    ],
    [
      "rnbqkbnr/pppppppp/54/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
      /: pieces: rank 6, "54", has 9 squares, not 8$/,
    ],
    ["rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", /: pieces: "x" on rank 7; allowed: PNBRQK/],
    ["4k3/8/8/8/8/8/8/P3K3 w - - 0 1", /: pieces: a pawn on rank 1$/],
    ["8/8/8/8/8/8/8/4K3 w - - 0 1", /: pieces: black has 0 kings, not 1$/],
    ["4k3/8/8/8/8/8/8/K3K3 w - - 0 1", /: pieces: white has 2 kings, not 1$/],
    ["4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", /: pieces: white has 9 pawns; 8 at most$/],
    ["4k3/8/8/8/8/QQQQQQQQ/QQQQQQQQ/4K3 w - - 0 1", /: pieces: white has 17 pieces; 16 at most$/],
    [
      "4k3/8/8/8/8/8/PPPPPPPP/NNN1K3 w - - 0 1",
      /: pieces: white has 1 promoted pieces and still 8 pawns; 8 together at most$/,
    ],
    ["4k3/8/8/8/8/8/8/4K2R x - - 0 1", /: side to move: must be w or b, got "x"$/],
    ["4k3/8/8/8/8/8/8/4K2R w KX - 0 1", /: castling: "X" in "KX"; allowed: K, Q, k, q, or - for none$/],
    ["4k3/8/8/8/8/8/8/4K2R w KK - 0 1", /: castling: K twice in "KK"$/],
    ["4k3/8/8/8/8/8/8/4K2R w K z9 0 1", /: en passant: must be a square or -, got "z9"$/],
    [
      "4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1",
      /: en passant: e3 is impossible: with white to move it lies on rank 6$/,
    ],
    ["4k3/8/8/8/8/8/8/4K3 b - e3 0 1", /: en passant: e3 is impossible: no white pawn on e4$/],
    [
      "4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1",
      /: en passant: e3 is impossible: the pawn on e4 came over e2, which is occupied$/,
    ],
    ["4k3/8/8/8/8/8/8/4K2R w K - -1 1", /: half-move clock: must be a whole number 0 to 9999, got "-1"$/],
    ["4k3/8/8/8/8/8/8/4K2R w K - 0 x", /: move number: must be a whole number 1 to 99999, got "x"$/],
    ["4k3/8/8/8/8/8/8/4K2R w K - 3 9 rc 2;", /: repetition count: must be a whole number 1 to 1, got "2"$/],
    ["4k2R/8/8/8/8/8/8/4K3 w - - 0 1", /: pieces: the black king is in check while white is to move$/],
    ["8/8/8/3kK3/8/8/8/8 w - - 0 1", /: pieces: the black king is in check while white is to move$/],
    ["4k3/8/3N1N2/8/8/8/4R3/4K3 b - - 0 1", /: pieces: 3 pieces give check at once; 2 at most$/],
  ])("%s is refused", (fen, message) => {
    expect(() => game.parseState(fen)).toThrow(message);
  });

  test.each([
    ["a move number from 0", "4k3/8/8/8/8/8/8/4K2R w K - 0 0", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"],
    ["a right without its rook", "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"],
    ["a right without its king", "r2k4/8/8/8/8/8/8/4K2R w Kq - 0 1", "r2k4/8/8/8/8/8/8/4K2R w K - 0 1"],
    ["the files of rooks", "r3k3/8/8/8/8/8/8/4K2R w Ha - 0 1", "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1"],
    ["a capital for the side", "4k3/8/8/8/8/8/8/4K2R B - - 0 1", "4k3/8/8/8/8/8/8/4K2R b - - 0 1"],
    ["the square of the pawn", "4k3/8/8/8/3pP3/8/8/4K3 b - e4 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"],
    ["a capital for the square", "4k3/8/8/8/3pP3/8/8/4K3 b - E3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"],
    ["no counters", "4k3/8/8/8/8/8/8/4K2R w - -", "4k3/8/8/8/8/8/8/4K2R w - - 0 1"],
  ])("as people write it: %s", (_, fen, read) => expect(game.formatState(game.parseState(fen))).toBe(read));
});

/** The action that a text means in a position, written as SAN and UCI. */
function read(text: string, fen: string): string {
  const state = game.parseState(fen);
  const action = game.parseAction(text, state);
  return `${game.formatAction(action, state)} ${uci.formatAction(action, state)}`;
}

describe("moves", () => {
  const KNIGHTS = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
  const ROOKS = "R6R/8/8/8/8/1k6/8/R3K3 w - - 0 1";
  const PROMOTION = "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1";
  const CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

  test.each([
    ["e4", START_FEN, "e4 e2e4"],
    ["e2e4", START_FEN, "e4 e2e4"],
    ["Nbd2", KNIGHTS, "Nbd2 b1d2"],
    ["Nb1d2", KNIGHTS, "Nbd2 b1d2"],
    ["f3d2", KNIGHTS, "Nfd2 f3d2"],
    ["Nf3-d2", KNIGHTS, "Nfd2 f3d2"],
    ["R8a5", "R7/8/8/8/8/3k4/8/R3K3 w - - 0 1", "R8a5 a8a5"],
    ["Rad8", ROOKS, "Rad8 a8d8"],
    ["Qa1e5", "6k1/8/8/Q7/8/8/8/Q3QK2 w - - 0 1", "Qa1e5 a1e5"],
    ["exd8=N", PROMOTION, "exd8=N e7d8n"],
    ["exd8Q", PROMOTION, "exd8=Q+ e7d8q"],
    ["e7e8r", PROMOTION, "e8=R+ e7e8r"],
    ["O-O", CASTLING, "O-O e1g1"],
    ["0-0-0", CASTLING, "O-O-O e1c1"],
    ["e1g1", CASTLING, "O-O e1g1"],
    ["Rxh8+!", CASTLING, "Rxh8+ h1h8"],
    ["Rh8", CASTLING, "Rxh8+ h1h8"],
    ["o-o", CASTLING, "O-O e1g1"],
    ["0-0", CASTLING, "O-O e1g1"],
    ["O-O-O", CASTLING, "O-O-O e1c1"],
    ["o-o-o!", CASTLING, "O-O-O e1c1"],
    ["exd8Q", PROMOTION, "exd8=Q+ e7d8q"],
    ["exd8=q", PROMOTION, "exd8=Q+ e7d8q"],
    ["EXD8=Q", PROMOTION, "exd8=Q+ e7d8q"],
    ["E7E8R", PROMOTION, "e8=R+ e7e8r"],
    ["e4!", START_FEN, "e4 e2e4"],
    ["E4", START_FEN, "e4 e2e4"],
    ["E2-E4", START_FEN, "e4 e2e4"],
    ["nf3", START_FEN, "Nf3 g1f3"],
    ["Nf3+?", START_FEN, "Nf3 g1f3"],
    ["rxh8+", CASTLING, "Rxh8+ h1h8"],
    ["bxc3", "4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1", "bxc3 b2c3"],
    ["bxc3", "4k3/8/8/8/8/2p5/3B4/4K3 w - - 0 1", "Bxc3 d2c3"],
    ["exd6 e.p.", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6 e5d6"],
    ["exd6ep!", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6 e5d6"],
    ["exd6! e.p.", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6 e5d6"],
    ["exd6", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6 e5d6"],
    ["O-O-O", "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O+ e1c1"],
    ["Qf7", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "Qf7 g6f7"],
    ["Qg7", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "Qg7# g6g7"],
  ])("%s in %s is %s", (text, fen, meant) => {
    expect(read(text, fen)).toBe(meant);
  });

  test.each([
    ["Ra5", "R7/8/8/8/8/3k4/8/R3K3 w - - 0 1", '"Ra5" is ambiguous; say R1a5 or R8a5'],
    ["Nd2", KNIGHTS, '"Nd2" is ambiguous; say Nbd2 or Nfd2'],
    ["e8", PROMOTION, '"e8" is ambiguous; say e8=N or e8=B or e8=R+ or e8=Q+'],
    ["Nc3", "4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1", /^"Nc3" is not possible here; allowed: Kd1 Kf1/],
    ["Nd5", "4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1", '"Nd5" leaves the white king in check'],
    ["a3", "4k3/8/8/8/8/4r3/P7/4K3 w - - 0 1", '"a3" leaves the white king in check'],
    ["Qh5", START_FEN, /^"Qh5" is not possible here; allowed: Na3 Nc3 Nf3 Nh3 a3 a4 b3/],
    ["e4 e.p.", START_FEN, /^"e4 e\.p\." is not possible here; allowed: /],
    ["exd5 e.p.", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", /^"exd5 e\.p\." is not possible here; allowed: /],
    ["BXC3", "4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1", '"BXC3" is ambiguous; say bxc3 or Bxc3'],
    ["o-o", START_FEN, /^"o-o" is not possible here; allowed: /],
    ["castle", START_FEN, /^"castle" is not possible here; allowed: /],
    ["e4", "7k/5Q2/5K2/8/8/8/8/8 b - - 0 1", '"e4": the game is over: a draw (stalemate)'],
  ])("%s in %s is refused", (text, fen, message) => {
    expect(() => read(text, fen)).toThrow(message);
  });
});

test("the board, with letters and with figures", () => {
  const state = game.parseState("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3");
  expect(game.render(state).split("\n")).toEqual([
    "8 r n b q k b n r",
    "7 p p p . p . p p",
    "6 . . . . . . . .",
    "5 . . . p P p . .",
    "4 . . . . . . . .",
    "3 . . . . . . . .",
    "2 P P P P . P P P",
    "1 R N B Q K B N R",
    "  a b c d e f g h",
    "white to move, castling KQkq, en passant f6",
  ]);
  expect(renderUnicode(state)).toContain("5 . . . ♟ ♙ ♟ . .");
  expect(game.render(game.parseState("8/8/8/8/8/5k2/8/r3K3 w - - 90 99 rc 2;"))).toMatch(
    /white to move, castling -, occurred 2 times, drawn after 10 more quiet plies$/,
  );
});

describe("PGN", () => {
  test("tags of the roster first, moves numbered, quotes escaped", () => {
    const pgn = formatPgn({
      fen: START_FEN,
      moves: ["f3", "e5", "g4", "Qh4#"],
      result: "0-1",
      tags: { White: 'the "fool"', Black: "sage", Round: "3", Variant: "none" },
    });
    expect(pgn).toBe(
      `[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "3"]\n[White "the \\"fool\\""]\n[Black "sage"]\n` +
        `[Result "0-1"]\n[Variant "none"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n`,
    );
  });

  test.each([
    [[1, -1], "", "normal", "1-0"],
    [[1, -1], "time-out by b", "time forfeit", "{time-out by b} 1-0"],
    [[-1, 1], "illegal action by a", "rules infraction", "{illegal action by a} 0-1"],
    [[-1, 1], "worker died by a", "abandoned", "{worker died by a} 0-1"],
    [[], "", "unterminated", "*"],
  ])("returns %j, forfeit %j: Termination is %s", (returns, forfeit, termination, ending) => {
    const transcript = { event: "e", round: 1, names: ["a", "b"], actions: [], returns, forfeit };
    const text = [...game.transcripts["pgn"]!.write([transcript])].join("");
    expect(text).toContain(`[PlyCount "0"]\n[Termination "${termination}"]\n\n${ending}\n`);
  });

  test("comments say what was thought, also behind black's first move", () => {
    const thought = { nodes: 9, timeMs: 480, line: [] };
    const state = game.start();
    const actions = ["e4", "e5", "Nf3", "Nc6", "Bb5"].map((move) => {
      const action = game.parseAction(move, state);
      state.apply(action);
      return action;
    });
    const written = [
      ...game.transcripts["pgn"]!.write([
        {
          event: "e",
          round: 1,
          names: ["a", "b"],
          actions,
          returns: [],
          forfeit: "",
          thoughts: [
            undefined,
            { ...thought, value: -0.2, depth: 11 },
            { ...thought, value: 0.9999, depth: 12, timeMs: 12.3 },
            { nodes: 0, timeMs: 0.1, line: [] },
            { ...thought, value: 1, timeMs: 61_200 },
          ],
        },
      ]),
    ].join("");
    // In pawns: -0.2 is an expected result of 0.4 = 1 / (1 + 10^(0.7044 / 4)). %eval is White's.
    expect(written.split("\n\n")[1]!.replaceAll("\n", " ")).toBe(
      "1. e4 e5 {[%eval 0.70,11] [%emt 0:00:00.4] -0.70/11 0.5s} " +
        "2. Nf3 {[%eval 16.00,12] [%emt 0:00:00.0] +16.00/12 0.012s} Nc6 " +
        "3. Bb5 {[%eval 16.00] [%emt 0:01:01.2] +16.00 61.2s} * ",
    );
    const fen = "4k3/8/8/8/8/8/4p3/K7 b - - 0 12";
    const pgn = formatPgn({ fen, moves: ["e1=Q+", "Ka2"], comments: ["-0.5", ""], result: "*", tags: {} });
    expect(pgn).toContain("\n12... e1=Q+ {-0.5} 13. Ka2 *\n");
  });

  test("with a time control, comments have the time that is left", () => {
    const state = game.start();
    const action = game.parseAction("e4", state);
    state.apply(action);
    const reply = game.parseAction("e5", state);
    const thoughts = [{ value: 0, nodes: 9, timeMs: 1500, line: [] }];
    const transcript = {
      event: "e",
      round: 1,
      names: ["a", "b"],
      actions: [action],
      returns: [],
      forfeit: "",
    };
    const [text] = game.transcripts["pgn"]!.write([
      { ...transcript, thoughts, timeControls: ["3600+0.1", "3600+0.1"] },
    ]);
    expect(text).toContain('[TimeControl "3600+0.1"]\n');
    expect(text).toContain("\n1. e4 {[%eval 0.00] [%clk 0:59:58.6] 0.00 1.5s} *\n");
    const uneven = { ...transcript, actions: [action, reply], thoughts: [...thoughts, ...thoughts] };
    const [odds] = game.transcripts["pgn"]!.write([{ ...uneven, timeControls: ["60", "3600+0.1"] }]);
    expect(odds).toContain('[BlackTimeControl "3600+0.1"]\n');
    expect(odds).toContain('[WhiteTimeControl "60"]\n');
    expect(odds).not.toContain("[TimeControl");
    expect(odds!.replaceAll("\n", " ")).toMatch(/e4 \{.*clk 0:00:58.5\].*e5 \{.*clk 0:59:58.6\]/);
  });

  test("a start of its own is given, and black's first move numbered", () => {
    const fen = "4k3/8/8/8/8/8/4p3/K7 b - - 0 12";
    const pgn = formatPgn({ fen, moves: ["e1=Q+", "Ka2"], result: "*", tags: {} });
    expect(pgn).toContain(`[FEN "${fen}"]\n[SetUp "1"]\n\n12... e1=Q+ 13. Ka2 *\n`);
  });

  test("lines stay under 80 characters and nothing is lost", () => {
    const moves = Array.from({ length: 200 }, (_, ply) => ["Nf3", "Nf6", "Ng1", "Ng8"][ply % 4]!);
    const body = formatPgn({ fen: START_FEN, moves, result: "1/2-1/2", tags: {} }).split("\n\n")[1]!;
    expect(Math.max(...body.split("\n").map((line) => line.length))).toBeLessThan(80);
    expect(body.split(/\s+/).filter((token) => token.startsWith("N"))).toEqual(moves);
  });
});
