import { expect, test } from "vitest";
import { LinearEvaluator } from "../../../src/evaluators/linear.ts";
import { GROUP_POSITIONS, groupEffects } from "../../../src/explain/weights/groups.ts";
import { visitRandomPositions } from "../../../src/explain/weights/survey.ts";
import { createGame } from "../../../src/games/index.ts";

const chess = createGame("chess");
const features = chess.featureSets["positional"]!;
const linear = (game: typeof chess, name: string, weights: Float32Array) =>
  new LinearEvaluator(game, game.featureSets[name]!, { weights, output: "tanh" });

/** White's pawns less Black's, from the text of a position. */
function leadInPawns(position: string): number {
  const [board] = position.split(" ") as [string];
  return board.split("P").length - board.split("p").length;
}

test("the groups of chess share all its features, each in one run", () => {
  const groups = groupEffects(chess, linear(chess, "positional", new Float32Array(features.size)));
  expect(groups.map(({ name }) => name)).toEqual([
    "material",
    "squares",
    "pawns",
    "passed pawns",
    "pieces",
    "mobility",
    "king safety",
    "threats",
    "turn and castling",
  ]);
  expect(groups.reduce((sum, one) => sum + one.features, 0)).toBe(features.size);
  expect(features.groupOf!(features.size - 1)).toBe("turn and castling");
});

test("a group's effect is the mean size of what it adds", () => {
  const weights = new Float32Array(features.size);
  for (const feature of features.pieces![0]!.features) weights[feature] = 0.25;
  let total = 0;
  visitRandomPositions(chess, GROUP_POSITIONS, (state) => {
    total += 0.25 * Math.abs(leadInPawns(chess.formatState(state)));
  });
  const groups = groupEffects(chess, linear(chess, "positional", weights));
  expect(total).toBeGreaterThan(0);
  for (const { name, effect } of groups)
    expect(effect, name).toBeCloseTo(name === "material" ? total / GROUP_POSITIONS : 0, 10);
});

test("features without groups have no effects", () => {
  const pig = createGame("pig");
  const weights = new Float32Array(pig.featureSets["race"]!.size);
  expect(groupEffects(pig, linear(pig, "race", weights))).toEqual([]);
});
