import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createGame } from "../../../src/games/index.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import type { State } from "../../../src/games/contract/game.ts";
import { slowTest } from "../../support/thorough.ts";

const game = createGame({ id: "chess", quietMoves: 1000, repetitions: 0, insufficientMaterial: false });
const head = game.policyHead!;

/** The numbers of the legal moves, by their text in UCI. */
function numbersOf(state: State): Map<string, number> {
  const uci = game.protocols["uci"]!;
  return new Map(
    Array.from(possibleActions(game, state), (action) => [
      uci.formatAction(action, state),
      head.index(action, state),
    ]),
  );
}

/** The position with the colours exchanged and the first rank on top. */
function mirrored(fen: string): string {
  const [board, turn, castling, passant, ...counts] = fen.split(" ");
  const swapped = (text: string) =>
    text.replaceAll(/[a-z]/gi, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
  const ranks = board!.split("/").toReversed().map(swapped);
  const target = passant!.replace("3", "x").replace("6", "3").replace("x", "6");
  return [ranks.join("/"), turn === "w" ? "b" : "w", swapped(castling!), target, ...counts].join(" ");
}

const suite = readFileSync(new URL("../../fixtures/chess/perft-suite.epd", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => line.split(";")[0]!.trim());

slowTest("the legal moves of perft positions have numbers of their own, and mirrored positions agree", () => {
  let seen = 0;
  const promotions = new Set<string>();
  for (const fen of suite) {
    const root = game.parseState(fen);
    for (const first of [undefined, ...possibleActions(game, root)]) {
      const state = game.parseState(fen);
      if (first !== undefined) state.apply(first);
      if (state.toMove < 0) continue;
      const numbers = numbersOf(state);
      expect(new Set(numbers.values()).size).toBe(numbers.size);
      const other = numbersOf(game.parseState(mirrored(game.formatState(state))));
      expect(other.size).toBe(numbers.size);
      for (const [move, number] of numbers) {
        const image = move.replaceAll(/[1-8]/g, (rank) => String(9 - Number(rank)));
        expect(other.get(image)).toBe(number);
        expect(number).toBeLessThan(head.size);
        if (move.length === 5) promotions.add(move[4]!);
        seen++;
      }
    }
  }
  expect(seen).toBeGreaterThan(9000);
  expect([...promotions].toSorted()).toEqual(["b", "n", "q", "r"]);
});

test.each([
  // Square, then plane: ahead by 2 is 1; a knight's second jump 56 + 1; and a castling king goes two to the right.
  ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", 73 * 12 + 1],
  ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "b1c3", 73 * 1 + 56],
  ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", "e7e5", 73 * 12 + 1],
  ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 73 * 4 + 2 * 7 + 1],
  ["1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 73 * 48],
  ["1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 73 * 48 + 7],
  // Knight, bishop and rook, each to the left, ahead and to the right.
  ["1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", 73 * 48 + 64 + 1],
  ["1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8r", 73 * 48 + 64 + 3 * 2 + 2],
])("%s: %s", (fen, move, number) => {
  expect(head.size).toBe(8 * 8 * 73);
  expect(numbersOf(game.parseState(fen)).get(move)).toBe(number);
});
