import { describe, expect, test } from "vitest";
import { createGame, type GameSpec } from "../../../src/games/index.ts";
import {
  decisionsOf,
  describeResult,
  formatComment,
  jsonLines,
  legalLine,
  possibleActions,
  parseLegal,
} from "../../../src/games/contract/notation.ts";

/** The result of the game that is over in a position. */
function resultOf(spec: GameSpec, position: string): string {
  const game = createGame(spec);
  return describeResult(game, game.parseState(position));
}

/** The tree that ends at once with these returns. */
function ending(returns: readonly number[]): GameSpec {
  return { id: "tree", players: returns.length, root: { player: 0, actions: { end: returns } } };
}

describe("the result of a finished game", () => {
  test.each<[GameSpec, string, string]>([
    ["tic-tac-toe", "xxx/oo./...", "player 1 has won"],
    ["tic-tac-toe", "xxo/oox/xox", "a draw"],
    ["connect-four", "1213141", "player 1 has won (four in a line)"],
    [{ id: "othello", size: 4 }, "XXXXXXXXXXXXXXOO X", "player 1 has won (14 discs to 2)"],
    ["chess", "startpos moves f3 e5 g4 Qh4", "player 2 has won (checkmate)"],
    ["chess", "7k/5Q2/5K2/8/8/8/8/8 b - - 0 1", "a draw (stalemate)"],
    ["chess", "8/8/4k3/8/8/3K4/8/8 w - - 0 1", "a draw (too little material to mate)"],
    ["chess", "startpos moves Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", "a draw (position repeated 3 times)"],
    ["chess", "7k/8/6K1/8/8/8/8/R7 w - - 99 80 moves Rb1", "a draw (50 moves without capture or pawn move)"],
    [{ id: "nim", piles: [3] }, "0 0", "player 2 has won"],
    [{ id: "nim", piles: [3], players: 3 }, "0 0", "player 3 has won"],
    [{ id: "nim", piles: [3], players: 3, misere: true }, "0 0", "players 1 and 2 have won"],
    [{ id: "2048", height: 2, width: 2 }, "2 4 / 4 2 score 8", "score 8"],
    [ending([2, -2]), "end", "player 1 has won (returns 2, -2)"],
    [ending([1 / 3, -1 / 3, 0]), "end", "player 1 has won (returns 0.333333, -0.333333, 0)"],
    [ending([0, -0]), "end", "a draw"],
    [ending([1, 1, 1, -3]), "end", "players 1, 2 and 3 have won (returns 1, 1, 1, -3)"],
  ])("%j at %s is %s", (spec, position, result) => {
    expect(resultOf(spec, position)).toBe(result);
  });

  test("of go has the points with the komi", () => {
    const game = createGame({ id: "go", size: 5, komi: 2.5 });
    const state = game.start();
    for (const move of ["c3", "pass", "pass"]) state.apply(parseLegal(game, move, state));
    expect(describeResult(game, state)).toBe("player 1 has won (by 22.5 points)");
  });

  test("is said when an action is typed after the end, or a position goes on after it", () => {
    const game = createGame("chess");
    const mate = "startpos moves f3 e5 g4 Qh4";
    expect(() => game.parseAction("a3", game.parseState(mate))).toThrow(
      '"a3": the game is over: player 2 has won (checkmate)',
    );
    expect(() => game.parseState(`${mate} a3`)).toThrow(
      'move 5, "a3", comes after the end of the game: player 2 has won (checkmate)',
    );
  });
});

describe("an action in other capitals", () => {
  test.each<[GameSpec, string, string]>([
    ["tic-tac-toe", " B2 ", "b2"],
    ["pig", "ROLL", "roll"],
    ["breakthrough", "A7A6", "a7a6"],
    ["chinese-checkers", "D1-E5", "d1-e5"],
    ["go", "PASS", "pass"],
  ])("%j reads %s as %s", (spec, text, meant) => {
    const game = createGame(spec);
    const state = game.start();
    expect(game.formatAction(game.parseAction(text, state), state)).toBe(meant);
  });

  test("is refused where two are meant, and read where the capitals are those of one", () => {
    const game = createGame({
      id: "tree",
      root: { player: 0, actions: { a: 1, A: 2, Up: 3, uP: 4, up: 5 } },
    });
    const state = game.start();
    expect(game.parseAction("A", state)).toBe(1);
    expect(game.parseAction("up", state)).toBe(4);
    expect(() => game.parseAction("UP", state)).toThrow('"UP" can be any of Up uP up');
    expect(() => game.parseAction("b", state)).toThrow('"b" is not possible here; allowed: a A Up uP up');
  });
});

test("boards and feature names count players from 1, as people do", () => {
  const textbook = createGame({
    id: "tree",
    players: 3,
    root: { player: 0, actions: { a: { player: 2, actions: [[1, 2, 3]] }, b: [3, 2, 1] } },
  });
  expect(textbook.render(textbook.start())).toBe(".: player 1\n  a: player 3\n  b: 3, 2, 1");
  const nodes = textbook.featureSets["nodes"]!;
  expect([0, 1, 2].map((feature) => nodes.describe(feature))).toEqual([
    ". for player 1",
    ". for player 2",
    ". for player 3",
  ]);
  const pig = createGame("pig");
  expect(pig.render(pig.start())).toMatch(/^player 1: 0 \+ 0\nplayer 2: 0\n/);
  const nim = createGame("nim");
  expect(nim.render(nim.parseState("1,0,0 1"))).toMatch(/\nplayer 2 to move$/);
  expect(nim.render(nim.parseState("0,0,0 0"))).toMatch(/\nplayer 1 cannot move$/);
});

describe("a game that was left before its end", () => {
  const left = (id: string) => {
    const game = createGame({ id });
    const state = game.start();
    const [action] = possibleActions(game, state);
    const transcript = {
      event: "e",
      round: 1,
      names: ["a", "b"],
      actions: [action!],
      returns: [],
      forfeit: "",
    };
    return { game, transcript };
  };

  test.each([
    ["chess", "pgn", '[Result "*"]'],
    ["checkers", "pdn", '[Result "*"]'],
    ["go", "sgf", "RE[Void]"],
  ])("%s says so in %s", (id, format, result) => {
    const { game, transcript } = left(id);
    expect([...game.transcripts[format]!.write([transcript])].join("")).toContain(result);
  });

  test("has no returns in JSON, and the position that it began at, if that was not the start", () => {
    const { game, transcript } = left("connect-four");
    const write = (more: { from?: string }) =>
      JSON.parse([...jsonLines(game).write([{ ...transcript, ...more }])].join("")) as object;
    expect(write({})).toEqual({
      event: "e",
      round: 1,
      names: ["a", "b"],
      moves: ["1"],
      returns: [],
      forfeit: "",
    });
    expect(write({ from: "7/7/7/7/7/3x3" })).toMatchObject({ from: "7/7/7/7/7/3x3", moves: ["1"] });
  });
});

describe("what was thought", () => {
  const pig = createGame("pig");
  /** Roll, a chance event, hold; then the other player rolls. */
  const actions = (() => {
    const state = pig.start();
    return ["roll", "3", "hold", "roll"].map((text) => {
      const action = pig.parseAction(text, state);
      state.apply(action);
      return action;
    });
  })();
  const [roll, three, hold] = actions as [number, number, number, number];

  test("belongs to decisions after the opening, not to chance", () => {
    const indexes = (openingLength: number) => {
      const found: [number, number][] = [];
      for (const { index, state } of decisionsOf(pig, { actions, openingLength }))
        found.push([index, state.toMove]);
      return found;
    };
    expect(indexes(0)).toEqual([
      [0, 0],
      [2, 0],
      [3, 1],
    ]);
    expect(indexes(1)).toEqual([
      [2, 0],
      [3, 1],
    ]);
  });

  test("is in JSON lines beside the moves, with the legal part of its line", () => {
    const thought = { value: 0.25, depth: 2, nodes: 7, timeMs: 0.5 };
    const transcript = { event: "e", round: 1, names: ["a", "b"], actions, returns: [], forfeit: "" };
    const thoughts = [{ ...thought, line: [roll, roll] }, undefined, { ...thought, line: [hold, roll, -5] }];
    const [line] = jsonLines(pig).write([{ ...transcript, thoughts }]);
    expect(JSON.parse(line!)).toMatchObject({
      moves: ["roll", "3", "hold", "roll"],
      // After the roll the dice are thrown, which no player decides.
      thoughts: [{ ...thought, line: ["roll"] }, null, { ...thought, line: ["hold", "roll"] }, null],
    });
  });

  test("has the legal beginning of any line, and the state is left as it is", () => {
    const game = createGame("tic-tac-toe");
    const state = game.start();
    expect(legalLine(game, state, [0, 0])).toEqual(["a1"]);
    expect(legalLine(game, state, [0, 3, 1, 4, 2, 5])).toHaveLength(5);
    for (const wrong of [-1, 9, 0.5, 1e300]) expect(legalLine(game, state, [wrong, 0])).toEqual([]);
    expect(legalLine(game, state, [])).toEqual([]);
    expect(game.formatState(state)).toBe(game.formatState(game.start()));
    expect(legalLine(pig, pig.start(), [roll, three])).toEqual(["roll"]);
  });

  test.each<[object, string]>([
    [{ value: 0.31, depth: 12 }, "+0.31/12 0.5s"],
    [{ value: -0.31 }, "-0.31 0.5s"],
    [{ depth: 12 }, "0.5s"],
    [{ value: -0.001 }, "0.00 0.5s"],
    [{ value: -0.999 }, "-0.99 0.5s"],
    [{ value: -1 }, "-1.00 0.5s"],
    [{ value: 7 }, "+7.00 0.5s"],
    [{ nodes: 3 }, "0.5s"],
    [{ line: [1] }, "0.5s"],
    [{}, ""],
  ])("%j as a comment is %j", (said, comment) => {
    expect(formatComment({ nodes: 0, timeMs: 500, line: [], ...said }, 1)).toBe(comment);
  });
});
