import { createRandom, type Random } from "../../base/random.ts";
import { CHANCE, TERMINAL, type State } from "../../game/game.ts";
import { initialWeights } from "../learn/initial-weights.ts";
import { createLearnable, setWeights, storedModel, type Learnable } from "../learn/learnable.ts";
import type { TrainingPlan } from "../plan/plan.ts";
import { createStartPositions, explorationAt, gameSeeder } from "../self-play/game-settings.ts";
import { OnePly } from "../self-play/one-ply-play.ts";
import type { StartPositions } from "../self-play/start-positions.ts";
import { MoveWriter } from "./recorded-games.ts";

/** Plays games of self-play for a learner elsewhere. A game depends on the plan, its number and the weights alone. */
export class Actor {
  private readonly plan: TrainingPlan;
  private readonly learnable: Learnable;
  private readonly random = createRandom("actor");
  private readonly seed: (random: Random, number: number) => void;
  private readonly chooser: OnePly;
  private readonly starts: StartPositions;
  private readonly state: State;
  private readonly writer = new MoveWriter();

  constructor(plan: TrainingPlan) {
    const { game, config } = plan;
    const weights = initialWeights(game, config, (_, length) => new Float32Array(length));
    this.plan = plan;
    this.seed = gameSeeder(config);
    this.learnable = createLearnable(game, storedModel(game, config.evaluator), weights);
    this.chooser = new OnePly(game, this.learnable.evaluator, this.random);
    this.starts = createStartPositions(plan, this.random);
    this.state = game.start();
  }

  /** Copies the weights for the games to come; throws RangeError if their number differs from the evaluator's. */
  load(weights: Float32Array): void {
    const { learnable } = this;
    if (weights.length !== learnable.weights.length)
      throw new RangeError(`${weights.length} weights came where ${learnable.weights.length} are wanted`);
    setWeights(learnable, weights);
  }

  /** Plays the games numbered `from` to `from + count - 1`; returns their moves, which MoveReader reads. */
  playGames(from: number, count: number): Uint8Array {
    const { plan, random, chooser, writer } = this;
    for (let number = from; number < from + count; number++) {
      this.seed(random, number);
      Object.assign(chooser.exploration, explorationAt(plan.config, number));
      this.playGame();
    }
    return writer.take();
  }

  private playGame(): void {
    const { state, starts, chooser, writer } = this;
    starts.setUp(state);
    while (state.toMove !== TERMINAL) {
      if (state.toMove === CHANCE) {
        writer.add(starts.sample(state), false);
      } else {
        const action = chooser.choose(state);
        writer.add(action, chooser.explored);
        state.apply(action);
      }
    }
  }
}
