import { createRandom, type Random } from "../../base/random.ts";
import { createLearner, type CreateTrainer } from "../learn/create-learner.ts";
import { createLearnable, storedModel, type Allocate, type Learnable } from "../learn/learnable.ts";
import type { Learner } from "../learn/learner.ts";
import { OnePly } from "../self-play/one-ply.ts";
import type { TrainingPlan } from "../plan/plan.ts";
import { readAgent } from "../../specs/agents.ts";
import { annealedAt } from "../plan/config.ts";
import { SearchPlay } from "../self-play/search-play.ts";
import { SelfPlay } from "../self-play/self-play.ts";
import { StartPositions } from "../self-play/start-positions.ts";

/** Plays game after game against itself and learns from them, as a plan says. */
export class Apprentice {
  readonly random: Random;
  readonly learnable: Learnable;
  readonly learner: Learner;
  private readonly plan: TrainingPlan;
  private readonly play: SelfPlay | SearchPlay;
  private readonly player: OnePly;

  /**
   * @param weights those to begin with, which change as it learns
   * @param names what the name of its generator ends in
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
    const { game, config, states, search, families } = plan;
    const random = createRandom(config.seed, "self-play", ...(parts.names ?? []));
    const learnable = createLearnable(game, storedModel(game, config.evaluator), weights);
    const { evaluator } = learnable;
    const learner = createLearner(game, config.learner, learnable, parts);
    const { randomPlies: plies } = config.openings;
    const randomPlies = typeof plies === "number" ? { from: plies, to: plies } : plies;
    const starts = new StartPositions(game, { randomPlies, ...(states && { states }) }, random);
    this.plan = plan;
    this.random = random;
    this.learnable = learnable;
    this.learner = learner;
    this.player = new OnePly(game, evaluator, random);
    if (search === undefined) {
      this.play = new SelfPlay(game, { starts, player: this.player, learner });
    } else {
      const spec = { ...search, evaluator: "none" };
      const prepared = readAgent(game, spec, { families, evaluator });
      const searcher = { agent: prepared.create(), budget: prepared.budget };
      this.play = new SearchPlay(game, { searcher, starts, learner, random });
    }
  }

  /** Decisions by players so far, openings aside. */
  get decisions(): number {
    return this.play.decisions;
  }

  set decisions(decisions: number) {
    this.play.decisions = decisions;
  }

  /** Plays the game of that number, from 0; throws DivergenceError. */
  playGame(number: number): void {
    const { learner, play, player, plan } = this;
    const { learner: rule, exploration, games } = plan.config;
    const share = games > 1 ? number / (games - 1) : 0;
    learner.stepSize = annealedAt(rule.stepSize, share);
    if (exploration.kind === "softmax") {
      player.exploration.temperature = annealedAt(exploration.temperature, share);
    } else {
      const epsilon = annealedAt(exploration.epsilon, share);
      player.exploration.epsilon = epsilon;
      if (play instanceof SearchPlay) play.epsilon = epsilon;
    }
    play.playGame();
  }
}
