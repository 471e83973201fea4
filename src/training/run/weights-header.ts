import { describeWeights, type WeightsHeader } from "../../evaluators/stored-weights.ts";
import { storedModel } from "../learn/learnable.ts";
import type { TrainingPlan } from "../plan/plan.ts";
import type { LearningCurve } from "../curve/curve.ts";

const RULES = { td: "TD", "td-leaf": "TDLeaf", "lambda-returns": "lambda-returns" } as const;

interface Trained {
  games: number;
  decisions: number;
  date: Date;
  tdError: number | undefined;
}

/** The header of a weights file: the game and evaluator of the weights, and how they were trained. */
export function headerOf(
  { game, config }: TrainingPlan,
  { games, decisions, date, tdError }: Trained,
): WeightsHeader {
  const { learner, exploration, openings, opponents, round, evaluator } = config;
  return describeWeights(game, storedModel(game, evaluator), {
    method: `${RULES[learner.rule]}(${learner.lambda}) self-play`,
    seed: config.seed,
    games,
    date: date.toISOString().slice(0, 10),
    config: config.name,
    learner,
    exploration,
    openings,
    ...(opponents && { opponents, checkpoints: config.checkpoints }),
    ...(evaluator.initial && { initial: evaluator.initial }),
    ...(round !== undefined && { round }),
    decisions,
    ...(tdError !== undefined && { tdError }),
  });
}

/** The header of a checkpoint with its rating added. */
export function withRating(header: WeightsHeader, curve: LearningCurve): WeightsHeader {
  const { games } = header.training;
  const { elo, low, high, score, meanReturn } = curve.points.find((point) => point.games === games)!;
  const pool = Object.fromEntries(curve.pool.map((entrant) => [entrant.name, Math.round(entrant.elo)]));
  const rating = {
    elo: Math.round(elo),
    low: Math.round(low),
    high: Math.round(high),
    score: Number(score.toFixed(4)),
    meanReturn: Number(meanReturn.mean.toPrecision(6)),
    pool,
  };
  return { ...header, training: { ...header.training, rating } };
}
