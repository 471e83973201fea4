import { z } from "zod";
import { InputError, unknownName } from "../base/errors.ts";
import type { FeatureSet, Game } from "../games/game.ts";
import { LinearEvaluator, OUTPUTS } from "./linear.ts";
import { entriesOf, MAX_ENTRIES, tupleCells, tupleFeatures } from "./n-tuple.ts";

const stages = z
  .array(z.int().min(1))
  .default([])
  .describe("where a new stage begins, in the game's progress; each has weights of its own");

const output = z.enum(OUTPUTS).default("tanh").describe("how the sum becomes a return");

/** A weighted sum over a feature set, as data. */
export const linearModel = z.strictObject({
  kind: z.literal("linear").optional().default("linear").describe("a weighted sum of features"),
  features: z.string().describe("a feature set of the game"),
  output,
  stages,
});

/** An n-tuple network, as data. */
export const nTupleModel = z.strictObject({
  kind: z.literal("n-tuple").describe("tables over the contents of cells"),
  tuples: z
    .array(z.array(z.int().min(0)).min(1))
    .min(1)
    .describe("the cells of each tuple"),
  output,
  stages,
});

export type LinearModel = z.output<typeof linearModel>;
export type NTupleModel = z.output<typeof nTupleModel>;

/** The features that a model reads; throws InputError with a path relative to the model. */
export function modelFeatures(game: Game, model: LinearModel | NTupleModel): FeatureSet {
  checkStages(game, model.stages);
  return model.kind === "linear" ? namedFeatures(game, model.features) : tuplesOf(game, model.tuples);
}

/** The feature set of that name; throws InputError. */
export function namedFeatures(game: Game, name: string): FeatureSet {
  if (Object.hasOwn(game.featureSets, name)) return game.featureSets[name]!;
  throw at("features", unknownName("feature set", name, Object.keys(game.featureSets)));
}

/** The evaluator with these weights: as many as there are features, times the stages. */
export function createLinear(
  game: Game,
  model: LinearModel | NTupleModel,
  weights: Float32Array,
): LinearEvaluator {
  const { output: outputs, stages: begins } = model;
  return new LinearEvaluator(game, modelFeatures(game, model), { weights, output: outputs, stages: begins });
}

function tuplesOf(game: Game, tuples: readonly (readonly number[])[]): FeatureSet {
  const { tupleBoard: board } = game;
  if (board === undefined) throw at("kind", `${game.id} has no board that n-tuples could read`);
  for (const [index, cells] of tuples.entries()) {
    const beyond = cells.find((cell) => cell >= tupleCells(board));
    if (beyond !== undefined)
      throw at(`tuples[${index}]`, `there is no cell ${beyond}; cells are 0 to ${tupleCells(board) - 1}`);
    if (new Set(cells).size < cells.length) throw at(`tuples[${index}]`, "holds a cell twice");
  }
  const entries = entriesOf(board, tuples);
  if (entries > MAX_ENTRIES)
    throw at("tuples", `their tables would have ${entries} entries; at most ${MAX_ENTRIES}`);
  return tupleFeatures(board, tuples);
}

function checkStages({ id, phase }: Game, begins: readonly number[]): void {
  if (begins.length === 0) return;
  if (phase === undefined) throw at("stages", `${id} has no measure of progress for stages`);
  const { unit, max } = phase;
  if (begins.some((begin, index) => begin > max || (index > 0 && begin <= begins[index - 1]!)))
    throw at("stages", `must be ascending numbers of ${unit}, at most ${max}`);
}

function at(path: string, message: string): InputError {
  return new InputError([{ path, message }]);
}
