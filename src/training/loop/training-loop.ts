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
import type { Learner, ErrorTally } from "../learn/learner.ts";
import type { Losses } from "../../ratings/sections/curve.ts";
import type { TrainingPlan } from "../plan/plan.ts";
import { createListener, PlannedMoves } from "../self-play/create-moves.ts";
import { stepSizeAt, Opponents, type Opponent } from "../self-play/game-settings.ts";
import { StartPositions } from "../self-play/start-positions.ts";
import { SelfPlay } from "../self-play/self-play.ts";

/** Plays the games of a training and learns from them: in this thread (localLoop), or in rounds (RoundLoop). */
export interface TrainingLoop {
  readonly counts: SelfPlayCounts;
  /** The part of the time, from 0 to 1, in which actors had nothing to do because the learner was behind them. */
  readonly idle: number;
  /** The errors of the learner; the caller may set them back between two calls of `play`. */
  readonly errors: ErrorTally;
  /** The loop's state between two games besides that of the learner, by name. */
  readonly memory: Readonly<Record<string, Float32Array>>;
  /** Copies the `memory` of such a loop; throws RangeError if an array is missing or has another length. */
  restore(memory: Readonly<Record<string, Float32Array>>): void;
  /**
   * Plays the games numbered `from` to `until - 1`. Calls `tick` several times a second with the number of games done
   * so far, those before `from` included; when it returns false, play stops after the games at hand. Returns the
   * number of games done. Throws DivergenceError.
   */
  play(from: number, until: number, tick: (games: number) => Promise<boolean>): Promise<number>;
  close(): Promise<void>;
}

/** The time between two calls of `tick` in `localLoop`. */
const SLICE_MS = 50;

/** Weights that learn in this thread, game after game by self-play, or epoch after epoch of a fit. */
export interface Learning {
  /** The generator whose state a training keeps. */
  readonly random: Random;
  readonly learnable: Learnable;
  readonly learner: Pick<Learner, "memory" | "restore" | "errors">;
  readonly counts: SelfPlayCounts;
  /** Plays and learns one game, or learns one epoch; it has its number, from 0. Throws DivergenceError. */
  advance(number: number): void;
  /** The losses of the present weights; undefined where there are none. */
  losses(): Losses | undefined;
}

/** A loop in this thread: the weights change at every step, within games too. */
export function localLoop(learning: Learning, clock: () => number): TrainingLoop {
  return {
    get counts() {
      return learning.counts;
    },
    errors: learning.learner.errors,
    idle: 0,
    memory: {},
    restore: () => {},
    async play(from, until, tick) {
      let games = from;
      while (games < until) {
        const begun = clock();
        while (games < until && clock() - begun < SLICE_MS) learning.advance(games++);
        if (!(await tick(games))) break;
      }
      return games;
    },
    close: async () => {},
  };
}

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
export class SelfPlayLearner implements Learning {
  readonly random: Random;
  readonly learnable: Learnable;
  readonly learner: Learner;
  private readonly plan: TrainingPlan;
  private readonly moves: PlannedMoves;
  private readonly play: SelfPlay;
  private readonly opponents: Opponents;
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
    this.opponents = new Opponents(plan);
    this.loadCheckpoint = loadCheckpoint;
    if (this.opponents.haveCheckpoints && config.round === undefined)
      this.past = createLearnable(game, model, weights.slice());
    const starts = new StartPositions(plan.game, plan.starts, random);
    this.plan = plan;
    this.random = random;
    this.learnable = learnable;
    this.learner = createLearner(game, config.learner, learnable, {
      ...parts,
      inRounds: config.round !== undefined,
    });
    this.moves = new PlannedMoves(plan, learnable, { starts, random, past: this.past });
    this.play = new SelfPlay(game, {
      starts,
      moves: this.moves,
      listener: createListener(plan, this.learner),
    });
  }

  get counts(): SelfPlayCounts {
    return { decisions: this.play.decisions, steps: this.learner.steps };
  }

  losses(): Losses | undefined {
    return this.learner.losses?.();
  }

  /** Plays one game; its number, from 0, sets step size and exploration. Throws DivergenceError. */
  advance(number: number): void {
    const { learner, play, moves, plan } = this;
    learner.stepSize = stepSizeAt(plan.config, number);
    moves.exploration.begin(plan.config, number);
    const opponent = this.opponentIn(number);
    learner.opponentSeat = opponent?.seat;
    moves.seat(opponent);
    play.playGame();
  }

  /** The opponent in a game; older weights, if it plays with them, are loaded. */
  private opponentIn(number: number): Opponent | undefined {
    const { opponents, past } = this;
    const games = opponents.haveCheckpoints ? opponents.checkpointFor(number) : undefined;
    const opponent = opponents.in(number, { hasCheckpoint: games !== undefined });
    if (opponent?.by !== "past" || games === this.pastGames) return opponent;
    setWeights(past!, this.loadCheckpoint!(games!));
    this.pastGames = games;
    return opponent;
  }
}
