import {
  type Evaluator,
  type FeatureSet,
  type Game,
  type PolicyHead,
  type State,
  isDuel,
} from "../../games/contract/game.ts";
import { activate, type DenseLayer, type Network } from "./network.ts";
import { ExactLayers, type Layers } from "./exact-layers.ts";
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
  private network: Network;
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
    }: { network: Network; head: HeadKind; policyHead?: PolicyHead | undefined; startsAfresh?: boolean },
  ) {
    const { layers, logits = 0 } = network;
    const last = layers.at(-1);
    if (last === undefined) throw new RangeError("a network needs a layer");
    this.head = createHead(game, head, last.activation);
    checkShape(layers, features.size, this.head.size + logits);
    if (logits !== (policyHead?.size ?? 0))
      throw new RangeError(`the network has ${logits} logits where ${policyHead?.size ?? 0} are wanted`);
    this.features = features;
    this.isDuel = isDuel(game);
    this.index = new Int32Array(features.maxActive);
    this.value = new Float32Array(features.maxActive).fill(1);
    this.network = network;
    const { maxActive, unit = false } = features;
    // A network with a value alone has the same values as ever, which trainings and tests rely on.
    this.layers =
      unit && logits > 0
        ? new UnitLayers(network, { maxActive, players: game.players })
        : new ExactLayers(network, maxActive);
    const { answer } = this.layers;
    this.outputs = answer.subarray(0, this.head.size);
    this.logits = answer.subarray(this.head.size, last.units);
    if (policyHead !== undefined)
      this.prefer = (state, actions, at, end, out) => {
        this.lookAgain(state, this.viewer(state, state.toMove));
        for (let place = at; place < end; place++)
          out[place] = this.logits[policyHead.index(actions[place], state)];
      };
    this.load(network);
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
    this.network = network;
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
    activate(this.network.layers.at(-1)!.activation, outputs, outputs.length);
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
