import { createRandom, type Random } from "../../base/random.ts";
import type { CheckedConfig } from "../plan/config.ts";
import { type TrainingPlan, checkpointGames } from "../plan/plan.ts";
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

/**
 * Opponents from the past: in a share of the games, `opponents.past` of the config, one seat plays with the weights of an
 * older checkpoint. Seat and checkpoint are functions of the config and of the game's number, from 0.
 */
export class PastOpponents {
  private readonly plan: TrainingPlan;
  private readonly share: number;
  private readonly random: Random;
  private readonly source: readonly [number, number];
  private readonly drawGames: number;
  /** The checkpoints that were trained, by their number of games, ascending. */
  private readonly checkpoints: readonly number[];

  constructor(plan: TrainingPlan) {
    const { config } = plan;
    this.plan = plan;
    this.share = config.opponents?.past ?? 0;
    this.random = createRandom(config.seed, "self-play", "past");
    this.source = [this.random.int32(), this.random.int32()];
    this.drawGames = Math.ceil(config.games / DRAWS);
    this.checkpoints = checkpointGames(config).slice(1);
  }

  /** False if no seat ever plays with older weights. */
  get areAny(): boolean {
    return this.share > 0;
  }

  /** The seat that plays with older weights in a game, once there is a checkpoint; undefined: none does. */
  seatIn(number: number): number | undefined {
    const { random, share, plan } = this;
    if (share === 0) return undefined;
    random.reseed(...this.source, number);
    return random.float() < share ? random.below(plan.game.players) : undefined;
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
