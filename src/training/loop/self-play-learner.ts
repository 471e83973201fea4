import { createRandom, type Random } from "../../base/random.ts";
import {
  createLearnable,
  createLearner,
  setWeights,
  storedModel,
  type Allocate,
  type CreateTrainer,
  type Learnable,
} from "../learn/learnable.ts";
import type { Learner } from "../learn/learner.ts";
import type { TrainingPlan } from "../plan/plan.ts";
import { createListener, createMoves } from "../self-play/create-moves.ts";
import { createStartPositions, explorationAt, stepSizeAt } from "../self-play/game-settings.ts";
import { PastOpponents } from "../self-play/past-opponents.ts";
import { SelfPlay } from "../self-play/self-play.ts";

/** The amount of self-play since the learner was created. */
export interface SelfPlayCounts {
  /** Decisions by players, without the random plies of openings. */
  readonly decisions: number;
  /** Positions learned from. */
  readonly steps: number;
}

/** Loads the weights of the checkpoint after a number of games. Throws InputError if they are gone. */
export type LoadCheckpoint = (games: number) => Float32Array;

/** Self-play and learning in one thread: plays games against itself, and its learner sees every position. */
export class SelfPlayLearner {
  readonly random: Random;
  readonly learnable: Learnable;
  readonly learner: Learner;
  private readonly plan: TrainingPlan;
  private readonly moves: ReturnType<typeof createMoves>;
  private readonly play: SelfPlay;
  private readonly opponents: PastOpponents;
  private readonly loadCheckpoint: LoadCheckpoint | undefined;
  /** The evaluator of the seat that plays with older weights, and the checkpoint that it has them from. */
  private readonly past: Learnable | undefined;
  private pastGames: number | undefined;

  /**
   * @param weights the weights to begin with; the array is changed in place
   * @param parts `loadCheckpoint` is needed where opponents come from the past
   */
  constructor(
    plan: TrainingPlan,
    weights: Float32Array,
    {
      loadCheckpoint,
      ...parts
    }: {
      allocate: Allocate;
      createTrainer?: CreateTrainer | undefined;
      loadCheckpoint?: LoadCheckpoint | undefined;
    },
  ) {
    const { game, config } = plan;
    const random = createRandom(config.seed, "self-play");
    const model = storedModel(game, config.evaluator);
    const learnable = createLearnable(game, model, weights);
    this.opponents = new PastOpponents(plan);
    this.loadCheckpoint = loadCheckpoint;
    if (this.opponents.areAny && config.round === undefined)
      this.past = createLearnable(game, model, weights.slice());
    const starts = createStartPositions(plan, random);
    this.plan = plan;
    this.random = random;
    this.learnable = learnable;
    this.learner = createLearner(game, config.learner, learnable, {
      ...parts,
      inRounds: config.round !== undefined,
    });
    this.moves = createMoves(plan, learnable, { starts, random, past: this.past });
    this.play = new SelfPlay(game, {
      starts,
      moves: this.moves,
      listener: createListener(plan, this.learner),
    });
  }

  get counts(): SelfPlayCounts {
    return { decisions: this.play.decisions, steps: this.learner.steps };
  }

  /** Plays one game; its number, from 0, sets step size and exploration. Throws DivergenceError. */
  playGame(number: number): void {
    const { learner, play, moves, plan } = this;
    learner.stepSize = stepSizeAt(plan.config, number);
    Object.assign(moves.exploration, explorationAt(plan.config, number));
    learner.pastSeat = moves.pastSeat = this.pastSeatIn(number);
    play.playGame();
  }

  /** The seat that plays with older weights, which are loaded. */
  private pastSeatIn(number: number): number | undefined {
    const { opponents, past } = this;
    const seat = opponents.seatIn(number);
    const games = seat === undefined ? undefined : opponents.checkpointFor(number);
    if (games === undefined) return undefined;
    if (games !== this.pastGames) setWeights(past!, this.loadCheckpoint!(games));
    this.pastGames = games;
    return seat;
  }
}
