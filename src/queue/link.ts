import { setTimeout as sleep } from "node:timers/promises";
import type { Processor, Queue, QueueOptions, Worker, WorkerOptions } from "bullmq";
import type { Redis } from "ioredis";
import { InputError } from "../base/errors.ts";
import { describeError } from "../base/thrown.ts";
import {
  connect,
  isNotReady,
  isRefusal,
  isWrongType,
  loadQueueLibraries,
  PREFIX,
  type QueueAddress,
  type QueueLibraries,
} from "./redis.ts";

/** The wait before a refused command is sent again, in ms. */
const RETRY_MS = 2000;
/** After this many failed attempts there is no connection. */
const MANY_ERRORS = 3;

/** A connection to Redis, and queues over it. It notes once that Redis is away or refuses commands. */
export class Link {
  readonly redis: Redis;
  private readonly libraries: QueueLibraries;
  private readonly shown: string;
  private readonly onNote: (text: string) => void;
  private isAway = false;
  private isClosed = false;
  /** The last error that was noted. */
  private told = "";

  private constructor(
    { shown }: QueueAddress,
    libraries: QueueLibraries,
    redis: Redis,
    onNote: (text: string) => void,
  ) {
    this.shown = shown;
    this.libraries = libraries;
    this.redis = redis;
    this.onNote = onNote;
    redis.on("error", ({ code, message }: NodeJS.ErrnoException) =>
      this.tellAway(`does not answer (${code ?? message})`),
    );
    redis.on("ready", () => this.tellBack());
  }

  /**
   * Connects; throws InputError if Redis refuses, or does not answer within ten seconds.
   * @param onNote receives a note when Redis is away later, and when it is back
   */
  static async open(address: QueueAddress, onNote: (text: string) => void): Promise<Link> {
    const libraries = await loadQueueLibraries();
    return new Link(address, libraries, await connect(address, libraries), onNote);
  }

  /** A queue, to add jobs or to inspect it. */
  queue<Data>(name: string, options: Omit<QueueOptions, "connection"> = {}): Queue<Data> {
    const { redis, libraries } = this;
    const queue = new libraries.Queue<Data>(name, { connection: redis, prefix: PREFIX, ...options });
    // The connection reports its own errors.
    queue.on("error", () => {});
    return queue;
  }

  /** A BullMQ worker that takes the jobs of a queue. */
  worker<Data>(
    name: string,
    work: Processor<Data>,
    options: Omit<WorkerOptions, "connection">,
  ): Worker<Data> {
    const { redis, libraries } = this;
    const worker = new libraries.Worker<Data>(name, work, { connection: redis, prefix: PREFIX, ...options });
    // BullMQ waits for jobs on a second connection, which Redis may refuse while it keeps the first one.
    let refused = 0;
    worker.on("active", () => (refused = 0));
    worker.on("error", (error) => {
      const { message } = error;
      if (isWrongType(error)) return this.tell(error);
      if (this.isAway || !/EPIPE|ECONNRESET|closed/.test(message)) return;
      if (++refused === MANY_ERRORS)
        this.onNote(`${this.shown} takes no second connection (${message}): has it reached its maxclients?`);
    });
    return worker;
  }

  /** Repeats a command as long as Redis refuses it, until the signal. The command must be one that may run twice. */
  async insist<T>(what: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (;;) {
      try {
        const done = await what();
        this.tellBack();
        return done;
      } catch (error) {
        if (this.isClosed || signal?.aborted || !isRefusal(error)) throw this.inWords(error);
        this.tellAway(`refuses: ${error.message}`);
      }
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** True while Redis does not answer, or refuses commands. */
  get away(): boolean {
    return this.isAway;
  }

  /** Notes an error; a repeated one is noted once. */
  tell(error: unknown): void {
    if (isRefusal(error)) return this.tellAway(`refuses: ${error.message}`);
    const known = this.inWords(error);
    const text = known instanceof InputError ? known.message : describeError(known);
    if (text !== this.told && !this.isClosed) this.onNote(`the queue: ${text}`);
    this.told = text;
  }

  /** Runs the first commands, which may run twice; throws InputError if Redis refuses them. */
  async first<T>(what: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await what();
      } catch (error) {
        if (isNotReady(error)) await sleep(RETRY_MS);
        else if (isRefusal(error)) throw new InputError(`${this.shown} refuses: ${error.message}`);
        else throw this.inWords(error);
      }
    }
  }

  /** An error of Redis that its user can do something about as InputError; any other error as it is. */
  private inWords(error: unknown): unknown {
    if (!isWrongType(error)) return error;
    return new InputError(
      `${this.shown} has a key that begins with "${PREFIX}:" and is not agon's, as its type is another; remove such keys, or name another database`,
    );
  }

  close(): void {
    this.isClosed = true;
    this.redis.disconnect();
  }

  private tellAway(why: string): void {
    if (!this.isAway && !this.isClosed) this.onNote(`${this.shown} ${why}; waiting for it`);
    this.isAway = true;
  }

  private tellBack(): void {
    if (this.isAway) this.onNote(`${this.shown} answers again`);
    this.isAway = false;
  }
}
