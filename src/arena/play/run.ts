import { availableParallelism } from "node:os";
import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import { OBJECTS, type TournamentPlan } from "../plan/plan.ts";
import { InputError } from "../../base/errors.ts";
import { loadGame } from "../../specs/games.ts";
import { gamesOf } from "../../specs/objects.ts";
import type { GameFamilies } from "../../specs/plugins.ts";
import { playHere, WorkerPool, type Players } from "./worker-pool.ts";
import type { GameRecord } from "../../ratings/record.ts";
import { countGames, schedule, type ScheduledGame } from "../schedule/schedule.ts";
import type { GameScore } from "../store/rows.ts";
import type { Store } from "../store/store.ts";

const MAX_TASK_GAMES = 2000;
/** So many games at most are given out at a time: they take memory, here and in a queue. */
const MAX_GAMES_OUT = 200_000;
/** How often it is looked whether more tasks can be given out. */
const LOOK_MS = 500;
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
  /** Who plays instead of workers of this machine; closed at the end. */
  readonly players?: Players | undefined;
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
  if (stored >= total) {
    await options.players?.close();
    return { complete: true, played: 0, total };
  }
  const games = stored === 0 ? schedule(plan, game) : missing(schedule(plan, game), store.lookup());
  const standings = new Standings(plan, stored, total);
  for (const score of store.scores()) standings.count(score);

  const players =
    options.players ??
    (workers === 0
      ? await playHere({ plan, dir }, options.games)
      : new WorkerPool(game, { plan, dir }, workers));
  const keep = together((records: readonly GameRecord[]) => store.add(records));
  let grace: NodeJS.Timeout | undefined;
  const stop = () => {
    players.stop();
    grace = setTimeout(() => void players.close(), GRACE_MS);
  };
  if (signal?.aborted === true) stop();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    await giveOut(players, async () => {
      if (signal?.aborted === true) return false;
      const task = take(games, standings.taskSize(players));
      if (task.length === 0) return false;
      const records = await players.play(task);
      await keep(records);
      standings.add(records);
      options.onProgress?.(standings.progress());
      return true;
    });
  } finally {
    signal?.removeEventListener("abort", stop);
    clearTimeout(grace);
    await players.close();
  }
  return { complete: standings.done >= total, played: standings.played, total };
}

/**
 * What comes in one turn of the event loop is stored together: each time the disk is waited for, and meanwhile more has
 * come.
 */
function together<Item>(store: (items: readonly Item[]) => void): (items: readonly Item[]) => Promise<void> {
  let batch: Item[] = [];
  let stored: Promise<void> | undefined;
  const storeBatch = async () => {
    await setImmediate();
    const items = batch;
    [batch, stored] = [[], undefined];
    store(items);
  };
  return async (items) => {
    batch = [...batch, ...items];
    await (stored ??= storeBatch());
  };
}

/**
 * Has as many tasks played at once as the players can take, until `playNext` says that there are no more. Where players
 * come while long games are played, they need not wait for an end.
 */
async function giveOut(players: Players, playNext: () => Promise<boolean>): Promise<void> {
  let hands = 0;
  let left = true;
  let look: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const hand = async () => {
        while (left && hands <= Math.max(1, players.tasks)) {
          if (!(await playNext())) left = false;
          fill();
        }
        hands--;
        if (!left && hands === 0) resolve();
      };
      const fill = () => {
        for (; left && hands < Math.max(1, players.tasks); hands++) hand().catch(reject);
      };
      look = setInterval(fill, LOOK_MS);
      fill();
    });
  } finally {
    left = false;
    clearInterval(look);
  }
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
  taskSize({ tasks, taskMs }: Players): number {
    const fair = Math.ceil((this.total - this.done) / (Math.max(1, tasks) * 2));
    if (this.played === 0 || taskMs === 0) return Math.min(fair, this.plan.players);
    const gameMs = Math.max(this.thoughtMs / this.played, 0.02);
    const most = Math.min(fair, MAX_TASK_GAMES, MAX_GAMES_OUT / Math.max(1, tasks), taskMs / gameMs);
    return Math.max(1, Math.floor(most));
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
