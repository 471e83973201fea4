import { expect, test } from "vitest";
import { modelFeatures } from "../../../src/evaluators/models.ts";
import { imagesOf } from "../../../src/evaluators/n-tuple.ts";
import { visitRandomPositions, patternsOf } from "../../../src/explain/weights/survey.ts";
import { createGame } from "../../../src/games/index.ts";

test("an entry is drawn where its tuple lies, with the share of positions that have it in any image", () => {
  const game = createGame({ id: "othello", size: 6 });
  const board = game.tupleBoard!;
  const tuples = [
    [0, 1],
    [7, 8, 14],
  ];
  const set = modelFeatures(game, { kind: "n-tuple", tuples, output: "tanh", stages: [] });
  // The second table's entry with the digits 1, 0, 2, in the second stage.
  const [first, ...held] = [board.digits ** 2, 1, 0, 2];
  const feature = held.reduce((code, digit) => code * board.digits + digit, 0) + first!;
  const isLate = (phase: number) => phase >= 20;
  const entry = { name: "", stage: 2, feature, weight: 0.5 };
  const [pattern] = patternsOf(
    game,
    { board, tuples, features: set },
    { entries: [entry], stageOf: (phase) => (isLate(phase) ? 2 : 1) },
  );
  // Counted from the digits of the board alone.
  const digits = new Uint8Array(board.cells);
  let [late, having] = [0, 0];
  visitRandomPositions(game, 2000, (state) => {
    if (!isLate(game.phase!.of(state))) return;
    late++;
    board.read(state, board.viewer?.(state) ?? 0, digits);
    if (imagesOf(board, [7, 8, 14]).some((image) => image.every((cell, at) => digits[cell] === held[at])))
      having++;
  });
  expect(having).toBeGreaterThan(10);
  expect(pattern).toMatchObject({ weight: 0.5, stage: 2, tuple: 2, share: having / late });
  const places = board.layout!.rows.map((row) => row.map((cell) => [7, 8, 14].indexOf(cell!)));
  expect(pattern!.rows).toEqual(
    places.map((row) => row.map((at) => (at < 0 ? undefined : board.digitName(held[at]!)))),
  );
});
