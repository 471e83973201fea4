import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { InputError } from "../../base/errors.ts";

/** The data that an actor thread is started with. */
export interface ThreadSetup {
  /** The config for `planTraining`. */
  readonly config: unknown;
  readonly baseDir: string;
}

/** An order to a thread: the games to play. */
export interface ThreadOrder {
  /** New weights, in shared memory, which nobody changes; undefined to play with the weights of the last order. */
  readonly weights: Float32Array | undefined;
  readonly from: number;
  readonly count: number;
}

/** The moves of games, and the time that they took. */
export interface PlayedGames {
  readonly moves: Uint8Array;
  readonly timeMs: number;
}

/** The answer of a thread: the games, or an error. */
export type ThreadAnswer = PlayedGames | { readonly name: string; readonly message: string };

/** Weights with their name. */
export interface NamedWeights {
  readonly name: string;
  readonly numbers: Float32Array;
}

/** An actor in a thread of its own, and the name of the weights that it has. */
interface ActorThread {
  readonly thread: Worker;
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

  /** Plays games with these weights; throws InputError if the config is wrong. */
  async play({ name, numbers }: NamedWeights, games: { from: number; count: number }): Promise<PlayedGames> {
    const actor = this.free.pop() ?? (await this.another());
    const weights = actor.weights === name ? undefined : numbers;
    const answer = await ask(actor.thread, { weights, ...games });
    if ("message" in answer) {
      this.end(actor);
      throw answer.name === "InputError" ? new InputError(answer.message) : new Error(answer.message);
    }
    actor.weights = name;
    this.hand(actor);
    return answer;
  }

  close(): void {
    for (const { thread } of this.all) void thread.terminate();
  }

  private another(): ActorThread | Promise<ActorThread> {
    return this.all.size < this.most ? this.start() : new Promise((take) => this.waiting.push(take));
  }

  private start(): ActorThread {
    const file = fileURLToPath(new URL("actor-thread.js", import.meta.url));
    const thread = new Worker(file, { workerData: this.setup });
    const actor = { thread, weights: undefined };
    this.all.add(actor);
    // `ask` reports the error to its caller.
    thread.on("error", () => {});
    thread.on("exit", () => {
      this.all.delete(actor);
      const at = this.free.indexOf(actor);
      if (at >= 0) this.free.splice(at, 1);
    });
    return actor;
  }

  /** Gives a free thread to the first caller that waits. */
  private hand(actor: ActorThread): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free.push(actor);
    else next(actor);
  }

  /** Ends a thread that failed; another one takes its place. */
  private end(actor: ActorThread): void {
    this.all.delete(actor);
    void actor.thread.terminate();
    if (this.waiting.length > 0) this.hand(this.start());
  }
}

/** Returns the answer of a thread, or the reason why it ended. */
async function ask(thread: Worker, order: ThreadOrder): Promise<ThreadAnswer> {
  return new Promise((resolve) => {
    const answer = (said: ThreadAnswer) => {
      for (const [event, listener] of Object.entries(listeners)) thread.off(event, listener);
      resolve(said);
    };
    const listeners = {
      message: answer,
      error: ({ name, message }: Error) => answer({ name, message }),
      exit: (code: number) =>
        answer({ name: "Error", message: `the actor's thread ended with code ${code}` }),
    };
    for (const [event, listener] of Object.entries(listeners)) thread.on(event, listener);
    thread.postMessage(order);
  });
}
