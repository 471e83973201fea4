import { join } from "node:path";
import type { AgentSpec } from "../../agents/agent.ts";
import { OBJECTS, planGame, type TournamentPlan } from "../../arena/plan/plan.ts";
import { freezeFiles } from "../../arena/store/run-folder.ts";
import { Store } from "../../arena/store/store.ts";
import { playTournament, type OpenPlayers } from "../../arena/tournament.ts";
import type { Entrant } from "../../specs/agents.ts";
import { loadHeader } from "../../specs/files/weights-file.ts";
import { hasObjects } from "../../specs/families.ts";
import { withEvaluator, type TrainingPlan } from "../plan/plan.ts";
import { bestPoint, checkpointPath, curveOf, type LearningCurve } from "./curve.ts";

/** Options for the games of a rating. */
interface RatingOptions {
  /** Folder of the training, which is the folder of the tournament too. */
  readonly dir: string;
  /** See RunOptions. */
  readonly workers: number | undefined;
  readonly players?: OpenPlayers | undefined;
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
  private plan: TournamentPlan;
  /** The tdError of CurvePoint, by checkpoint. */
  private readonly tdErrors = new Map<number, number | undefined>();

  constructor(
    { config, game, pool, anchor, checkpointAgent, objects }: TrainingPlan,
    options: RatingOptions,
  ) {
    const { seed, blocks, openings, moveTimeoutMs } = config.rating;
    this.options = options;
    this.checkpointAgent = checkpointAgent;
    this.store = Store.open(options.dir);
    // A training that is resumed uses the copies of the pool's weights that were made when it began.
    const frozen = this.store.loadPlan()?.entrants.slice(0, pool.length);
    this.plan = {
      ...planGame(game, (config.game as { id: string }).id),
      name: config.name,
      seed,
      format: { type: "pool", size: pool.length },
      blocks,
      openings,
      moveTimeoutMs,
      entrants: frozen ?? pool.map((entrant) => freezeFiles(entrant, options.dir)),
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
    const { dir, ...how } = options;
    const { complete } = await playTournament(this.plan, {
      ...how,
      into: { store, dir },
      signal,
      onProgress,
    });
    return complete;
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
    return {
      ...curve,
      points: curve.points.map((point) => ({ ...point, tdError: this.tdErrorOf(point.games) })),
    };
  }

  /** Reads the error in the header of a checkpoint. */
  private tdErrorOf(games: number): number | undefined {
    if (!this.tdErrors.has(games)) {
      const { tdError } = loadHeader(join(this.options.dir, checkpointPath(games))).training;
      this.tdErrors.set(games, typeof tdError === "number" ? tdError : undefined);
    }
    return this.tdErrors.get(games);
  }

  close(): void {
    this.store.close();
  }
}

/** True if the last `patience` checkpoints were all weaker than the best one. */
export function isHopeless(curve: LearningCurve, patience: number | undefined): boolean {
  const { points } = curve;
  if (patience === undefined || points.length <= patience) return false;
  const best = bestPoint(curve).games;
  return points.length - 1 - points.findIndex(({ games }) => games === best) >= patience;
}
