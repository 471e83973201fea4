import { InputError } from "../../base/errors.ts";
import { createNetworkEvaluator, flatten, modelFeatures, namedFeatures } from "../models.ts";
import type { StoredWeights, WeightsHeader } from "../stored-weights.ts";
import type { TupleBoard, FeatureSet, Game, Layout } from "../../games/game.ts";
import { cellEffects } from "./cell-effects.ts";
import { surveyNetwork, totalWeights, type NetworkSurvey } from "./network-survey.ts";
import { surveyWeights, type NamedWeight, type StageSurvey } from "./survey.ts";

export interface InspectOptions {
  /** How many of the largest weights are listed, above zero and below each. */
  readonly top: number;
  /** The stage to look at, from 1; all where it is absent. */
  readonly stage?: number | undefined;
  /** A text that the listed features' names contain. */
  readonly match?: string | undefined;
}

/** What the evaluator in a weights file has learned. */
export interface Inspection {
  readonly game: WeightsHeader["game"];
  readonly evaluator: WeightsHeader["evaluator"];
  /** What its features are. */
  readonly features: string;
  readonly training: WeightsHeader["training"];
  /** Of all files that the weights are in. */
  readonly bytes: number;
  /** Of the stages looked at. */
  readonly weights: { readonly count: number; readonly nonZero: number; readonly notFinite: number };
  /** Of linear evaluators and n-tuple networks, each stage looked at. */
  readonly stages: readonly (StageSurvey & Partial<StageSpan>)[];
  /** Of linear evaluators and n-tuple networks. */
  readonly positive: readonly NamedWeight[];
  readonly negative: readonly NamedWeight[];
  readonly heatMaps: readonly HeatMap[];
  readonly network?: NetworkSurvey;
}

/** The game's progress in a stage, the first and the last that belong to it. */
export interface StageSpan {
  readonly unit: string;
  readonly from: number;
  readonly to: number;
}

/** Numbers by where they lie on the board; undefined where there is none, NaN where nothing was learned. */
export interface HeatMap extends Layout {
  readonly name: string;
  /** What the numbers are. */
  readonly measure: string;
}

const MEASURES = {
  linear: "weights",
  "n-tuple": "mean of the learned entries with it less that of all, summed over tuples",
  network: "total weights into the first layer",
} as const;

/**
 * Looks at stored weights of `game`; throws InputError where they do not fit, or the options do not fit them.
 * @param bytes the size of all files that the weights are in
 */
export function inspectStored(
  game: Game,
  { header, stored, bytes }: { header: WeightsHeader; stored: StoredWeights; bytes: number },
  options: InspectOptions,
): Inspection {
  const { game: made, evaluator, training } = header;
  const found =
    "network" in stored ? inspectNetwork(game, stored, options) : inspectTables(game, stored, options);
  return { game: made, evaluator, training, bytes, ...found };
}

type Found = Omit<Inspection, "game" | "evaluator" | "training" | "bytes">;

function inspectTables(
  game: Game,
  { model, weights }: Extract<StoredWeights, { weights: unknown }>,
  { stage, ...options }: InspectOptions,
): Found {
  const features = modelFeatures(game, model);
  const count = model.stages.length + 1;
  if (stage !== undefined && count === 1) throw new InputError("stage: these weights have no stages");
  if (stage !== undefined && !(Number.isInteger(stage) && stage >= 1 && stage <= count))
    throw new InputError(`stage must be a whole number from 1 to ${count}, got ${stage}`);
  const wanted = stage === undefined ? Array.from({ length: count }, (_, at) => at + 1) : [stage];
  const { stages, ...largest } = surveyWeights(weights, features, { stages: wanted, ...options });
  const total = (of: (survey: StageSurvey) => number) => stages.reduce((sum, one) => sum + of(one), 0);
  const mapOf = (at: number) => {
    const part = weights.subarray((at - 1) * features.size, at * features.size);
    return model.kind === "linear"
      ? featureMaps(features, part, MEASURES.linear)
      : cellMaps(game.tupleBoard!, part, model.tuples);
  };
  return {
    features: features.summary,
    weights: {
      count: total((one) => one.weights),
      nonZero: total(({ nonZero }) => nonZero),
      notFinite: total(({ notFinite }) => notFinite),
    },
    stages: stages.map((one) => ({ ...one, ...spanOf(game, model.stages, one.stage) })),
    ...largest,
    heatMaps: meanMaps(wanted.map(mapOf)),
  };
}

function inspectNetwork(
  game: Game,
  { model, network }: Extract<StoredWeights, { network: unknown }>,
  { stage, ...options }: InspectOptions,
): Found {
  if (stage !== undefined) throw new InputError("stage: a network has no stages");
  // Layers that do not fit the features are refused.
  createNetworkEvaluator(game, model, network);
  const features = namedFeatures(game, model.features);
  const all = flatten(network);
  return {
    features: features.summary,
    weights: {
      count: all.length,
      nonZero: all.reduce((sum, weight) => sum + (weight !== 0 && Number.isFinite(weight) ? 1 : 0), 0),
      notFinite: all.reduce((sum, weight) => sum + (Number.isFinite(weight) ? 0 : 1), 0),
    },
    stages: [],
    positive: [],
    negative: [],
    heatMaps: featureMaps(features, totalWeights(network), MEASURES.network),
    network: surveyNetwork(game, features, { network, ...options }),
  };
}

function spanOf({ phase }: Game, begins: readonly number[], stage: number): StageSpan | undefined {
  if (phase === undefined || begins.length === 0) return undefined;
  const { unit, max } = phase;
  return { unit, from: begins[stage - 2] ?? 0, to: (begins[stage - 1] ?? max + 1) - 1 };
}

/** A map for each of the feature set's grids. */
function featureMaps(
  { grids = [] }: FeatureSet,
  values: Float32Array | Float64Array,
  measure: string,
): HeatMap[] {
  return grids.map((grid) => ({ measure, ...grid, rows: fill(grid, (feature) => values[feature]!) }));
}

/** A map for each digit that a cell may hold. */
function cellMaps(
  board: TupleBoard,
  weights: Float32Array,
  tuples: readonly (readonly number[])[],
): HeatMap[] {
  const { layout, digits } = board;
  if (layout === undefined) return [];
  const effects = cellEffects(weights, board, tuples);
  return Array.from({ length: digits }, (_, digit) => ({
    name: board.digitName(digit),
    measure: MEASURES["n-tuple"],
    ...layout,
    rows: fill(layout, (cell) => effects[digits * cell + digit]!),
  }));
}

function fill({ rows }: Layout, at: (number: number) => number): (number | undefined)[][] {
  return rows.map((row) => row.map((number) => (number === undefined ? undefined : at(number))));
}

/** Map by map the mean over the stages, of those that learned anything there. */
function meanMaps([first = [], ...others]: readonly (readonly HeatMap[])[]): HeatMap[] {
  if (others.length === 0) return [...first];
  return first.map((map, number) => ({
    ...map,
    measure: `${map.measure}; mean of ${others.length + 1} stages`,
    rows: map.rows.map((row, y) =>
      row.map((value, x) => {
        if (value === undefined) return undefined;
        const values = [value, ...others.map((maps) => maps[number]!.rows[y]![x]!)].filter(
          (one) => !Number.isNaN(one),
        );
        return values.reduce((sum, one) => sum + one, 0) / values.length;
      }),
    ),
  }));
}
