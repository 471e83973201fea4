import { expect, test } from "vitest";
import { createGame } from "../../../src/games/index.ts";
import { decide, randomPositions } from "../../agents/play.ts";
import { thorough } from "../../support/thorough.ts";
import { bruteForce } from "./brute-force.ts";

/** The best result of the player to move, by alpha-beta to the end. */
function valueOf(size: number, text: string, swap = false): number {
  const game = createGame({ id: "hex", size, swap });
  return decide(game, `alpha-beta:depth=${size * size + 1},evaluator=two-distance`, game.parseState(text))
    .value!;
}

const nameOf = (cell: number, size: number) => "abcdefghijk"[cell % size]! + (Math.floor(cell / size) + 1);

/** First stones that win are x. The acute corners never do (Beck 1969), the short diagonal does on all solved boards. */
const OPENINGS = {
  3: ["..x", "xxx", "x.."],
  4: ["...x", "..x.", ".x..", "x..."],
  5: ["....x", ".xxxx", ".xxx.", "xxxx.", "x...."],
};

test.each([3, 4] as const)("the first stones that win on %i rows, by brute force", (size) => {
  const wins = bruteForce(size);
  const cells = Array.from({ length: size * size }, (_, cell) => (wins(0, 1 << cell, 1) ? "." : "x"));
  expect(cells.join("")).toBe(OPENINGS[size].join(""));
});

test.each([3, 4] as const)("the first stones that win on %i rows, by alpha-beta", (size) => {
  const all = OPENINGS[size].join("");
  // The other half of the board is the same turned round.
  for (let cell = 0; cell < all.length / 2; cell += size === 3 ? 1 : thorough(1, 3))
    expect([cell, valueOf(size, nameOf(cell, size))]).toEqual([cell, all[cell] === "x" ? -1 : 1]);
});

/** Solves with what the game offers. */
function solve(size: number, text: string, swap = false): number {
  const game = createGame({ id: "hex", size, swap });
  const state = game.parseState(text);
  return game.solver!().value(state, state.toMove);
}

test.each([3, 4, 5] as const)("the first stones that win on %i rows, by the solver", (size) => {
  const game = createGame({ id: "hex", size });
  const solver = game.solver!();
  const all = OPENINGS[size].join("");
  for (let cell = 0; cell < all.length / 2; cell += size === 5 ? thorough(1, 12) : 1) {
    const value = solver.value(game.parseState(nameOf(cell, size)), 0);
    expect([cell, value]).toEqual([cell, all[cell] === "x" ? 1 : -1]);
  }
});

test("the solver and alpha-beta agree on 5x5, with ten stones or more", () => {
  const game = createGame({ id: "hex", size: 5 });
  const texts = randomPositions(game, 300).map((state) => game.formatState(state));
  const late = texts.filter((text) => text.replace(/[^xo]/g, "").length > 10);
  for (const text of late.slice(0, thorough(100, 20)))
    expect([text, solve(5, text)]).toEqual([text, valueOf(5, text)]);
});

test("alpha-beta and brute force agree on all positions of two stones on 3x3", () => {
  const wins = bruteForce(3);
  for (let first = 0; first < 9; first++) {
    for (let second = 0; second < 9; second++) {
      if (first === second) continue;
      const value = wins(1 << first, 1 << second, 0) ? 1 : -1;
      const moves = `${nameOf(first, 3)} ${nameOf(second, 3)}`;
      expect([moves, valueOf(3, moves)]).toEqual([moves, value]);
    }
  }
});

test("with the swap the second player wins", () => {
  for (const value of [valueOf, solve])
    expect([value(3, "start"), value(3, "start", true), value(4, "start")]).toEqual([1, -1, 1]);
  // Whoever has the only stone: the acute corner loses, and the middle wins.
  for (const text of ["a1", "b2", "a1 swap", "b2 swap"])
    expect(solve(3, text, true)).toBe(valueOf(3, text, true));
});

test("a bridge cannot be cut", () => {
  // The two x in the middle have two ways to each other, to the top and to the bottom.
  expect(valueOf(4, "4/2x1/4/ox2 o")).toBe(-1);
});
