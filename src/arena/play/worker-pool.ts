import { setImmediate, setTimeout } from "node:timers/promises";
import type { Game } from "../../games/contract/game.ts";
import type { GameRecord } from "../../ratings/record.ts";
import type { TournamentPlan } from "../plan/plan.ts";
import type { ScheduledGame } from "../schedule/schedule.ts";
import { EndOfRun } from "../../players/player-process.ts";
import { isHosted, isProgram } from "../../specs/hosts.ts";
import { leaveCores } from "./affinity.ts";
import { createPlayer, type WorkerSetup } from "./player.ts";
import { RecordChecker, type RefusedRecord } from "./record-checker.ts";
import { GameFault } from "./game-fault.ts";
import { forfeited } from "./referee.ts";
import { IDLE, STATUS_BYTES, STOP } from "./watch.ts";
import { errorOfFailure, WorkerProcess, type End, type TaskResult } from "./worker-process.ts";

/** Workers may end this often without a finished game while no agent decides. */
const MAX_FAILURES = 3;
/** A killed run loses its unfinished tasks; short tasks cost messages. */
const TASK_MS = 100;
/** The first worker plays alone for about the time that the start of a second one costs. */
const ALONE_MS = 200;
/** Tasks for each worker at a time, so that no worker waits while results are stored. */
const TASKS_PER_WORKER = 2;

/** Plays the games of a tournament. */
export interface Players {
  /** The number of tasks that can be given out at once; it may change. */
  readonly tasks: number;
  /** The time that the games of one task should take, in ms; 0 asks for as few games as possible. */
  readonly taskMs: number;
  /** The share of the time so far in which workers had no games, from when each could play: 0 to 1; absent if not known. */
  readonly idleShare?: number | undefined;
  /** The reason for which a player has ended the run: no more games are played. */
  readonly ended?: string | undefined;
  /** Plays the games; fewer come back only after `stop`, and when a player has ended the run. */
  play(games: readonly ScheduledGame[]): Promise<GameRecord[]>;
  /** Makes `play` return after the games at hand. */
  stop(): void;
  /** Ends at once; games at hand are lost. */
  close(): Promise<void>;
}

/**
 * Plays all games in this thread, one after the other. Nothing watches the agents that decide in it: one that hangs is not
 * stopped, and one that ends the process ends this one.
 */
export async function playHere(setup: WorkerSetup): Promise<Players> {
  const player = await createPlayer(setup);
  const status = new SharedArrayBuffer(STATUS_BYTES);
  const stop = () => void Atomics.store(new Int32Array(status), STOP, 1);
  let closed = false;
  let ended: string | undefined;
  return {
    tasks: 1,
    taskMs: 0,
    get ended() {
      return ended;
    },
    async play(scheduled) {
      // Timers and signals get their turn between two tasks.
      await setImmediate();
      const records: GameRecord[] = [];
      const keep = (record: GameRecord) => {
        // A game whose players were ended under it has no result.
        if (!closed) records.push(record);
      };
      await player.play({ games: scheduled, status }, keep).catch((error: unknown) => {
        if (!(error instanceof EndOfRun)) throw error;
        ended ??= error.message;
        stop();
      });
      return records;
    },
    stop,
    async close() {
      closed = true;
      stop();
      player.close();
    },
  };
}

/**
 * Workers that play games, each a process of its own. An agent of agon's own that takes too long or too much memory ends its
 * worker and forfeits the game at hand; a new worker plays the other games of the task. Agents with code of the user's are
 * not here, but in processes of their own (players/), which are watched where they are asked.
 */
export class WorkerPool implements Players {
  readonly tasks: number;
  readonly taskMs = TASK_MS;
  private readonly game: Game;
  private readonly setup: WorkerSetup;
  /** The most processes that play at once; each is started when it is first needed. */
  private readonly most: number;
  private started = 0;
  /** The number of processes that were started for tasks and cannot play yet. */
  private starting = 0;
  private readonly free: WorkerProcess[] = [];
  private readonly waiting: ((worker: WorkerProcess) => void)[] = [];
  /** All processes that there are. */
  private readonly workers = new Set<WorkerProcess>();
  private stopping = false;
  ended: string | undefined;
  /** Workers that could play, the sum of the times when they could first, and the sum of the times of tasks, in ms. */
  private ready = 0;
  private readySum = 0;
  private busyMs = 0;
  private readonly checker: RecordChecker | undefined;
  private readonly cores: readonly number[] | undefined;
  private readonly moveBack: (() => void) | undefined;

  /** @param cores pins each worker to one of these, of which there are as many; this process leaves them */
  constructor(game: Game, setup: WorkerSetup, workers: number, cores?: readonly number[]) {
    this.game = game;
    this.setup = setup;
    this.most = workers;
    this.tasks = workers * TASKS_PER_WORKER;
    this.cores = cores;
    this.moveBack = cores && leaveCores(cores);
    this.checker = needsCheck(game, setup.plan) ? new RecordChecker(setup.plan, setup.dir) : undefined;
  }

  get idleShare(): number | undefined {
    const time = this.ready * performance.now() - this.readySum;
    return time > 0 ? Math.max(0, 1 - this.busyMs / time) : undefined;
  }

  async play(games: readonly ScheduledGame[]): Promise<GameRecord[]> {
    const finished = new Map<string, GameRecord>();
    for (let failures = 0; failures < MAX_FAILURES;) {
      const left = games.filter(({ id }) => !finished.has(id));
      if (left.length === 0 || this.stopping) return [...finished.values()];
      const before = finished.size;
      const end = await this.playOnce(left, finished);
      if (end === undefined || this.stopping) return [...finished.values()];
      failures = finished.size > before ? 0 : failures + 1;
      if (failures === MAX_FAILURES) throw errorOf(end, this.setup.plan);
    }
    throw new Error("not reached");
  }

  stop(): void {
    this.stopping = true;
    for (const worker of this.workers) worker.stop();
  }

  async close(): Promise<void> {
    for (const worker of this.workers)
      if (this.stopping) worker.kill();
      else worker.leave();
    this.stopping = true;
    this.workers.clear();
    this.checker?.close();
    this.moveBack?.();
  }

  /** Plays games until one fails, which forfeits if it is an agent's fault. Returns what the failure was. */
  private async playOnce(
    games: readonly ScheduledGame[],
    finished: Map<string, GameRecord>,
  ): Promise<End | undefined> {
    const keep = (records: readonly GameRecord[]) => {
      for (const record of records) finished.set(record.id, record);
    };
    const { records, end } = await this.playTask(games);
    const { games: played = records, refused = [] } = (await this.checker?.part(records)) ?? {};
    keep(played);
    if (refused.length > 0 && !this.stopping) return noGame(refused[0]!);
    if (end === undefined || this.stopping) return end;
    if (end.kind === "failure") {
      const error = errorOf(end, this.setup.plan);
      if (!(error instanceof EndOfRun)) throw error;
      this.ended ??= error.message;
      this.stop();
      return end;
    }
    if (end.kind === "fault" && end.seat !== IDLE) keep([forfeited(this.game, games[end.game]!, end)]);
    return end;
  }

  private start(core: number | undefined): WorkerProcess {
    const worker = this.startProcess(core);
    this.workers.add(worker);
    return worker;
  }

  /** @internal Tests start workers whose progress they decide. */
  protected startProcess(core?: number): WorkerProcess {
    return new WorkerProcess(this.setup, core);
  }

  private end(worker: WorkerProcess): void {
    worker.kill();
    this.workers.delete(worker);
  }

  /** Has the next free worker play the games. */
  private async playTask(games: readonly ScheduledGame[]): Promise<TaskResult> {
    const worker = this.free.pop() ?? (await this.another());
    const begin = performance.now();
    const result = this.stopping ? { records: [], end: undefined } : await worker.play(games);
    this.busyMs += performance.now() - begin;
    const fresh = result.end === undefined || this.stopping ? worker : this.start(worker.core);
    if (fresh !== worker) this.end(worker);
    this.offer(fresh);
    return result;
  }

  /** Gives the worker to the task that waits longest. */
  private offer(worker: WorkerProcess): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free.push(worker);
    else next(worker);
  }

  /** The next worker that gets free or can play. */
  private async another(): Promise<WorkerProcess> {
    const taken = new Promise<WorkerProcess>((take) => this.waiting.push(take));
    void this.grow();
    return taken;
  }

  /** Starts workers for the tasks that wait. Each task goes to the worker that can play it first, new or not. */
  private async grow(): Promise<void> {
    const [first] = this.workers;
    if (first !== undefined) {
      await first.ready;
      await setTimeout(ALONE_MS);
    }
    while (this.waiting.length > this.starting && this.started < this.most && !this.stopping) {
      const worker = this.start(this.cores?.[this.started]);
      this.started++;
      this.starting++;
      void worker.ready.then(() => {
        this.starting--;
        this.ready++;
        this.readySum += performance.now();
        this.offer(worker);
      });
    }
  }
}

/** True if code of the user's, or a program, has a part in the games. */
function needsCheck(game: Game, { gameCode, entrants }: TournamentPlan): boolean {
  return gameCode !== undefined || entrants.some(({ spec }) => isProgram(spec) || isHosted(game, spec));
}

/** The fault of a worker whose record the rules do not give. */
function noGame({ record, problem }: RefusedRecord): End {
  const detail = `its record ${record.id} is no game: ${problem}`;
  return { kind: "fault", game: 0, seat: IDLE, ending: "exception", detail };
}

/** The error of a run that cannot go on. */
function errorOf(end: End, { game, gameCode }: TournamentPlan): Error {
  if (end.kind === "failure") return errorOfFailure(end);
  const what = end.kind === "death" ? `its process ended: ${end.how}` : end.detail;
  if (gameCode !== undefined)
    return new GameFault(`the game ${game.id} ended its worker ${MAX_FAILURES} times: ${what}`);
  return new Error(`a worker failed ${MAX_FAILURES} times while no agent was at work: ${what}`);
}
