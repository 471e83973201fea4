import { createRandom, type Random } from "../../base/random.ts";
import { readAgent } from "../../specs/agents.ts";
import {
  createLearnable,
  createLearner,
  storedModel,
  type Allocate,
  type CreateTrainer,
  type Learnable,
} from "../learn/learnable.ts";
import type { Learner } from "../learn/learner.ts";
import type { TrainingPlan } from "../plan/plan.ts";
import { createStartPositions, explorationAt, stepSizeAt } from "../self-play/game-settings.ts";
import { OnePly, OnePlyPlay } from "../self-play/one-ply-play.ts";
import { SearchPlay } from "../self-play/search-play.ts";

/** The amount of self-play since the learner was created. */
export interface SelfPlayCounts {
  /** Decisions by players, without the random plies of openings. */
  readonly decisions: number;
  /** Positions learned from. */
  readonly steps: number;
}

/** Self-play and learning in one thread: plays games against itself, and its learner sees every position. */
export class SelfPlayLearner {
  readonly random: Random;
  readonly learnable: Learnable;
  readonly learner: Learner;
  private readonly plan: TrainingPlan;
  private readonly play: OnePlyPlay | SearchPlay;
  private readonly chooser: OnePly;

  /**
   * @param weights the weights to begin with; the array is changed in place
   * @param parts.names the end of the random generator's name
   */
  constructor(
    plan: TrainingPlan,
    weights: Float32Array,
    parts: {
      allocate: Allocate;
      names?: readonly (string | number)[];
      createTrainer?: CreateTrainer | undefined;
    },
  ) {
    const { game, config, search, families } = plan;
    const random = createRandom(config.seed, "self-play", ...(parts.names ?? []));
    const learnable = createLearnable(game, storedModel(game, config.evaluator), weights);
    const { evaluator } = learnable;
    const learner = createLearner(game, config.learner, learnable, parts);
    const starts = createStartPositions(plan, random);
    this.plan = plan;
    this.random = random;
    this.learnable = learnable;
    this.learner = learner;
    this.chooser = new OnePly(game, evaluator, random);
    if (search === undefined) {
      this.play = new OnePlyPlay(game, { starts, chooser: this.chooser, learner });
    } else {
      const spec = { ...search, evaluator: "none" };
      const prepared = readAgent(game, spec, { families, evaluator });
      const searcher = { agent: prepared.create(), budget: prepared.budget };
      this.play = new SearchPlay(game, { searcher, starts, learner, random });
    }
  }

  get counts(): SelfPlayCounts {
    return { decisions: this.play.decisions, steps: this.learner.steps };
  }

  /** Plays one game; its number, from 0, sets step size and exploration. Throws DivergenceError. */
  playGame(number: number): void {
    const { learner, play, chooser, plan } = this;
    learner.stepSize = stepSizeAt(plan.config, number);
    Object.assign(chooser.exploration, explorationAt(plan.config, number));
    if (play instanceof SearchPlay) play.epsilon = chooser.exploration.epsilon;
    play.playGame();
  }
}
