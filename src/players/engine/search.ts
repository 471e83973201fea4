import { Worker } from "node:worker_threads";
import type { AgentSpec, Budget, Decision, Played, SeatClock } from "../../agents/agent.ts";
import type { PreparedAgent } from "../../agents/prepare.ts";
import type { Game, GameSpec } from "../../games/contract/game.ts";
import { compiledModule } from "../helper-threads.ts";

/*
 * Searches in a thread of their own, for engines that listen while they think, and stop when they are told to.
 */

/**
 * Loads games and agents for an engine and for its thread, which imports the module by its URL. So this room does not
 * import the rooms that load.
 */
export interface EngineLoader {
  /** The URL of a module that exports the loader as `engineLoader`. */
  readonly url: string;
  loadGame(spec: GameSpec): Promise<Game>;
  /** Checks a spec that need not have a budget: its limit of time is then `NO_LIMIT_MS`. Throws InputError. */
  prepareAnyBudget(game: Game, spec: AgentSpec): Promise<PreparedAgent>;
}

/** The data that the thread starts with. */
export interface SearchSetup {
  /** The URL of an `EngineLoader`. */
  readonly loader: string;
  readonly game: GameSpec;
  readonly agent: AgentSpec;
  /** The agent's randomness descends from it. */
  readonly seed: string;
  /** Shared memory: index LAST_STOPPED has the number of the last search that shall stop. */
  readonly flags: Int32Array;
}

/** An order to search. Searches are numbered from 1 on. */
export interface SearchTask {
  readonly number: number;
  readonly played: Played;
  readonly budget: Budget;
  /** The clocks by seat, if the agent shares out its time. */
  readonly clocks?: readonly SeatClock[];
  /** The lines that are wanted. */
  readonly ranked: number;
}

/** The messages of the thread. */
export type SearchNews =
  | { readonly type: "ready" }
  | ({ readonly type: "iteration"; readonly number: number } & TimedDecision)
  | ({ readonly type: "decision"; readonly number: number } & TimedDecision)
  | { readonly type: "problem"; readonly number: number; readonly problem: string };

/** A decision, and the time that it took so far. */
export interface TimedDecision {
  readonly decision: Decision;
  readonly timeMs: number;
}

/** The index of the last stopped search in `SearchSetup.flags`. */
export const LAST_STOPPED = 0;

/** The limit of time of a search without one: eleven days. With it searches look at the clock, and so can be stopped. */
export const NO_LIMIT_MS = 1e9;

/** The ears of a search. */
export interface SearchListener {
  iterated(found: TimedDecision): void;
  decided(found: TimedDecision): void;
  /** The agent has thrown, or its thread has ended. */
  failed(problem: string): void;
}

const THREAD = compiledModule(import.meta.url.replace(/search(\.[jt]s)$/, "search-thread$1"));

/** An agent in a thread, which searches one position at a time. */
export class Search {
  private readonly worker: Worker;
  private readonly flags: Int32Array;
  private number = 0;
  private listener: SearchListener | undefined;
  private problem: string | undefined;
  /** Resolved when the agent is made, or cannot be. */
  readonly ready: Promise<void>;

  constructor(setup: Omit<SearchSetup, "flags">) {
    this.flags = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    this.worker = new Worker(THREAD, { workerData: { ...setup, flags: this.flags } satisfies SearchSetup });
    this.ready = new Promise((resolve) => {
      this.worker.on("message", (news: SearchNews) => (news.type === "ready" ? resolve() : this.hear(news)));
      const end = (problem: string) => {
        this.problem ??= problem;
        this.finish()?.failed(this.problem);
        resolve();
      };
      this.worker.on("error", (error) => end(error instanceof Error ? error.message : String(error)));
      this.worker.on("exit", (code) => end(`its thread ended with exit code ${code}`));
    });
  }

  get isSearching(): boolean {
    return this.listener !== undefined;
  }

  newGame(): void {
    this.worker.postMessage("new game");
  }

  /** Begins a search. The one before is over. */
  start(task: Omit<SearchTask, "number">, listener: SearchListener): void {
    if (this.problem !== undefined) return listener.failed(this.problem);
    this.listener = listener;
    this.worker.postMessage({ ...task, number: ++this.number } satisfies SearchTask);
  }

  /** Has the search at hand decide at once. */
  stop(): void {
    Atomics.store(this.flags, LAST_STOPPED, this.number);
  }

  close(): void {
    this.listener = undefined;
    void this.worker.terminate();
  }

  private hear(news: Exclude<SearchNews, { type: "ready" }>): void {
    if (news.type === "iteration") this.listener?.iterated(news);
    else if (news.type === "decision") this.finish()?.decided(news);
    else this.finish()?.failed(news.problem);
  }

  private finish(): SearchListener | undefined {
    const { listener } = this;
    this.listener = undefined;
    return listener;
  }
}
