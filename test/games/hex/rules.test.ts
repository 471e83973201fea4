import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { TERMINAL } from "../../../src/games/contract/game.ts";
import { perft } from "../../../src/games/contract/perft.ts";
import { hex } from "../../../src/games/hex/hex.ts";
import { slowTest, thorough } from "../../support/thorough.ts";
import { playTwins, seatOf, type Twin } from "../../support/twin-play.ts";
import { differences, readTraces } from "../traces.ts";
import { twinMoves, twinStart, twinText, twinWinner, type TwinPosition } from "./twin.ts";

const twin: Twin<TwinPosition> = {
  text: twinText,
  moves: twinMoves,
  winner: (position) => seatOf(twinWinner(position), "xo"),
};

const create = (size: number, swap = false) => hex.create({ size, swap });

test.each(readTraces("hex").map((trace, number) => [number, trace] as const))(
  "agrees with an independent program on game %i",
  (_, trace) => {
    const game = create(7);
    expect(differences(game, trace, (move, state) => game.parseAction(move, state))).toEqual([]);
  },
);

slowTest.each([
  [3, false],
  [4, true],
  [7, false],
  [11, true],
])("plays like its twin, size %i, swap %s: somebody wins each game, and no sooner", (size, swap) => {
  const game = create(size, swap);
  for (let number = 0; number < 200; number++) {
    const random = createRandom("hex twin", size, number);
    playTwins(game, twin, { from: twinStart(size, swap), random });
  }
});

/** n (n - 1) ... with `factors` factors. */
function falling(n: number, factors: number): number {
  return Array.from({ length: factors }, (_, at) => n - at).reduce((product, factor) => product * factor, 1);
}

function twinPerft(position: TwinPosition, depth: number): number {
  if (depth === 0) return 1;
  if (twinWinner(position) !== undefined) return 0;
  let leaves = 0;
  for (const after of twinMoves(position).values()) leaves += twinPerft(after, depth - 1);
  return leaves;
}

describe("perft", () => {
  test("any order of moves, until the first player can have won", () => {
    for (let depth = 1; depth <= 5; depth++)
      expect(perft(create(3), create(3).start(), depth)).toBe(falling(9, depth));
    expect(perft(create(11), create(11).start(), 3)).toBe(falling(121, 3));
  });

  test("size 3: games that are over after five plies have no sixth", () => {
    // Eight chains of three cells go from top to bottom.
    const over = 8 * falling(3, 3) * falling(6, 2);
    expect(perft(create(3), create(3).start(), 6)).toBe(falling(9, 6) - over * 4);
  });

  test("size 3 to the last ply: as many as the twin has after b2", () => {
    const b2 = { ...twinStart(3, false), rows: ["...", ".x.", "..."], turn: "o" } as const;
    for (const depth of [5, 6, thorough(8, 7)])
      expect(perft(create(3), create(3).parseState("b2"), depth)).toBe(twinPerft(b2, depth));
  });

  test("the swap is one more action at the second ply, and leaves the first player all cells but one", () => {
    const game = create(5, true);
    expect(perft(game, game.start(), 2)).toBe(25 * 25);
    expect(perft(game, game.start(), 3)).toBe(25 * 24 * 23 + 25 * 24);
  });
});

test("the swap exchanges row and column of the first stone, and is possible once only", () => {
  const game = create(3, true);
  const state = game.parseState("c1 swap");
  expect(game.formatState(state)).toBe("3/3/o2 x");
  expect(() => game.parseAction("swap", state)).toThrow(/not possible here/);
  state.undo();
  expect(game.formatState(state)).toBe("2x/3/3 o");
  expect(() => create(3).parseState("3/3/o2 x")).toThrow(/1 o, which cannot be when x is to move/);
});

test("a copy goes on from a swap, and takes its own moves back", () => {
  const game = create(3, true);
  const copy = game.start();
  copy.copyFrom(game.parseState("a1"));
  for (const move of ["swap", "b2", "b1"]) copy.apply(game.parseAction(move, copy));
  for (const _ of "123") copy.undo();
  expect(game.formatState(copy)).toBe("x2/3/3 o");
  for (const move of ["c1", "a2", "b1", "a3"]) copy.apply(game.parseAction(move, copy));
  expect(copy.returns(0)).toBe(1);
});

test("a position is read from rows with numbers or dots, and from moves", () => {
  const game = create(3);
  expect(game.formatState(game.parseState(".../.x./... o"))).toBe("3/1x1/3 o");
  expect(game.formatState(game.parseState("b2"))).toBe("3/1x1/3 o");
  expect(game.formatState(game.parseState("start b2 A3"))).toBe("3/1x1/o2 x");
  expect(game.parseState("xo1/xo1/x2 o").toMove).toBe(TERMINAL);
});

test("the rows lean to the right", () => {
  const game = create(3);
  expect(game.render(game.parseState("b2 a3"))).toBe(
    ["   a b c", " 1  . . .", "  2  . x .", "   3  o . .", "x to move"].join("\n"),
  );
  expect(game.render(game.parseState("xo1/xo1/x2 o"))).toMatch(/x has won$/);
});

test.each([
  ["", /not possible here; allowed: a1 b1/],
  ["b2 b2", /"b2" is not possible here/],
  ["3/3/3", /must be rows, then x or o to move/],
  ["3/3 o", /is not 3 rows of 3 cells/],
  ["3/1y1/3 o", /is not 3 rows of 3 cells/],
  ["3/1x1/3 x", /has 1 x and 0 o/],
  ["xo1/xo1/x2 x", /has 3 x and 2 o/],
  ["xx1/ooo/x1x o", /o has won/],
])("the position %j is refused", (text, message) => {
  expect(() => create(3).parseState(text)).toThrow(message);
});
