import type { Played } from "../../ratings/format-results.ts";
import { availableParallelism } from "node:os";
import { setImmediate } from "node:timers/promises";
import { keepingWorkers } from "../../arena/play/worker-fork.ts";
import type { OpenPlayers } from "../../arena/tournament.ts";
import type { WeightsHeader } from "../../evaluators/stored-weights.ts";
import { hasObjects } from "../../specs/families.ts";
import { saveWeights } from "../../specs/files/weights-file.ts";
import { CheckpointRating, isHopeless, type LearningCurve } from "../curve/curve.ts";
import { GameFit } from "../fit/game-fit.ts";
import { initialWeights } from "../learn/initial-weights.ts";
import type { CreateTrainer } from "../learn/learnable.ts";
import { DivergenceError, restoreArrays, rootMeanSquare } from "../learn/learner.ts";
import { SelfPlayLearner, localLoop, type Learning, type TrainingLoop } from "../loop/training-loop.ts";
import { checkpointGames } from "../plan/checkpoints.ts";
import type { TrainingPlan } from "../plan/plan.ts";
import type { Actors, OpenActors } from "../rounds/actors.ts";
import { localActors } from "../rounds/local-actors.ts";
import { RoundLoop } from "../rounds/round-loop.ts";
import { MeanWeights } from "./mean-weights.ts";
import { deliver, finalGames, headerOf, saveCurve } from "./deliver.ts";
import { loadPast, restoreLearner, restoring, type Start } from "./resume.ts";
import { TrainingTimes, type TrainingProgress } from "./times.ts";
import type { TrainingFolder } from "./training-folder.ts";

/** A learner that lets its actors wait for more than this part of the time is said to be slow, in trainings of some seconds. */
const SLOW_SHARE = 0.2;
const SLOW_MS = 5000;

/** The parts of a training that its caller gives besides the config. */
export interface TrainingHooks {
  readonly onProgress?: ((progress: TrainingProgress) => void) | undefined;
  /** Takes a sentence that a person should read at once. */
  readonly onNote?: ((text: string) => void) | undefined;
  /** Stops after the games at hand, of self-play or of the rating; all finished games are kept. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds from an arbitrary origin. */
  readonly clock: () => number;
  /** Makes the trainer of networks if the config names another engine than the program's own. */
  readonly createTrainer?: CreateTrainer | undefined;
  /**
   * Workers for the games of rounds and of the rating: by default one a core, or 0 if the config has objects. 0 plays
   * them in this thread. The number changes no weights and no curve.
   */
  readonly workers?: number | undefined;
  /** Opens other players for the games of the rating; called for each checkpoint. */
  readonly ratingPlayers?: OpenPlayers | undefined;
  /** Program, machine, time and command, for the training's run to note [none]. */
  readonly sitting?: Played | undefined;
  /** Opens the actors that play the games of self-play elsewhere; the learner stays here. */
  readonly openActors?: OpenActors | undefined;
  readonly now: () => Date;
}

/** The outcome of a training. */
export interface TrainingResult {
  readonly name: string;
  readonly dir: string;
  /** False when the signal stopped it. */
  readonly finished: boolean;
  readonly games: number;
  /** Decisions by players, and milliseconds spent on self-play and learning. */
  readonly decisions: number;
  readonly timeMs: number;
  readonly curve: LearningCurve;
  /** True if the training ended before its last game, because of `patience`. */
  readonly stoppedEarly: boolean;
  /** The weights that the training ends with; undefined unless finished. */
  readonly weightsPath: string | undefined;
  /** The number of games of self-play before those weights. */
  readonly weightsGames: number | undefined;
  /** The weights of the best checkpoint of the curve; undefined unless finished. */
  readonly bestPath: string | undefined;
}

/** One training: begins, or goes on from the state in its folder, and runs to its end. */
export class Training {
  private readonly plan: TrainingPlan;
  private readonly folder: TrainingFolder;
  private readonly hooks: TrainingHooks;
  private readonly checkpoints: readonly number[];
  private readonly learning: Learning;
  private readonly start: Start;
  private readonly times: TrainingTimes;
  private readonly mean: MeanWeights;
  private games: number;
  private loop: TrainingLoop | undefined;
  private curve: LearningCurve = { points: [], pool: [], warnings: [] };
  private stoppedEarly = false;

  /** Restores the state in the folder, if there is one; throws InputError if it cannot. */
  constructor(plan: TrainingPlan, folder: TrainingFolder, hooks: TrainingHooks) {
    const { game, config } = plan;
    this.plan = plan;
    this.folder = folder;
    this.hooks = hooks;
    this.checkpoints = checkpointGames(config);
    const allocate = (_: string, length: number): Float32Array => new Float32Array(length);
    const weights = initialWeights(game, config, allocate);
    const { createTrainer } = hooks;
    const loadCheckpoint = (games: number) => loadPast(folder, games);
    this.learning =
      plan.played === undefined
        ? new SelfPlayLearner(plan, weights, { allocate, createTrainer, loadCheckpoint })
        : new GameFit(plan, weights, plan.played);
    this.start = restoreLearner(plan, folder, this.learning, hooks.onNote);
    this.times = new TrainingTimes(hooks.clock, this.start);
    this.games = this.start.games;
    this.mean = new MeanWeights(config, this.learning.learnable.weights.length, this.games);
    const { memory } = this.start;
    if (memory !== undefined) restoring(folder, () => restoreArrays(this.mean.memory, memory));
  }

  async run(): Promise<TrainingResult> {
    return keepingWorkers(async () => this.playAndRate());
  }

  private async playAndRate(): Promise<TrainingResult> {
    const { workers, ratingPlayers: players, sitting, clock } = this.hooks;
    const rating = new CheckpointRating(this.plan, {
      dir: this.folder.dir,
      workers,
      players,
      sitting,
      clock,
    });
    try {
      this.loop = await this.createLoop(rating.run);
      Object.assign(this.loop.errors, this.start.errors);
      for (const taken of this.checkpoints) {
        await this.playUntil(taken);
        if (this.stopped) return this.result(false);
        // Checkpoints before the saved state are in the folder already.
        if (taken >= this.start.games) this.saveCheckpoint(taken);
        if (!(await this.rateCheckpoint(taken, rating))) return this.result(false);
        if (isHopeless(this.curve, this.plan.config.patience)) {
          this.stoppedEarly = taken < this.plan.config.games;
          break;
        }
      }
    } finally {
      rating.close();
      await this.loop?.close();
    }
    deliver(this.plan, this.folder, this.curve);
    this.tellSlowLearner();
    return this.result(true);
  }

  private tellSlowLearner(): void {
    const { idle } = this.loop!;
    if (idle < SLOW_SHARE || this.times.recentMs < SLOW_MS) return;
    this.hooks.onNote?.(
      `the learner was slower than its actors, which had nothing to do for ${Math.round(100 * idle)}% of the time: more workers will not make this training faster`,
    );
  }

  private get stopped(): boolean {
    return this.hooks.signal?.aborted === true;
  }

  private get decisions(): number {
    return this.start.counts.decisions + (this.loop?.counts.decisions ?? 0);
  }

  private get steps(): number {
    return this.start.counts.steps + (this.loop?.counts.steps ?? 0);
  }

  private async createLoop(run: string): Promise<TrainingLoop> {
    const { plan, folder, learning, start, hooks } = this;
    const { clock } = hooks;
    if (plan.config.round === undefined) return localLoop(learning, clock);
    const { learnable, learner } = learning as SelfPlayLearner;
    const loop = new RoundLoop(plan, start.games, {
      learnable,
      learner,
      actors: await this.openActors(run),
      loadCheckpoint: (games) => loadPast(folder, games),
      clock,
    });
    const { memory } = start;
    if (memory !== undefined) restoring(folder, () => loop.restore(memory));
    return loop;
  }

  private async openActors(run: string): Promise<Actors> {
    const { plan, hooks } = this;
    if (hooks.openActors !== undefined) return hooks.openActors({ plan, run });
    const workers = hooks.workers ?? (hasObjects(plan.objects) ? 0 : availableParallelism());
    return localActors(plan, workers);
  }

  /** Plays and learns until `target` games are done or the signal stops it. */
  private async playUntil(target: number): Promise<void> {
    if (this.games >= target) return;
    do {
      await this.playOn(Math.min(target, this.mean.next()));
      this.takeSample();
    } while (this.games < target && !this.stopped);
    if (this.stopped) this.saveState();
  }

  private takeSample(): void {
    this.mean.take(this.games, this.learning.learnable.weights);
  }

  private async playOn(target: number): Promise<void> {
    const { times, hooks } = this;
    const { clock } = hooks;
    let since = clock();
    try {
      this.games = await this.loop!.play(this.games, target, async (games) => {
        this.games = games;
        times.playMs += clock() - since;
        this.tell("training");
        if (times.isTimeToSave) this.saveState();
        await setImmediate();
        since = clock();
        return !this.stopped;
      });
    } catch (error) {
      throw error instanceof DivergenceError ? this.explain(this.start.counts.steps + error.step) : error;
    }
    times.playMs += clock() - since;
  }

  private async rateCheckpoint(games: number, rating: CheckpointRating): Promise<boolean> {
    const { plan, folder, hooks } = this;
    const rated = await this.times.rate(async () =>
      rating.enter(games, { signal: hooks.signal, onProgress: () => this.tell("rating") }),
    );
    if (!rated) return false;
    this.curve = rating.curve();
    saveCurve(plan, folder, this.curve);
    this.tell("rating");
    return true;
  }

  private tell(phase: TrainingProgress["phase"]): void {
    const { games: gamesDone, curve, checkpoints, plan } = this;
    const gamesTotal = plan.config.games;
    const left = {
      games: gamesTotal - gamesDone,
      ratings: checkpoints.filter((games) => games > gamesDone).length,
    };
    const estimate = this.times.estimate(gamesDone, left);
    const unit = plan.played === undefined ? "games" : "epochs";
    this.hooks.onProgress?.({ phase, unit, gamesDone, gamesTotal, ...estimate, latest: curve.points.at(-1) });
  }

  private saveState(): void {
    const { folder, learning, times, mean } = this;
    this.takeSample();
    times.save(() =>
      folder.saveState({
        games: this.games,
        decisions: this.decisions,
        steps: this.steps,
        timeMs: Math.round(times.playMs),
        errors: { ...this.loop!.errors },
        random: learning.random.save(),
        arrays: {
          weights: this.finiteWeights(),
          ...learning.learner.memory,
          ...this.loop!.memory,
          ...mean.memory,
        },
      }),
    );
  }

  /** Saves the checkpoint first: `run` relies on the folder having all checkpoints before the saved state. */
  private saveCheckpoint(games: number): void {
    const { errors } = this.loop!;
    const error = rootMeanSquare(errors);
    const tdError = error === undefined ? undefined : Number(error.toPrecision(6));
    // A training that is resumed at a checkpoint finds it in its folder, with its error.
    if (tdError === undefined && this.folder.hasCheckpoint(games)) return;
    saveWeights(this.folder.checkpoint(games), this.describe(tdError), this.ratedWeights());
    Object.assign(errors, { count: 0, squares: 0 });
    this.saveState();
  }

  private describe(tdError: number | undefined): WeightsHeader {
    const { plan, games, decisions, hooks, learning } = this;
    return headerOf(plan, { games, decisions, date: hooks.now(), tdError, losses: learning.losses() });
  }

  /** The weights of a checkpoint: the present ones, or their mean since the last part of the training began. */
  private ratedWeights(): Float32Array {
    const weights = this.finiteWeights();
    return this.mean.hasBegun ? this.mean.weights : weights;
  }

  private finiteWeights(): Float32Array {
    const { weights } = this.learning.learnable;
    for (let at = 0; at < weights.length; at++)
      if (!Number.isFinite(weights[at])) throw this.explain(this.steps);
    return weights;
  }

  private explain(step: number): DivergenceError {
    // The checkpoint that was about to be saved has not been written.
    const good = this.checkpoints.findLast((games) => this.folder.hasCheckpoint(games))!;
    return new DivergenceError(
      step,
      `after ${this.plan.played === undefined ? "game" : "epoch"} ${this.games}; the last good checkpoint is ${this.folder.checkpoint(good)}. Try a smaller learner.stepSize, or the output tanh`,
    );
  }

  private result(finished: boolean): TrainingResult {
    const { plan, folder, games, curve, times } = this;
    return {
      name: plan.config.name,
      dir: folder.dir,
      finished,
      games,
      decisions: this.decisions,
      timeMs: times.playMs,
      curve,
      stoppedEarly: finished && this.stoppedEarly,
      weightsPath: finished ? folder.weights : undefined,
      weightsGames: finished ? finalGames(plan, curve) : undefined,
      bestPath: finished ? folder.best : undefined,
    };
  }
}
