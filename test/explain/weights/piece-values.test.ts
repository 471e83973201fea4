import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { pieceValues } from "../../../src/explain/weights/inspect.ts";
import { TERMINAL } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { stepRandomly } from "../../agents/play.ts";
import { slowTest } from "../../support/thorough.ts";

/** The letter of each kind of piece in the text of a position. */
const LETTERS: Readonly<Record<string, string>> = {
  pawn: "p",
  knight: "n",
  bishop: "b",
  rook: "r",
  queen: "q",
};

/** By kind: White's pieces less Black's, from the text of a chess position. */
function chessCount(position: string, kind: string): number {
  const [board] = position.split(" ") as [string];
  const letter = LETTERS[kind]!;
  const count = (wanted: string) => board.split(wanted).length - 1;
  return count(letter.toUpperCase()) - count(letter);
}

describe.each([
  ["chess", "material", chessCount],
  ["chess", "positional", chessCount],
] as const)("%s, %s", (id, name, count) => {
  const game = createGame(id);
  const set = game.featureSets[name]!;

  slowTest("the features of each kind count its pieces, for both players", () => {
    const random = createRandom("pieces", id);
    const index = new Int32Array(set.maxActive);
    const value = new Float32Array(set.maxActive);
    let differing = 0;
    for (let round = 0; round < 20; round++) {
      const state = game.start();
      for (let ply = 0; ply < 120 && state.toMove !== TERMINAL; ply++) {
        for (const player of [0, 1]) {
          const active = set.extract(state, player, index, value);
          for (const { name: kind, features } of set.pieces!) {
            let sum = 0;
            for (let at = 0; at < active; at++) if (features.includes(index[at]!)) sum += value[at]!;
            const expected = count(game.formatState(state), kind);
            expect(sum).toBe((player === 0 ? expected : 0 - expected) + 0);
            if (sum !== 0) differing++;
          }
        }
        stepRandomly(game, state, random);
      }
    }
    expect(differing).toBeGreaterThan(1000);
  });
});

test("textbook values come out in pawns, whatever a pawn weighs", () => {
  const set = createGame("chess").featureSets["material"]!;
  const weights = Float32Array.of(0.25, 0.75, 0.75, 1.25, 2.25);
  expect(pieceValues(set, weights, 2).map(({ name, stage, pawns }) => [name, stage, pawns])).toEqual([
    ["pawn", 2, 1],
    ["knight", 2, 3],
    ["bishop", 2, 3],
    ["rook", 2, 5],
    ["queen", 2, 9],
  ]);
});

test("with a weight for each phase a piece has their mean", () => {
  const set = createGame("chess").featureSets["positional"]!;
  const weights = new Float32Array(set.size);
  const [pawn, , , , queen] = set.pieces!;
  weights.set([1, 3], pawn!.features[0]!);
  weights.set([3, 4], queen!.features[0]!);
  const values = pieceValues(set, weights, 1);
  expect(values.find(({ name }) => name === "pawn")).toMatchObject({ weight: 2, pawns: 1 });
  expect(values.find(({ name }) => name === "queen")).toMatchObject({ weight: 3.5, pawns: 1.75 });
});

test("where a pawn is worth nothing, nothing is said in pawns", () => {
  const set = createGame("chess").featureSets["material"]!;
  const values = pieceValues(set, Float32Array.of(-1, 3, 3, 5, 9), 1);
  expect(values.every(({ pawns }) => pawns === undefined)).toBe(true);
});

test("a set that names no pieces has none", () => {
  const set = createGame("connect-four").featureSets["lines"]!;
  expect(pieceValues(set, new Float32Array(set.size), 1)).toEqual([]);
});
