import { expect, test } from "vitest";
import { checkEvaluator } from "../../../src/games/check/check-evaluator.ts";
import { noEvaluator } from "../../../src/evaluators/index.ts";
import type { State } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { createTiny, TinyState } from "./tiny.ts";

const game = createTiny();

test("nothing is wrong with a good evaluator, for two players or three", () => {
  expect(checkEvaluator(game, noEvaluator)).toEqual([]);
  expect(checkEvaluator(game, game.heuristics["nearness"]!)).toEqual([]);
  const three = createGame({ id: "nim", piles: [1, 2, 3], players: 3 });
  expect(checkEvaluator(three, { evaluate: (_, player) => player / 10 })).toEqual([]);
});

test("at-most: a bound that a later position is above", () => {
  const nearness = game.heuristics["nearness"]!;
  expect(checkEvaluator(game, { ...nearness, atMost: () => 1 })).toEqual([]);
  const findings = checkEvaluator(game, { ...nearness, atMost: (_, __, plies) => (plies < 2 ? 1 : 0) });
  expect(findings).toMatchObject([{ check: "at-most" }]);
  expect(findings[0]!.found).toMatch(
    /^the value for player [01] is 0\.\d+; \d plies before, atMost for [2-4] plies was 0$/,
  );
});

const count = (state: State) => (state as TinyState).count;
let calls = 0;

test.each([
  [
    "range",
    /^the evaluator gives player 0 Infinity; allowed is more than -1 and less than 1/,
    () => Infinity,
  ],
  ["range", /^the evaluator gives player 0 undefined/, () => undefined as unknown as number],
  ["range", /^the evaluator gives player 1 -1; /, (_: State, player: number) => 0 - player],
  ["negation", /^the evaluator gives player 0 0\.25 and player 1 0\.25, which do not sum to 0/, () => 0.25],
  [
    "position-alone",
    /^the evaluator gives player 0 0\.\d+; when the position was seen first it gave 0\.\d+/,
    (_: State, player: number) => (player === 0 ? 1 : -1) * (1 - 1 / (2 + (calls++ >> 1))),
  ],
  [
    "state-kept",
    /^the evaluator changes the state: returns\(0\) is/,
    (state: State) => {
      if (count(state) > 4) state.returns = () => 0.5;
      return 0;
    },
  ],
  [
    "range",
    /^an exception was thrown: Error: too many/,
    (state: State) => {
      if (count(state) > 4) throw new Error("too many");
      return 0;
    },
  ],
] as const)("%s: %s", (check, found, evaluate) => {
  const findings = checkEvaluator(game, { evaluate });
  expect(findings.find((finding) => finding.check === check)?.found).toMatch(found);
});
