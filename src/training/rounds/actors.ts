import type { TrainingPlan } from "../plan/plan.ts";
import { createRandom, type Random } from "../../base/random.ts";
import { createLearnable, readAgain, storedModel, type Learnable } from "../learn/learnable.ts";
import { PlannedMoves } from "../self-play/create-moves.ts";
import { gameSeeder, Opponents } from "../self-play/game-settings.ts";
import { StartPositions } from "../self-play/start-positions.ts";
import { SelfPlay } from "../self-play/self-play.ts";
import { MoveWriter } from "./recorded-games.ts";

/** The weights of two rounds are in use at a time: the actors find each in one of two tables. */
export type Table = 0 | 1;

/** The weights that a round is played with. */
export interface RoundWeights {
  readonly present: Float32Array;
  /** Those of an older checkpoint, for the seats that play with them; undefined before the first checkpoint, or if none do. */
  readonly past: Float32Array | undefined;
}

/** A job of an actor: the games numbered `from` to `from + count - 1`, with the weights of a table. */
export interface ActorJob {
  readonly table: Table;
  readonly from: number;
  readonly count: number;
}

/** The outcome of a job. */
export type ActorResult =
  /** The moves of its games, the name of the actor that played them, and the time they took. */
  | { readonly moves: Uint8Array; readonly worker: string; readonly timeMs: number }
  /** The job is lost: its games are given out again, with weights that are published again. */
  | { readonly lost: string };

/** Actors, which play games of self-play: in this thread, in others, or on other machines. */
export interface Actors {
  /** The number of jobs that they can take at once; it may change. */
  readonly jobs: number;
  /** The time that the games of one job should take, in ms; 0: a job has one game. */
  readonly jobMs: number;
  /**
   * Brings a table's new weights to the actors, after `games` games. The arrays are in shared memory, are the same for every
   * publishing of this table, and do not change before its next one.
   */
  publish(table: Table, weights: RoundWeights, games: number): Promise<void>;
  /** Throws InputError if no actor can play the games. */
  play(job: ActorJob): Promise<ActorResult>;
  close(): Promise<void>;
}

/** Opens the actors of a training; `run` is the id that the training's folder keeps. */
export type OpenActors = (training: { plan: TrainingPlan; run: string }) => Promise<Actors>;

/** Plays games of self-play for a learner elsewhere. A game depends on the plan, its number and the weights alone. */
export class Actor {
  private readonly plan: TrainingPlan;
  private readonly learnable: Learnable;
  private readonly past: Learnable | undefined;
  private readonly opponents: Opponents;
  private readonly random = createRandom("actor");
  private readonly seed: (random: Random, number: number) => void;
  private readonly moves: PlannedMoves;
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
    this.opponents = new Opponents(plan);
    const starts = new StartPositions(plan.game, plan.starts, random);
    this.moves = new PlannedMoves(plan, this.learnable, { starts, random, past: this.past });
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
      this.moves.exploration.begin(this.plan.config, number);
      this.moves.seat(this.opponents.in(number, { hasCheckpoint: this.past !== undefined }));
      this.play.playGame();
    }
    return this.writer.take();
  }
}
