import { describe, expect, test } from "vitest";
import type { PlayedGame } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { gamesIn } from "../../support/games-in.ts";

const chess = createGame("chess");

function read(text: string): PlayedGame[] {
  return gamesIn(chess, "pgn", text).games;
}

function faults(text: string): string[] {
  return gamesIn(chess, "pgn", text).faults;
}

/** The moves of a game that was read, in SAN. */
function moves({ actions, from }: PlayedGame): string {
  const state = from === undefined ? chess.start() : chess.parseState(from);
  return actions
    .map((action) => {
      const text = chess.formatAction(action, state);
      state.apply(action);
      return text;
    })
    .join(" ");
}

test("what is written is read again", () => {
  const line = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7".split(" ");
  const state = chess.start();
  const actions = line.map((text) => {
    const action = chess.parseAction(text, state);
    state.apply(action);
    return action;
  });
  const common = { event: "E", names: ["a", "b"], forfeit: "" };
  const games = [
    { ...common, round: 1, actions, returns: [1, -1] },
    { ...common, round: 2, actions: actions.slice(0, 3), returns: [0, 0] },
    { ...common, round: 3, actions: actions.slice(0, 2), returns: [] },
  ];
  const text = [...chess.transcripts["pgn"]!.write(games)].join("");
  expect(read(text)).toEqual(games.map(({ actions: all, returns }) => ({ actions: all, returns })));
});

describe("Chess960", () => {
  const chess960 = createGame({ id: "chess", chess960: true, start: 0 });

  test("is written with its position and read again", () => {
    const from = "4k3/8/8/8/8/8/8/R1RK1R1R w FA - 0 1";
    const transcript = { event: "E", names: ["a", "b"], forfeit: "", round: 1, returns: [1, -1] };
    const castling = chess960.parseAction("O-O", chess960.parseState(from));
    const text = [...chess960.transcripts["pgn"]!.write([{ ...transcript, from, actions: [castling] }])].join(
      "",
    );
    expect(text).toContain(`[FEN "4k3/8/8/8/8/8/8/R1RK1R1R w FA - 0 1"]\n`);
    expect(text).toContain(`[SetUp "1"]\n[Termination "normal"]\n[Variant "Chess960"]\n\n1. O-O 1-0\n`);
    expect(gamesIn(chess960, "pgn", text).games).toEqual([{ from, actions: [castling], returns: [1, -1] }]);
    const first = [...chess960.transcripts["pgn"]!.write([{ ...transcript, actions: [] }])].join("");
    expect(first).toContain(`[FEN "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"]`);
  });

  test.each(["Chess960", "chess 960", "Fischerandom"])("is no usual chess: %s", (variant) => {
    expect(faults(`[variant "${variant}"]\n[FEN "none"]\n\n1. e4 *\n\n[Event "B"]\n\n1. e4 *`)).toEqual([
      `line 1, game 1, ply 1: it is a game of ${variant}, which is read as the game chess:chess960=true`,
    ]);
  });
});

test("comments, variations, annotations and odd spellings are left out", () => {
  const text = `
[Event "A [strange] \\"name\\""]
[Result "1-0"]
% an escaped line 1. d4
1.e4! {best by test (1. d4)} e5 2 . Nf3 (2. f4 exf4 (2... d5 {Falkbeer}) 3. Nf3) 2... Nc6?! $6 ; rest of line a4
3.Bc4 Bc5 4. 0-0 Nf6 1-0

[Event "B"]
[SetUp "1"]
[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]

1. a8=Q+ Kd7 *
1. e4 c5`;
  const games = read(text);
  expect(games.map(moves)).toEqual(["e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6", "a8=Q+ Kd7", "e4 c5"]);
  expect(games.map(({ returns }) => returns)).toEqual([[1, -1], [], []]);
  expect(games[1]!.from).toBe("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
});

test("a move that is not legal is told with its game and its place; what follows the end is left out", () => {
  expect(faults("1. e4 e5 1-0 1. e4 e5 2. Ke3 *")).toEqual([
    expect.stringMatching(/^line 1, game 2, ply 3: "Ke3"/),
  ]);
  expect(faults("1. e4 e5 *\n\n1. e4\ne6 2. Ke3 *")).toEqual([
    expect.stringMatching(/^line 4, game 2, ply 3: "Ke3"/),
  ]);
  const shuffled = `${"Nf3 Nf6 Ng1 Ng8 ".repeat(3)}e4 1/2-1/2`;
  expect(read(shuffled)[0]!.actions.length).toBe(8);
});

test("the first plies alone are read where that is asked for", () => {
  const games = gamesIn(chess, "pgn", "1. e4 e5 2. Nf3 1-0\n1. d4 *\n1. c4 e5 2. Ke3 *", 2).games;
  expect(games.map(moves)).toEqual(["e4 e5", "d4", "c4 e5"]);
  expect(games[0]!.returns).toEqual([1, -1]);
});

describe("files from the wild", () => {
  const head = '[Event "x"]\n[White "A"]\n[Black "B"]\n[Result "*"]\n\n';
  const all = (text: string) => read(text).map(moves);

  test.each<[string, string, string[]]>([
    ["a comment before the first tag", `{ our club,\nby hand }\n\n${head}1. e4 *`, ["e4"]],
    ["moves behind the tags", '[White "A"] [Result "1-0"] 1. e4 1-0 [White "B"] 1. d4 *', ["e4", "d4"]],
    ["tags alone", '[Event "a"]\n[White "A"]\n[Event "b"]\n[White "B"]\n\n1. e4 *', ["", "e4"]],
    ["an empty position", `[FEN ""]\n${head}1. e4 *`, ["e4"]],
    [
      "a position without moves",
      `[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n${head}1. e4 e5 *`,
      ["", "e4 e5"],
    ],
    ["tags in a comment", `${head}1. e4 { as in\n[White "C"]\n[FEN "x"]\n1. d4 } e5 *`, ["e4 e5"]],
    ["games in a comment", `${head}1. e4 { as in\n\n${head}1. d4 *\n } e5 *`, ["e4 e5"]],
    ["quotes without backslashes", `[Event "5th "M" Open"]\n[Site "C:\\"]\n[Result "*"]\n\n1. e4 *`, ["e4"]],
    ["tag names of all kinds", `[1st_Tag "a"]\n[White Elo "1"]\n[ECO-code "c"]\n${head}1. e4 *`, ["e4"]],
    [
      "a position in small letters and other quotes",
      `[fen '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1']\n\n1. e3 *`,
      ["e3"],
    ],
    ["a line that is no tag", `[Annotator A. Body]\n${head}1. e4 *`, ["e4"]],
    [
      "evaluations that stand alone",
      `${head}1. e4 +/- e5 += 2. Nf3 N Nc6 $14 ! 3. Bb5 ⩲ *`,
      ["e4 e5 Nf3 Nc6 Bb5"],
    ],
    [
      "evaluations and marks behind moves",
      `${head}1. e4+/- e5+= 2. Nf3!?$14 Nc6± 3. Bb5= a6, 4. Bxc6 =/∞ $6 *`,
      ["e4 e5 Nf3 Nc6 Bb5 a6 Bxc6"],
    ],
    ["words for checks", `${head}1. e4 f5 2. Qh5 ch g6 3. Qxg6 dis. ch. *`, ["e4 f5 Qh5+ g6 Qxg6+"]],
    [
      "figures, pawns and dashes",
      `${head}1. ♘f3 Pd5 2. g3 ♞c6 3. Bg2 1…h6\n4. O–O *`,
      ["Nf3 d5 g3 Nc6 Bg2 h6 O-O"],
    ],
    ["null moves in variations", `${head}1. e4 (1. -- e5 2. Z0) e5 *`, ["e4 e5"]],
    [
      "other signs for the result",
      `${head}1. e4 ½-½\n\n1. d4 1/2\n1. c4 0–1\n1. b4 1:0`,
      ["e4", "d4", "c4", "b4"],
    ],
    ["carriage returns", `${head}1. e4 *\n\n${head}1. d4 *\n`.replaceAll("\n", "\r\n"), ["e4", "d4"]],
  ])("%s", (_, text, lines) => {
    expect(all(text)).toEqual(lines);
    expect(faults(text)).toEqual([]);
  });

  test.each(["exd6 e.p.", "exd6ep", "exd6e.p.", "exd6 ep", "exd6 e. p.", "exd6 E.P.", "exd6/ep", "exd6 ep!"])(
    "en passant as %s",
    (move) => {
      expect(all(`1. e4 a6 2. e5 d5 3. ${move} *`)).toEqual(["e4 a6 e5 d5 exd6"]);
    },
  );

  test.each<[string, string, string[], string[]]>([
    [
      "a variation that is not closed",
      `${head}1. e4 e5 (1... c5 2. Nf3 *\n\n${head}1. c4 *`,
      ["e4 e5", "c4"],
      ["line 6, game 1: the variation that begins here is not closed"],
    ],
    [
      "the same without heads",
      "1. e4 e5 (1... c5 1-0\n\n1. c4 *",
      ["e4 e5", "c4"],
      ["line 1, game 1: the variation that begins here is not closed"],
    ],
    [
      "a bracket too many",
      `${head}1. e4 e5) 2. Nf3 *\n\n${head}1. c4 *`,
      ["e4 e5 Nf3", "c4"],
      ["line 6, game 1: there is a ) without its ("],
    ],
    [
      "a comment that is not closed",
      `${head}1. e4 {best e5 1-0\n\n${head}1. c4 *`,
      ["e4", "c4"],
      ["line 6, game 1: the comment that begins here is not closed"],
    ],
    [
      "the same without a result, before games with comments",
      `${head}1. e4 {best e5\n\n[Site "s"]\n${head}1. c4 {or d4} *\n\n${head}1. d4 *`,
      ["e4", "c4", "d4"],
      ["line 6, game 1: the comment that begins here is not closed"],
    ],
    [
      "a brace too many",
      `${head}1. e4 } e5 {a} } 2. Nf3 *\n\n${head}1. c4 *`,
      ["e4 e5 Nf3", "c4"],
      Array<string>(2).fill("line 6, game 1: there is a } without its {"),
    ],
    [
      "a null move",
      `${head}1. e4 --! 2. d4 *\n\n1. c4 *`,
      ["c4"],
      ['line 6, game 1, ply 2: "--" is no move'],
    ],
    [
      "a position that is none",
      `[FEN "8/8"]\n1. e4 *\n\n1. c4 *`,
      ["c4"],
      [
        expect.stringMatching(
          /^line 1, game 1, ply 1: FEN "8\/8"|^line 1, game 1, ply 1: "8\/8" is not a FEN/,
        ) as string,
      ],
    ],
  ])("%s is passed over and told", (_, text, lines, told) => {
    expect(all(text)).toEqual(lines);
    expect(faults(text)).toEqual(told);
  });

  test("the result of a game without one behind its moves is that of its tag", () => {
    const text = '[Result "0-1"]\n\n1. e4 e5\n\n[Event "b"]\n\n1. d4 1-0\n';
    expect(read(text).map(({ returns }) => returns)).toEqual([
      [-1, 1],
      [1, -1],
    ]);
  });
});

test("evaluations behind moves are values of the positions there, for the player to move", () => {
  const wrapped =
    "1. e4 {good [%clk 0:03:00] [%eval\n0.5,12]} (1. d4 {[%eval 9]}) 1... e5 {[%eval -.25]} 2. Nf3 {none}";
  const [game, plain, mates] = read(
    `${wrapped} Nc6 1-0\n\n1. e4 e5 {+0.31/12 0.5s} *\n\n{[%eval 4]} 1. f3 {[%eval #-3]} e5 {[%eval #2]} 2. g4 *`,
  );
  // c pawns are an expected result of 1 / (1 + 10^(-c / 4)).
  const value = (pawns: number) => 2 / (1 + 10 ** (-pawns / 4)) - 1;
  expect(game!.values).toEqual([
    undefined,
    expect.closeTo(-value(0.5), 12),
    expect.closeTo(value(-0.25), 12),
  ]);
  expect(plain).not.toHaveProperty("values");
  expect(mates!.values).toEqual([expect.closeTo(value(4), 12), 1, 1]);
});

test("thoughts that are written as evaluations are read again", () => {
  const actions = ["e4", "e5", "Nf3"].reduce<number[]>((before, text) => {
    const state = chess.start();
    for (const action of before) state.apply(action);
    return [...before, chess.parseAction(text, state)];
  }, []);
  const thoughts = [0.2, -0.4, 0.1].map((one) => ({ value: one, depth: 3, nodes: 5, timeMs: 1, line: [] }));
  const common = { event: "E", round: 1, names: ["a", "b"], forfeit: "", returns: [0, 0] };
  const [game] = read([...chess.transcripts["pgn"]!.write([{ ...common, actions, thoughts }])].join(""));
  // The mover's value becomes that of the position behind the move; evaluations have two digits.
  expect(game!.values!.slice(1)).toEqual([-0.2, 0.4, -0.1].map((one) => expect.closeTo(one, 2)));
});
