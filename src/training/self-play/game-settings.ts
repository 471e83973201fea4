import { createRandom, type Random } from "../../base/random.ts";
import type { CheckedConfig } from "../plan/config.ts";
import { checkpointGames } from "../plan/checkpoints.ts";
import type { TrainingPlan } from "../plan/plan.ts";
import { annealedIn } from "./explorer.ts";

/*
 * The settings of one game of self-play: functions of the config and of the game's number, from 0.
 */

/** The step size of a game. */
export function stepSizeAt(
  { learner, games }: Pick<CheckedConfig, "learner" | "games">,
  number: number,
): number {
  return annealedIn(learner.stepSize, number, games);
}

/** Reseeds a generator for the game of a number: every actor draws the same for this game, and each game has its own stream. */
export function gameSeeder({ seed }: CheckedConfig): (random: Random, number: number) => void {
  const source = createRandom(seed, "self-play", "games");
  const [one, other] = [source.int32(), source.int32()];
  return (random, number) => random.reseed(one, other, number);
}

/** The past checkpoint is drawn anew this many times in a training, and at most once a game or a round. */
const DRAWS = 1000;

/** The opponent of the weights that learn in a game: an agent of `opponents.pool` by its place, or an older checkpoint. */
export interface Opponent {
  readonly seat: number;
  readonly by: number | "past";
}

/**
 * Opponents in self-play: in shares of the games, `opponents` of the config, one seat plays with the weights of an older
 * checkpoint, or has an agent of the pool. Opponent, seat and checkpoint are functions of the config and of the game's
 * number, from 0.
 */
export class Opponents {
  private readonly plan: TrainingPlan;
  private readonly past: number;
  private readonly random: Random;
  private readonly source: readonly [number, number];
  private readonly drawGames: number;
  /** The checkpoints that were trained, by their number of games, ascending. */
  private readonly checkpoints: readonly number[];

  constructor(plan: TrainingPlan) {
    const { config } = plan;
    this.plan = plan;
    this.past = config.opponents?.past ?? 0;
    this.random = createRandom(config.seed, "self-play", "past");
    this.source = [this.random.int32(), this.random.int32()];
    this.drawGames = Math.ceil(config.games / DRAWS);
    this.checkpoints = checkpointGames(config).slice(1);
  }

  /** False if no seat ever plays with older weights. */
  get haveCheckpoints(): boolean {
    return this.past > 0;
  }

  /** The opponent in a game; undefined: none, or older weights where there is no checkpoint yet. */
  in(number: number, { hasCheckpoint }: { hasCheckpoint: boolean }): Opponent | undefined {
    const { random, past, plan } = this;
    if (past === 0 && plan.opponents.length === 0) return undefined;
    random.reseed(...this.source, number);
    let left = random.float() - past;
    if (left < 0) return hasCheckpoint ? { seat: random.below(plan.game.players), by: "past" } : undefined;
    for (const [by, { share }] of plan.opponents.entries()) {
      left -= share;
      if (left < 0) return { seat: random.below(plan.game.players), by };
    }
    return undefined;
  }

  /**
   * The checkpoint of the older weights in a game, as the number of games before it: drawn evenly from those that are older
   * than the weights that play this game. All games of a round have the same one. Undefined before the first checkpoint.
   */
  checkpointFor(number: number): number | undefined {
    const { round } = this.plan.config;
    const first = round === undefined ? number : number - (number % round);
    const learned = round === undefined ? number : first - round;
    const { checkpoints, random, drawGames } = this;
    const count = checkpoints.findLastIndex((games) => games < learned) + 1;
    if (count === 0) return undefined;
    random.reseed(...this.source, -1 - Math.floor(first / drawGames));
    return checkpoints[random.below(count)];
  }
}
