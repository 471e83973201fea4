// oxlint-disable-next-line no-restricted-imports -- emitWarning says that a thread has failed, which its agent goes on without
import process from "node:process";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { PreparedAgent } from "../agents/prepare.ts";
import type { AgentSpec, HelperTask, Helpers, MakeHelpers } from "../agents/agent.ts";
import { callThread, type Caller } from "../base/caller.ts";
import { InputError } from "../base/errors.ts";
import type { Game, GameSpec } from "../games/contract/game.ts";

/** Makes a game and one of its agents from their specs. */
type Prepare = (game: GameSpec, agent: AgentSpec) => Promise<{ game: Game; prepared: PreparedAgent }>;

/** A module that a helper's thread imports by its URL. So this room does not import the rooms that load games. */
export interface Loader {
  readonly prepareFromSpecs: Prepare;
}

/** The data that a helper's thread starts with. */
export interface HelperSetup {
  /** The URL of a `Loader`. */
  readonly loader: string;
  readonly game: GameSpec;
  readonly agent: AgentSpec;
  /** The number of the helper, from 1 on. */
  readonly number: number;
  readonly memory: SharedArrayBuffer | undefined;
  /** Shared memory: index 0 has the last finished task, index `number` the last task that the helper began. */
  readonly tasks: Int32Array;
}

/** A task of a helper. Tasks are numbered from 1 on. */
export type NumberedTask = HelperTask & { readonly number: number };

/** The index of the last finished task in `HelperSetup.tasks`. */
export const OVER = 0;

/** A helper that searches for longer than this after the decision is ended. Searches look at the clock far more often. */
const GRACE_MS = 5000;

/**
 * Makes the helpers of an agent, each in a thread that loads the game and the agent by `loader`, the URL of a `Loader`.
 * Throws InputError where the game was given as an object.
 */
export function helpersBy(loader: string, { spec }: Game, agent: AgentSpec): MakeHelpers {
  if (spec === undefined)
    throw new InputError("must be 1 where a game is given as an object: threads can load files only");
  return <Report>(count: number, memory?: SharedArrayBuffer): Helpers<Report> =>
    new HelperThreads({ loader: compiledModule(loader).href, game: spec, agent, memory }, count);
}

/** Ends the threads of an agent when the agent is garbage. */
const forgotten = new FinalizationRegistry((threads: readonly HelperThread[]) => {
  for (const thread of threads) thread.end();
});

/** The helpers of one agent, each in a thread. The first failure of a thread gives a warning; the other threads go on. */
class HelperThreads<Report> implements Helpers<Report> {
  private readonly setup: Omit<HelperSetup, "number" | "tasks">;
  private readonly tasks: Int32Array;
  private threads: readonly HelperThread[] | undefined;
  private number = 0;

  constructor(setup: Omit<HelperSetup, "number" | "tasks">, count: number) {
    this.setup = setup;
    this.tasks = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * (1 + count)));
  }

  async during<Result>(task: HelperTask, decide: () => Result) {
    const { tasks } = this;
    const threads = (this.threads ??= this.start()).filter(({ isAlive }) => isAlive);
    const number = ++this.number;
    for (const thread of threads) thread.begin({ ...task, number });
    let reports: readonly unknown[] = [];
    let result: Result;
    try {
      result = decide();
    } finally {
      Atomics.store(tasks, OVER, number);
      // A helper that has not begun yet will see that the task is over.
      const begun = threads.filter((thread) => Atomics.load(tasks, thread.number) === number);
      // News of a failed thread needs a turn of the event loop.
      if (begun.length < threads.length) await setImmediate();
      reports = await Promise.all(begun.map(async (thread) => thread.report()));
    }
    return { result, reports: reports.filter((report) => report !== undefined) as Report[] };
  }

  private start(): readonly HelperThread[] {
    const { setup, tasks } = this;
    const warn = onlyOnce((problem: string) =>
      process.emitWarning(`a thread of ${setup.agent.agent} does not help: ${problem}`),
    );
    const threads = Array.from(
      tasks.subarray(1),
      (_, at) => new HelperThread({ ...setup, tasks, number: 1 + at }, warn),
    );
    forgotten.register(this, threads);
    return threads;
  }
}

/** A module of agon for a thread, compiled: a thread cannot run the sources, from which tests run. */
export function compiledModule(url: string): URL {
  return new URL(url.replace(/\/src\/(.*)\.ts$/, "/build/$1.js"));
}

const THREAD = compiledModule(import.meta.url.replace(/helper-threads(\.[jt]s)$/, "helper-thread$1"));

/** One thread, which runs helper-thread.ts. It keeps the process alive only while somebody waits for its answer. */
class HelperThread {
  readonly number: number;
  isAlive = true;
  private readonly worker: Worker;
  private readonly warn: (problem: string) => void;
  private readonly caller: Caller<NumberedTask, unknown>;
  private asked: Promise<unknown> | undefined;

  constructor(setup: HelperSetup, warn: (problem: string) => void) {
    this.number = setup.number;
    this.warn = warn;
    this.worker = new Worker(THREAD, { workerData: setup });
    this.worker.unref();
    this.worker.on("error", (error) => this.die(error instanceof Error ? error.message : String(error)));
    this.worker.on("exit", (code) => this.die(`it ended with exit code ${code}`));
    this.caller = callThread(this.worker);
  }

  begin(task: NumberedTask): void {
    this.asked = this.caller.ask(task).catch(({ message }: Error) => {
      if (this.isAlive) this.warn(message);
    });
  }

  /** Waits for the report of a task that the helper has begun; undefined if it fails or dies before. */
  async report(): Promise<unknown> {
    this.worker.ref();
    const deadline = setTimeout(() => {
      this.die(`it did not stop within ${GRACE_MS} ms`);
      this.end();
    }, GRACE_MS);
    const report = await this.asked;
    clearTimeout(deadline);
    this.worker.unref();
    return report;
  }

  end(): void {
    this.isAlive = false;
    void this.worker.terminate();
  }

  private die(how: string): void {
    if (this.isAlive) this.warn(how);
    this.isAlive = false;
  }
}

/** Returns the function such that it does nothing from the second call on. */
function onlyOnce(run: (text: string) => void): (text: string) => void {
  let done = false;
  return (text) => {
    if (!done) run(text);
    done = true;
  };
}
