import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { binomial, rankOfSet, setOfRank } from "../../../src/games/checkers/endgames.ts";
import { countBits, reverseBits } from "../../../src/base/hashing.ts";
import { createRandom } from "../../../src/base/random.ts";
import type { CheckersState } from "../../../src/games/checkers/state.ts";
import { createGame } from "../../../src/games/index.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { endgamesOf } from "../../../src/games/endgames/retrograde.ts";
import { UNKNOWN } from "../../../src/games/endgames/endgame-tables.ts";
import { slowTest, thorough } from "../../support/thorough.ts";
import {
  buildEndgames,
  checkers,
  countsByMover,
  longestOf,
  positionsOf,
  distanceByActions,
} from "./build.ts";

const endgames = endgamesOf(checkers);
const { tables, byName } = buildEndgames(checkers, ["KM-M", "KK-K"]);

/** All classes with that many pieces. */
function classesOf(pieces: number): string[] {
  const names = new Set<string>();
  for (let first = 1; first < pieces; first++)
    for (let kings = 0; kings <= first; kings++)
      for (let others = 0; others <= pieces - first; others++) {
        const one = "K".repeat(kings) + "M".repeat(first - kings);
        const other = "K".repeat(others) + "M".repeat(pieces - first - others);
        names.add(endgames.classNamed(`${one}-${other}`).name);
      }
  return [...names];
}

/** The positions of all classes with that many pieces, and those in which one player has them all. */
function countPositions(pieces: number): number {
  let count = 0;
  const state = endgames.createState();
  for (const name of classesOf(pieces)) {
    const of = endgames.classNamed(name);
    for (let index = 0; index < of.size; index++) if (of.place(state, index)) count++;
  }
  for (let men = 0; men <= pieces; men++) count += 2 * binomial(28, men) * binomial(32 - men, pieces - men);
  return count;
}

test("there are as many positions with two and three pieces as published", () => {
  expect(countPositions(2)).toBe(6972);
  expect(countPositions(3)).toBe(261_224);
});

slowTest("there are as many positions with four pieces as published", () => {
  expect(countPositions(4)).toBe(7_092_774);
});

/** Lines of `checkers-endgames.txt`: a class from the side of the player to move, wins, losses and draws. */
const counted = readFileSync("test/fixtures/games/checkers-endgames.txt", "utf8").trim().split("\n");

/** The lines of the classes with that many pieces, counted in agon's tables. */
function linesOf(pieces: number): string[] {
  const { byName } = buildEndgames(checkers, classesOf(pieces));
  return classesOf(pieces).flatMap((name) => countsByMover(byName.get(name)!));
}

const withPieces = (pieces: number) => counted.filter((line) => line.indexOf(" ") === pieces + 1).toSorted();

test("with two and three pieces there are as many wins, losses and draws as a second program counts", () => {
  for (const pieces of [2, 3]) expect(linesOf(pieces).toSorted()).toEqual(withPieces(pieces));
});

slowTest("with four pieces, too", () => {
  expect(linesOf(4).toSorted()).toEqual(withPieces(4));
});

test("the distance of a position is the best of its actions", () => {
  for (const table of byName.values())
    for (const { index, state } of positionsOf(checkers, table, thorough(7, 29)))
      expect(distanceByActions(checkers, state, tables), checkers.formatState(state)).toBe(
        table.distances[index]! + 0,
      );
});

slowTest("with four pieces too, two kings with two men against as many", () => {
  const all = buildEndgames(checkers, ["KM-KM"]);
  const table = all.byName.get("KM-KM")!;
  for (const { index, state } of positionsOf(checkers, table, 7))
    expect(distanceByActions(checkers, state, all.tables)).toBe(table.distances[index]! + 0);
});

test("two kings beat one, which is safe in a double corner", () => {
  // The longest way there takes 17 moves.
  expect(longestOf(byName.get("KK-K")!)).toEqual({ win: 33, loss: 34 });
  expect(tables.probe(checkers.parseState("B:BK14:WK1"))).toBe(0);
  expect(tables.probe(checkers.parseState("B:BK14,K18:WK1"))).toBeGreaterThan(0);
});

test("a position has the number that it is placed by, and shares it with what is alike", () => {
  const random = createRandom("numbers");
  const state = endgames.createState() as CheckersState;
  for (const name of [...classesOf(3), ...classesOf(4), "KKM-KM", "KKMM-MM"]) {
    const of = endgames.classNamed(name);
    for (let sample = 0; sample < 200; sample++) {
      const index = random.below(of.size);
      if (!of.place(state, index)) continue;
      expect(endgames.keyOf(state)).toBe(of.key);
      expect(of.indexOf(state)).toBe(index);
      // Turned by half, with the colours exchanged.
      const { black, white, kings } = state;
      Object.assign(state, {
        turn: 1 - state.turn,
        black: reverseBits(white),
        white: reverseBits(black),
        kings: reverseBits(kings),
      });
      const count = state.toMove < 0 ? 0 : possibleActions(checkers, state).length;
      expect(of.indexOf(state)).toBe(index);
      state.settle();
      expect(state.toMove < 0 ? 0 : possibleActions(checkers, state).length).toBe(count);
    }
  }
});

test("sets are numbered without gaps", () => {
  for (const members of [0, 1, 2, 3, 5]) {
    const count = binomial(10, members);
    const sets = Array.from({ length: count }, (_, rank) => setOfRank(rank, members, 10));
    expect(new Set(sets).size).toBe(count);
    expect(sets.every((set) => countBits(set) === members && set < 1 << 10)).toBe(true);
    expect(sets.map(rankOfSet)).toEqual(Array.from(sets.keys()));
  }
  expect(rankOfSet(0x80000000 | 1)).toBe(binomial(31, 2));
});

test("a win that comes too late under the rule of moves without progress is unknown", () => {
  const text = "B:BK14,K18:WK1";
  const plies = tables.probe(checkers.parseState(text));
  const at = (quiet: number) => tables.probe(checkers.parseState(`${text}:H${quiet}`));
  expect(at(40 - plies - 1)).toBe(plies);
  expect(at(40 - plies)).toBe(UNKNOWN);
  const long = createGame({ id: "checkers", drawAfter: 80, repetitions: 3 });
  expect(tables.probe(long.parseState(`${text}:H${80 - plies - 1}`))).toBe(plies);
});

test("a wrong name is refused", () => {
  for (const name of ["KK", "KKQ-K", "KKKK-KKK", "-K"])
    expect(() => endgames.classNamed(name)).toThrow(/names no endgame; allowed/);
  expect(endgames.classNamed("k-mmk").name).toBe("KMM-K");
});
