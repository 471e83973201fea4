import { basename } from "node:path";
import { unflatten } from "../../evaluators/models.ts";
import { describeWeights, type WeightsHeader } from "../../evaluators/stored-weights.ts";
import type { Losses } from "../../ratings/sections/curve.ts";
import { saveLayersModel } from "../../specs/files/layers-model-file.ts";
import { loadHeader, loadNumbers } from "../../specs/files/weights-file.ts";
import { bestPoint, bestSoFar, type LearningCurve } from "../curve/curve.ts";
import { formatCurveCsv, formatCurveSvg, formatCurveTable } from "../curve/formats.ts";
import { withFiles } from "../learn/initial-weights.ts";
import { storedModel } from "../learn/learnable.ts";
import { ruleNames } from "../plan/learner-schema.ts";
import type { TrainingPlan } from "../plan/plan.ts";
import type { TrainingFolder } from "./training-folder.ts";

/*
 * The files that a training leaves for others: weights with a header that says how they were trained, and the curve.
 */

interface Trained {
  games: number;
  decisions: number;
  date: Date;
  tdError: number | undefined;
  losses: Losses | undefined;
}

/** The header of a weights file: the game and evaluator of the weights, and how they were trained. */
export function headerOf(
  { game, config, played }: TrainingPlan,
  { games, decisions, date, tdError, losses }: Trained,
): WeightsHeader {
  const { learner, exploration, openings, opponents, round, average, evaluator } = config;
  const common = { seed: config.seed, date: date.toISOString().slice(0, 10), config: config.name };
  const initial = evaluator.initial && { initial: withFiles(evaluator.initial, (file) => basename(file)) };
  const model = storedModel(game, evaluator);
  if (played !== undefined)
    return describeWeights(game, model, {
      ...common,
      method: "fit to played games",
      games: played.training.length,
      epochs: games,
      // Weights are the same wherever the games lie.
      learner: {
        ...learner,
        ...("games" in learner && { games: learner.games.map((path) => basename(path)) }),
      },
      ...initial,
      losses,
    });
  return describeWeights(game, model, {
    ...common,
    method:
      games === 0
        ? "initial weights"
        : `${ruleNames[learner.rule]}${"lambda" in learner ? `(${learner.lambda})` : ""} self-play`,
    games,
    learner,
    exploration,
    openings,
    ...(opponents && { opponents, checkpoints: config.checkpoints }),
    ...initial,
    ...(round !== undefined && { round }),
    ...(average !== undefined && { average }),
    decisions,
    ...(tdError !== undefined && { tdError }),
    ...(losses && { losses }),
  });
}

/** The header of the checkpoint after `games` games with its rating added. */
export function withRating(header: WeightsHeader, curve: LearningCurve, games: number): WeightsHeader {
  const { elo, low, high, score, saturated, meanReturn } = curve.points.find(
    (point) => point.games === games,
  )!;
  const pool = Object.fromEntries(curve.pool.map((entrant) => [entrant.name, Math.round(entrant.elo)]));
  const rating = {
    elo: Math.round(elo),
    low: Math.round(low),
    high: Math.round(high),
    score: Number(score.toFixed(4)),
    ...(saturated && {
      scoreLow: Number(saturated.low.toFixed(4)),
      scoreHigh: Number(saturated.high.toFixed(4)),
    }),
    meanReturn: Number(meanReturn.mean.toPrecision(6)),
    pool,
  };
  return { ...header, training: { ...header.training, rating } };
}

/** Writes the learning curve as a table, as CSV and as a picture. */
export function saveCurve(
  { game, config }: TrainingPlan,
  folder: TrainingFolder,
  curve: LearningCurve,
): void {
  folder.saveCurve({
    csv: formatCurveCsv(curve),
    markdown: formatCurveTable(curve),
    svg: formatCurveSvg(curve, `${config.name}: ${game.id}`, { main: game.players === 1 ? "return" : "elo" }),
  });
}

/** The games of the checkpoint that a training ends with: the last one, or with `patience` or validation the best one. */
export function finalGames({ config, played }: TrainingPlan, curve: LearningCurve): number {
  const takesBest = config.patience !== undefined || (played?.validation ?? []).length > 0;
  return (takesBest ? bestSoFar(curve) : curve.points.at(-1)!).games;
}

/** Writes the final and the best weights with their ratings, and a network as a layers model, too. */
export function deliver(plan: TrainingPlan, folder: TrainingFolder, curve: LearningCurve): void {
  const { game, config } = plan;
  const last = finalGames(plan, curve);
  const model = storedModel(game, config.evaluator);
  if (model.kind === "network")
    saveLayersModel(folder.layersModel, unflatten(game, model, loadNumbers(folder.checkpoint(last))));
  folder.deliver(last, bestPoint(curve).games, (games) =>
    withRating(loadHeader(folder.checkpoint(games)), curve, games),
  );
}
