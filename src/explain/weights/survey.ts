import {
  type FeatureSet,
  type Game,
  type TupleBoard,
  CHANCE,
  TERMINAL,
  type State,
  isDuel,
} from "../../games/contract/game.ts";
import { tupleTables } from "../../evaluators/n-tuple.ts";
import { createRandom } from "../../base/random.ts";
import { activate, type DenseLayer, type Network } from "../../evaluators/network/network.ts";

/** A weight and the name of its feature. */
export interface NamedWeight {
  readonly name: string;
  /** Counted from 1. */
  readonly stage: number;
  /** The number of the feature in its set. */
  readonly feature: number;
  readonly weight: number;
}

/** Figures of the weights of one stage of the game. */
export interface StageSurvey {
  /** Counted from 1. */
  readonly stage: number;
  /** The number of weights. */
  readonly weights: number;
  readonly nonZero: number;
  /** The number of weights that are NaN or infinite; the other figures leave them out. */
  readonly notFinite: number;
  /** Taken over the weights that are not zero; 0 if all are zero. */
  readonly rootMeanSquare: number;
}

/** Figures of the weights of some stages, and the largest of all these weights. */
interface Survey {
  readonly stages: readonly StageSurvey[];
  /** The largest weights above zero, largest first. */
  readonly positive: readonly NamedWeight[];
  /** The weights furthest below zero, lowest first. */
  readonly negative: readonly NamedWeight[];
}

/**
 * Surveys every weight of `stages`, whose numbers count from 1.
 * @param weights of all stages, one after the other
 * @param top the number of listed weights, the largest above zero and as many below zero
 * @param match only features whose names contain this text are listed
 */
export function surveyWeights(
  weights: Float32Array,
  features: FeatureSet,
  { stages, top, match }: { stages: readonly number[]; top: number; match?: string | undefined },
): Survey {
  const { size } = features;
  const positive = new Largest(top, 0);
  const negative = new Largest(top, 0);
  const offer = (list: Largest, weight: number, at: number) => {
    // There may be millions of weights: only a large one is given its name.
    if (match === undefined || features.describe(at % size).includes(match)) list.offer(weight, at);
  };
  const look = (stage: number): StageSurvey => {
    let nonZero = 0;
    let notFinite = 0;
    let squares = 0;
    const end = stage * size;
    for (let at = end - size; at < end; at++) {
      const weight = weights[at];
      if (weight === 0) continue;
      if (!Number.isFinite(weight)) {
        notFinite++;
        continue;
      }
      nonZero++;
      squares += weight * weight;
      if (weight > positive.least) offer(positive, weight, at);
      else if (0 - weight > negative.least) offer(negative, 0 - weight, at);
    }
    const rootMeanSquare = nonZero === 0 ? 0 : Math.sqrt(squares / nonZero);
    return { stage, weights: size, nonZero, notFinite, rootMeanSquare };
  };
  const named = (list: Largest, sign: number) =>
    list.sorted().map(({ score, item }) => ({
      name: features.describe(item % size),
      stage: Math.floor(item / size) + 1,
      feature: item % size,
      weight: sign * score,
    }));
  return {
    stages: stages.map(look),
    positive: named(positive, 1),
    negative: named(negative, -1),
  };
}

/**
 * Keeps the `capacity` items with the highest scores; among equal scores it keeps the lower items. It is a heap whose
 * first element is the worst kept item.
 * @internal for its test
 */
export class Largest {
  /** The least score that is kept is above this. It begins with the `floor`, and rises once the list is full. */
  least: number;
  private readonly capacity: number;
  private readonly scores: number[] = [];
  private readonly items: number[] = [];

  constructor(capacity: number, floor: number) {
    this.capacity = capacity;
    this.least = floor;
  }

  /** Items must be offered in ascending order. */
  offer(score: number, item: number): void {
    if (!(score > this.least)) return;
    const { scores, items, capacity } = this;
    if (scores.length < capacity) {
      scores.push(score);
      items.push(item);
      this.rise(scores.length - 1);
    } else {
      scores[0] = score;
      items[0] = item;
      this.sink();
    }
    if (scores.length === capacity) this.least = scores[0]!;
  }

  /** Returns the kept items, highest score first. */
  sorted(): { readonly score: number; readonly item: number }[] {
    return this.scores
      .map((score, at) => ({ score, item: this.items[at]! }))
      .toSorted((a, b) => b.score - a.score || a.item - b.item);
  }

  private rise(from: number): void {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1;
      if (!this.isWorse(at, parent)) return;
      this.swap(at, parent);
      at = parent;
    }
  }

  private sink(): void {
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      let worst = at;
      for (let child = left; child < Math.min(left + 2, this.scores.length); child++)
        if (this.isWorse(child, worst)) worst = child;
      if (worst === at) return;
      this.swap(at, worst);
      at = worst;
    }
  }

  private isWorse(a: number, b: number): boolean {
    const { scores, items } = this;
    return scores[a]! < scores[b]! || (scores[a]! === scores[b]! && items[a]! > items[b]!);
  }

  private swap(a: number, b: number): void {
    const { scores, items } = this;
    [scores[a], scores[b]] = [scores[b]!, scores[a]!];
    [items[a], items[b]] = [items[b]!, items[a]!];
  }
}

/** The most patterns that are shown above zero, and below. */
export const MOST_PATTERNS = 10;
/** The number of positions, from random games, in which patterns are looked for and hidden units computed. */
const POSITIONS = 2000;

/** An entry of an n-tuple's table: the contents of its cells. */
export interface Pattern {
  readonly weight: number;
  /** Stage and tuple, both counted from 1. */
  readonly stage: number;
  readonly tuple: number;
  /** The share of the positions of random games, of its stage, that have the pattern in one of its images. */
  readonly share: number;
  /** The content of a cell off the board, such as whose turn it is. */
  readonly context?: string;
  /** By place on the board: the content of the tuple's cells; undefined elsewhere. Empty for a board without a layout. */
  readonly rows: readonly (readonly (string | undefined)[])[];
}

/** The entries of n-tuples as patterns on the board. */
export function patternsOf(
  game: Game,
  {
    board,
    tuples,
    features,
  }: { board: TupleBoard; tuples: readonly (readonly number[])[]; features: FeatureSet },
  { entries, stageOf }: { entries: readonly NamedWeight[]; stageOf: (phase: number) => number },
): Pattern[] {
  const shares = sharesOf(game, features, { entries, stageOf });
  const tables = tupleTables(board, tuples);
  return entries.map(({ feature, weight, stage }, at) => {
    const tuple = tables.findLastIndex(({ begins }) => begins <= feature);
    const { begins, cells } = tables[tuple]!;
    const held = new Map(
      cells.map((cell, place) => {
        const digit =
          Math.floor((feature - begins) / board.digits ** (cells.length - 1 - place)) % board.digits;
        return [cell, board.digitName(digit)];
      }),
    );
    const context = board.context === undefined ? undefined : held.get(board.context);
    return {
      weight,
      stage,
      tuple: tuple + 1,
      share: shares[at]!,
      ...(context !== undefined && { context: `${board.cellName(board.context!)}: ${context}` }),
      rows: (board.layout?.rows ?? []).map((row) =>
        row.map((cell) => (cell === undefined ? undefined : held.get(cell))),
      ),
    };
  });
}

function sharesOf(
  game: Game,
  features: FeatureSet,
  { entries, stageOf }: { entries: readonly NamedWeight[]; stageOf: (phase: number) => number },
): number[] {
  const index = new Int32Array(features.maxActive);
  const value = new Float32Array(features.maxActive);
  const seen = entries.map(() => 0);
  const ofStage = new Map<number, number>();
  visitRandomPositions(game, POSITIONS, (state) => {
    const stage = stageOf(game.phase?.of(state) ?? 0);
    ofStage.set(stage, (ofStage.get(stage) ?? 0) + 1);
    const active = features.extract(state, features.viewer?.(state) ?? 0, index, value);
    const found = new Set(index.subarray(0, active));
    for (const [at, entry] of entries.entries())
      if (entry.stage === stage && found.has(entry.feature)) seen[at]!++;
  });
  return entries.map(({ stage }, at) => seen[at]! / Math.max(1, ofStage.get(stage) ?? 0));
}

/** A unit is dead if its highest and its lowest output differ by less than this. */
const STILL = 1e-6;

/** The inputs that matter most to a network, and the hidden units that do nothing. */
export interface NetworkSurvey {
  readonly layers: readonly Pick<DenseLayer, "inputs" | "units" | "activation">[];
  /** The inputs with the largest total weight into the first layer, largest first. */
  readonly inputs: readonly { readonly name: string; readonly totalWeight: number }[];
  /** The number of inputs whose total weight is 0. */
  readonly unreadInputs: number;
  /** For each hidden layer, the units, counted from 1, whose output was the same in all positions. */
  readonly deadUnits: readonly (readonly number[])[];
  /** The number of positions visited. */
  readonly positions: number;
}

/** Surveys a network of `game`; `top` and `match` are those of `surveyWeights`. */
export function surveyNetwork(
  game: Game,
  features: FeatureSet,
  { network, top, match }: { network: Network; top: number; match?: string | undefined },
): NetworkSurvey {
  const totals = totalWeights(network);
  const largest = new Largest(top, 0);
  for (const [input, total] of totals.entries()) {
    if (total > largest.least && (match === undefined || features.describe(input).includes(match)))
      largest.offer(total, input);
  }
  return {
    layers: network.layers.map(({ inputs, units, activation }) => ({ inputs, units, activation })),
    inputs: largest
      .sorted()
      .map(({ score, item }) => ({ name: features.describe(item), totalWeight: score })),
    unreadInputs: totals.filter((total) => total === 0).length,
    ...deadUnits(game, features, network),
  };
}

/** Returns, for each input, the sum of the absolute values of its weights into the first layer. */
export function totalWeights({ layers }: Network): Float64Array {
  const { inputs, units, kernel } = layers[0]!;
  const totals = new Float64Array(inputs);
  for (let input = 0; input < inputs; input++)
    for (let unit = 0; unit < units; unit++) totals[input] += Math.abs(kernel[input * units + unit]);
  return totals;
}

function deadUnits(
  game: Game,
  features: FeatureSet,
  { layers }: Network,
): Pick<NetworkSurvey, "deadUnits" | "positions"> {
  const hidden = layers.slice(0, -1);
  const outputs = hidden.map(({ units }) => new Float64Array(units));
  const least = outputs.map(({ length }) => new Float64Array(length).fill(Infinity));
  const most = outputs.map(({ length }) => new Float64Array(length).fill(-Infinity));
  const index = new Int32Array(features.maxActive);
  const value = new Float32Array(features.maxActive).fill(1);
  let positions = 0;
  if (hidden.length > 0) {
    visitRandomPositions(game, POSITIONS, (state) => {
      const player = isDuel(game) ? (features.viewer?.(state) ?? 0) : Math.max(0, state.toMove);
      const active = features.extract(state, player, index, value);
      let input = { index, value, active };
      for (const [at, layer] of hidden.entries()) {
        const units = outputs[at]!;
        applyLayer(layer, input, units);
        for (let unit = 0; unit < units.length; unit++) {
          least[at]![unit] = Math.min(least[at]![unit], units[unit]);
          most[at]![unit] = Math.max(most[at]![unit], units[unit]);
        }
        input = {
          index: Int32Array.from(units.keys()),
          value: Float32Array.from(units),
          active: units.length,
        };
      }
      positions++;
    });
  }
  return {
    deadUnits: hidden.map((_, at) =>
      Array.from(most[at]!.keys()).flatMap((unit) =>
        most[at]![unit] - least[at]![unit] < STILL ? [unit + 1] : [],
      ),
    ),
    positions,
  };
}

function applyLayer(
  { kernel, bias, units, activation }: DenseLayer,
  { index, value, active }: { index: Int32Array; value: Float32Array; active: number },
  outputs: Float64Array,
): void {
  outputs.set(bias);
  for (let at = 0; at < active; at++)
    for (let unit = 0; unit < units; unit++) outputs[unit] += value[at] * kernel[index[at] * units + unit];
  activate(activation, outputs, units);
}

/** Calls `visit` with `count` positions of random games, played one after the other; final positions are left out. */
export function visitRandomPositions(game: Game, count: number, visit: (state: State) => void): void {
  const random = createRandom("inspect", game.id);
  const actions = new Int32Array(game.maxActions);
  const probabilities = new Float64Array(game.maxActions);
  const state = game.start();
  const start = game.start();
  for (let number = 0; number < count; number++) {
    if (state.toMove === TERMINAL) state.copyFrom(start);
    visit(state);
    const isChance = state.toMove === CHANCE;
    const many = isChance ? state.chanceOutcomes!(actions, probabilities, 0) : state.legalActions(actions, 0);
    state.apply(actions[isChance ? random.weighted(probabilities, 0, many) : random.below(many)]);
  }
}
