import { createRandom, type Random } from "../../base/random.ts";
import { annealedAt, type CheckedConfig } from "../plan/config.ts";
import type { TrainingPlan } from "../plan/plan.ts";
import type { Exploration } from "../self-play/one-ply-play.ts";
import { StartPositions } from "../self-play/start-positions.ts";

/*
 * What a game of self-play depends on, besides the weights: the config and the game's number, from 0.
 */

/** The step size of a game. */
export function stepSizeAt({ learner, games }: CheckedConfig, number: number): number {
  return annealedAt(learner.stepSize, shareAt(games, number));
}

/** How much a game explores. */
export function explorationAt({ exploration, games }: CheckedConfig, number: number): Exploration {
  const share = shareAt(games, number);
  return exploration.kind === "softmax"
    ? { epsilon: 0, temperature: annealedAt(exploration.temperature, share) }
    : { epsilon: annealedAt(exploration.epsilon, share), temperature: 0 };
}

function shareAt(games: number, number: number): number {
  return games > 1 ? number / (games - 1) : 0;
}

/** The positions at which games begin, drawn by a generator. */
export function startsOf({ game, config, states }: TrainingPlan, random: Random): StartPositions {
  const { randomPlies: plies } = config.openings;
  const randomPlies = typeof plies === "number" ? { from: plies, to: plies } : plies;
  return new StartPositions(game, { randomPlies, ...(states && { states }) }, random);
}

/**
 * Has a generator draw what the game of a number draws that an actor plays: the same, whoever plays it. Each game has a
 * stream of its own.
 */
export function seederOf({ seed }: CheckedConfig): (random: Random, number: number) => void {
  const source = createRandom(seed, "self-play", "games");
  const [one, other] = [source.int32(), source.int32()];
  return (random, number) => random.reseed(one, other, number);
}
