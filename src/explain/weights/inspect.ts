import { InputError } from "../../base/errors.ts";
import type { LinearEvaluator } from "../../evaluators/linear.ts";
import {
  createLinear,
  flatten,
  headOfPolicy,
  modelFeatures,
  namedFeatures,
} from "../../evaluators/models.ts";
import { createStored, type StoredWeights, type WeightsHeader } from "../../evaluators/stored-weights.ts";
import type { TupleBoard, FeatureSet, Game, Layout, State, Evaluator } from "../../games/contract/game.ts";
import {
  MOST_PATTERNS,
  patternsOf,
  type Pattern,
  surveyWeights,
  type NamedWeight,
  type StageSurvey,
  surveyNetwork,
  totalWeights,
  type NetworkSurvey,
  visitRandomPositions,
} from "./survey.ts";
import { judge, type Judgement } from "./judgement.ts";
import { groupEffects, type GroupEffect } from "./groups.ts";
import { cellEffects, observedEffects } from "./cell-effects.ts";

/** Options of an inspection. */
export interface InspectOptions {
  /** The number of weights that are listed, the largest above zero and as many below zero. */
  readonly top: number;
  /** The stage to look at, counted from 1; all stages where it is absent. */
  readonly stage?: number | undefined;
  /** Only features whose names contain this text are listed. */
  readonly match?: string | undefined;
  /** A position that the evaluator is asked about. */
  readonly state?: State | undefined;
}

/** An inspection of stored weights. */
export interface Inspection {
  readonly game: WeightsHeader["game"];
  readonly evaluator: WeightsHeader["evaluator"];
  /** The summary of the feature set. */
  readonly features: string;
  readonly training: WeightsHeader["training"];
  /** The size of all files that hold the weights. */
  readonly bytes: number;
  /** Numbers of weights in the surveyed stages; `notFinite` counts those of a policy, too. */
  readonly weights: { readonly count: number; readonly nonZero: number; readonly notFinite: number };
  /** One for each surveyed stage; empty for multi-layer networks. */
  readonly stages: readonly (StageSurvey & Partial<StageSpan>)[];
  /** The largest weights above zero, largest first; empty for multi-layer networks. */
  readonly positive: readonly NamedWeight[];
  /** The weights furthest below zero, lowest first; empty for multi-layer networks. */
  readonly negative: readonly NamedWeight[];
  readonly heatMaps: readonly HeatMap[];
  /** The values of pieces, where linear features count them; else empty. */
  readonly pieces: readonly PieceValue[];
  /** The groups of linear features, where a feature set has them; else empty. */
  readonly groups: readonly GroupEffect[];
  /** The patterns of the largest weights of n-tuples, above zero and below; else empty. */
  readonly patterns: { readonly liked: readonly Pattern[]; readonly disliked: readonly Pattern[] };
  /** Absent if the game has no evaluator made by hand. */
  readonly agreement?: Agreement;
  /** The survey of a multi-layer network; absent for other models. */
  readonly network?: NetworkSurvey;
  /** The policy: the numbers of its actions in a network, the weights of its logits elsewhere; absent for evaluators without one. */
  readonly policy?:
    | { readonly actions: number; readonly version: number }
    | { readonly count: number; readonly nonZero: number };
  /** Absent without a position. */
  readonly position?: Judgement;
}

/** The range of the game's progress in a stage, both ends included. */
interface StageSpan {
  readonly unit: string;
  readonly from: number;
  readonly to: number;
}

/** Numbers by their place on the board: undefined at a place without one, NaN where nothing was learned. */
export interface HeatMap extends Layout {
  readonly name: string;
  /** The meaning of the numbers. */
  readonly measure: string;
}

const MEASURES = {
  linear: "weights",
  "n-tuple": "mean of the learned entries with it less that of all, summed over tuples",
  network: "total weights into the first layer",
  observed: "mean weighted sum of positions of random games with it there, less that of all",
} as const;

/**
 * Inspects stored weights of `game`. Throws InputError if they do not fit the game, or if the options do not fit the
 * weights.
 * @param bytes the size of all files that hold the weights
 */
export function inspectStored(
  game: Game,
  { header, stored, bytes }: { header: WeightsHeader; stored: StoredWeights; bytes: number },
  options: InspectOptions,
): Inspection {
  const { game: made, evaluator, training } = header;
  const found =
    "weights" in stored ? inspectTables(game, stored, options) : inspectNetwork(game, stored, options);
  const working = found.weights.notFinite > 0 ? undefined : createStored(game, stored);
  const agreement = working && agreementOf(game, working);
  const position = working && options.state && judge(game, working, options.state, options.top);
  return {
    game: made,
    evaluator,
    training,
    bytes,
    ...found,
    ...(agreement && { agreement }),
    ...(position && { position }),
  };
}

type Findings = Omit<Inspection, "game" | "evaluator" | "training" | "bytes" | "agreement" | "position">;

function inspectTables(
  game: Game,
  { model, weights }: Extract<StoredWeights, { weights: unknown }>,
  { stage, ...options }: InspectOptions,
): Findings {
  const features = modelFeatures(game, model);
  const count = model.stages.length + 1;
  if (stage !== undefined && count === 1) throw new InputError("stage: these weights have no stages");
  if (stage !== undefined && !(Number.isInteger(stage) && stage >= 1 && stage <= count))
    throw new InputError(`stage must be a whole number from 1 to ${count}, got ${stage}`);
  const wanted = stage === undefined ? Array.from({ length: count }, (_, at) => at + 1) : [stage];
  const { stages, ...largest } = surveyWeights(weights, features, { stages: wanted, ...options });
  const values = totalOf(stages);
  const logits =
    model.policy &&
    totalOf(
      surveyWeights(weights.subarray(features.size * count), features, { stages: wanted, top: 1 }).stages,
    );
  const partOf = (at: number) => weights.subarray((at - 1) * features.size, at * features.size);
  const patterns = (entries: readonly NamedWeight[]) =>
    model.kind === "linear"
      ? []
      : patternsOf(
          game,
          { board: game.tupleBoard!, tuples: model.tuples, features },
          {
            entries: entries.slice(0, MOST_PATTERNS),
            stageOf: (phase) => 1 + model.stages.filter((begin) => begin <= phase).length,
          },
        );
  const mapOf = (at: number) => {
    const part = partOf(at);
    return model.kind === "linear"
      ? featureMaps(features, part, MEASURES.linear)
      : cellMaps(game.tupleBoard!, cellEffects(part, game.tupleBoard!, model.tuples), MEASURES["n-tuple"]);
  };
  return {
    features: features.summary,
    weights: { ...values, notFinite: values.notFinite + (logits?.notFinite ?? 0) },
    ...(logits && { policy: { count: logits.count, nonZero: logits.nonZero } }),
    stages: stages.map((one) => ({ ...one, ...spanOf(game, model.stages, one.stage) })),
    ...largest,
    pieces: wanted.flatMap((at) => pieceValues(features, partOf(at), at)),
    groups:
      model.kind === "linear" && values.notFinite === 0
        ? groupEffects(game, createLinear(game, model, weights))
        : [],
    patterns: { liked: patterns(largest.positive), disliked: patterns(largest.negative) },
    heatMaps:
      model.kind === "linear" && features.grids === undefined
        ? observedMaps(game, createLinear(game, model, weights), wanted)
        : meanMaps(wanted.map(mapOf)),
  };
}

function inspectNetwork(
  game: Game,
  stored: Exclude<StoredWeights, { weights: unknown }>,
  { stage, ...options }: InspectOptions,
): Findings {
  const { model } = stored;
  if (stage !== undefined) throw new InputError("stage: a network has no stages");
  const network = "network" in stored ? stored.network : undefined;
  // This throws if the layers do not fit the features.
  createStored(game, stored);
  const features = namedFeatures(game, model.features);
  const all =
    "network" in stored
      ? [flatten(stored.network)]
      : "createLayers" in stored.graph
        ? []
        : stored.graph.layers.flatMap(({ kernel, bias }) => [kernel, bias]);
  const count = (of: (weight: number) => boolean) =>
    all.reduce((sum, part) => part.reduce((counted, weight) => counted + (of(weight) ? 1 : 0), sum), 0);
  return {
    features: features.summary,
    weights: {
      count: count(() => true),
      nonZero: count((weight) => weight !== 0 && Number.isFinite(weight)),
      notFinite: count((weight) => !Number.isFinite(weight)),
    },
    stages: [],
    positive: [],
    negative: [],
    pieces: [],
    groups: [],
    patterns: { liked: [], disliked: [] },
    heatMaps: network ? featureMaps(features, totalWeights(network), MEASURES.network) : [],
    ...(network && { network: surveyNetwork(game, features, { network, ...options }) }),
    ...(model.policy && { policy: policyOf(game) }),
  };
}

function totalOf(stages: readonly StageSurvey[]): Inspection["weights"] {
  const total = (of: (survey: StageSurvey) => number) => stages.reduce((sum, one) => sum + of(one), 0);
  return {
    count: total(({ weights }) => weights),
    nonZero: total(({ nonZero }) => nonZero),
    notFinite: total(({ notFinite }) => notFinite),
  };
}

function policyOf(game: Game): NonNullable<Inspection["policy"]> {
  const { size, version } = headOfPolicy(game);
  return { actions: size, version };
}

function spanOf({ phase }: Game, begins: readonly number[], stage: number): StageSpan | undefined {
  if (phase === undefined || begins.length === 0) return undefined;
  const { unit, max } = phase;
  return { unit, from: begins[stage - 2] ?? 0, to: (begins[stage - 1] ?? max + 1) - 1 };
}

/** Makes a map for each grid of the feature set. */
function featureMaps(
  { grids = [] }: FeatureSet,
  values: Float32Array | Float64Array,
  measure: string,
): HeatMap[] {
  return grids.map((grid) => ({ measure, ...grid, rows: fill(grid, (feature) => values[feature]!) }));
}

/**
 * Makes the maps of a linear evaluator whose features have no places of their own, if the game has a board with cells.
 */
function observedMaps(game: Game, evaluator: LinearEvaluator, stages: readonly number[]): HeatMap[] {
  const { tupleBoard: board } = game;
  if (board?.layout === undefined) return [];
  const stageOf = (state: State) => {
    const phase = game.phase?.of(state) ?? 0;
    return 1 + evaluator.stages.filter((begin) => begin <= phase).length;
  };
  const effects = observedEffects(game, board, (state, player) =>
    stages.includes(stageOf(state)) ? evaluator.sum(state, player) : undefined,
  );
  return cellMaps(board, effects, MEASURES.observed);
}

/** Makes a map for each digit that a cell may hold: the effect of that digit. */
function cellMaps(board: TupleBoard, effects: Float64Array, measure: string): HeatMap[] {
  const { layout, digits } = board;
  if (layout === undefined) return [];
  return Array.from({ length: digits }, (_, digit) => ({
    name: board.digitName(digit),
    measure,
    ...layout,
    rows: fill(layout, (cell) => effects[digits * cell + digit]!),
  }));
}

function fill({ rows }: Layout, at: (number: number) => number): (number | undefined)[][] {
  return rows.map((row) => row.map((number) => (number === undefined ? undefined : at(number))));
}

/** Returns the mean of each map over the stages. Each place counts only the stages that learned something there. */
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

/** The number of positions, from random games, that are ranked. */
const POSITIONS = 2000;

/** The agreement of an evaluator with the hand-made evaluators of its game. */
interface Agreement {
  /** The number of positions, from random games, that both rank for player 0. */
  readonly positions: number;
  /** By the game's evaluators: the rank correlation, -1 to 1; undefined if one of both has the same value everywhere. */
  readonly heuristics: readonly { readonly name: string; readonly correlation: number | undefined }[];
}

/** Compares an evaluator with each hand-made one of the game; undefined if the game has none. @internal for its test */
export function agreementOf(game: Game, evaluator: Evaluator): Agreement | undefined {
  const heuristics = Object.entries(game.heuristics);
  if (heuristics.length === 0) return undefined;
  const all = [evaluator, ...heuristics.map(([, heuristic]) => heuristic)];
  const values = all.map(() => new Float64Array(POSITIONS));
  let seen = 0;
  visitRandomPositions(game, POSITIONS, (state) => {
    for (const [at, one] of all.entries()) values[at]![seen] = one.evaluate(state, 0);
    seen++;
  });
  const [own, ...others] = values.map(ranksOf);
  return {
    positions: POSITIONS,
    heuristics: heuristics.map(([name], at) => ({ name, correlation: correlationOf(own!, others[at]!) })),
  };
}

/**
 * Spearman's rank correlation: the correlation of the ranks, equal values sharing the mean of theirs (Spearman 1904).
 * Undefined if all values of one list are equal. @internal tested against worked examples.
 */
export function rankCorrelation(one: Float64Array, other: Float64Array): number | undefined {
  return correlationOf(ranksOf(one), ranksOf(other));
}

function ranksOf(values: Float64Array): Float64Array {
  const order = Array.from(values.keys()).toSorted((a, b) => values[a] - values[b]);
  const ranks = new Float64Array(values.length);
  for (let from = 0; from < order.length;) {
    let to = from;
    while (to < order.length && values[order[to]!] === values[order[from]!]) to++;
    for (let at = from; at < to; at++) ranks[order[at]!] = (from + to - 1) / 2;
    from = to;
  }
  return ranks;
}

function correlationOf(one: Float64Array, other: Float64Array): number | undefined {
  const middle = (one.length - 1) / 2;
  let [both, ones, others] = [0, 0, 0];
  for (let at = 0; at < one.length; at++) {
    const [left, right] = [one[at] - middle, other[at] - middle];
    both += left * right;
    ones += left * left;
    others += right * right;
  }
  return ones === 0 || others === 0 ? undefined : both / Math.sqrt(ones * others);
}

/** A linear evaluator's value of a kind of piece. */
interface PieceValue {
  readonly name: string;
  /** Counted from 1. */
  readonly stage: number;
  /** The weight of one more piece: the mean over the squares, where each has its own. */
  readonly weight: number;
  /** The same, the first kind of piece being worth 1; undefined if that one's weight is not above zero. */
  readonly pawns: number | undefined;
}

/**
 * The values of all kinds of pieces that a feature set names; empty if it names none. Mobility, pairs and other features
 * are not part of them.
 * @param weights of one stage
 * @internal for its test
 */
export function pieceValues(
  { pieces = [] }: FeatureSet,
  weights: Float32Array,
  stage: number,
): readonly PieceValue[] {
  const worth = pieces.map(
    ({ features }) => features.reduce((sum, feature) => sum + weights[feature], 0) / features.length,
  );
  return pieces.map(({ name }, at) => ({
    name,
    stage,
    weight: worth[at]!,
    pawns: worth[0]! > 0 ? worth[at]! / worth[0]! : undefined,
  }));
}
