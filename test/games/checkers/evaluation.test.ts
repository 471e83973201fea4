import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { material, materialLead, samuelFeatures } from "../../../src/games/checkers/judge.ts";
import type { CheckersState } from "../../../src/games/checkers/state.ts";
import { checkers } from "../../../src/games/checkers/checkers.ts";
import { TERMINAL, type FeatureSet, type Game } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { decide } from "../../agents/play.ts";

const game = checkers.create(checkers.options.parse({})) as Game<CheckersState>;

function read(
  features: FeatureSet<CheckersState>,
  state: CheckersState,
  player: number,
): Record<string, number> {
  const index = new Int32Array(features.maxActive);
  const value = new Float32Array(features.maxActive);
  const count = features.extract(state, player, index, value);
  const sums: Record<string, number> = {};
  for (let at = 0; at < count; at++) {
    const name = features.describe(index[at]);
    sums[name] = (sums[name] ?? 0) + value[at];
  }
  return sums;
}

test("the textbook position: black men 20, 21 and king 31, red man 23 and king 22, is worth 7 - 6 = 1", () => {
  for (const turn of ["B", "W"]) {
    const state = game.parseState(`${turn}:W23,K22:B20,21,K31`);
    expect(materialLead(state)).toBe(1);
    expect(material.evaluate(state, 0)).toBeCloseTo(1 / 6, 12);
  }
});

test.each(["B", "W"])("with %s to move there, minimax and alpha-beta agree at every depth", (turn) => {
  const state = game.parseState(`${turn}:W23,K22:B20,21,K31`);
  for (let depth = 1; depth <= 7; depth++) {
    const common = `depth=${depth},evaluator=material,deepening=false`;
    const full = decide(game, `minimax:${common}`, state);
    const exactly = "table=0,quiescence=false,reductions=false,futility=0";
    const pruned = decide(game, `alpha-beta:${common},${exactly}`, state);
    expect(pruned.value).toBe(full.value);
    if (depth > 2) expect(pruned.nodes).toBeLessThan(full.nodes);
  }
});

test("material grows with the lead and stays within a win", () => {
  const values = [
    "B:W32:B1",
    "B:W32:B1,2",
    "B:W32:BK1,2",
    "B:W32:BK1,K2,K3,K4,K5,K6,K7,K8,K9,K10,K11,K12",
  ].map((text) => material.evaluate(game.parseState(text), 0));
  expect(values[0]).toBe(0);
  expect(values).toEqual(values.toSorted((a, b) => a - b));
  expect(values.at(-1)).toBeLessThan(1);
});

test("Samuel's terms, counted by hand at the start", () => {
  // Both sides are alike, so that only the turn is left.
  expect(read(samuelFeatures, game.start(), 0)).toEqual({ "to move": 1 });
  expect(read(samuelFeatures, game.start(), 1)).toEqual({ "to move": -1 });
});

test("Samuel's terms, counted by hand on a thin board", () => {
  // Black: man 1 in its corner, men 3 and 22; White: king 15.
  expect(read(samuelFeatures, game.parseState("W:WK15:B1,3,22"), 0)).toEqual({
    men: 3,
    kings: -1,
    "men on rows 5 and 6 less men on rows 3 and 4 (ADV)": 1,
    "men in the centre (CENT)": 1,
    "kings in the centre (KCENT)": -1,
    // 22 is held; the king holds 15 and reaches 10, 11, 18, 19.
    "centre held or reached (CNTR)": 1 - 5,
    // 1 reaches 5 and 6, 3 reaches 7 and 8, 22 reaches 25 and 26; the king 10, 11, 18 and 19.
    "squares reached (MOB)": 6 - 4,
    // 5, on the edge and beside 1.
    "empty squares between two pieces, or a piece and the edge (GAP)": 1,
    "men beside empty squares only (POLE)": 3,
    "to move": -1,
  });
});

test("Samuel's terms, counted by hand on a full back row", () => {
  expect(read(samuelFeatures, game.parseState("B:W24:B1,2,3,7,10,15,19"), 0)).toMatchObject({
    "bridge on the back row against no kings (BACK)": 1,
    "triangle of Oreo against no kings (OREO)": 1,
    // 3-7-10 and 10-15-19.
    "three in a diagonal (DYKE)": 2,
    // 6, beside 1, 2 and 10.
    "empty squares beside three or more pieces (HOLE)": 1,
    // 19 can take 24; 15 behind it shields 19 from 24.
    "pieces that can capture": 1,
  });
});

test("the features see the same from both sides of a turned board", () => {
  const turned = (state: CheckersState) => {
    const flip = (list: string) => list.replace(/\d+/g, (square) => String(33 - Number(square)));
    const [turn, white, black] = game.formatState(state).replace(/:H\d+/, "").split(":");
    return game.parseState(`${turn === "B" ? "W" : "B"}:W${flip(black!.slice(1))}:B${flip(white!.slice(1))}`);
  };
  for (let number = 0; number < 20; number++) {
    const random = createRandom("turned", number);
    const state = game.start();
    for (let ply = 0; ply < 60 && state.toMove !== TERMINAL; ply++) {
      const other = turned(state);
      expect(read(samuelFeatures, state, 0)).toEqual(read(samuelFeatures, other, 1));
      const actions = possibleActions(game, state);
      state.apply(actions[random.below(actions.length)]);
    }
  }
});
