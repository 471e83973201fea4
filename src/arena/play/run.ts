import { availableParallelism } from "node:os";
import { performance } from "node:perf_hooks";
import { OBJECTS, type TournamentPlan } from "../plan/plan.ts";
import { InputError } from "../../base/errors.ts";
import { loadGame } from "../../specs/games.ts";
import { gamesOf } from "../../specs/objects.ts";
import type { GameFamilies } from "../../specs/plugins.ts";
import { playHere, WorkerPool } from "./worker-pool.ts";
import type { GameRecord } from "../../ratings/record.ts";
import { countGames, schedule, type ScheduledGame } from "../schedule/schedule.ts";
import type { GameScore } from "../store/rows.ts";
import type { Store } from "../store/store.ts";

/** How long the games of one task should take, in ms. A killed run loses the tasks at work; short tasks cost messages. */
const TASK_MS = 100;
const MAX_TASK_GAMES = 2000;
/** Tasks for each worker at a time, so that no worker waits while results are stored. */
const TASKS_PER_WORKER = 2;
/** When a stop is asked for, the games that are being played get this long to finish. */
const GRACE_MS = 2000;

export interface RunOptions {
  readonly plan: TournamentPlan;
  readonly store: Store;
  /** Folder that the plan's relative paths are taken from [the current one]. */
  readonly dir?: string | undefined;
  /**
   * Workers, each a process [one a core; 0 if the plan has objects]; 0 plays in this thread, where an agent that hangs is not
   * ended.
   */
  readonly workers?: number | undefined;
  /** The games there are, where they are others than ours; only in this thread. */
  readonly games?: GameFamilies | undefined;
  /** Called after each batch of finished games. */
  readonly onProgress?: (progress: RunProgress) => void;
  /** Aborted: finish the games at hand, store them and return. */
  readonly signal?: AbortSignal;
}

/** How far a tournament is. */
export interface RunProgress {
  readonly done: number;
  readonly total: number;
  readonly gamesPerSecond: number;
  /** Seconds; Infinity before the first game is done. */
  readonly secondsLeft: number;
  /** The entrant with the best score so far. */
  readonly leader: string;
  readonly forfeits: number;
}

export interface RunOutcome {
  /** Whether every game of the plan is stored. */
  readonly complete: boolean;
  /** Games played now, without those that were stored before. */
  readonly played: number;
  readonly total: number;
}

/** Plays every game of the plan that the store does not have. */
export async function runTournament(options: RunOptions): Promise<RunOutcome> {
  const { plan, store, dir = ".", signal } = options;
  const objects = plan[OBJECTS];
  const { workers = objects === undefined ? availableParallelism() : 0 } = options;
  if (objects !== undefined && workers > 0)
    throw new InputError(
      `workers must be 0 where games or agents are given as objects, got ${workers}: only files can be loaded by workers`,
    );
  const game = await loadGame(plan.game, options.games ?? gamesOf(objects));
  const total = countGames(plan);
  const stored = store.size;
  if (stored >= total) return { complete: true, played: 0, total };
  const games = stored === 0 ? schedule(plan, game) : missing(schedule(plan, game), store.lookup());
  const standings = new Standings(plan, stored, total);
  for (const score of store.scores()) standings.count(score);

  const players =
    workers === 0
      ? await playHere({ plan, dir }, options.games)
      : new WorkerPool(game, { plan, dir }, workers);
  let grace: NodeJS.Timeout | undefined;
  const stop = () => {
    players.stop();
    grace = setTimeout(() => void players.close(), GRACE_MS);
  };
  if (signal?.aborted === true) stop();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const hands = Array.from({ length: Math.max(1, workers * TASKS_PER_WORKER) }, async () => {
      while (signal?.aborted !== true) {
        const task = take(games, standings.taskSize(workers));
        if (task.length === 0) return;
        const records = await players.play(task);
        store.add(records);
        standings.add(records);
        options.onProgress?.(standings.progress());
      }
    });
    await Promise.all(hands);
  } finally {
    signal?.removeEventListener("abort", stop);
    clearTimeout(grace);
    await players.close();
  }
  return { complete: standings.done >= total, played: standings.played, total };
}

function* missing(
  games: Iterable<ScheduledGame>,
  isStored: (id: string) => boolean,
): Generator<ScheduledGame> {
  for (const game of games) if (!isStored(game.id)) yield game;
}

function take<T>(from: Iterator<T>, count: number): T[] {
  const taken: T[] = [];
  while (taken.length < count) {
    const next = from.next();
    if (next.done === true) break;
    taken.push(next.value);
  }
  return taken;
}

/** What is known about a tournament while it runs: games done, scores, pace. */
class Standings {
  done: number;
  played = 0;
  private readonly plan: TournamentPlan;
  private readonly total: number;
  /** When the first games came back, and how many they were. The pace is counted from there, without the start of the workers. */
  private begun = 0;
  private playedBefore = 0;
  private readonly scores: number[];
  private readonly games: number[];
  private forfeits = 0;
  private thoughtMs = 0;

  constructor(plan: TournamentPlan, done: number, total: number) {
    this.plan = plan;
    this.done = done;
    this.total = total;
    this.scores = plan.entrants.map(() => 0);
    this.games = plan.entrants.map(() => 0);
  }

  add(records: readonly GameRecord[]): void {
    for (const record of records) this.count(record);
    this.done += records.length;
    this.played += records.length;
    if (this.begun === 0) {
      this.begun = performance.now();
      this.playedBefore = this.played;
    }
    for (const { timeMs } of records) for (const time of timeMs) this.thoughtMs += time;
  }

  /** Counts a game in the standings. */
  count({ seats, returns, forfeitSeat }: GameScore): void {
    if (forfeitSeat >= 0) this.forfeits++;
    for (const [seat, entrant] of seats.entries()) {
      this.games[entrant]!++;
      const others = returns.filter((_, other) => other !== seat);
      const beaten = others.reduce(
        (sum, other) => sum + (other < returns[seat]! ? 1 : other === returns[seat]! ? 0.5 : 0),
        0,
      );
      this.scores[entrant]! += beaten / Math.max(1, others.length);
    }
  }

  /** How many games the next task should have. */
  taskSize(workers: number): number {
    if (workers === 0) return this.plan.players;
    const fair = Math.ceil((this.total - this.done) / (workers * TASKS_PER_WORKER * 2));
    if (this.played === 0) return Math.min(fair, this.plan.players);
    const gameMs = Math.max(this.thoughtMs / this.played, 0.02);
    return Math.max(1, Math.min(fair, MAX_TASK_GAMES, Math.floor(TASK_MS / gameMs)));
  }

  progress(): RunProgress {
    const seconds = (performance.now() - this.begun) / 1000;
    const gamesPerSecond = seconds > 0 ? (this.played - this.playedBefore) / seconds : 0;
    const means = this.scores.map((score, entrant) =>
      this.games[entrant]! > 0 ? score / this.games[entrant]! : -1,
    );
    return {
      done: this.done,
      total: this.total,
      gamesPerSecond,
      secondsLeft: gamesPerSecond > 0 ? (this.total - this.done) / gamesPerSecond : Infinity,
      leader: this.plan.entrants[means.indexOf(Math.max(...means))]!.name,
      forfeits: this.forfeits,
    };
  }
}
