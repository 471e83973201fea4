import { InputError } from "../../base/errors.ts";
import { finish, step } from "../../base/hashing.ts";
import { createRandom, type Random } from "../../base/random.ts";
import type { Reading } from "../../evaluators/linear.ts";
import { createHead, type Head } from "../../evaluators/network/head.ts";
import type { Network } from "../../evaluators/network/network.ts";
import { isDuel, type Game, type State } from "../../games/contract/game.ts";
import { createLearnable, storedModel, type Learnable } from "../learn/learnable.ts";
import { DivergenceError } from "../learn/learner.ts";
import { adamMemory, adamState } from "../learn/network/batch.ts";
import { SampleBuffer } from "../learn/network/samples.ts";
import { PlainTrainer } from "../learn/network/plain-trainer.ts";
import type { Losses } from "../../ratings/sections/curve.ts";
import type { Learning } from "../loop/training-loop.ts";
import type { TrainingPlan } from "../plan/plan.ts";
import { stepSizeAt } from "../self-play/game-settings.ts";
import { visitLessons, type FitGames, type FitRule } from "./learned-games.ts";

/** The least and the greatest scale are these powers of 2; the steps of the search tell scales apart that differ by 0.1%. */
const MOST_POWER = 10;
const SCALE_STEPS = 20;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * Learns from games that were played before, in epochs: each takes the positions in an order of its own, in batches, and does
 * a step of Adam for each batch. An epoch is to a fit what a game is to self-play.
 */
export class GameFit implements Learning {
  readonly random: Random;
  readonly learnable: Learnable;
  readonly learner: Learning["learner"];
  readonly counts = { decisions: 0, steps: 0 };
  private readonly plan: TrainingPlan;
  private readonly trainer: PlainTrainer;
  private readonly training: SampleBuffer;
  private readonly validation: SampleBuffer;
  private readonly batch: SampleBuffer;
  private readonly target: Float64Array;

  /** @param weights the weights to begin with; the array is changed in place */
  constructor(plan: TrainingPlan, weights: Float32Array, { training, validation }: FitGames) {
    const { game, config } = plan;
    const rule = config.learner as FitRule;
    const { batch, scale = 1 } = rule;
    this.plan = plan;
    this.random = createRandom(config.seed, "fit");
    this.learnable = createLearnable(game, storedModel(game, config.evaluator), weights);
    const model = fittedModel(game, this.learnable);
    const { size, kind } = model.head;
    this.training = readSamples(game, model, training, rule);
    this.validation = readSamples(game, model, validation, rule);
    this.batch = new SampleBuffer(Math.min(batch, this.training.size), size);
    this.target = new Float64Array(size);
    const loss = kind === "outcomes" ? "cross-entropy" : "mean-squared-error";
    this.trainer = new PlainTrainer(model.network, { loss });
    this.learner = this.createMemory();
    this.scale(scale === "fitted" ? this.fittedScale() : scale);
  }

  private scale(factor: number): void {
    const { weights } = this.learnable;
    for (let at = 0; at < weights.length; at++) weights[at] *= factor;
  }

  /** The factor of the weights with the lowest loss, by golden-section search over powers of 2. */
  private fittedScale(): number {
    const { trainer, training } = this;
    const weights = this.learnable.weights.slice();
    const lossAt = (power: number) => {
      this.scale(2 ** power);
      const loss = trainer.lossOf(training);
      this.learnable.weights.set(weights);
      return loss;
    };
    let [from, to] = [-MOST_POWER, MOST_POWER];
    for (let step = 0; step < SCALE_STEPS; step++) {
      const part = (to - from) * GOLDEN;
      if (lossAt(to - part) < lossAt(from + part)) to = from + part;
      else from = to - part;
    }
    return 2 ** ((from + to) / 2);
  }

  /** Adam's state, and a hash of the samples, which must be the same after a resume. */
  private createMemory(): Learning["learner"] {
    const { trainer } = this;
    const samples = fingerprint(this.training, this.validation);
    return {
      errors: { count: 0, squares: 0 },
      get memory() {
        return { ...adamMemory(trainer.save()), "fit/samples": samples };
      },
      restore(memory) {
        if (memory["fit/samples"]?.join() !== samples.join())
          throw new InputError("the positions of learner.games have changed since the training began");
        trainer.restore(adamState(memory));
      },
    };
  }

  /** The losses of the present weights. */
  losses(): Losses {
    const { trainer, training, validation } = this;
    return {
      training: trainer.lossOf(training),
      ...(validation.size > 0 && { validation: trainer.lossOf(validation) }),
    };
  }

  /** Learns from each position once; the number of the epoch, from 0, sets the order and the step size. */
  advance(epoch: number): void {
    const { plan, trainer, batch, counts } = this;
    const order = Int32Array.from({ length: this.training.size }, (_, at) => at);
    createRandom(plan.config.seed, "fit", epoch).shuffle(order, 0, order.length);
    trainer.stepSize = stepSizeAt(plan.config, epoch);
    batch.clear();
    for (const [at, sample] of order.entries()) {
      this.take(sample);
      counts.steps++;
      if (!batch.isFull && at < order.length - 1) continue;
      if (!Number.isFinite(trainer.trainBatch(batch))) throw new DivergenceError(counts.steps);
      batch.clear();
    }
  }

  /** Copies a sample of the training into the batch. */
  private take(sample: number): void {
    const { target, training, batch } = this;
    const { index, value, offsets, targets } = training;
    for (let at = 0; at < target.length; at++) target[at] = targets[sample * target.length + at];
    batch.add({ index, value, from: offsets[sample], to: offsets[sample + 1] }, target);
  }
}

/** A hash of samples, as two numbers of 16 bits. */
function fingerprint(...sets: readonly SampleBuffer[]): Float32Array {
  let hash = 0;
  const bits = ({ buffer }: Float32Array, length: number) => new Int32Array(buffer, 0, length);
  for (const { size, offsets, index, value, targets } of sets) {
    const pairs = offsets[size];
    const arrays = [offsets.subarray(0, size + 1), index.subarray(0, pairs), bits(value, pairs)];
    for (const words of [...arrays, bits(targets, targets.length)])
      for (let at = 0; at < words.length; at++) hash = step(hash, words[at]);
  }
  const whole = finish(hash);
  return Float32Array.of(whole >>> 16, whole & 0xffff);
}

/** An evaluator as the network that batches train, whose weights are those of the evaluator. */
interface FittedModel {
  readonly network: Network;
  readonly head: Head;
  /** The features that were read last. */
  readonly reading: Pick<Reading, "index" | "value" | "active">;
  /** Reads the features of a position; returns the player who sees it. */
  read(state: State, player: number): number;
}

/** The last layer's activation that stands for each output of a linear evaluator. */
const ACTIVATION_OF = { identity: "linear", tanh: "tanh", logistic: "sigmoid" } as const;

/** A linear evaluator is a layer of one unit without a bias. */
function fittedModel(game: Game, learnable: Learnable): FittedModel {
  if (learnable.kind === "network") {
    const { evaluator, network } = learnable;
    const read = (state: State, player: number) => {
      const viewer = evaluator.viewer(state, player);
      evaluator.look(state, viewer);
      return viewer;
    };
    return { network, head: evaluator.head, reading: evaluator, read };
  }
  const { evaluator, weights } = learnable;
  const activation = ACTIVATION_OF[evaluator.output];
  const layer = { inputs: weights.length, units: 1, activation, kernel: weights, bias: new Float32Array(0) };
  return {
    network: { layers: [layer] },
    head: createHead(game, "value", activation),
    reading: evaluator,
    read(state, player) {
      evaluator.sum(state, player);
      return evaluator.sign > 0 ? player : 1 - player;
    },
  };
}

/** The samples of games: features as the evaluator reads them, and the outputs that are wanted. */
function readSamples(
  game: Game,
  model: FittedModel,
  games: FitGames["training"],
  { value, quiet }: FitRule,
): SampleBuffer {
  const { head, reading } = model;
  const most = games.reduce((sum, { actions, openingLength }) => sum + actions.length - openingLength, 0);
  const samples = new SampleBuffer(most * (isDuel(game) ? 1 : game.players), head.size);
  const target = new Float64Array(head.size);
  const visit = (state: State, player: number, wanted: number) => {
    const viewer = model.read(state, player);
    const rest = game.rewardsAlongTheWay ? wanted - state.returns(player) : wanted;
    head.write(viewer === player ? rest : 0 - rest, target, 0);
    samples.add({ index: reading.index, value: reading.value, from: 0, to: reading.active }, target);
  };
  for (const played of games) visitLessons(game, played, { value, quiet, visit });
  return samples;
}
