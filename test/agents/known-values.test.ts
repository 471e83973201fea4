import { expect, test } from "vitest";
import { KnownValues } from "../../src/agents/alpha-beta/known-values.ts";
import { createGame } from "../../src/games/index.ts";
import { randomPositions } from "./play.ts";
import { slowTest } from "../support/thorough.ts";

const chess = createGame("chess");

slowTest("a value of the player to move is asked for once, until all are forgotten", () => {
  const evaluator = chess.heuristics["piece-squares"]!;
  let asked = 0;
  const known = new KnownValues({
    evaluate: (state, player) => (asked++, evaluator.evaluate(state, player)),
  });
  for (const state of randomPositions(chess, 50, { seed: "known" })) {
    const both = () => [0, 1].map((player) => known.evaluate(state, player));
    const values = [0, 1].map((player) => evaluator.evaluate(state, player));
    asked = 0;
    expect([both(), both(), both(), asked]).toEqual([values, values, values, 1 + 3]);
    known.forget();
    expect([known.evaluate(state, state.toMove), asked]).toEqual([values[state.toMove], 1 + 3 + 1]);
  }
});

test("a position whose hash is 0 is not known before it is asked for", () => {
  const known = new KnownValues({ evaluate: () => 0.5 });
  const state = Object.assign(chess.start(), { hashLow: 0, hashHigh: 0 });
  expect(known.evaluate(state, 0)).toBe(0.5);
});
