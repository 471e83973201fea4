import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import type { State } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { endgamesOf } from "../../../src/games/endgames/retrograde.ts";
import { UNKNOWN } from "../../../src/games/endgames/endgame-tables.ts";
import { slowTest, thorough } from "../../support/thorough.ts";
import { buildEndgames, chess, longestOf, positionsOf, distanceByActions } from "./build.ts";

const { tables, byName } = buildEndgames(chess, ["KPK"]);
const endgames = endgamesOf(chess);

/** A longest mate in n moves: 2n - 1 plies for who mates, 2n for who is mated. */
const mateIn = (moves: number) => ({ win: 2 * moves - 1, loss: 2 * moves });

test("the longest mates with three pieces are those that are known", () => {
  expect([...byName.keys()].toSorted()).toEqual(["KBK", "KK", "KNK", "KPK", "KQK", "KRK"]);
  expect(longestOf(byName.get("KQK")!)).toEqual(mateIn(10));
  expect(longestOf(byName.get("KRK")!)).toEqual(mateIn(16));
  expect(longestOf(byName.get("KPK")!)).toEqual(mateIn(28));
  for (const name of ["KK", "KNK", "KBK"]) expect(longestOf(byName.get(name)!)).toEqual({ win: 0, loss: 0 });
});

test("king and pawn against king: as many wins as published, 124,960 and 97,604", () => {
  const { distances } = byName.get("KPK")!;
  // Each number stands for a position and its mirror image.
  expect(2 * distances.filter((distance) => distance > 0 && distance !== UNKNOWN).length).toBe(124_960);
  expect(2 * distances.filter((distance) => distance < 0).length).toBe(97_604);
});

slowTest("the longest mate with two bishops takes 19 moves", () => {
  expect(longestOf(buildEndgames(chess, ["KBBK"]).byName.get("KBBK")!)).toEqual(mateIn(19));
});

slowTest("the distance of a position is the best of its actions", () => {
  for (const table of byName.values())
    for (const { index, state } of positionsOf(chess, table, 7))
      expect(distanceByActions(chess, state, tables), chess.formatState(state)).toBe(
        table.distances[index]! + 0,
      );
});

test("a position has the number that it is placed by, and shares it with what is alike", () => {
  const names = ["KQK", "KPK", "KBNK", "KNNK", "KQKR", "KPKP", "KPKN"];
  const other = endgames.createState();
  for (const name of names) {
    const of = endgames.classNamed(name);
    const random = createRandom("numbers", name);
    const state = endgames.createState();
    for (let sample = 0; sample < thorough(500, 120); sample++) {
      const index = random.below(of.size);
      if (!of.place(state, index)) continue;
      const text = chess.formatState(state);
      expect(endgames.keyOf(state), text).toBe(of.key);
      // A position with both kings on the diagonal and its mirror image may have two numbers.
      const number = of.indexOf(state);
      expect(of.place(other, number), text).toBe(true);
      expect(of.indexOf(other), text).toBe(number);
      expect(possibleActions(chess, other).length, text).toBe(possibleActions(chess, state).length);
      expect(of.indexOf(chess.parseState(swapped(text))), text).toBe(number);
    }
  }
});

/** The same position with the colours exchanged. */
function swapped(fen: string): string {
  const [pieces = "", side, , enPassant = "-"] = fen.split(" ");
  const turned = pieces
    .split("/")
    .toReversed()
    .join("/")
    .replace(/[a-z]/gi, (letter) =>
      letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
    );
  const square = enPassant.replace(/[36]$/, (rank) => (rank === "3" ? "6" : "3"));
  return `${turned} ${side === "w" ? "b" : "w"} - ${square}`;
}

test("a pawn that can be captured en passant has a number of its own", () => {
  const of = endgames.classNamed("KPKP");
  for (const pieces of ["8/8/8/8/3pP3/8/8/K6k b", "K6k/8/8/3Pp3/8/8/8/8 w"]) {
    const square = pieces.endsWith("b") ? "e3" : "e6";
    const with_ = chess.parseState(`${pieces} - ${square}`);
    const without = chess.parseState(`${pieces} - -`);
    expect(of.indexOf(with_)).not.toBe(of.indexOf(without));
    const state = endgames.createState();
    expect(of.place(state, of.indexOf(with_))).toBe(true);
    expect(possibleActions(chess, state).length).toBe(possibleActions(chess, with_).length);
    expect(possibleActions(chess, state).length).toBe(possibleActions(chess, without).length + 1);
  }
});

/** The distance of a position if it is decided within `plies`, by looking at every line; 0 if it is not. */
function search(state: State, plies: number): number {
  if (state.toMove < 0 || plies === 0) return 0;
  const me = state.toMove;
  let nearest = 0;
  let farthest = 0;
  let isLost = true;
  for (const action of possibleActions(chess, state)) {
    state.apply(action);
    const ended = state.toMove < 0;
    const after = ended ? 0 : search(state, plies - 1);
    const value = ended ? state.returns(me) : -Math.sign(after);
    const distance = 1 + Math.abs(after);
    state.undo();
    if (value > 0) nearest = nearest === 0 ? distance : Math.min(nearest, distance);
    if (value < 0) farthest = Math.max(farthest, distance);
    else isLost = false;
  }
  return nearest > 0 ? nearest : isLost ? -farthest : 0;
}

slowTest("what is decided within four plies is what a search finds", () => {
  for (const name of ["KQK", "KRK"]) {
    const table = byName.get(name)!;
    for (const { index, state } of positionsOf(chess, table, 401)) {
      const distance = table.distances[index]!;
      expect(search(state, 4), chess.formatState(state)).toBe(Math.abs(distance) <= 4 ? distance + 0 : 0);
    }
  }
});

test("a win that the rule of 50 moves or a repetition may spoil is unknown; a draw never is", () => {
  const at = (fen: string) => tables.probe(chess.parseState(fen));
  expect(at("8/8/8/3k4/8/8/8/KR6 w - - 0 1")).toBe(29);
  expect(at("8/8/8/3k4/8/8/8/KR6 w - - 71 60")).toBe(29);
  expect(at("8/8/8/3k4/8/8/8/KR6 w - - 72 60")).toBe(UNKNOWN);
  expect(at("8/8/8/8/k7/p7/8/K7 b - - 0 1")).toBe(0);
  expect(at("8/8/8/8/k7/p7/8/K7 b - - 90 80")).toBe(0);
  const state = chess.parseState("8/8/8/3k4/8/8/8/KR6 w - - 0 1");
  for (const move of "Ka2 Kd4 Ka1 Kd5 Ka2".split(" ")) {
    expect(tables.probe(state)).not.toBe(UNKNOWN);
    state.apply(chess.parseAction(move, state));
  }
  // The first position has occurred twice: were the kings to go back there, it would be a draw.
  expect(tables.probe(state)).toBe(UNKNOWN);
});

test("castling rights and more than four pieces are in no class; a wrong name is refused", () => {
  expect(endgames.keyOf(chess.parseState("4k3/8/8/8/8/8/8/4K2R w K - 0 1"))).toBe(-1);
  expect(endgames.keyOf(chess.parseState("4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1"))).toBe(-1);
  for (const name of ["KXK", "QK", "K", "KQRBK", "KkK"])
    expect(() => endgames.classNamed(name)).toThrow(/names no endgame; allowed/);
  expect(endgames.classNamed("kkq").name).toBe("KQK");
});
