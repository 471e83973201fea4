import { InputError } from "../../base/errors.ts";
import { plannedGames } from "../../arena/formats/index.ts";
import { gameOf, type TournamentPlan } from "../../arena/plan/plan.ts";
import { GameFault } from "../../arena/play/game-fault.ts";
import { RecordChecker } from "../../arena/play/record-checker.ts";
import { errorOfFailure } from "../../arena/play/worker-process.ts";
import type { Players } from "../../arena/play/worker-pool.ts";
import { schedule } from "../../arena/schedule/rounds.ts";
import type { ScheduledGame } from "../../arena/schedule/schedule.ts";
import type { Store } from "../../arena/store/store.ts";
import type { GameRecord } from "../../ratings/record.ts";
import { MAX_LOSSES, parsePlayedGames, type PlayedGames } from "../jobs.ts";
import { matching, readRecords } from "../records.ts";
import type { QueueAddress } from "../redis.ts";
import { packRun } from "../bundle-kinds.ts";
import { Coordinator } from "./coordinator.ts";
import { JobLost } from "./given-jobs.ts";

/**
 * The time that the games of one job should take, in ms: JOB_MS, or JOB_MS_PER_WORKER times the workers if that is
 * more.
 */
const JOB_MS = 500;
const JOB_MS_PER_WORKER = 4;
/** Jobs for each worker at a time: it fetches one while it plays another. */
const JOBS_PER_WORKER = 2;
/** A job that lost its worker too often is split into this many. */
const PARTS = 10;
/** The interval of looks whether Redis is away, after a stop. */
const WATCH_MS = 200;
/** After this many answers without a game, the job counts as failed. */
const MAX_EMPTY_ANSWERS = 50;

/** A run whose games are to be played by workers elsewhere. */
export interface QueuedRun {
  readonly address: QueueAddress;
  readonly plan: TournamentPlan;
  /** The folder of the run, where its weights are. */
  readonly dir: string;
  /** Receives the games that were finished while there was no coordinator. */
  readonly store: Store;
  /** Receives notes for people, about missing workers and other problems. */
  readonly onNote: (text: string) => void;
}

/** Connects to the queue, ready to play; throws InputError. */
export async function openQueuedPlayers(run: QueuedRun): Promise<Players> {
  const { address, plan, dir, store, onNote } = run;
  const setup = { address, id: store.id!, bundle: packRun(plan, dir), parse: parsePlayedGames, onNote };
  const players = new QueuedPlayers(run, await Coordinator.connect<PlayedGames>(setup));
  try {
    await players.begin();
    return players;
  } catch (error) {
    await players.close();
    throw error;
  }
}

/**
 * Players on other machines. Games go out as jobs of a BullMQ queue. A game counts once, however often it is sent. Jobs that
 * Redis lost are given out again.
 */
class QueuedPlayers implements Players {
  private readonly run: QueuedRun;
  private readonly coordinator: Coordinator<PlayedGames>;
  private readonly checker: RecordChecker;
  /** The number of games in the store. */
  private done: number;
  private stopping = false;
  private watch: NodeJS.Timeout | undefined;

  constructor(run: QueuedRun, coordinator: Coordinator<PlayedGames>) {
    this.run = run;
    this.coordinator = coordinator;
    this.checker = new RecordChecker(run.plan, run.dir);
    this.done = run.store.size;
  }

  /** The number of games of the run, or the most that it may have. */
  private get total(): number {
    return plannedGames(this.run.plan, this.run.store).most;
  }

  get tasks(): number {
    return Math.max(2, this.coordinator.workforce.slots * JOBS_PER_WORKER);
  }

  get taskMs(): number {
    return Math.max(JOB_MS, this.coordinator.workforce.slots * JOB_MS_PER_WORKER);
  }

  async play(games: readonly ScheduledGame[]): Promise<GameRecord[]> {
    const records = await this.finish(games);
    this.done += records.length;
    return records;
  }

  /** Has the games played. With `suspect`, one of them seems to end its workers. */
  private async finish(games: readonly ScheduledGame[], { suspect = false } = {}): Promise<GameRecord[]> {
    const { given, workforce } = this.coordinator;
    const finished = new Map<string, GameRecord>();
    let left = games;
    let endings = 0;
    for (let empty = 0; left.length > 0 && !this.stopping;) {
      const alone = suspect && left.length === 1;
      const result = await given
        .giveOut({ games: left, ...(alone && { alone }) })
        .catch((error: unknown) => error as Error);
      if (result === undefined) break;
      if (result instanceof JobLost) {
        if (left.length > 1) return [...finished.values(), ...(await this.finishApart(left))];
        suspect = true;
        endings += result.begunAlone;
        if (endings >= MAX_LOSSES) throw this.endsWorkers(left[0]!);
        continue;
      }
      if (result instanceof Error) throw result;
      if ("message" in result) {
        const error = errorOfFailure({ kind: "failure", ...result });
        // Another worker would meet the same fault.
        if (error instanceof GameFault) throw error;
        if (!workforce.hearTrouble(result.worker, error.message)) continue;
        throw error instanceof InputError
          ? error
          : new InputError(`no worker can play: ${error.message}; when that is mended, --resume goes on`);
      }
      const before = finished.size;
      const { games: played, refused } = await this.checker.part(matching(readRecords(result.packed), left));
      for (const record of played) finished.set(record.id, record);
      for (const { record, problem } of refused) workforce.hearLie(result.worker, `${record.id}: ${problem}`);
      left = left.filter(({ id }) => !finished.has(id));
      if (finished.size > before) workforce.hearGames();
      empty = finished.size > before ? 0 : empty + 1;
      if (empty === MAX_EMPTY_ANSWERS) throw new Error(`worker ${result.worker} finishes no game`);
    }
    return [...finished.values()];
  }

  stop(): void {
    const { given, link } = this.coordinator;
    this.stopping = true;
    void given.takeBack();
    // Nothing comes from a Redis that is away; a later coordinator receives the results.
    this.watch ??= setInterval(() => link.away && given.giveUp(), WATCH_MS);
  }

  async close(): Promise<void> {
    this.stopping = true;
    clearInterval(this.watch);
    this.checker.close();
    await this.coordinator.end({ isOver: this.done >= this.total });
  }

  /** Connects, and stores the games that an earlier coordinator of this run gave out and did not store. */
  async begin(): Promise<void> {
    const { plan, store } = this.run;
    const waiting = await this.coordinator.begin(() => ({
      name: plan.name,
      done: this.done,
      total: this.total,
    }));
    const earlier = waiting.flatMap(recordsIn);
    if (earlier.length === 0) return;
    const known = schedule(plan, await gameOf(plan), store.scorer());
    const { games } = await this.checker.part(matching(earlier, known));
    store.add(games);
    this.done = store.size;
  }

  /** Plays games of which one seems to end its workers: a few at a time, at last one by one. */
  private async finishApart(games: readonly ScheduledGame[]): Promise<GameRecord[]> {
    const size = Math.ceil(games.length / PARTS);
    const parts = Array.from({ length: Math.ceil(games.length / size) }, (_, part) =>
      games.slice(part * size, (part + 1) * size),
    );
    return (await Promise.all(parts.map(async (part) => this.finish(part, { suspect: true })))).flat();
  }

  /** The error for a game whose worker was lost each time that it played this game alone. */
  private endsWorkers({ id, seats }: ScheduledGame): Error {
    const { entrants } = this.run.plan;
    const names = seats.map((entrant) => entrants[entrant]!.name).join(" against ");
    return new GameFault(`the game ${id}, ${names}, ended its worker ${MAX_LOSSES} times`);
  }
}

/** The games in a result; empty if the result is malformed. */
function recordsIn(data: unknown): GameRecord[] {
  try {
    const result = parsePlayedGames(data);
    return "packed" in result ? readRecords(result.packed) : [];
  } catch {
    return [];
  }
}
