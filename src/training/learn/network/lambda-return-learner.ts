import type { NetworkEvaluator } from "../../../evaluators/network/network-evaluator.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../../games/contract/game.ts";
import { DivergenceError, type ErrorTally, type Learner } from "../learner.ts";
import type { Positions } from "../td.ts";
import { adamMemory, adamState, type BatchTrainer } from "./batch.ts";
import { grown } from "../../../base/hashing.ts";
import { SampleBuffer } from "./samples.ts";

/** Options of LambdaReturnLearner. */
export interface LambdaReturnOptions {
  /** From 0, learn from the next position's estimate alone, to 1, learn from the final return alone. */
  readonly lambda: number;
  readonly batch: number;
  /** The positions that are learned from: all, or only those right after a player's action. */
  readonly positions: Exclude<Positions, "own">;
  /** `continue` if positions before a random move learn from what came after it, `cut` if they do not. */
  readonly afterRandomMove: "cut" | "continue";
}

/**
 * Learns the lambda-return of each position of a game (Sutton and Barto, Reinforcement Learning, 12.1), in
 * batches. Let s(0)..s(n-1) be the positions of a game that are learned from, V(t) the network's outputs for
 * s(t) during the game, and T(t) the target for s(t): the outputs that are wanted. If one player sees them all:
 *
 *     T(n-1) = the outputs that express the final return
 *     T(t)   = (1 - lambda) V(t+1) + lambda T(t+1)
 *
 * Outputs are mixed in the same way whether they are expected returns or probabilities of outcomes. If s(t)
 * and s(t+1) are seen by different players, V(t+1) and T(t+1) are first changed to the point of view of s(t)
 * (`Head.exchange`). Rewards between the two positions are added.
 *
 * With `afterRandomMove: "cut"` a position before a random move is no sample, and for the positions before
 * it T(t) is replaced by V(t), because what followed does not show what it is worth.
 *
 * In a duel each position is learned from once, from the point of view that the evaluator
 * reads. In any other game it is learned from once for each player. Positions after moves of an opponent (`opponentSeat`) are
 * no samples, as in TdLearner.
 */
export class LambdaReturnLearner implements Learner {
  steps = 0;
  opponentSeat: number | undefined = undefined;
  readonly errors: ErrorTally = { count: 0, squares: 0 };
  private readonly evaluator: NetworkEvaluator;
  private readonly trainer: BatchTrainer;
  private readonly options: LambdaReturnOptions;
  private readonly addsReturns: boolean;
  private readonly samples: SampleBuffer;
  private readonly target: Float64Array;
  /** The outputs of one position, for `worthAt`. */
  private readonly answer: Float64Array;
  /** One for each player; only one in duels. */
  private readonly trajectories: readonly Trajectory[];

  /** @param trainer of the evaluator's network, or of a copy of it */
  constructor(
    game: Game,
    evaluator: NetworkEvaluator,
    { trainer, ...options }: LambdaReturnOptions & { trainer: BatchTrainer },
  ) {
    this.evaluator = evaluator;
    this.trainer = trainer;
    this.options = options;
    this.addsReturns = game.rewardsAlongTheWay;
    this.samples = new SampleBuffer(options.batch, evaluator.head.size);
    this.target = new Float64Array(evaluator.head.size);
    this.answer = new Float64Array(evaluator.head.size);
    this.trajectories = Array.from({ length: evaluator.isDuel ? 1 : game.players }, () => new Trajectory());
  }

  get stepSize(): number {
    return this.trainer.stepSize;
  }

  set stepSize(stepSize: number) {
    this.trainer.stepSize = stepSize;
  }

  begin(state: State): void {
    for (const trajectory of this.trajectories) trajectory.clear();
    if (state.toMove !== TERMINAL && this.options.positions === "all") this.record(state);
  }

  observe(state: State, by: number, explored: boolean): void {
    if (explored) this.cut();
    if (by === this.opponentSeat) return;
    if (by !== CHANCE || this.options.positions === "all") this.record(state);
  }

  end(state: State, explored: boolean): void {
    if (explored) this.cut();
    const { trajectories, opponentSeat } = this;
    for (const [player, trajectory] of trajectories.entries())
      if (player !== opponentSeat || trajectories.length === 1) this.learn(trajectory, state);
  }

  /** Adam's state, and the samples of the batch that is not yet full. */
  get memory(): Readonly<Record<string, Float32Array>> {
    const memory = adamMemory(this.trainer.save());
    for (const [name, values] of Object.entries(this.samples.save())) memory[`samples/${name}`] = values;
    return memory;
  }

  restore(memory: Readonly<Record<string, Float32Array>>): void {
    this.trainer.restore(adamState(memory));
    const names = Object.keys(memory).filter((name) => name.startsWith("samples/"));
    this.samples.restore(
      Object.fromEntries(names.map((name) => [name.slice("samples/".length), memory[name]!])),
    );
  }

  private record(state: State): void {
    const { evaluator, trajectories, addsReturns } = this;
    for (let at = 0; at < trajectories.length; at++) {
      const viewer = evaluator.viewer(state, at);
      evaluator.look(state, viewer);
      if (!evaluator.outputs.every(Number.isFinite)) throw new DivergenceError(this.steps);
      trajectories[at]!.add(evaluator, viewer, addsReturns ? state.returns(viewer) : 0);
    }
  }

  private cut(): void {
    if (this.options.afterRandomMove === "continue") return;
    for (const trajectory of this.trajectories)
      if (trajectory.count > 0) trajectory.isCut[trajectory.count - 1] = 1;
  }

  private learn(trajectory: Trajectory, end: State): void {
    const { target, samples } = this;
    const { head } = this.evaluator;
    const { count, viewer, collected, isCut, offsets, index, value, outputs } = trajectory;
    for (let at = count - 1; at >= 0; at--) {
      if (at === count - 1) head.write(end.returns(viewer[at]) - collected[at], target, 0);
      else this.stepBack(trajectory, at);
      if (isCut[at] !== 0) {
        for (let output = 0; output < head.size; output++) target[output] = outputs[at * head.size + output];
        continue;
      }
      this.tally(trajectory, at, end);
      samples.add({ index, value, from: offsets[at], to: offsets[at + 1] }, target);
      this.steps++;
      if (samples.isFull) this.train();
    }
  }

  /** Counts the error of the step from a position to the next one, by the network's outputs during the game. */
  private tally(trajectory: Trajectory, at: number, end: State): void {
    const { count, viewer, collected } = trajectory;
    const { errors } = this;
    let later = 0;
    if (at === count - 1) later = end.returns(viewer[at]);
    else {
      const seen = this.worthAt(trajectory, at + 1) + collected[at + 1];
      later = viewer[at] === viewer[at + 1] ? seen : 0 - seen;
    }
    const error = later - collected[at] - this.worthAt(trajectory, at);
    errors.count++;
    errors.squares += error * error;
  }

  private worthAt({ outputs }: Trajectory, at: number): number {
    const { answer } = this;
    for (let output = 0; output < answer.length; output++)
      answer[output] = outputs[at * answer.length + output];
    return this.evaluator.head.worth(answer);
  }

  /** Changes `target` from T(at + 1) to T(at), each from the point of view of its position. */
  private stepBack({ viewer, collected, outputs }: Trajectory, at: number): void {
    const { target, evaluator, addsReturns } = this;
    const { head } = evaluator;
    const { lambda } = this.options;
    const next = (at + 1) * head.size;
    for (let output = 0; output < head.size; output++)
      target[output] = (1 - lambda) * outputs[next + output] + lambda * target[output];
    const isSameView = viewer[at] === viewer[at + 1];
    if (!isSameView) head.exchange(target, 0);
    if (addsReturns)
      head.raise((isSameView ? collected[at + 1] : 0 - collected[at + 1]) - collected[at], target, 0);
  }

  private train(): void {
    const { trainer, samples, evaluator } = this;
    const loss = trainer.trainBatch(samples);
    if (!Number.isFinite(loss)) throw new DivergenceError(this.steps);
    samples.clear();
    evaluator.load(trainer.network());
  }
}

/**
 * The positions of one game, with the features that were read and the outputs that the network gave. Methods allocate
 * only when the arrays must grow.
 */
export class Trajectory {
  count = 0;
  /** For each position: the player from whose point of view it was read. */
  viewer = new Int8Array(64);
  /** For each position: the rewards that this player had collected. */
  collected = new Float64Array(64);
  /** For each position: 1 if the next move was random, so that the position does not learn from what followed. */
  isCut = new Uint8Array(64);
  /** Position p has the places offsets[p] to offsets[p + 1] - 1 of `index` and `value`. */
  offsets = new Int32Array(65);
  index = new Int32Array(2048);
  value = new Float32Array(2048);
  /** The network's outputs; shape [count, number of outputs]. */
  outputs = new Float64Array(512);

  clear(): void {
    this.count = 0;
  }

  /** Adds the position that `evaluator` read last. */
  add(evaluator: NetworkEvaluator, viewer: number, collected: number): void {
    const { count } = this;
    const { active, index, value, outputs } = evaluator;
    const from = this.offsets[count];
    this.grow(count + 1, from + active, outputs.length);
    for (let at = 0; at < active; at++) {
      this.index[from + at] = index[at];
      this.value[from + at] = value[at];
    }
    for (let at = 0; at < outputs.length; at++) this.outputs[count * outputs.length + at] = outputs[at];
    this.viewer[count] = viewer;
    this.collected[count] = collected;
    this.isCut[count] = 0;
    this.offsets[count + 1] = from + active;
    this.count++;
  }

  private grow(count: number, pairs: number, outputs: number): void {
    this.viewer = grown(this.viewer, count);
    this.collected = grown(this.collected, count);
    this.isCut = grown(this.isCut, count);
    this.offsets = grown(this.offsets, count + 1);
    this.index = grown(this.index, pairs);
    this.value = grown(this.value, pairs);
    this.outputs = grown(this.outputs, count * outputs);
  }
}
