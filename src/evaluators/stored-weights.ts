import { z } from "zod";
import { check } from "../base/check.ts";
import { InputError } from "../base/errors.ts";
import { unknownName } from "../base/text.ts";
import { formatJson } from "../base/plain.ts";
import type { Game } from "../games/contract/game.ts";
import {
  countWeights,
  createLinear,
  createNetworkEvaluator,
  linearModel,
  networkModel,
  nTupleModel,
  onnxModel,
  type NetworkModel,
} from "./models.ts";
import type { LinearEvaluator } from "./linear.ts";
import { entriesOf, MAX_ENTRIES } from "./n-tuple.ts";
import type { OnnxNetwork } from "./network/graph-network.ts";
import type { Network } from "./network/network.ts";
import type { NetworkEvaluator } from "./network/network-evaluator.ts";

/*
 * The content of a weights file, and the evaluator that it describes. The files themselves are read and written by
 * specs/files/weights-file.ts.
 */

const FORMAT_VERSION = 2;
/** More outputs than any head for values has, and than any for policies. */
const MOST_OUTPUTS = 1000;
const MOST_LOGITS = 2 ** 16;

const size = z.int().min(1).max(MAX_ENTRIES);
const featured = {
  featuresVersion: z.int().describe("version of the feature set; another one is refused"),
  size: size.describe("features, or entries of the tables, in one stage"),
};
const policyVersion = z.int().optional().describe("version of the policy head; another one is refused");

const onnx = onnxModel.extend({ ...featured, policyVersion });
type StoredOnnx = z.output<typeof onnx>;
const model = z.discriminatedUnion("kind", [
  linearModel.extend(featured),
  nTupleModel.extend({ size: featured.size }),
  networkModel.extend({ ...featured, policyVersion }),
]);
/** The model as in a training's config, with the size of its feature set. */
export type StoredModel = z.output<typeof model>;
type StoredNetwork = Extract<StoredModel, { kind: "network" }>;
/** A model whose weights are tables: all but networks. */
export type TableModel = Exclude<StoredModel, StoredNetwork>;

const weights = z
  .union([z.array(z.number()), z.strictObject({ file: z.string() }), z.strictObject({ model: z.string() })])
  .describe(
    "a list (of networks, of each layer in turn the kernel row by row, then the bias); or a file beside this one: " +
      "`file` has float32, little endian, gzipped; `model` is a TensorFlow.js layers model, for networks, " +
      "or an ONNX file, for `kind: onnx`",
  );

/**
 * Schema of a weights file.
 * @public schema/write.mjs reads it from build
 */
export const weightsFile = z.strictObject({
  format: z.literal("agon-weights"),
  formatVersion: z.literal(FORMAT_VERSION),
  game: z
    .strictObject({
      id: z.string(),
      version: z.int(),
      options: z.record(z.string(), z.unknown()),
    })
    .describe("the game that the weights are for; another game, version or option is refused"),
  evaluator: z
    .discriminatedUnion("kind", [...model.options, onnx])
    .describe("`evaluator` of the training's config, with `size` and `featuresVersion`"),
  training: z
    .object({
      method: z.string().describe("the learning rule, for people"),
      seed: z.string(),
      games: z.int().describe("games that were learned from"),
      date: z.string(),
    })
    .loose()
    .describe("the origin of the weights; other keys, such as `rating` and `actors`, may follow"),
  sha256: z
    .string()
    .optional()
    .describe("checksum of the weights as float32, little endian; a file written by hand needs none"),
  weights,
});
/** The content of a weights file. */
export type WeightsFile = z.output<typeof weightsFile>;

/** A weights file's header: everything but the weights. */
export type WeightsHeader = Omit<WeightsFile, "weights" | "sha256">;

/** The weights of a file, read: tables stage after stage, or the layers of a network. */
export type StoredWeights =
  | { readonly model: TableModel; readonly weights: Float32Array }
  | { readonly model: StoredNetwork; readonly network: Network }
  | { readonly model: StoredOnnx; readonly graph: OnnxNetwork };

/** Makes the header for weights of `evaluator`, made for `game`. */
export function describeWeights(
  game: Game,
  evaluator: WeightsFile["evaluator"],
  training: WeightsFile["training"],
): WeightsHeader {
  return {
    format: "agon-weights",
    formatVersion: FORMAT_VERSION,
    game: { id: game.id, version: game.version, options: { ...game.options } },
    evaluator,
    training,
  };
}

/** Writes the text of a weights file. */
export function formatWeights(
  header: WeightsHeader,
  { sha256, weights: stored }: Pick<WeightsFile, "sha256" | "weights">,
): string {
  return `${formatJson({ ...header, sha256 }).slice(0, -2)},\n  "weights": ${JSON.stringify(stored)}\n}\n`;
}

/** The keys that are checked first, one after the other: only they matter in a file of another kind or version. */
const kind = weightsFile.pick({ format: true }).loose();
const version = weightsFile.pick({ formatVersion: true }).loose();

/**
 * Checks the parsed JSON of a weights file; throws InputError.
 * @param source named in messages: the file's path
 */
export function parseWeights(json: unknown, source: string): WeightsFile {
  check(kind, json, source);
  check(version, json, source);
  return check(weightsFile, json, source);
}

/** Throws InputError, with every difference, if a weights file was made for something else than `game`. */
export function checkFits({ game: made, evaluator, weights: stored }: WeightsFile, game: Game): void {
  if (made.id !== game.id) throw new InputError(`game: the weights are for ${made.id}, wanted is ${game.id}`);
  const differences = [
    differs("game version", made.version, game.version),
    differs("game options", JSON.stringify(made.options), JSON.stringify(game.options)),
    ...(evaluator.kind === "n-tuple"
      ? [tupleDifference(evaluator, game)]
      : featureDifferences(evaluator, game)),
    (evaluator.kind === "network" || evaluator.kind === "onnx") && evaluator.policy
      ? differs(
          "version of the numbers of actions",
          evaluator.policyVersion ?? 0,
          game.policyHead?.version ?? "none",
        )
      : undefined,
    evaluator.kind !== "network" && evaluator.kind !== "onnx" && Array.isArray(stored)
      ? countDifference(evaluator, stored.length)
      : undefined,
  ].filter((difference) => difference !== undefined);
  if (differences.length > 0) throw new InputError(differences.map((message) => ({ path: "", message })));
}

/** Throws InputError at the first part in which `given` differs from `wanted`. */
export function checkSameModel(given: WeightsFile["evaluator"], wanted: StoredModel): void {
  const { kind: _, ...parts } = given;
  for (const [part, value] of Object.entries({ kind: given.kind, ...parts })) {
    const other = (wanted as Readonly<Record<string, unknown>>)[part];
    if (JSON.stringify(value) !== JSON.stringify(other))
      throw new InputError(
        `${part}: the weights are for ${JSON.stringify(value)}, wanted is ${JSON.stringify(other)}`,
      );
  }
}

/** Throws InputError if there are more or fewer weights than the model has, over all its stages. */
export function checkCount(tables: TableModel, count: number): void {
  const difference = countDifference(tables, count);
  if (difference !== undefined) throw new InputError(difference);
}

/** Returns the most weights that a model may have, before its game is known. */
export function mostWeights(model: StoredModel): number {
  if (model.kind !== "network") return countWeights(model, model.size);
  const units = [model.size, ...model.hidden, MOST_OUTPUTS + (model.policy ? MOST_LOGITS : 0)];
  return units.slice(1).reduce((sum, count, layer) => sum + (units[layer]! + 1) * count, 0);
}

/**
 * Throws InputError if a network has other hidden layers than its model says. A model has one activation: that of the
 * first hidden layer. Networks trained elsewhere may have others further on.
 */
export function checkLayers({ hidden, activation }: NetworkModel, { layers }: Network): void {
  const inner = layers.slice(0, -1);
  const units = inner.map((layer) => layer.units);
  if (units.join() !== hidden.join())
    throw new InputError(
      `hidden: the header says [${hidden.join(", ")}], the weights have [${units.join(", ")}]`,
    );
  const given = inner[0]?.activation ?? activation;
  if (given !== activation)
    throw new InputError(`activation: the header says ${activation}, the weights have ${given}`);
}

/** Makes the evaluator of stored weights; throws InputError if they do not fit their header or the game. */
export function createStored(game: Game, stored: StoredWeights): LinearEvaluator | NetworkEvaluator {
  if ("weights" in stored) return createLinear(game, stored.model, stored.weights);
  if ("graph" in stored) return createNetworkEvaluator(game, stored.model, stored.graph);
  checkLayers(stored.model, stored.network);
  return createNetworkEvaluator(game, stored.model, stored.network);
}

function countDifference(model: TableModel, count: number): string | undefined {
  const needed = countWeights(model, model.size);
  return count === needed ? undefined : `number of weights: the file has ${count}, its header says ${needed}`;
}

function featureDifferences(
  { features: name, featuresVersion, size }: Exclude<WeightsFile["evaluator"], { kind: "n-tuple" }>,
  game: Game,
): (string | undefined)[] {
  if (!Object.hasOwn(game.featureSets, name))
    return [unknownName("feature set", name, Object.keys(game.featureSets))];
  const features = game.featureSets[name]!;
  return [
    differs("feature set version", featuresVersion, features.version),
    differs("feature set size", size, features.size),
  ];
}

function tupleDifference(
  { tuples, size }: Extract<StoredModel, { kind: "n-tuple" }>,
  { tupleBoard: board, id }: Game,
): string | undefined {
  if (board === undefined) return `${id} has no board that n-tuples could read`;
  return differs("number of table entries", size, entriesOf(board, tuples));
}

function differs(what: string, inFile: string | number, wanted: string | number): string | undefined {
  return inFile === wanted ? undefined : `${what}: the weights are for ${inFile}, wanted is ${wanted}`;
}
