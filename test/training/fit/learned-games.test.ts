import { describe, expect, test } from "vitest";
import { Problems } from "../../../src/base/check.ts";
import type { State } from "../../../src/games/contract/game.ts";
import { createGame, type GameSpec } from "../../../src/games/index.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { readFitGames, visitLessons, type FitRule } from "../../../src/training/fit/learned-games.ts";
import { temporaryFolder, writeInto } from "../../support/agon.ts";

const PGN = `[White "a"]
[Black "b"]
[Result "1-0"]

1. f3 e5 2. a3 1-0

[White "b"]
[Black "a"]
[Result "*"]

1. e4 *

[White "b"]
[Black "a"]
[Result "1/2-1/2"]
[SetUp "1"]
[FEN "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1"]

1. Kd3 1/2-1/2
`;

test("finished games of PGN are learned from, also those that begin at a position", async () => {
  const path = writeInto(temporaryFolder(), "games.pgn", PGN);
  const rule = { rule: "fit", games: [path], value: "result", validation: 0 } as unknown as FitRule;
  const game = createGame("chess");
  const problems = new Problems();
  const read = await readFitGames(game, rule, { id: "chess", seed: "a", problems });
  problems.throwIfAny();
  const [long, short] = read!.training;
  expect(read!.training).toHaveLength(2);
  expect(long!.actions).toHaveLength(3);
  expect([long!.returns, short!.returns]).toEqual([
    [1, -1],
    [0, 0],
  ]);
  const seen: string[] = [];
  visitLessons(game, short!, { value: "result", visit: (state) => seen.push(game.formatState(state)) });
  expect(seen).toEqual(["8/8/8/4k3/8/4K3/4P3/8 w - - 0 1"]);
});

test("a file that is named twice is read once, and what is passed over in it is told", async () => {
  const path = writeInto(temporaryFolder(), "games.pgn", "1. e4 e5 1-0\n\n1. Ke2 0-1\n");
  const rule = { rule: "fit", games: [path, path], value: "result", validation: 0 } as unknown as FitRule;
  const notes: string[] = [];
  const read = await readFitGames(createGame("chess"), rule, {
    id: "chess",
    seed: "a",
    problems: new Problems(),
    note: (text) => notes.push(text),
  });
  expect(read!.training).toHaveLength(1);
  expect(notes.sort()).toEqual([
    expect.stringMatching(/^.*games\.pgn: 1 fault passed over: line 3, game 2, /),
    expect.stringMatching(/^.*games\.pgn: is named twice; it is read once$/),
  ]);
});

test("evaluations in PGN are learned from as the values of searches", async () => {
  const text = "1. f3 {[%eval -1]} e5 2. a3 {[%eval #-4]} Nf6 0-1\n";
  const path = writeInto(temporaryFolder(), "games.pgn", text);
  const rule = { rule: "fit", games: [path], value: "search", validation: 0 } as unknown as FitRule;
  const game = createGame("chess");
  const read = await readFitGames(game, rule, { id: "chess", seed: "a", problems: new Problems() });
  const seen: number[][] = [];
  const visit = (state: { toMove: number }, player: number, wanted: number) =>
    void seen.push([state.toMove, player, wanted]);
  visitLessons(game, read!.training[0]!, { value: "search", visit });
  // White's expectation where Black is to move: of a pawn less, and of being mated.
  expect(seen).toEqual([
    [1, 0, expect.closeTo(2 / (1 + 10 ** (1 / 4)) - 1, 12)],
    [1, 0, -1],
  ]);
});

test("quiet positions alone are learned from, on demand", async () => {
  const text = "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qe5+ 4. Be2 Qd6 1-0\n";
  const path = writeInto(temporaryFolder(), "games.pgn", text);
  const game = createGame("chess");
  const rule = {
    rule: "fit",
    games: [path],
    value: "result",
    validation: 0,
    quiet: true,
  } as unknown as FitRule;
  const read = await readFitGames(game, rule, { id: "chess", seed: "a", problems: new Problems() });
  const seen: string[] = [];
  const visit = (state: State) => void seen.push(game.formatState(state).split(" ").at(-1)!);
  visitLessons(game, read!.training[0]!, { value: "result", quiet: true, visit });
  // Before e4, d5, Nc3, Qe5 and Qd6: the others are captures, and a move out of check.
  expect(seen).toEqual(["1", "1", "3", "3", "4"]);
  const problems = new Problems();
  await readFitGames(createGame("nim"), rule, { id: "nim", seed: "a", problems });
  expect(() => problems.throwIfAny()).toThrow(
    "learner.quiet: nim does not tell noisy actions from quiet ones",
  );
});

describe("lessons", () => {
  /** The first legal actions of a game, the values 0.5 and 0.25, and returns that begin with 1. */
  function played(spec: GameSpec) {
    const game = createGame(spec);
    const state = game.start();
    const actions = [0, 1, 2].map(() => {
      const [action] = possibleActions(game, state);
      state.apply(action!);
      return action!;
    });
    const returns = Array.from({ length: game.players }, (_, player) => (player === 0 ? 1 : -1));
    return { game, learned: { actions, returns, openingLength: 1, values: [undefined, 0.5, 0.25] } };
  }

  function lessons(spec: GameSpec, value: FitRule["value"]): number[][] {
    const { game, learned } = played(spec);
    const seen: number[][] = [];
    const visit = (state: { toMove: number }, player: number, wanted: number) =>
      void seen.push([state.toMove, player, wanted]);
    visitLessons(game, learned, { value, visit });
    return seen;
  }

  test("of a duel are for the first player, after the opening", () => {
    expect(lessons("connect-four", "result")).toEqual([
      [1, 0, 1],
      [0, 0, 1],
    ]);
    expect(lessons("connect-four", "search")).toEqual([
      [1, 0, -0.5],
      [0, 0, 0.25],
    ]);
    expect(lessons("connect-four", "mix")).toEqual([
      [1, 0, 0.25],
      [0, 0, 0.625],
    ]);
  });

  test("of three players are for each; a search tells of the one to move alone", () => {
    const game = { id: "chinese-checkers", players: 3 };
    expect(lessons(game, "result")).toEqual(
      [1, 2].flatMap((toMove) => [0, 1, 2].map((player) => [toMove, player, player === 0 ? 1 : -1])),
    );
    expect(lessons(game, "search")).toEqual([
      [1, 1, 0.5],
      [2, 2, 0.25],
    ]);
  });
});
