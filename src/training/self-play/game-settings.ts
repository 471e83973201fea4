import { createRandom, type Random } from "../../base/random.ts";
import { annealedAt, type CheckedConfig } from "../plan/config.ts";
import type { TrainingPlan } from "../plan/plan.ts";
import type { Exploration } from "./one-ply.ts";
import { StartPositions } from "./start-positions.ts";

/*
 * The settings of one game of self-play: functions of the config and of the game's number, from 0.
 */

/** The step size of a game. */
export function stepSizeAt(
  { learner, games }: Pick<CheckedConfig, "learner" | "games">,
  number: number,
): number {
  return annealedAt(learner.stepSize, shareAt(games, number));
}

/** The exploration of a game. */
export function explorationAt(
  { exploration, games }: Pick<CheckedConfig, "exploration" | "games">,
  number: number,
): Exploration {
  const share = shareAt(games, number);
  return exploration.kind === "softmax"
    ? { epsilon: 0, temperature: annealedAt(exploration.temperature, share) }
    : { epsilon: annealedAt(exploration.epsilon, share), temperature: 0 };
}

function shareAt(games: number, number: number): number {
  return games > 1 ? number / (games - 1) : 0;
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
