import { readReport, type Reported, type SearchReport } from "../../../agents/search-report.ts";
import { createRandom } from "../../../base/random.ts";
import type { NetworkEvaluator } from "../../../evaluators/network/network-evaluator.ts";
import type { Losses } from "../../../ratings/sections/curve.ts";
import { TERMINAL, type Game, type State } from "../../../games/contract/game.ts";
import { DivergenceError, type ErrorTally, type Learner } from "../learner.ts";
import { adamMemory, adamState, ILLEGAL } from "./batch.ts";
import type { RowTrainer } from "./row-trainer.ts";
import { type Image, SampleBuffer, SampleWindow } from "./samples.ts";

/** Positions over which losses are means. */
const LOSS_SAMPLES = 2048;

/** The positions that are learned from, where a config names no number. */
export const USUAL_WINDOW = 200_000;
const USUAL_REUSE = 2;
const USUAL_BATCH = 512;

/** Options of ExpertLearner. */
export interface ExpertOptions {
  /** Share of the search's value in the target of a position, 0..1; the rest is the return of the game. */
  readonly rootShare: number;
  /** The last so many positions are learned from. */
  readonly window?: number | undefined;
  /** Times that a position is drawn, on average. */
  readonly reuse?: number | undefined;
  readonly batch?: number | undefined;
}

/**
 * Expert iteration (Anthony, Tian and Barber 2017; Silver et al. 2017): the network learns what a search with it has found.
 * With z the return of the game, v the value that the search gave the position, and pi its policy there:
 *
 *     value  -> (1 - rootShare) z + rootShare v
 *     policy -> pi, over the legal actions
 *
 * A value that the search has proven is learned alone, whatever became of the game. So are the values of positions inside the
 * search's tree, which the game did not come to.
 *
 * A window keeps the positions of the last rounds. At the end of a round, batches are drawn from it, so many that a position
 * is drawn `reuse` times on average. In a duel a position is one sample, from the point of view that the evaluator reads. In
 * any other game it is one for each player; the policy is learned by that of the player to move, and the value of the search
 * too. Rewards that a player has collected before count for neither.
 */
export class ExpertLearner implements Learner {
  steps = 0;
  opponentSeat: number | undefined = undefined;
  readonly errors: ErrorTally = { count: 0, squares: 0 };
  private readonly game: Game;
  private readonly evaluator: NetworkEvaluator;
  private readonly trainer: RowTrainer;
  private readonly rootShare: number;
  private readonly reuse: number;
  private readonly batch: number;
  private readonly window: SampleWindow;
  private readonly samples: SampleBuffer;
  /** The positions of this game: the first one's number in the window, and of each the estimate, the view and the rewards. */
  private first = 0;
  private readonly estimates: number[] = [];
  private readonly viewers: number[] = [];
  private readonly collected: number[] = [];
  /** The search's value of each, to the viewer, and that value's share of the target: 0 if it is not known. */
  private readonly searched: number[] = [];
  private readonly shares: number[] = [];
  /** Positions since the end of the last round. */
  private fresh = 0;
  /** The images under which a position may be learned: itself, which is undefined, and those of features and policy. */
  private readonly images: readonly (Image | undefined)[];
  private readonly copy: State;
  private readonly actions: Int32Array;
  private readonly outcome: Float64Array;
  private readonly wanted: Float64Array;

  /** @param trainer of the evaluator's network */
  constructor(
    game: Game,
    evaluator: NetworkEvaluator,
    {
      trainer,
      rootShare,
      window = USUAL_WINDOW,
      reuse = USUAL_REUSE,
      batch = USUAL_BATCH,
    }: ExpertOptions & { trainer: RowTrainer },
  ) {
    const outputs = evaluator.head.size + evaluator.logits.length;
    this.game = game;
    this.evaluator = evaluator;
    this.trainer = trainer;
    this.rootShare = rootShare;
    this.reuse = reuse;
    this.batch = batch;
    this.window = new SampleWindow(window, { features: evaluator.features, outputs });
    this.samples = new SampleBuffer(batch, outputs);
    const { features, logits } = evaluator;
    const ofActions = logits.length === 0 ? undefined : (game.policyHead?.images ?? []);
    const images = features.images?.slice(0, ofActions?.length) ?? [];
    this.images = [
      undefined,
      ...images.map((image, at) => ({ features: image, actions: ofActions?.[at] ?? new Int32Array() })),
    ];
    this.copy = game.start();
    this.actions = new Int32Array(game.maxActions);
    this.outcome = new Float64Array(evaluator.head.size);
    this.wanted = new Float64Array(evaluator.head.size);
  }

  get stepSize(): number {
    return this.trainer.stepSize;
  }

  set stepSize(stepSize: number) {
    this.trainer.stepSize = stepSize;
  }

  /** Adam's state, the window, and the positions since the last round. */
  get memory(): Readonly<Record<string, Float32Array>> {
    const memory = adamMemory(this.trainer.save());
    memory["fresh"] = Float32Array.of(this.fresh);
    for (const [name, values] of Object.entries(this.window.memory)) memory[`window/${name}`] = values;
    return memory;
  }

  restore(memory: Readonly<Record<string, Float32Array>>): void {
    this.trainer.restore(adamState(memory));
    this.fresh = memory["fresh"]![0];
    const names = Object.keys(memory).filter((name) => name.startsWith("window/"));
    this.window.restore(
      Object.fromEntries(names.map((name) => [name.slice("window/".length), memory[name]!])),
    );
  }

  begin(): void {
    this.first = this.window.added;
    for (const list of [this.estimates, this.viewers, this.collected, this.searched, this.shares])
      list.length = 0;
  }

  observe(): void {}

  study(root: State, report: SearchReport): void {
    const { evaluator, game, copy } = this;
    copy.copyFrom(root);
    readReport(copy, report, (state, found) => {
      if (evaluator.isDuel) this.add(state, evaluator.viewer(state, state.toMove), found);
      else for (let player = 0; player < game.players; player++) this.add(state, player, found);
      this.steps++;
      this.fresh++;
    });
  }

  private add(
    state: State,
    viewer: number,
    { depth, value, isProven, actions: told, policy: shares }: Reported,
  ): void {
    const { evaluator, window, game, actions } = this;
    const mover = state.toMove;
    evaluator.look(state, viewer);
    const estimate = evaluator.head.worth(evaluator.outputs);
    if (!Number.isFinite(estimate)) throw new DivergenceError(this.steps);
    const place = window.add(evaluator);
    const policy = place * window.outputs + evaluator.head.size;
    window.targets.fill(ILLEGAL, policy, policy + evaluator.logits.length);
    const isSeen = viewer === mover || evaluator.isDuel;
    const head = isSeen && told.length > 0 && evaluator.logits.length > 0 ? game.policyHead : undefined;
    if (head !== undefined) {
      const count = state.legalActions(actions, 0);
      for (let at = 0; at < count; at++) window.targets[policy + head.index(actions[at], state)] = 0;
      for (const [at, action] of told.entries())
        window.targets[policy + head.index(action, state)] = shares[at]!;
    }
    this.estimates.push(estimate);
    this.viewers.push(viewer);
    this.collected.push(game.rewardsAlongTheWay ? state.returns(viewer) : 0);
    this.searched.push(viewer === mover ? value : 0 - value);
    this.shares.push(isSeen ? (isProven || depth > 0 ? 1 : this.rootShare) : 0);
  }

  end(state: State): void {
    if (state.toMove !== TERMINAL) return;
    const { window, evaluator, outcome, wanted, errors } = this;
    const { estimates, viewers, collected, searched, shares } = this;
    const { head } = evaluator;
    const from = Math.max(0, estimates.length - window.capacity);
    for (let at = from; at < estimates.length; at++) {
      const later = state.returns(viewers[at]!) - collected[at]!;
      const found = searched[at]! - collected[at]!;
      const share = shares[at]!;
      head.write(later, outcome, 0);
      if (share > 0) head.write(found, wanted, 0);
      const first = ((this.first + at) % window.capacity) * window.outputs;
      for (let output = 0; output < head.size; output++)
        window.targets[first + output] = (1 - share) * outcome[output] + share * wanted[output];
      const error = (1 - share) * later + share * found - estimates[at]!;
      errors.count++;
      errors.squares += error * error;
    }
  }

  /** The losses over positions drawn from the window; those of the policy over positions in which the search tells one. */
  losses(): Losses | undefined {
    const { window, evaluator, trainer } = this;
    if (window.size === 0) return undefined;
    const samples = new SampleBuffer(LOSS_SAMPLES, window.outputs);
    const random = createRandom("losses", window.added);
    while (!samples.isFull) window.copyTo(samples, random.below(window.size));
    trainer.read();
    const loss = trainer.lossOf(samples);
    let entropy = 0;
    let told = 0;
    for (let sample = 0; sample < samples.size; sample++) {
      const first = sample * window.outputs;
      const targets = samples.targets.subarray(first + evaluator.head.size, first + window.outputs);
      if (targets.some((share) => share > 0)) told++;
      for (const share of targets) if (share > 0) entropy -= share * Math.log(share);
    }
    return {
      value: loss - trainer.policyLoss,
      ...(told > 0 && { policy: (trainer.policyLoss * samples.size) / told, entropy: entropy / told }),
    };
  }

  /** Learns from the window. */
  endRound(): void {
    const { window, samples, trainer, evaluator, images, reuse, batch } = this;
    const random = createRandom("batches", window.added);
    const draws = reuse * this.fresh;
    trainer.read();
    for (let drawn = 0; drawn < draws; drawn += batch) {
      samples.clear();
      while (!samples.isFull) {
        const place = random.below(window.size);
        window.copyTo(samples, place, images.length > 1 ? images[random.below(images.length)] : undefined);
      }
      if (!Number.isFinite(trainer.trainBatch(samples))) throw new DivergenceError(this.steps);
    }
    this.fresh = 0;
    evaluator.load(trainer.network());
  }
}
