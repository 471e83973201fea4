import {
  type Evaluator,
  type FeatureSet,
  type Game,
  type PolicyHead,
  type State,
  isDuel,
} from "../../games/contract/game.ts";
import { activate, type Activation, type DenseLayer, type Network } from "./network.ts";
import { ExactLayers, type Layers } from "./exact-layers.ts";
import { GraphLayers } from "./graph-layers.ts";
import { isOnnx, type OnnxNetwork, unitsOf } from "./graph-network.ts";
import { createHead, type Head, type HeadKind } from "./head.ts";
import { UnitLayers } from "./unit-layers.ts";

const NOBODY = -1;

/**
 * Evaluates positions by a multi-layer network over a sparse feature set.
 *
 * In a duel it evaluates one player's view of a position. The feature set chooses the player (`viewer`); by default it
 * is player 0. The other player's value is the negative. So the two values are exact opposites, and the network need
 * not learn this symmetry. In any other game it evaluates each player's own view. In games with rewards along the way,
 * the network estimates the rewards that are still to come.
 *
 * The value depends on the position and the weights alone, to the last bit (see FirstLayer and UnitLayers). The constructor and `load`
 * copy the weights.
 */
export class NetworkEvaluator implements Evaluator {
  readonly features: FeatureSet;
  readonly head: Head;
  /** True if the game is a duel, where one view serves both players. */
  readonly isDuel: boolean;
  /** The active features that `look` read last: index[0..active-1] and value[0..active-1]. Learners read them. */
  readonly index: Int32Array;
  readonly value: Float32Array;
  active = 0;
  /** The outputs that `look` computed last: those of the head, and the logits of the policy, none without one. */
  readonly outputs: Float64Array;
  readonly logits: Float64Array;
  readonly prefer?: NonNullable<Evaluator["prefer"]>;
  private activation: Activation;
  private readonly layers: Layers;
  private readonly addsReturns: boolean;
  private readonly least: number;
  private readonly most: number;
  private readonly startsAfresh: boolean;
  /** The view that `evaluate` or `prefer` has looked at last, and its position's hash; NOBODY after other calls. */
  private seenBy = NOBODY;
  private seenLow = 0;
  private seenHigh = 0;

  /**
   * Throws RangeError if the network does not fit the features, the head or the game.
   * @param startsAfresh true: the first layer is computed without the sums of the position before; the values are the
   * same, only slower, for comparison
   */
  constructor(
    game: Game,
    features: FeatureSet,
    {
      network,
      head,
      policyHead,
      startsAfresh = false,
    }: {
      network: Network | OnnxNetwork;
      head: HeadKind;
      policyHead?: PolicyHead | undefined;
      startsAfresh?: boolean;
    },
  ) {
    const { logits = 0 } = network;
    const activation = activationOf(network);
    // The outputs of a hosted network come with the activation applied.
    this.activation = "createLayers" in network ? "linear" : activation;
    this.head = createHead(game, head, activation);
    checkShape(network, features.size, this.head.size + logits);
    if (logits !== (policyHead?.size ?? 0))
      throw new RangeError(`the network has ${logits} logits where ${policyHead?.size ?? 0} are wanted`);
    this.features = features;
    this.isDuel = isDuel(game);
    this.index = new Int32Array(features.maxActive);
    this.value = new Float32Array(features.maxActive).fill(1);
    this.layers = layersOf(network, features, game.players);
    const { answer } = this.layers;
    this.outputs = answer.subarray(0, this.head.size);
    this.logits = answer.subarray(this.head.size, this.head.size + logits);
    if (policyHead !== undefined)
      this.prefer = (state, actions, at, end, out) => {
        this.lookAgain(state, this.viewer(state, state.toMove));
        for (let place = at; place < end; place++)
          out[place] = this.logits[policyHead.index(actions[place], state)];
      };
    if (!isOnnx(network)) this.load(network);
    this.addsReturns = game.rewardsAlongTheWay;
    // Returns so far plus an estimate are cut to the lowest and the highest value that the head gives.
    const ends = new Float64Array(this.head.size);
    this.head.write(game.minReturn, ends, 0);
    this.least = this.head.worth(ends);
    this.head.write(game.maxReturn, ends, 0);
    this.most = this.head.worth(ends);
    this.startsAfresh = startsAfresh;
  }

  /**
   * Copies the weights of a network of the same shape. Call it also after the present network's weights have changed.
   */
  load(network: Network): void {
    this.activation = activationOf(network);
    this.seenBy = NOBODY;
    this.layers.load(network);
  }

  /** Returns the player whose view is evaluated when `player`'s value is asked for. */
  viewer(state: State, player: number): number {
    if (!this.isDuel) return player;
    return this.features.viewer?.(state) ?? 0;
  }

  evaluate(state: State, player: number): number {
    const viewer = this.viewer(state, player);
    if (this.prefer === undefined) this.look(state, viewer);
    else this.lookAgain(state, viewer);
    const value = this.head.worth(this.outputs);
    if (viewer !== player) return 0 - value;
    return this.addsReturns
      ? Math.min(this.most, Math.max(this.least, value + state.returns(player)))
      : value;
  }

  /** Does nothing if the same view of the same position was looked at last. */
  private lookAgain(state: State, player: number): void {
    const { hashLow, hashHigh } = state;
    if (player !== this.seenBy || hashLow !== this.seenLow || hashHigh !== this.seenHigh)
      this.look(state, player);
    this.seenBy = player;
    this.seenLow = hashLow;
    this.seenHigh = hashHigh;
  }

  /** Evaluates `player`'s view: leaves the features in `index`, `value` and `active`, and the network's answer in `outputs`. */
  look(state: State, player: number): void {
    const { layers, index, value, outputs } = this;
    this.seenBy = NOBODY;
    const active = this.features.extract(state, player, index, value);
    this.active = active;
    if (this.startsAfresh) layers.forget();
    layers.look({ index, value, active, player });
    activate(this.activation, outputs, outputs.length);
  }
}

function activationOf(network: Network | OnnxNetwork): Activation {
  if (isOnnx(network)) return network.activation;
  const last = network.layers.at(-1);
  if (last === undefined) throw new RangeError("a network needs a layer");
  return last.activation;
}

function layersOf(network: Network | OnnxNetwork, features: FeatureSet, players: number): Layers {
  if ("createLayers" in network) return network.createLayers();
  if (isOnnx(network)) return new GraphLayers(network);
  const { maxActive, unit = false } = features;
  // A network with a value alone has the same values as ever, which trainings and tests rely on.
  return unit && (network.logits ?? 0) > 0
    ? new UnitLayers(network, { maxActive, players })
    : new ExactLayers(network, maxActive);
}

function checkShape(network: Network | OnnxNetwork, features: number, outputs: number): void {
  const inputs = isOnnx(network) ? network.inputs : network.layers[0]!.inputs;
  if (inputs !== features)
    throw new RangeError(`the network has ${inputs} inputs, the feature set ${features} features`);
  const units = isOnnx(network) ? unitsOf(network) : checkChain(network.layers);
  if (units !== outputs) throw new RangeError(`the network has ${units} outputs where ${outputs} are wanted`);
}

/** Returns the units of the last layer. Throws RangeError if a layer does not fit the one before it. */
function checkChain(layers: readonly DenseLayer[]): number {
  let before = layers[0]!.inputs;
  for (const [at, { inputs, units, kernel, bias }] of layers.entries()) {
    if (inputs !== before)
      throw new RangeError(`layer ${at} has ${inputs} inputs, the layer before it ${before} units`);
    if (kernel.length !== inputs * units || bias.length !== units)
      throw new RangeError(`layer ${at} of ${inputs} inputs and ${units} units has ${kernel.length} weights`);
    before = units;
  }
  return before;
}
