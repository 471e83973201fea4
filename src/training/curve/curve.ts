import { evaluatingAgent } from "../plan/plan.ts";
import type { TournamentPlan } from "../../arena/plan/plan.ts";
import { meanReturns, type MeanReturn } from "../../ratings/mean-return.ts";
import type { Checkpoint } from "../../ratings/sections/curve.ts";
import type { EloInterval } from "../../ratings/elo/scale.ts";
import { rate } from "../../ratings/elo/rate.ts";
import { contests, type GameRecord } from "../../ratings/record.ts";
import { pointsOf } from "../../ratings/score.ts";
import { forfeitWarnings } from "../../ratings/warnings/warnings.ts";
import type { AgentSpec } from "../../agents/agent.ts";

/** One checkpoint on the learning curve. */
export interface CurvePoint extends Checkpoint {
  /** The mean return a game against each agent of the pool, in its order; empty in games of one player. */
  readonly against: readonly MeanReturn[];
}

/** The ratings of the checkpoints so far and of the pool, on one scale, in which the anchor has its Elo. */
export interface LearningCurve {
  readonly points: readonly CurvePoint[];
  readonly pool: readonly (EloInterval & { readonly name: string })[];
  /** A sentence for each entrant that forfeited games, with their number and the reasons. */
  readonly warnings: readonly string[];
}

/** The weights file of a checkpoint, relative to the training's folder. */
export function checkpointPath(games: number): string {
  return `checkpoints/${games}.json`;
}

/** The number of games of the checkpoint that an entrant plays with; undefined for an agent of the pool. */
function checkpointOf(spec: AgentSpec): number | undefined {
  const { evaluator } = evaluatingAgent(spec) as { readonly evaluator?: unknown };
  const found = /^checkpoints\/(\d+)\.json$/.exec(String(evaluator));
  return found === null ? undefined : Number(found[1]);
}

/** Computes the learning curve from the tournament in a training's folder. */
export function curveOf(
  { entrants, players, anchor }: TournamentPlan,
  records: readonly GameRecord[],
): LearningCurve {
  const names = entrants.map(({ name }) => name);
  const { entrants: ratings } = rate(contests(records), entrants.length, {
    anchor: anchor && { entrant: names.indexOf(anchor.entrant), elo: anchor.elo },
  });
  const checkpoints = entrants.map(({ spec }) => checkpointOf(spec));
  const played = new Set(records.flatMap(({ seats }) => seats));
  const pool = [...entrants.keys()].filter((entrant) => checkpoints[entrant] === undefined);
  const rated = [...entrants.keys()].filter(
    (entrant) => checkpoints[entrant] !== undefined && played.has(entrant),
  );
  const returns = meanReturns(records, entrants.length);
  const ofPool = records.filter(({ seats }) => seats.every((entrant) => checkpoints[entrant] === undefined));
  return {
    pool: pool.map((entrant) => ({ name: names[entrant]!, ...ratings[entrant]! })),
    points: rated.map((entrant) => {
      const own = records.filter(({ seats }) => seats.includes(entrant));
      return {
        games: checkpoints[entrant]!,
        ...ratings[entrant]!,
        score: scoreOf(entrant, players === 1 ? contests([...ofPool, ...own]) : own),
        meanReturn: returns[entrant]!,
        against: players === 1 ? [] : pool.map((other) => returnAgainst(entrant, other, own)),
      };
    }),
    warnings: forfeitWarnings(names, records),
  };
}

/** The checkpoint with the highest rating; the latest of equal ones. */
export function bestPoint({ points }: LearningCurve): CurvePoint {
  return points.reduce((best, point) => (point.elo >= best.elo ? point : best));
}

/** The mean return a game of an entrant against another. */
function returnAgainst(entrant: number, other: number, records: readonly GameRecord[]): MeanReturn {
  const met = records.filter(({ seats }) => seats.includes(other));
  return meanReturns(met, Math.max(entrant, other) + 1)[entrant]!;
}

/** The share of the field that an entrant beat, which has one seat in its games. */
function scoreOf(entrant: number, records: readonly GameRecord[]): number {
  const own = records.filter(({ seats }) => seats.includes(entrant));
  const points = own.reduce((sum, { seats, returns }) => sum + pointsOf(returns, seats.indexOf(entrant)), 0);
  const opponents = own.reduce((sum, { seats }) => sum + seats.length - 1, 0);
  return opponents === 0 ? 0 : points / opponents;
}
