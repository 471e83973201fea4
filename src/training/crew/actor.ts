import { createRandom, type Random } from "../../base/random.ts";
import { createLearnable, storedModel, type Learnable } from "../learn/learnable.ts";
import { initialWeights } from "../learn/initial-weights.ts";
import type { TrainingPlan } from "../plan/plan.ts";
import { MoveWriter } from "../self-play/moves.ts";
import { OnePly } from "../self-play/one-ply-play.ts";
import { WrittenPlay } from "../self-play/written-play.ts";
import { explorationAt, seederOf, startsOf } from "./game-setting.ts";

/**
 * Plays games of self-play for a learner elsewhere, with the weights that it is given, and writes them down. A game depends
 * on the plan, its number and the weights alone.
 */
export class Actor {
  private readonly plan: TrainingPlan;
  private readonly learnable: Learnable;
  private readonly random = createRandom("actor");
  private readonly seed: (random: Random, number: number) => void;
  private readonly player: OnePly;
  private readonly writer = new MoveWriter();
  private readonly play: WrittenPlay;

  constructor(plan: TrainingPlan) {
    const { game, config } = plan;
    const weights = initialWeights(game, config, (_, length) => new Float32Array(length));
    this.plan = plan;
    this.seed = seederOf(config);
    this.learnable = createLearnable(game, storedModel(game, config.evaluator), weights);
    this.player = new OnePly(game, this.learnable.evaluator, this.random);
    const starts = startsOf(plan, this.random);
    this.play = new WrittenPlay(game, { starts, player: this.player, writer: this.writer });
  }

  /** Copies the weights, with which it plays from now on; throws RangeError where they are not as many as it has. */
  load(weights: Float32Array): void {
    const { learnable } = this;
    if (weights.length !== learnable.weights.length)
      throw new RangeError(`${weights.length} weights came where ${learnable.weights.length} are wanted`);
    learnable.weights.set(weights);
    if (learnable.kind === "network") learnable.evaluator.load(learnable.network);
    else learnable.evaluator.touch();
  }

  /** Plays the games numbered `from` to `from + count - 1`; returns their moves, which MoveReader reads. */
  playGames(from: number, count: number): Uint8Array {
    const { plan, random, player, play, writer } = this;
    for (let number = from; number < from + count; number++) {
      this.seed(random, number);
      Object.assign(player.exploration, explorationAt(plan.config, number));
      play.playGame();
    }
    return writer.take();
  }
}
