import { describe, expect, test } from "vitest";
import { createGame } from "../../../src/games/index.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { gamesIn } from "../../support/games-in.ts";

const game = createGame("go");

test("the start, written and drawn", () => {
  const state = game.start();
  expect(game.formatState(state)).toBe("9/9/9/9/9/9/9/9/9 b - 0 0");
  expect(game.formatState(game.parseState("start"))).toBe(game.formatState(state));
  expect(game.formatState(game.parseState("9/9/9/9/9/9/9/9/9 b"))).toBe(game.formatState(state));
});

test("a board with its coordinates, ko and passes", () => {
  const small = createGame({ id: "go", size: 5 });
  expect(small.render(small.parseState("1xo2/x1xo1/1xo2/5/5 w moves b4"))).toBe(
    [
      "    a b c d e",
      "  5 . X O . . 5",
      "  4 X O . O . 4",
      "  3 . X O . . 3",
      "  2 . . . . . 2",
      "  1 . . . . . 1",
      "    a b c d e",
      " X (black) to move, ko at c4, 1 moves played",
    ].join("\n"),
  );
  expect(small.render(small.parseState("start moves a1 pass"))).toMatch(
    /white has passed, X \(black\) to move/,
  );
  expect(small.render(small.parseState("start moves pass pass"))).toMatch(/game over, 2 moves played/);
});

test("a large board: two digits, and no column i", () => {
  const large = createGame({ id: "go", size: 19 });
  const state = large.parseState("start moves T19 j10 q16");
  expect(large.formatState(state)).toBe(`18X/19/19/15X3/${"19/".repeat(5)}8O10/${"19/".repeat(8)}19 w - 0 3`);
  expect(large.render(state)).toContain("    a b c d e f g h j k l m n o p q r s t\n 19 .");
  expect(large.formatState(large.parseState(large.formatState(state)))).toBe(large.formatState(state));
});

test("moves are read in any case, with the mover's colour or without", () => {
  const state = game.start();
  const action = game.parseAction("h4", state);
  expect(action).toBe(3 * 9 + 7);
  for (const text of [" H4 ", "B h4", "b H4", "black h4"]) expect(game.parseAction(text, state)).toBe(action);
  expect(game.parseAction("B PASS", state)).toBe(81);
  expect(game.formatAction(81, state)).toBe("pass");
  expect(game.formatAction(8, state)).toBe("j1");
});

test.each([
  ["W h4", `"W h4": it is black's turn`],
  ["i4", '"i4" is not possible here; allowed: a1 b1'],
  ["k4", '"k4" is not possible here; allowed: a1 b1'],
  ["a10", '"a10" is not possible here'],
  ["e5", '"e5" is not possible here: e5 is occupied'],
])("the impossible move %s is refused", (text, message) => {
  expect(() => game.parseAction(text, game.parseState("9/9/9/9/4X4/9/9/9/9 b"))).toThrow(message);
});

test.each([
  ["9/9/9/9/9/9/9/9 b", "is not 9 rows of 9 points"],
  ["9/9/9/9/9/9/9/9/8 b", "is not 9 rows of 9 points"],
  ["9/9/9/9/9/9/9/9/99999999999 b", "is not 9 rows of 9 points"],
  ["9/9/9/9/4Z4/9/9/9/9 b", '"Z" in'],
  ["9/9/9/9/9/9/9/X8/OX7 b", "the stone on a1 in"],
  ["9/9/9/9/9/9/9/9/9", 'the turn in "9/9/9/9/9/9/9/9/9" is ""; allowed: b, w'],
  ["9/9/9/9/9/9/9/9/9 bw", 'is "bw"; allowed: b, w'],
  ["9/9/9/9/9/9/9/9/9 b e5", 'ko cannot forbid "e5"'],
  ["9/9/9/9/9/9/9/9/9 b z9", 'ko cannot forbid "z9"'],
  ["9/9/9/9/9/9/9/9/9 b - 3", '"3"; allowed: 0, 1, 2, repeated'],
  ["9/9/9/9/9/9/9/9/9 b - 0 163", '"163"; allowed: 0 to 162'],
  ["9/9/9/9/9/9/9/9/9 b - 0 -1", '"-1"; allowed: 0 to 162'],
  ["9/9/9/9/9/9/9/9/9 b - 0 1 2", '"2" in'],
  ["start moves a1 a1", "a1 is occupied"],
])("the impossible position %s is refused", (text, message) => {
  expect(() => game.parseState(text)).toThrow(message);
});

test("superko forbids what a position says, and only what would be a legal move", () => {
  const superko = createGame({ id: "go", ko: "positional-superko" });
  const text = "9/9/9/9/9/9/X8/1X7/XO7 w a2,e5 0 7";
  const state = superko.parseState(text);
  expect(superko.formatState(state)).toBe("9/9/9/9/9/9/X8/1X7/XO7 w a2,e5 0 7");
  const names = Array.from(possibleActions(superko, state), (action) => superko.formatAction(action, state));
  expect(names).not.toContain("e5");
  expect(names).toContain("e6");
  expect(() => superko.parseState("9/9/9/9/9/9/9/9/9 b - repeated")).toThrow("allowed: 0, 1, 2");
  expect(() => superko.parseState("9/9/9/9/4X4/9/9/9/9 b e5")).toThrow('ko cannot forbid "e5"');
});

test.each([
  ["turn", "9/9/9/9/4X4/9/9/9/9 b - 0 4"],
  ["passes", "9/9/9/9/4X4/9/9/9/9 w - 1 4"],
  ["moves", "9/9/9/9/4X4/9/9/9/9 w - 0 5"],
  ["repetition", "9/9/9/9/4X4/9/9/9/9 w - repeated 4"],
  ["stones", "9/9/9/9/4O4/9/9/9/9 w - 0 4"],
  ["place", "9/9/9/9/9/4X4/9/9/9 w - 0 4"],
])("another %s makes another position", (_, text) => {
  const usual = game.parseState("9/9/9/9/4X4/9/9/9/9 w - 0 4");
  const other = game.parseState(text);
  expect(other.hashLow).not.toBe(usual.hashLow);
  expect(other.hashHigh).not.toBe(usual.hashHigh);
});

test("ko makes another position", () => {
  const ko = "1XO6/XO1O5/1XO6/9/9/9/9/9/9 b";
  expect(game.parseState(`${ko} c8 0 9`).hashLow).not.toBe(game.parseState(`${ko} - 0 9`).hashLow);
});

test("the same stones in another order are the same position", () => {
  const [one, two] = ["a1 b2 c3 d4", "c3 d4 a1 b2"].map((moves) => game.parseState(`start moves ${moves}`));
  expect([one!.hashLow, one!.hashHigh]).toEqual([two!.hashLow, two!.hashHigh]);
});

test("options: sizes and komi", () => {
  expect(() => createGame({ id: "go", size: 4 })).toThrow("must be at least 5, got 4");
  expect(() => createGame({ id: "go", size: 20 })).toThrow("must be at most 19, got 20");
  expect(() => createGame({ id: "go", komi: 0.3 })).toThrow("komi");
  expect(createGame({ id: "go", size: 13 }).options).toEqual({
    size: 13,
    komi: 7.5,
    ko: "simple",
    repetition: "draw",
    suicide: false,
    moveLimit: 338,
  });
});

test("a game in SGF: letters from the top left, i among them, and passes empty", () => {
  const large = createGame({ id: "go", size: 19, komi: 6.5 });
  const state = large.start();
  const actions = ["q16", "d4", "j10", "a1", "t19", "pass", "pass"].map((move) => {
    const action = large.parseAction(move, state);
    state.apply(action);
    return action;
  });
  const write = (returns: readonly number[], forfeit = "") => {
    const names = ["uct [1]", "back\\slash"];
    const transcript = { event: "a b", round: 3, names, actions, returns, forfeit };
    return [...large.transcripts["sgf"]!.write([transcript])].join("");
  };
  expect(write([-1, 1])).toBe(
    "(;FF[4]GM[1]CA[UTF-8]SZ[19]KM[6.5]PB[uct [1\\]]PW[back\\\\slash]EV[a b]RO[3]RE[W+]\n" +
      ";B[pd];W[dp];B[ij];W[as];B[sa];W[];B[])\n",
  );
  expect(write([1, -1], "time-out")).toContain("RO[3]GC[time-out]RE[B+F]\n");
  expect(write([0, 0])).toContain("RE[0]\n");
  expect(write([], "lost")).toContain("RE[Void]\n");
});

describe("a game read from SGF", () => {
  const small = createGame({ id: "go", size: 5 });
  const read = (text: string, plies?: number) => gamesIn(small, "sgf", text, plies).games;
  const line = (moves: string) => {
    const state = small.start();
    return moves.split(" ").map((move) => {
      const action = small.parseAction(move, state);
      state.apply(action);
      return action;
    });
  };

  test("is the one that was written", () => {
    const common = { event: "a [b] \\", round: 1, names: ["x", "y"], forfeit: "" };
    const games = [
      { ...common, actions: line("c3 d4 a1 pass e5"), returns: [1, -1] },
      { ...common, actions: line("c3 c4"), returns: [0, 0] },
      { ...common, actions: line("c3"), returns: [] },
    ];
    const text = [...small.transcripts["sgf"]!.write(games)].join("");
    expect(read(text)).toEqual(games.map(({ actions, returns }) => ({ actions, returns })));
    expect(read(text, 2).map(({ actions }) => actions)).toEqual(
      games.map(({ actions }) => actions.slice(0, 2)),
    );
  });

  test("is its main line, without variations, comments and marks", () => {
    const text = `(;FF[3]GM[1]SiZe[5]C[a (;B[aa\\]) comment]
      ;B[cc]LB[aa:1]
[bb:)];W[dd]
      (;B[bb]C[main](;W[tt])(;W[aa];B[ee]))
      (;B[ab];W[ba]))
      (;SZ[5];B[aa])`;
    expect(read(text).map(({ actions }) => actions)).toEqual([line("c3 d2 b4 pass"), line("a5")]);
  });

  test.each([
    ["(;SZ[5]\n;B[cc];W[cc])", /^line 2, game 1, ply 2: "white c3" is not possible here: c3 is occupied$/],
    ["(;SZ[5];B[cc])(;B[aa]\n\n;B[bb])", /^line 3, game 2, ply 2: .*white's turn/],
    ["(;SZ[9];B[cc])", /the board has the size 9, and the game here is on 5x5/],
    ["(;SZ[5]HA[2]AB[bb][dd];W[cc])", /^line 1, game 1, ply 1: AB\[bb\] sets up a position/],
    ["(;SZ[5];B[ff])", /"ff" is no point/],
    ["(;GM[3]SZ[5];B[aa])", /GM\[3\] is another game/],
    ["(;SZ[5]PL[W];W[cc])", /PL\[W\] sets up a position/],
  ])("is refused where it cannot be: %j", (text, message) => {
    expect(gamesIn(small, "sgf", text).faults).toEqual([expect.stringMatching(message)]);
  });

  test.each(["AB[]HA[0]", "AW[]", "AE[]", "PL[B]", "PL[]", "SZ[5:5]"])(
    "with %s, which sets nothing up",
    (root) => {
      expect(read(`(;${root};B[cc];W[dd])`).map(({ actions }) => actions)).toEqual([line("c3 d2")]);
    },
  );

  test("a value that is not closed swallows no game", () => {
    const games = "(;GM[1]SZ[5];B[cc];W[dd]C[a \\] (;GM[1\\])(;GM[1]SZ[5];B[aa])(;SZ[5];B[bb]C[end)";
    const { games: whole, faults } = gamesIn(small, "sgf", games);
    expect(whole.map(({ actions }) => actions)).toEqual([line("c3 d2"), line("a5"), line("b4")]);
    expect(faults).toEqual([
      expect.stringMatching(/^line 1, game 1: .* value .* not closed/),
      expect.stringMatching(/^line 1, game 1: .* \( .* not closed/),
      expect.stringMatching(/^line 1, game 3: .* value .* not closed/),
    ]);
  });

  test("begins anew after brackets that do not fit", () => {
    const lines = [line("c3"), line("d2"), line("a5")];
    const text = "(;SZ[5];B[cc]))\n(;SZ[5];B[dd])\n(;GM[1]SZ[5];B[aa])";
    expect(read(text).map(({ actions }) => actions)).toEqual(lines);
    expect(gamesIn(small, "sgf", text).faults).toEqual(["line 1, game 2: there is a ) without its ("]);
    const open = "(;SZ[5];B[cc](;W[aa])\n(;SZ[5];B[dd]\n( ;GM[1]SZ[5];B[aa]";
    expect(read(open).map(({ actions }) => actions)).toEqual([line("c3 a5"), ...lines.slice(1)]);
    expect(gamesIn(small, "sgf", open).faults).toEqual(
      [1, 2, 3].map((at) => `line ${at}, game ${at}: the ( that begins here is not closed`),
    );
  });

  test("is passed over alone where it cannot be read", () => {
    const text = "(;SZ[5];B[cc])(;SZ[5];B[cc];W[cc])(;SZ[5];B[dd])";
    expect(read(text).map(({ actions }) => actions)).toEqual([line("c3"), line("d2")]);
  });
});
