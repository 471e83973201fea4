import { setImmediate, setTimeout } from "node:timers/promises";
import type { Game } from "../../game/game.ts";
import type { GameRecord } from "../../ratings/record.ts";
import type { ScheduledGame } from "../schedule/schedule.ts";
import { createPlayer, type WorkerSetup } from "./player.ts";
import { forfeited, type Forfeit } from "./referee.ts";
import { IDLE, STATUS_BYTES, STOP } from "./watch.ts";
import { errorOfFailure, WorkerProcess, type End, type TaskResult } from "./worker-process.ts";

/** Workers may end this often without a finished game while no agent decides. */
const MAX_FAILURES = 3;
/** A killed run loses its unfinished tasks; short tasks cost messages. */
const TASK_MS = 100;
/** The first worker plays alone for so long: games that take no time need no second one. */
const ALONE_MS = 25;
/** Tasks for each worker at a time, so that no worker waits while results are stored. */
const TASKS_PER_WORKER = 2;

/** Plays the games of a tournament. */
export interface Players {
  /** The number of tasks that can be given out at once; it may change. */
  readonly tasks: number;
  /** The time that the games of one task should take, in ms; 0 asks for as few games as possible. */
  readonly taskMs: number;
  /** Plays the games; fewer come back only after `stop`. */
  play(games: readonly ScheduledGame[]): Promise<GameRecord[]>;
  /** Makes `play` return after the games at hand. */
  stop(): void;
  /** Ends at once; games at hand are lost. */
  close(): Promise<void>;
}

/**
 * Plays all games in this thread, one after the other. Nothing watches the agents: an agent that hangs is not stopped,
 * and an agent that ends the process ends this one.
 */
export async function playHere(setup: WorkerSetup): Promise<Players> {
  const player = await createPlayer(setup);
  const status = new SharedArrayBuffer(STATUS_BYTES);
  const stop = () => void Atomics.store(new Int32Array(status), STOP, 1);
  return {
    tasks: 1,
    taskMs: 0,
    async play(scheduled) {
      // Timers and signals get their turn between two tasks.
      await setImmediate();
      const records: GameRecord[] = [];
      await player.play({ games: scheduled, status }, (record) => records.push(record));
      return records;
    },
    stop,
    close: async () => stop(),
  };
}

/**
 * Workers that play games, each a process of its own. An agent that hangs, takes too much memory or ends its worker
 * forfeits the game it is in, and a new worker plays the other games of the task.
 *
 * If it is not certain whose fault it was, a careful worker plays the game again, and nothing else: another agent may have
 * left a timer behind, earlier games may have taken the memory. The result of the careful worker counts. If nothing goes
 * wrong there, nobody forfeits.
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

  constructor(game: Game, setup: WorkerSetup, workers: number) {
    this.game = game;
    this.setup = setup;
    this.most = workers;
    this.tasks = workers * TASKS_PER_WORKER;
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
      if (failures === MAX_FAILURES) throw errorOf(end);
    }
    throw new Error("not reached");
  }

  stop(): void {
    this.stopping = true;
    for (const worker of this.workers) worker.stop();
  }

  async close(): Promise<void> {
    this.stopping = true;
    for (const worker of this.workers) worker.kill();
  }

  /** Plays games until one fails, which forfeits if it is an agent's fault. Returns what the failure was. */
  private async playOnce(
    games: readonly ScheduledGame[],
    finished: Map<string, GameRecord>,
  ): Promise<End | undefined> {
    const keep = (records: readonly GameRecord[]) => {
      for (const record of records) finished.set(record.id, record);
    };
    let task = games;
    let { records, end } = await this.playTask(task);
    keep(records);
    if (end === undefined || this.stopping) return end;
    const first = end;
    if (end.kind === "death" || (end.kind === "fault" && !end.certain)) {
      task = end.kind === "death" ? games.slice(records.length) : [games[end.game]!];
      ({ records, end } = await this.playCarefully(task));
      if (this.stopping) return first;
      keep(records);
    }
    if (end?.kind === "failure") throw errorOf(end);
    if (end === undefined || end.seat === IDLE) return first;
    const lost = task[end.game]!;
    const { seat } = end;
    const why: Forfeit =
      end.kind === "fault" ? end : { seat, ending: "worker died", detail: `its process ended: ${end.how}` };
    keep([forfeited(this.game, lost, why)]);
    return first;
  }

  private start(options: { careful?: boolean } = {}): WorkerProcess {
    const worker = this.startProcess(options);
    this.workers.add(worker);
    return worker;
  }

  /** @internal Tests start workers whose progress they decide. */
  protected startProcess(options: { careful?: boolean }): WorkerProcess {
    return new WorkerProcess(this.setup.plan, { setup: this.setup, ...options });
  }

  private end(worker: WorkerProcess): void {
    worker.kill();
    this.workers.delete(worker);
  }

  /** Has the next free worker play the games. */
  private async playTask(games: readonly ScheduledGame[]): Promise<TaskResult> {
    const worker = this.free.pop() ?? (await this.another());
    const result = this.stopping ? { records: [], end: undefined } : await worker.play(games);
    const fresh = result.end === undefined || this.stopping ? worker : this.start();
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
      this.started++;
      this.starting++;
      const worker = this.start();
      void worker.ready.then(() => {
        this.starting--;
        this.offer(worker);
      });
    }
  }

  /** Plays the games in a worker that finds out whose code runs. */
  private async playCarefully(games: readonly ScheduledGame[]): Promise<TaskResult> {
    const worker = this.start({ careful: true });
    const result = await worker.play(games);
    this.end(worker);
    return result;
  }
}

/** The error of a run that cannot go on. */
function errorOf(end: End): Error {
  if (end.kind === "failure") return errorOfFailure(end);
  const what = end.kind === "death" ? `its process ended: ${end.how}` : end.detail;
  return new Error(`a worker failed ${MAX_FAILURES} times while no agent was at work: ${what}`);
}
