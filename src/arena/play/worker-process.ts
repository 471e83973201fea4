import type { ChildProcess } from "node:child_process";
import { InputError } from "../../base/errors.ts";
import type { GameRecord } from "../../ratings/record.ts";
import type { ScheduledGame } from "../schedule/schedule.ts";
import { EndOfRun } from "../../players/player-process.ts";
import { variablesOf } from "../../specs/hosts.ts";
import { GameFault } from "./game-fault.ts";
import type { WorkerSetup } from "./player.ts";
import { unpackRecords, type Answer, type Failure, type Fault, type Order } from "./worker-messages.ts";
import { DEFAULT_MEMORY_MB, forkWorker, giveBack, type WorkerOptions } from "./worker-fork.ts";

const SILENCE_CHECK_MS = 1000;
/** A worker that is silent for this long is killed: it is stopped or hangs. */
const MAX_SILENCE_MS = 10_000;

/** The process of a worker has ended. */
interface Death {
  readonly kind: "death";
  /** `exit code 3`, `SIGKILL`. */
  readonly how: string;
}

/** The reason why a worker did not finish its work. */
export type End = Fault | Failure | Death;

/** The result of a task. */
export interface TaskResult {
  /** The games that were finished, in the order of the task. */
  readonly records: readonly GameRecord[];
  /** The reason why games were not finished; undefined if all were, or if the worker was asked to stop. */
  readonly end: End | undefined;
}

/** One process that plays games; see watchdog.ts. It cannot be used after a task that it did not finish. */
export class WorkerProcess {
  /** The core that it is pinned to; undefined if it is not. */
  readonly core: number | undefined;
  /** Resolved when the process can play, or has ended. */
  readonly ready: Promise<void>;
  private readonly options: WorkerOptions;
  private readonly child: ChildProcess;
  private readonly watch: NodeJS.Timeout;
  private records: GameRecord[] = [];
  private finish: ((end: End | undefined) => void) | undefined;
  private death: string | undefined;
  private silentMs = 0;
  private checkedAt = performance.now();
  private tellReady: () => void = () => {};

  /** Starts the process. */
  constructor(setup: WorkerSetup, core?: number) {
    this.core = core;
    const { memoryMb = DEFAULT_MEMORY_MB, entrants } = setup.plan;
    const variables = entrants.flatMap(({ spec }) => variablesOf(spec));
    this.ready = new Promise((resolve) => (this.tellReady = resolve));
    this.options = { memoryMb, variables, ...(core !== undefined && { core }) };
    this.child = forkWorker(this.options);
    this.child.on("message", (answer: Answer) => this.hear(answer));
    let how = "";
    // It has ended, and all that it said has arrived.
    const dieAtLast = () => {
      if (how !== "" && !this.child.connected) this.die(how);
    };
    this.child.on("error", (error) => this.die(error.message));
    this.child.on("exit", (code, signal) => {
      how = signal ?? `exit code ${code}`;
      dieAtLast();
    });
    this.child.on("disconnect", () => {
      if (how === "") this.kill();
      else dieAtLast();
    });
    this.watch = setInterval(() => this.checkSilence(performance.now()), SILENCE_CHECK_MS);
    this.watch.unref();
    this.say({ kind: "setup", setup });
  }

  /** Plays the games one after the other. The worker must be idle. */
  async play(games: readonly ScheduledGame[]): Promise<TaskResult> {
    const end = await this.work({ kind: "task", games });
    return { records: this.records, end };
  }

  private async work(order: Order): Promise<End | undefined> {
    this.records = [];
    this.silentMs = 0;
    const end = await new Promise<End | undefined>((resolve) => {
      this.finish = resolve;
      if (this.death !== undefined) this.die(this.death);
      else this.say(order);
    });
    this.finish = undefined;
    return end;
  }

  /** Has it return after the game at hand. */
  stop(): void {
    this.say({ kind: "stop" });
  }

  /** Has its process play for another worker, unless it is at work; see giveBack. */
  leave(): void {
    clearInterval(this.watch);
    if (this.finish === undefined && this.death === undefined) giveBack(this.child, this.options);
    else this.kill();
  }

  /** Ends it at once. */
  kill(): void {
    clearInterval(this.watch);
    this.child.kill("SIGKILL");
  }

  private say(order: Order): void {
    // If the process is gone, its end is reported by `die`.
    if (this.child.connected) this.child.send(order, () => {});
  }

  private hear(answer: Answer): void {
    this.silentMs = 0;
    if (answer.kind === "alive") return;
    if (answer.kind === "ready") {
      this.tellReady();
    } else if (answer.kind === "records") {
      this.records.push(...unpackRecords(answer.packed));
      if (answer.done) this.finish?.(undefined);
    } else {
      this.finish?.(answer);
    }
  }

  private die(how: string): void {
    this.death = how;
    this.tellReady();
    clearInterval(this.watch);
    this.finish?.({ kind: "death", how });
  }

  private checkSilence(now: number): void {
    // If this process slept, so did the worker: see watch.ts.
    this.silentMs += Math.min(now - this.checkedAt, 2 * SILENCE_CHECK_MS);
    this.checkedAt = now;
    if (this.finish !== undefined && this.silentMs > MAX_SILENCE_MS) this.kill();
  }
}

/** The error that a worker told of. */
export function errorOfFailure({ name, message }: Failure): Error {
  if (name === "GameFault") return new GameFault(message);
  if (name === "EndOfRun") return new EndOfRun(message);
  return name === "InputError" ? new InputError(message) : new Error(message);
}
