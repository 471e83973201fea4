import { createRandom } from "../../base/random.ts";
import { CHANCE, TERMINAL, type FeatureSet, type Game, type State } from "../../games/contract/game.ts";
import { activate, type DenseLayer, type Network } from "../../evaluators/network/network.ts";
import { Largest } from "./survey.ts";
import { isDuel } from "../../games/contract/traits.ts";

/** The number of positions, from random games, for which the hidden units are computed. */
const POSITIONS = 2000;
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
    const many = isChance ? state.chanceOutcomes(actions, probabilities, 0) : state.legalActions(actions, 0);
    state.apply(actions[isChance ? random.weighted(probabilities, 0, many) : random.below(many)]);
  }
}
