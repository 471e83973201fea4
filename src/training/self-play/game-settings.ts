import { createRandom, type Random } from "../../base/random.ts";
import type { CheckedConfig } from "../plan/config.ts";
import { type TrainingPlan, checkpointGames } from "../plan/plan.ts";
import { annealedIn } from "./explorer.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../games/contract/game.ts";

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

/** Draws the positions at which the games of a plan begin. */
export function createStartPositions({ game, config, states }: TrainingPlan, random: Random): StartPositions {
  const { randomPlies: plies } = config.openings;
  const randomPlies = typeof plies === "number" ? { from: plies, to: plies } : plies;
  return new StartPositions(game, { randomPlies, ...(states && { states }) }, random);
}

/** Reseeds a generator for the game of a number: every actor draws the same for this game, and each game has its own stream. */
export function gameSeeder({ seed }: CheckedConfig): (random: Random, number: number) => void {
  const source = createRandom(seed, "self-play", "games");
  const [one, other] = [source.int32(), source.int32()];
  return (random, number) => random.reseed(one, other, number);
}

/** The positions at which games of self-play begin and learning starts. */
export interface StartOptions {
  /** Random plies before; their number is drawn for each game between `from` and `to`. */
  readonly randomPlies: { readonly from: number; readonly to: number };
  /** Positions to draw from, instead of the start of the game. */
  readonly states?: readonly State[];
}

/** Sets up games of self-play: draws a position, then plays random plies. */
export class StartPositions {
  private readonly starts: readonly State[];
  private readonly plies: { readonly from: number; readonly to: number };
  private readonly random: Random;
  private readonly actions: Int32Array;
  private readonly probabilities: Float64Array;

  constructor(game: Game, { randomPlies, states }: StartOptions, random: Random) {
    this.starts = states ?? [game.start()];
    this.plies = randomPlies;
    this.random = random;
    this.actions = new Int32Array(game.maxActions);
    this.probabilities = new Float64Array(game.maxActions);
  }

  /** Sets `state` to where a game begins. If the random plies end the game, they are left out. */
  setUp(state: State): void {
    const { random, starts, plies, actions } = this;
    const start = starts.length === 1 ? starts[0]! : starts[random.below(starts.length)]!;
    let left = plies.from === plies.to ? plies.from : plies.from + random.below(plies.to - plies.from + 1);
    state.copyFrom(start);
    while (left > 0 && state.toMove !== TERMINAL) {
      if (state.toMove === CHANCE) {
        state.apply(this.draw(state));
      } else {
        state.apply(actions[random.below(state.legalActions(actions, 0))]);
        left--;
      }
    }
    if (state.toMove === TERMINAL) state.copyFrom(start);
  }

  /** Draws the outcome of a chance event. */
  draw(state: State): number {
    const count = state.chanceOutcomes!(this.actions, this.probabilities, 0);
    return this.actions[this.random.weighted(this.probabilities, 0, count)];
  }
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
