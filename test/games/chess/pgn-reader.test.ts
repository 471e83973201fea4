import { expect, test } from "vitest";
import type { Game, PlayedGame } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";

const chess = createGame("chess");

function read(text: string, game: Game = chess): PlayedGame[] {
  return [...game.transcripts["pgn"]!.read!(text)];
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
  expect(() => read("1. e4 e5 1-0 1. e4 e5 2. Ke3 *")).toThrow(/game 2, ply 3: .*Ke3/);
  expect(() => read("1. e4 e5 *\n\n1. e4\ne6 2. Ke3 *")).toThrow(/^line 4, game 2, ply 3: .*Ke3/);
  const shuffled = `${"Nf3 Nf6 Ng1 Ng8 ".repeat(3)}e4 1/2-1/2`;
  expect(read(shuffled)[0]!.actions.length).toBe(8);
});

test("the first plies alone are read where that is asked for", () => {
  const games = [...chess.transcripts["pgn"]!.read!("1. e4 e5 2. Nf3 1-0\n1. d4 *\n1. c4 e5 2. Ke3 *", 2)];
  expect(games.map(moves)).toEqual(["e4 e5", "d4", "c4 e5"]);
  expect(games[0]!.returns).toEqual([1, -1]);
});
