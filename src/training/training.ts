import { setImmediate } from "node:timers/promises";
import { InputError } from "../base/errors.ts";
import { createRandom, type Random } from "../base/random.ts";
import { LinearEvaluator } from "../evaluators/linear.ts";
import { describeWeights, saveWeights } from "../evaluators/weights-file.ts";
import { formatCurveCsv, formatCurveTable } from "./curve.ts";
import { DivergenceError } from "./learner.ts";
import { checkpointGames, type TrainingPlan } from "./plan.ts";
import { RatingPool, type CurvePoint, type LearningCurve } from "./rating-pool.ts";
import type { RunFolder } from "./run-folder.ts";
import { scheduleAt } from "./schedule.ts";
import { SelfPlay } from "./self-play.ts";
import { TdLearner } from "./td.ts";

/** How long self-play goes on before others get a turn, and before its state is saved again. */
const SLICE_MS = 50;
const SAVE_MS = 10_000;

/** What a training needs from outside, and whom it tells. */
export interface TrainingHooks {
  readonly onProgress?: ((progress: TrainingProgress) => void) | undefined;
  /** Stops at the next game of self-play, or block of rating games; what was done is kept. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds from an arbitrary origin. */
  readonly clock: () => number;
  /** The date for the weights' header. */
  readonly now: () => Date;
}

export interface TrainingProgress {
  readonly phase: "training" | "rating";
  readonly gamesDone: number;
  readonly gamesTotal: number;
  /** Since the start or the resume. */
  readonly gamesPerSecond: number;
  /** With the ratings still to come, as far as known; Infinity while unknown. */
  readonly secondsLeft: number;
  /** The latest checkpoint on the curve. */
  readonly latest: CurvePoint | undefined;
}

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
  /** Undefined unless finished. */
  readonly weightsPath: string | undefined;
}

/** One training, from where its folder stands to its end. */
export class Training {
  private readonly plan: TrainingPlan;
  private readonly folder: RunFolder;
  private readonly hooks: TrainingHooks;
  private readonly random: Random;
  private readonly evaluator: LinearEvaluator;
  private readonly learner: TdLearner;
  private readonly selfPlay: SelfPlay;
  private readonly pool: RatingPool;
  private readonly checkpoints: readonly number[];
  private games = 0;
  private timeMs = 0;
  private savedAt: number;
  private gamesAtStart = 0;
  private timeAtStart = 0;
  private ratingMs = 0;
  private ratings = 0;
  private latest: CurvePoint | undefined;

  constructor(plan: TrainingPlan, folder: RunFolder, hooks: TrainingHooks) {
    const { game, features, config } = plan;
    this.plan = plan;
    this.folder = folder;
    this.hooks = hooks;
    this.savedAt = hooks.clock();
    this.checkpoints = checkpointGames(config);
    this.random = createRandom(config.seed, "self-play");
    this.evaluator = new LinearEvaluator(game, features, {
      weights: new Float64Array(features.size),
      output: config.evaluator.output,
    });
    this.learner = new TdLearner(game, this.evaluator, config.learner);
    this.selfPlay = new SelfPlay(game, {
      evaluator: this.evaluator,
      learner: this.learner,
      random: this.random,
    });
    this.pool = new RatingPool(plan, folder, hooks.clock);
  }

  async run(): Promise<TrainingResult> {
    this.restore();
    const from = this.games;
    for (const games of this.checkpoints) {
      await this.playUntil(games);
      if (this.stopped) return this.result(false);
      // What lies before the saved state is there already.
      if (games >= from) this.saveCheckpoint(games);
      if (!(await this.rateCheckpoint(games))) return this.result(false);
    }
    this.saveFinal();
    return this.result(true);
  }

  private get stopped(): boolean {
    return this.hooks.signal?.aborted === true;
  }

  /** Plays and learns until so many games are done, or the signal comes. */
  private async playUntil(target: number): Promise<void> {
    const { clock } = this.hooks;
    while (this.games < target && !this.stopped) {
      const begun = clock();
      let now = begun;
      while (this.games < target && now - begun < SLICE_MS) {
        this.playGame();
        now = clock();
      }
      this.timeMs += now - begun;
      this.tell("training");
      if (now - this.savedAt > SAVE_MS) this.saveState();
      await setImmediate();
    }
    if (this.stopped) this.saveState();
  }

  private playGame(): void {
    const { learner, selfPlay, random, games } = this;
    const { learner: rule, exploration, openings, games: total } = this.plan.config;
    const share = total > 1 ? games / (total - 1) : 0;
    learner.stepSize = scheduleAt(rule.stepSize, share);
    const { randomPlies: plies } = openings;
    const opening = typeof plies === "number" ? plies : plies.from + random.below(plies.to - plies.from + 1);
    try {
      selfPlay.playGame(opening, scheduleAt(exploration.epsilon, share));
    } catch (error) {
      throw error instanceof DivergenceError ? this.explain(error.step) : error;
    }
    this.games++;
  }

  private async rateCheckpoint(games: number): Promise<boolean> {
    const { clock } = this.hooks;
    const begun = clock();
    const finished = await this.pool.enter(games, async () => {
      this.tell("rating");
      await setImmediate();
      return !this.stopped;
    });
    if (!finished) return false;
    this.ratingMs += clock() - begun;
    this.ratings++;
    const curve = this.pool.curve();
    this.latest = curve.points.at(-1);
    this.folder.saveCurve(formatCurveCsv(curve), formatCurveTable(curve));
    this.tell("rating");
    return true;
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
    if (state.weights.length !== this.evaluator.weights.length)
      throw new InputError(
        `holds ${state.weights.length} weights, where ${this.plan.config.evaluator.features} now has ${this.evaluator.weights.length} features`,
        this.folder.dir,
      );
    this.games = this.gamesAtStart = state.games;
    this.timeMs = this.timeAtStart = state.timeMs;
    this.selfPlay.decisions = state.decisions;
    this.learner.steps = state.steps;
    this.random.restore(state.random);
    this.evaluator.weights.set(state.weights);
  }

  private saveState(): void {
    const weights = this.finiteWeights();
    this.folder.saveState({
      games: this.games,
      decisions: this.selfPlay.decisions,
      steps: this.learner.steps,
      timeMs: Math.round(this.timeMs),
      random: this.random.save(),
      weights,
    });
    this.savedAt = this.hooks.clock();
  }

  /** The checkpoint first: a state says that all checkpoints before it are there. */
  private saveCheckpoint(games: number): void {
    const weights = this.finiteWeights();
    saveWeights(this.folder.checkpoint(games), { ...this.describe(), weights });
    this.saveState();
  }

  private saveFinal(): void {
    const { points, pool } = this.pool.curve();
    const { elo, low, high, score } = points.at(-1)!;
    const file = this.describe({
      rating: {
        elo: Math.round(elo),
        low: Math.round(low),
        high: Math.round(high),
        score: Number(score.toFixed(4)),
        pool: Object.fromEntries(pool.map((entrant) => [entrant.name, Math.round(entrant.elo)])),
      },
    });
    saveWeights(this.folder.weights, file);
  }

  /** The header of a weights file, with its weights. */
  private describe(figures: Readonly<Record<string, unknown>> = {}) {
    const { game, config } = this.plan;
    const { learner, exploration, openings } = config;
    return describeWeights(game, this.evaluator, {
      method: `TD(${learner.lambda}) self-play`,
      seed: config.seed,
      games: this.games,
      date: this.hooks.now().toISOString().slice(0, 10),
      config: config.name,
      learner,
      exploration,
      openings,
      decisions: this.selfPlay.decisions,
      ...figures,
    });
  }

  private finiteWeights(): number[] {
    const weights = Array.from(this.evaluator.weights);
    if (!weights.every(Number.isFinite)) throw this.explain(this.learner.steps);
    return weights;
  }

  private explain(step: number): DivergenceError {
    const good = this.checkpoints.findLast((games) => games <= this.games)!;
    return new DivergenceError(
      step,
      `in game ${this.games + 1}; the last good checkpoint is ${this.folder.checkpoint(good)}. Try a smaller learner.stepSize, or the output tanh`,
    );
  }

  private result(finished: boolean): TrainingResult {
    const { plan, folder, games, timeMs } = this;
    return {
      name: plan.config.name,
      dir: folder.dir,
      finished,
      games,
      decisions: this.selfPlay.decisions,
      timeMs,
      curve: this.pool.curve(),
      weightsPath: finished ? folder.weights : undefined,
    };
  }
}
