import { createRandom, type Random } from "../../base/random.ts";
import { createLearnable, readAgain, storedModel, type Learnable } from "../learn/learnable.ts";
import type { TrainingPlan } from "../plan/plan.ts";
import { createMoves } from "../self-play/create-moves.ts";
import { createStartPositions, explorationAt, gameSeeder } from "../self-play/game-settings.ts";
import { PastOpponents } from "../self-play/past-opponents.ts";
import { SelfPlay } from "../self-play/self-play.ts";
import type { RoundWeights } from "./actors.ts";
import { MoveWriter } from "./recorded-games.ts";

/** Plays games of self-play for a learner elsewhere. A game depends on the plan, its number and the weights alone. */
export class Actor {
  private readonly plan: TrainingPlan;
  private readonly learnable: Learnable;
  private readonly past: Learnable | undefined;
  private readonly opponents: PastOpponents;
  private readonly random = createRandom("actor");
  private readonly seed: (random: Random, number: number) => void;
  private readonly moves: ReturnType<typeof createMoves>;
  private readonly play: SelfPlay;
  private readonly writer = new MoveWriter();

  /**
   * @param weights the weights to play with; whoever changes them between two games calls `readAgain`. Throws RangeError or
   * InputError if they are not as many as the evaluator has.
   */
  constructor(plan: TrainingPlan, { present, past }: RoundWeights) {
    const { game, config } = plan;
    const { random } = this;
    this.plan = plan;
    this.seed = gameSeeder(config);
    const model = storedModel(game, config.evaluator);
    this.learnable = createLearnable(game, model, present);
    this.past = past && createLearnable(game, model, past);
    this.opponents = new PastOpponents(plan);
    const starts = createStartPositions(plan, random);
    this.moves = createMoves(plan, this.learnable, { starts, random, past: this.past });
    this.play = new SelfPlay(game, { starts, moves: this.moves, listener: this.writer });
  }

  /** The weights have changed. */
  readAgain(): void {
    readAgain(this.learnable);
    if (this.past !== undefined) readAgain(this.past);
  }

  /** Plays the games numbered `from` to `from + count - 1`; returns their moves, which RecordedMoves reads. */
  playGames(from: number, count: number): Uint8Array {
    for (let number = from; number < from + count; number++) {
      this.seed(this.random, number);
      Object.assign(this.moves.exploration, explorationAt(this.plan.config, number));
      this.moves.pastSeat = this.past && this.opponents.seatIn(number);
      this.play.playGame();
    }
    return this.writer.take();
  }
}
