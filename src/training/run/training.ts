import { availableParallelism } from "node:os";
import { setImmediate } from "node:timers/promises";
import { InputError } from "../../base/errors.ts";
import { unflatten } from "../../evaluators/models.ts";
import { saveLayersModel } from "../../specs/files/layers-model-file.ts";
import { loadHeader, loadNumbers, saveWeights } from "../../specs/files/weights-file.ts";
import type { WeightsHeader } from "../../evaluators/stored-weights.ts";
import { SelfPlayLearner, type SelfPlayCounts } from "../loop/self-play-learner.ts";
import { setWeights, storedModel, type CreateTrainer } from "../learn/learnable.ts";
import type { Actors, OpenActors } from "../rounds/actors.ts";
import { RoundLoop } from "../rounds/round-loop.ts";
import { localActors } from "../rounds/local-actors.ts";
import { localLoop, type TrainingLoop } from "../loop/training-loop.ts";
import { formatCurveSvg, formatCurveCsv, formatCurveTable } from "../curve/formats.ts";
import { headerOf, withRating } from "./weights-header.ts";
import { initialWeights } from "../learn/initial-weights.ts";
import { DivergenceError, rootMeanSquare, type ErrorTally } from "../learn/learner.ts";
import { hasObjects } from "../../specs/families.ts";
import { checkpointGames, type TrainingPlan } from "../plan/plan.ts";
import { bestPoint, type CurvePoint, type LearningCurve } from "../curve/curve.ts";
import type { OpenPlayers } from "../../arena/tournament.ts";
import { CheckpointRating, isHopeless } from "../curve/checkpoint-rating.ts";
import type { TrainingFolder } from "./training-folder.ts";

/** The least time of self-play between two savings of the state. */
const SAVE_MS = 10_000;
/** The least time between two savings, in durations of the last one: the arrays may be large. */
const SAVE_SHARE = 30;

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
  /** Opens the actors that play the games of self-play elsewhere; the learner stays here. */
  readonly openActors?: OpenActors | undefined;
  readonly now: () => Date;
}

/** The progress of a training. */
export interface TrainingProgress {
  readonly phase: "training" | "rating";
  readonly gamesDone: number;
  readonly gamesTotal: number;
  /** Games of self-play a second, since the start or the resume. */
  readonly gamesPerSecond: number;
  /** Estimated; includes the ratings still to come, once one is done. Infinity while unknown. */
  readonly secondsLeft: number;
  readonly latest: CurvePoint | undefined;
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
  private readonly learning: SelfPlayLearner;
  private rating: CheckpointRating | undefined;
  private curve: LearningCurve = { points: [], pool: [], warnings: [] };
  private readonly checkpoints: readonly number[];
  private games = 0;
  private timeMs = 0;
  private before: SelfPlayCounts = { decisions: 0, steps: 0 };
  /** The errors between the last checkpoint and the resume. */
  private errorsBefore: ErrorTally = { count: 0, squares: 0 };
  /** The loop's memory at the resume. */
  private memoryBefore: Readonly<Record<string, Float32Array>> | undefined;
  private loop: TrainingLoop | undefined;
  private savedAt: number;
  private savingMs = 0;
  private stoppedEarly = false;
  private gamesAtStart = 0;
  private timeAtStart = 0;
  private ratingMs = 0;
  private ratings = 0;
  private latest: CurvePoint | undefined;
  /** The tdError of CurvePoint, by checkpoint. */
  private readonly tdErrors = new Map<number, number | undefined>();

  constructor(plan: TrainingPlan, folder: TrainingFolder, hooks: TrainingHooks) {
    const { game, config } = plan;
    this.plan = plan;
    this.folder = folder;
    this.hooks = hooks;
    this.savedAt = hooks.clock();
    this.checkpoints = checkpointGames(config);
    const allocate = (_: string, length: number): Float32Array => new Float32Array(length);
    this.learning = new SelfPlayLearner(plan, initialWeights(game, config, allocate), {
      allocate,
      createTrainer: hooks.createTrainer,
      loadCheckpoint: (games) => this.loadPast(games),
    });
  }

  async run(): Promise<TrainingResult> {
    this.restore();
    const from = this.games;
    const { workers, ratingPlayers: players } = this.hooks;
    this.rating = new CheckpointRating(this.plan, { dir: this.folder.dir, workers, players });
    try {
      this.loop = await this.createLoop(this.rating.run);
      Object.assign(this.loop.errors, this.errorsBefore);
      for (const taken of this.checkpoints) {
        await this.playUntil(taken);
        if (this.stopped) return this.result(false);
        // Checkpoints before the saved state are in the folder already.
        if (taken >= from) this.saveCheckpoint(taken);
        if (!(await this.rateCheckpoint(taken))) return this.result(false);
        if (isHopeless(this.curve, this.plan.config.patience)) {
          this.stoppedEarly = taken < this.plan.config.games;
          break;
        }
      }
    } finally {
      this.rating.close();
      await this.loop?.close();
    }
    this.saveFinal();
    this.tellSlowLearner();
    return this.result(true);
  }

  /** The weights of a checkpoint, for a seat that plays with them. */
  private loadPast(games: number): Float32Array {
    const path = this.folder.checkpoint(games);
    try {
      return loadNumbers(path);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new InputError(
        `a past opponent cannot play, since its weights are gone or damaged: ${error.message}; without them this training cannot go on as it would have`,
      );
    }
  }

  private tellSlowLearner(): void {
    const { idle } = this.loop!;
    if (idle < SLOW_SHARE || this.timeMs - this.timeAtStart < SLOW_MS) return;
    this.hooks.onNote?.(
      `the learner was slower than its actors, which had nothing to do for ${Math.round(100 * idle)}% of the time: more workers will not make this training faster`,
    );
  }

  private get stopped(): boolean {
    return this.hooks.signal?.aborted === true;
  }

  private get decisions(): number {
    return this.before.decisions + (this.loop?.counts.decisions ?? 0);
  }

  private get steps(): number {
    return this.before.steps + (this.loop?.counts.steps ?? 0);
  }

  private async createLoop(run: string): Promise<TrainingLoop> {
    const { plan, learning, games, hooks } = this;
    const { clock } = hooks;
    if (plan.config.round === undefined) return localLoop(learning, clock);
    const { learnable, learner } = learning;
    const loop = new RoundLoop(plan, games, {
      learnable,
      learner,
      actors: await this.openActors(run),
      loadCheckpoint: (past) => this.loadPast(past),
      clock,
    });
    if (this.memoryBefore !== undefined) this.restoring(() => loop.restore(this.memoryBefore!));
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
    const { clock } = this.hooks;
    let since = clock();
    try {
      this.games = await this.loop!.play(this.games, target, async (games) => {
        this.games = games;
        this.timeMs += clock() - since;
        this.tell("training");
        if (this.isTimeToSave()) this.saveState();
        await setImmediate();
        since = clock();
        return !this.stopped;
      });
    } catch (error) {
      throw error instanceof DivergenceError ? this.explain(this.before.steps + error.step) : error;
    }
    this.timeMs += clock() - since;
    if (this.stopped) this.saveState();
  }

  private isTimeToSave(): boolean {
    return this.hooks.clock() - this.savedAt > Math.max(SAVE_MS, SAVE_SHARE * this.savingMs);
  }

  private async rateCheckpoint(games: number): Promise<boolean> {
    const { clock } = this.hooks;
    const begun = clock();
    const { signal } = this.hooks;
    const finished = await this.rating!.enter(games, { signal, onProgress: () => this.tell("rating") });
    if (!finished) return false;
    this.ratingMs += clock() - begun;
    this.ratings++;
    const rated = this.rating!.curve();
    const curve = {
      ...rated,
      points: rated.points.map((point) => ({ ...point, tdError: this.tdErrorOf(point.games) })),
    };
    this.curve = curve;
    this.latest = curve.points.at(-1);
    const { game, config } = this.plan;
    this.folder.saveCurve({
      csv: formatCurveCsv(curve),
      markdown: formatCurveTable(curve),
      svg: formatCurveSvg(curve, `${config.name}: ${game.id}`, {
        main: game.players === 1 ? "return" : "elo",
      }),
    });
    this.tell("rating");
    return true;
  }

  /** Reads the error in the header of a checkpoint. */
  private tdErrorOf(games: number): number | undefined {
    if (!this.tdErrors.has(games)) {
      const { tdError } = loadHeader(this.folder.checkpoint(games)).training;
      this.tdErrors.set(games, typeof tdError === "number" ? tdError : undefined);
    }
    return this.tdErrors.get(games);
  }

  private tell(phase: TrainingProgress["phase"]): void {
    const gamesTotal = this.plan.config.games;
    const seconds = (this.timeMs - this.timeAtStart) / 1000;
    const gamesPerSecond = seconds > 0 ? (this.games - this.gamesAtStart) / seconds : 0;
    const ratingSeconds = this.ratings > 0 ? this.ratingMs / this.ratings / 1000 : 0;
    const ratingsLeft = this.checkpoints.filter((games) => games > this.games).length;
    const left = gamesTotal - this.games;
    const secondsLeft = (left === 0 ? 0 : left / gamesPerSecond) + ratingsLeft * ratingSeconds;
    this.hooks.onProgress?.({
      phase,
      gamesDone: this.games,
      gamesTotal,
      gamesPerSecond,
      secondsLeft,
      latest: this.latest,
    });
  }

  private restore(): void {
    const state = this.folder.loadState();
    if (state === undefined) return;
    if (state.damage !== undefined)
      this.hooks.onNote?.(`${state.damage}; going on from the state before it, after game ${state.games}`);
    const { learnable, learner, random } = this.learning;
    // A checkpoint that is gone is told of now, and not when it is drawn.
    if ((this.plan.config.opponents?.past ?? 0) > 0)
      for (const games of this.checkpoints)
        if (games > 0 && games < state.games && !this.folder.hasCheckpoint(games)) this.loadPast(games);
    const { weights, ...memory } = state.arrays;
    if (weights?.length !== learnable.weights.length)
      throw new InputError(
        `holds ${weights?.length} weights, where the evaluator now has ${learnable.weights.length}`,
        this.folder.dir,
      );
    this.games = this.gamesAtStart = state.games;
    this.timeMs = this.timeAtStart = state.timeMs;
    this.before = { decisions: state.decisions, steps: state.steps };
    this.errorsBefore = state.errors;
    this.memoryBefore = memory;
    setWeights(learnable, weights);
    this.restoring(() => learner.restore(memory));
    random.restore(state.random);
  }

  private restoring(restore: () => void): void {
    try {
      restore();
    } catch (error) {
      throw new InputError(
        `the state of the learner is damaged: ${(error as Error).message}`,
        this.folder.dir,
      );
    }
  }

  private saveState(): void {
    const { folder, learning, hooks } = this;
    const begun = hooks.clock();
    folder.saveState({
      games: this.games,
      decisions: this.decisions,
      steps: this.steps,
      timeMs: Math.round(this.timeMs),
      errors: { ...this.loop!.errors },
      random: learning.random.save(),
      arrays: { weights: this.finiteWeights(), ...learning.learner.memory, ...this.loop!.memory },
    });
    this.savedAt = hooks.clock();
    this.savingMs = this.savedAt - begun;
  }

  /** Saves the checkpoint first: `run` relies on the folder having all checkpoints before the saved state. */
  private saveCheckpoint(games: number): void {
    const { errors } = this.loop!;
    const error = rootMeanSquare(errors);
    const tdError = error === undefined ? undefined : Number(error.toPrecision(6));
    // A training that is resumed at a checkpoint finds it in its folder, with its error.
    if (tdError === undefined && this.folder.hasCheckpoint(games)) return;
    saveWeights(this.folder.checkpoint(games), this.describe(tdError), this.finiteWeights());
    Object.assign(errors, { count: 0, squares: 0 });
    this.saveState();
  }

  private saveFinal(): void {
    const { folder, plan, curve } = this;
    const { game, config } = plan;
    const best = bestPoint(curve).games;
    const last = this.delivered;
    const model = storedModel(game, config.evaluator);
    if (model.kind === "network")
      saveLayersModel(folder.layersModel, unflatten(game, model, loadNumbers(folder.checkpoint(last))));
    folder.deliver(last, best, (games) => withRating(loadHeader(folder.checkpoint(games)), curve));
  }

  /** The games of the checkpoint that the training ends with: the last one, or with `patience` the best one. */
  private get delivered(): number {
    const { plan, curve } = this;
    return (plan.config.patience === undefined ? curve.points.at(-1)! : bestPoint(curve)).games;
  }

  private describe(tdError: number | undefined): WeightsHeader {
    const { plan, games, decisions, hooks } = this;
    return headerOf(plan, { games, decisions, date: hooks.now(), tdError });
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
      `after game ${this.games}; the last good checkpoint is ${this.folder.checkpoint(good)}. Try a smaller learner.stepSize, or the output tanh`,
    );
  }

  private result(finished: boolean): TrainingResult {
    const { plan, folder, games, timeMs } = this;
    return {
      name: plan.config.name,
      dir: folder.dir,
      finished,
      games,
      decisions: this.decisions,
      timeMs,
      curve: this.curve,
      stoppedEarly: finished && this.stoppedEarly,
      weightsPath: finished ? folder.weights : undefined,
      weightsGames: finished ? this.delivered : undefined,
      bestPath: finished ? folder.best : undefined,
    };
  }
}
