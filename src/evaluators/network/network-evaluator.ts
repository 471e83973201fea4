import type { Evaluator, FeatureSet, Game, State } from "../../games/game.ts";
import { activate, type DenseLayer, type Network } from "./network.ts";
import { FirstLayer } from "./first-layer.ts";
import { createHead, type Head, type HeadKind } from "./head.ts";
import { createVectorCode, readLater, type VectorCode } from "./vector-code.ts";

/**
 * A multi-layer network over a sparse feature set, one position at a time.
 *
 * In a two-player zero-sum game a position is evaluated from the view of one player, which the feature
 * set chooses (`viewer`; player 0 where it does not), and the value is negated for the other player: so
 * the two negate exactly, and a network need not learn the symmetry. In any other game each player's own
 * view is evaluated. Where rewards come along the way, the network estimates what is still to come.
 *
 * The value depends on the position and the weights alone, to the last bit (see FirstLayer). The weights
 * are read when it is made and at `load`.
 */
export class NetworkEvaluator implements Evaluator {
  readonly features: FeatureSet;
  readonly head: Head;
  /** Whether one view serves both players. */
  readonly isDuel: boolean;
  /** The active features that were read last, for learners. */
  readonly index: Int32Array;
  readonly value: Float32Array;
  active = 0;
  /** The outputs that were computed last. */
  readonly outputs: Float64Array;
  private network: Network;
  private readonly first: FirstLayer;
  private readonly code: VectorCode;
  private readonly addsReturns: boolean;
  private readonly least: number;
  private readonly most: number;
  private readonly startsAfresh: boolean;

  /**
   * Throws RangeError where the network does not fit the features, the head or the game.
   * @param startsAfresh computes every first layer from nothing, for comparison; the values are the same
   */
  constructor(
    game: Game,
    features: FeatureSet,
    { network, head, startsAfresh = false }: { network: Network; head: HeadKind; startsAfresh?: boolean },
  ) {
    const { layers } = network;
    const last = layers.at(-1);
    if (last === undefined) throw new RangeError("a network needs a layer");
    this.head = createHead(game, head, last.activation);
    checkShape(layers, features.size, this.head.size);
    this.features = features;
    this.isDuel = game.players === 2 && game.zeroSum;
    this.index = new Int32Array(features.maxActive);
    this.value = new Float32Array(features.maxActive).fill(1);
    this.network = network;
    this.code = createVectorCode(network, 2 * features.maxActive);
    this.first = new FirstLayer(layers[0]!, this.code, features.maxActive);
    this.outputs = this.code.layers.at(-1)!.signals.subarray(0, last.units);
    this.load(network);
    this.addsReturns = game.rewardsAlongTheWay;
    // What a sum with returns is cut to: as far as the head goes.
    const ends = new Float64Array(this.head.size);
    this.head.write(game.minReturn, ends, 0);
    this.least = this.head.worth(ends);
    this.head.write(game.maxReturn, ends, 0);
    this.most = this.head.worth(ends);
    this.startsAfresh = startsAfresh;
  }

  /** Takes over the weights of a network of the same shape, or its own after they changed in place. */
  load(network: Network): void {
    this.network = network;
    this.first.load(network.layers[0]!);
    for (let at = 1; at < network.layers.length; at++) readLater(network.layers[at]!, this.code.layers[at]!);
  }

  /** The player whose view is evaluated when `player` asks. */
  viewer(state: State, player: number): number {
    if (!this.isDuel) return player;
    return this.features.viewer?.(state) ?? 0;
  }

  evaluate(state: State, player: number): number {
    const viewer = this.viewer(state, player);
    this.look(state, viewer);
    const value = this.head.worth(this.outputs);
    if (viewer !== player) return 0 - value;
    return this.addsReturns
      ? Math.min(this.most, Math.max(this.least, value + state.returns(player)))
      : value;
  }

  /** Reads `player`'s view: leaves the features in `index`, `value` and `active`, what they give in `outputs`. */
  look(state: State, player: number): void {
    const { first, code, index, value } = this;
    const active = this.features.extract(state, player, index, value);
    this.active = active;
    if (this.startsAfresh) first.forget();
    first.update(index, value, active);
    const { layers } = this.network;
    for (let at = 0; at < layers.length; at++) {
      if (at > 0) code.applyLayer(at);
      const { activation, units } = layers[at]!;
      // The layer behind takes the positive part as it reads.
      if (activation === "relu" && at < layers.length - 1) continue;
      const { sums, signals } = code.layers[at]!;
      if (signals !== sums) for (let unit = 0; unit < units; unit++) signals[unit] = sums[unit];
      activate(activation, signals, units);
    }
  }
}

function checkShape(layers: readonly DenseLayer[], features: number, outputs: number): void {
  let before = features;
  for (const [at, { inputs, units, kernel, bias }] of layers.entries()) {
    if (inputs !== before)
      throw new RangeError(
        at === 0
          ? `the network has ${inputs} inputs, the feature set ${before} features`
          : `layer ${at} has ${inputs} inputs, the layer before it ${before} units`,
      );
    if (kernel.length !== inputs * units || bias.length !== units)
      throw new RangeError(`layer ${at} of ${inputs} inputs and ${units} units has ${kernel.length} weights`);
    before = units;
  }
  if (before !== outputs)
    throw new RangeError(`the network has ${before} outputs where ${outputs} are wanted`);
}
