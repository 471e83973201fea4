import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { InputError } from "../../base/errors.ts";

/** What a thread of an actor is started with. */
export interface ThreadSetup {
  /** As `planTraining` takes it. */
  readonly config: unknown;
  readonly baseDir: string;
}

/** Games that a thread is to play; without weights, with those that it has. */
export interface ThreadOrder {
  /** In shared memory; nobody changes them. */
  readonly weights: Float32Array | undefined;
  readonly from: number;
  readonly count: number;
}

/** The moves of games, and how long they took. */
export interface PlayedGames {
  readonly moves: Uint8Array;
  readonly timeMs: number;
}

/** What it answers: the games, or an error. */
export type ThreadAnswer = PlayedGames | { readonly name: string; readonly message: string };

/** Weights with their name. */
export interface NamedWeights {
  readonly name: string;
  readonly numbers: Float32Array;
}

/** An actor in a thread of its own, and the name of the weights that it has. */
interface ActorThread {
  readonly worker: Worker;
  weights: string | undefined;
}

/** Actors of one training, each in a thread, which is started when it is first needed. */
export class ActorThreads {
  private readonly setup: ThreadSetup;
  private readonly most: number;
  private readonly all = new Set<ActorThread>();
  private readonly free: ActorThread[] = [];
  private readonly waiting: ((thread: ActorThread) => void)[] = [];

  constructor(setup: ThreadSetup, most: number) {
    this.setup = setup;
    this.most = most;
  }

  /** Plays games with these weights; throws InputError where the config is wrong. */
  async play({ name, numbers }: NamedWeights, games: { from: number; count: number }): Promise<PlayedGames> {
    const thread = this.free.pop() ?? (await this.another());
    const weights = thread.weights === name ? undefined : numbers;
    const answer = await ask(thread.worker, { weights, ...games });
    if ("message" in answer) {
      this.end(thread);
      throw answer.name === "InputError" ? new InputError(answer.message) : new Error(answer.message);
    }
    thread.weights = name;
    this.hand(thread);
    return answer;
  }

  close(): void {
    for (const { worker } of this.all) void worker.terminate();
  }

  private another(): ActorThread | Promise<ActorThread> {
    return this.all.size < this.most ? this.start() : new Promise((take) => this.waiting.push(take));
  }

  private start(): ActorThread {
    const file = fileURLToPath(new URL("actor-thread.js", import.meta.url));
    const thread = { worker: new Worker(file, { workerData: this.setup }), weights: undefined };
    this.all.add(thread);
    // What it ends of, whoever asked it is told.
    thread.worker.on("error", () => {});
    thread.worker.on("exit", () => {
      this.all.delete(thread);
      const at = this.free.indexOf(thread);
      if (at >= 0) this.free.splice(at, 1);
    });
    return thread;
  }

  /** Gives a thread that is free to whoever waits. */
  private hand(thread: ActorThread): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free.push(thread);
    else next(thread);
  }

  /** Ends a thread that failed; another one takes its place. */
  private end(thread: ActorThread): void {
    this.all.delete(thread);
    void thread.worker.terminate();
    if (this.waiting.length > 0) this.hand(this.start());
  }
}

/** The answer of a thread, or why it has ended. */
async function ask(worker: Worker, order: ThreadOrder): Promise<ThreadAnswer> {
  return new Promise((resolve) => {
    const answer = (said: ThreadAnswer) => {
      for (const [event, listener] of Object.entries(listeners)) worker.off(event, listener);
      resolve(said);
    };
    const listeners = {
      message: answer,
      error: ({ name, message }: Error) => answer({ name, message }),
      exit: (code: number) =>
        answer({ name: "Error", message: `the actor's thread ended with code ${code}` }),
    };
    for (const [event, listener] of Object.entries(listeners)) worker.on(event, listener);
    worker.postMessage(order);
  });
}
