import type { Played } from "../../ratings/format-results.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { evaluatingAgent, withEvaluator, type TrainingPlan } from "../plan/plan.ts";
import { type TournamentPlan, OBJECTS, planGame } from "../../arena/plan/plan.ts";
import { meanReturns, type MeanReturn } from "../../ratings/mean-return.ts";
import { type Checkpoint, LOSS_NAMES } from "../../ratings/sections/curve.ts";
import { saturatedScore } from "../../ratings/elo/saturated.ts";
import type { EloInterval } from "../../ratings/elo/scale.ts";
import { rate } from "../../ratings/elo/rate.ts";
import { contests, type GameRecord } from "../../ratings/record.ts";
import { pointsOf } from "../../ratings/score.ts";
import { forfeitWarnings } from "../../ratings/warnings/forfeits.ts";
import type { AgentSpec } from "../../agents/agent.ts";
import { freezeFiles } from "../../arena/store/run-folder.ts";
import { Store } from "../../arena/store/store.ts";
import { playTournament, type OpenPlayers } from "../../arena/tournament.ts";
import { type Entrant, loadAgent, withHashes } from "../../specs/agents.ts";
import { loadHeader } from "../../specs/files/weights-file.ts";
import { hasObjects } from "../../specs/families.ts";
import { askAgent } from "../../arena/positions/ask.ts";
import { hashCode } from "../../specs/plugins/portable-code.ts";
import { referTo } from "../../specs/references.ts";
import { check } from "../../base/check.ts";
import { type PositionAnswer, type RightShare, scorePositions } from "../../ratings/positions.ts";
import { readJson } from "../../specs/files/documents.ts";
import { writeWhole } from "../../specs/files/write-file.ts";

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

/** The file, in a training's folder, with the share of test positions that each checkpoint gets right. */
const RIGHT_SHARES = "positions.json";

const rightShareSchema = z.record(
  z.string(),
  z.object({
    positions: z.int(),
    right: z.int(),
    share: z.number(),
    low: z.number(),
    high: z.number(),
  }),
);

/** The figures of a checkpoint that learning has left in its weights file. */
type LearningFigures = Pick<Checkpoint, "tdError" | "losses">;

const figuresShape = z.object({
  tdError: z.number().optional().catch(undefined),
  losses: z.partialRecord(z.enum(LOSS_NAMES), z.number()).optional().catch(undefined),
});

/** Reads the figures of a checkpoint from its weights file; throws InputError. */
export function learningFigures(path: string): LearningFigures {
  return figuresShape.parse(loadHeader(path).training);
}

/** The shares of test positions that the checkpoints in a training's folder get right, by games; empty without positions. */
export function rightShares(dir: string): Readonly<Record<number, RightShare>> {
  const path = join(dir, RIGHT_SHARES);
  return existsSync(path) ? check(rightShareSchema, readJson(path), path) : {};
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
      const against = players === 1 ? [] : pool.map((other) => returnAgainst(entrant, other, own));
      const { points, most } = pointsIn(players === 1 ? contests([...ofPool, ...own]) : own, entrant);
      return {
        games: checkpoints[entrant]!,
        ...ratings[entrant]!,
        score: most === 0 ? 0 : points / most,
        saturated: saturatedScore(points, most),
        meanReturn: returns[entrant]!,
        against,
        worst: worstOf(
          against,
          pool.map((other) => names[other]!),
        ),
      };
    }),
    warnings: forfeitWarnings(names, records),
  };
}

/** The checkpoint with the highest rating; the latest of equal ones. */
export function bestPoint({ points }: LearningCurve): CurvePoint {
  return points.reduce((best, point) => (point.elo >= best.elo ? point : best));
}

/** The agent of the pool with the lowest return against it; undefined where there are not several. */
function worstOf(against: readonly MeanReturn[], names: readonly string[]): CurvePoint["worst"] {
  if (against.length < 2) return undefined;
  const named = against.map((returns, at) => ({ ...returns, name: names[at]! }));
  return named.reduce((worst, one) => (one.mean < worst.mean ? one : worst));
}

/** The mean return a game of an entrant against another. */
function returnAgainst(entrant: number, other: number, records: readonly GameRecord[]): MeanReturn {
  const met = records.filter(({ seats }) => seats.includes(other));
  return meanReturns(met, Math.max(entrant, other) + 1)[entrant]!;
}

/** The points of an entrant that has one seat in its games, and the most that it could have: one an opponent. */
function pointsIn(records: readonly GameRecord[], entrant: number): { points: number; most: number } {
  const own = records.filter(({ seats }) => seats.includes(entrant));
  return {
    points: own.reduce((sum, { seats, returns }) => sum + pointsOf(returns, seats.indexOf(entrant)), 0),
    most: own.reduce((sum, { seats }) => sum + seats.length - 1, 0),
  };
}

/** Options for the games of a rating. */
interface RatingOptions {
  /** Folder of the training, which is the folder of the tournament too. */
  readonly dir: string;
  /** See RunOptions. */
  readonly workers: number | undefined;
  readonly players?: OpenPlayers | undefined;
  /** Program, machine, time and command, for the run to note [none]. */
  readonly sitting?: Played | undefined;
  /** The time in ms, for agents with a budget of time in test positions. */
  readonly clock: () => number;
}

/**
 * Rates checkpoints by an ordinary tournament in the training's folder: the agents of the pool play each other once, and
 * every checkpoint is an entrant that plays each of them. Each checkpoint adds an entrant to the plan. The store tells
 * which games are missing, so an interrupted rating goes on. `agon rate` and `agon verify` read the folder
 * like that of any other run.
 */
export class CheckpointRating {
  private readonly options: RatingOptions;
  private readonly store: Store;
  private readonly checkpointAgent: AgentSpec;
  private readonly training: TrainingPlan;
  private plan: TournamentPlan;
  /** The figures of learning, by checkpoint. */
  private readonly figures = new Map<number, LearningFigures>();

  constructor(training: TrainingPlan, options: RatingOptions) {
    const { config, game, pool, anchor, checkpointAgent, objects } = training;
    this.training = training;
    const { seed, blocks, openings, moveTimeoutMs } = config.rating;
    this.options = options;
    this.checkpointAgent = checkpointAgent;
    this.store = Store.open(options.dir);
    if (options.sitting !== undefined) this.store.addSitting(options.sitting);
    // A training that is resumed uses the copies of the pool's files that were made when it began.
    const before = this.store.loadPlan();
    const { id } = config.game as { id: string };
    const gameCode = before === undefined ? hashCode(referTo("game", id).code) : before.gameCode;
    this.plan = {
      ...planGame(game, before?.game.id ?? id),
      ...(gameCode !== undefined && { gameCode }),
      name: config.name,
      seed,
      format: { type: "pool", size: pool.length },
      blocks,
      openings,
      moveTimeoutMs,
      entrants:
        before?.entrants.slice(0, pool.length) ??
        pool.map((entrant) => freezeFiles(withHashes(entrant), options.dir)),
      anchor,
      ...(hasObjects(objects) && { [OBJECTS]: objects }),
    };
  }

  /**
   * Enters the checkpoint after `games` games, and plays those of its games that the store does not have. Returns false
   * if `signal` stopped it before the end.
   */
  async enter(
    games: number,
    { signal, onProgress }: { signal?: AbortSignal | undefined; onProgress?: () => void },
  ): Promise<boolean> {
    const { store, options } = this;
    const entrant: Entrant = {
      name: `${games} games`,
      spec: withEvaluator(this.checkpointAgent, checkpointPath(games)),
    };
    this.plan = { ...this.plan, entrants: [...this.plan.entrants, entrant] };
    // When a training is resumed, the stored plan may have later checkpoints already.
    const known = store.loadPlan()?.entrants.length ?? 0;
    if (known < this.plan.entrants.length) store.savePlan(this.plan);
    const { dir, workers, players } = options;
    const { complete } = await playTournament(this.plan, {
      workers,
      players,
      into: { store, dir },
      signal,
      onProgress,
    });
    if (complete) await this.askPositions(games);
    return complete;
  }

  /** Asks a checkpoint for its choice in the test positions, unless the folder has its share already. */
  private async askPositions(games: number): Promise<void> {
    const { game, positions, objects } = this.training;
    const { dir, clock } = this.options;
    const known = rightShares(dir);
    if (positions.length === 0 || known[games] !== undefined) return;
    const spec = withEvaluator(this.checkpointAgent, join(dir, checkpointPath(games)));
    const prepared = await loadAgent(game, spec, { families: objects.agents });
    const answers: PositionAnswer[] = [];
    for await (const answer of askAgent(game, prepared, positions, { seed: this.plan.seed, clock }))
      answers.push(answer);
    const { right, share, low, high } = scorePositions("", "", answers);
    const found: RightShare = { positions: answers.length, right, share, low, high };
    writeWhole(join(dir, RIGHT_SHARES), `${JSON.stringify({ ...known, [games]: found }, null, 2)}\n`);
  }

  /** The id of the tournament, as long as its folder is there. */
  get run(): string {
    return this.store.id!;
  }

  /** The learning curve up to the checkpoint that was entered last. */
  curve(): LearningCurve {
    const { plan, store } = this;
    const entered = store.records().filter(({ seats }) => Math.max(...seats) < plan.entrants.length);
    const curve = curveOf(plan, entered);
    const shares = rightShares(this.options.dir);
    return {
      ...curve,
      points: curve.points.map((point) => {
        const { games } = point;
        return { ...point, ...this.figuresOf(games), right: shares[games] };
      }),
    };
  }

  private figuresOf(games: number): LearningFigures {
    const figures = this.figures.get(games) ?? learningFigures(join(this.options.dir, checkpointPath(games)));
    this.figures.set(games, figures);
    return figures;
  }

  close(): void {
    this.store.close();
  }
}

/**
 * The checkpoint that later ones are compared with: of a fit with validation the one of the lowest loss, the first of equal
 * ones; otherwise the one with the highest rating.
 */
export function bestSoFar(curve: LearningCurve): CurvePoint {
  const loss = ({ losses }: CurvePoint) => losses?.validation ?? Infinity;
  const lowest = Math.min(...curve.points.map(loss));
  return lowest === Infinity ? bestPoint(curve) : curve.points.find((point) => loss(point) === lowest)!;
}

/** True if the last `patience` checkpoints were all weaker than the best one. */
export function isHopeless(curve: LearningCurve, patience: number | undefined): boolean {
  const { points } = curve;
  if (patience === undefined || points.length <= patience) return false;
  const best = bestSoFar(curve).games;
  return points.length - 1 - points.findIndex(({ games }) => games === best) >= patience;
}
