import { setTimeout as sleep } from "node:timers/promises";
import type { Processor, Queue, QueueOptions, Worker, WorkerOptions } from "bullmq";
import type { Redis } from "ioredis";
import { InputError } from "../base/errors.ts";
import { describeError } from "../base/thrown.ts";
import type { QueueAddress } from "./address.ts";

/*
 * Redis (or Valkey), and BullMQ on it. Their clients are optional packages, which are loaded when they are needed.
 */

/** Every key of agon's in Redis begins with this and a colon. */
export const PREFIX = "agon";
/** So long an answer is waited for before the first command; later, for ever. */
const HELLO_MS = 10_000;
const RETRY_MS = { first: 100, most: 2000 };
/** A connection on which nothing has come for so long is made anew: a network may be cut without a word. */
const SILENCE_MS = 12_000;
const SILENCE_CHECK_MS = 3000;

/** How Redis begins to say no where somebody can help it: no memory, a full disk, a replica, rights, no answer yet. */
const REFUSALS =
  /\b(OOM|MISCONF|READONLY|NOREPLICAS|LOADING|BUSY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOPERM|NOAUTH|WRONGPASS)\b/;

/** A connection to Redis, and queues over it. While Redis is away, or refuses what it is told, this is said once. */
export class Link {
  readonly redis: Redis;
  private readonly libraries: QueueLibraries;
  private readonly shown: string;
  private readonly onNote: (text: string) => void;
  private isAway = false;
  private isClosed = false;
  /** The error that was told last. */
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
   * Connects; throws InputError where Redis refuses, or does not answer within ten seconds.
   * @param onNote is told when Redis is away later, and when it is back
   */
  static async open(address: QueueAddress, onNote: (text: string) => void): Promise<Link> {
    const libraries = await loadQueueLibraries();
    return new Link(address, libraries, await connect(address, libraries), onNote);
  }

  /** A queue to give out jobs, or to look at. */
  queue<Data>(name: string, options: Omit<QueueOptions, "connection"> = {}): Queue<Data> {
    const { redis, libraries } = this;
    const queue = new libraries.Queue<Data>(name, { connection: redis, prefix: PREFIX, ...options });
    // The connection tells of its troubles itself.
    queue.on("error", () => {});
    return queue;
  }

  /** Takes the jobs of a queue. */
  worker<Data>(
    name: string,
    work: Processor<Data>,
    options: Omit<WorkerOptions, "connection">,
  ): Worker<Data> {
    const { redis, libraries } = this;
    const worker = new libraries.Worker<Data>(name, work, { connection: redis, prefix: PREFIX, ...options });
    worker.on("error", () => {});
    return worker;
  }

  /** Has Redis do something that may be done twice, again and again as long as it refuses, until the signal. */
  async insist<T>(what: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (;;) {
      try {
        const done = await what();
        this.tellBack();
        return done;
      } catch (error) {
        if (this.isClosed || signal?.aborted || !isRefusal(error)) throw error;
        this.tellAway(`refuses: ${error.message}`);
      }
      await sleep(RETRY_MS.most, undefined, { signal }).catch(() => {});
    }
  }

  /** Whether Redis does not answer, or refuses what it is told. */
  get away(): boolean {
    return this.isAway;
  }

  /** Tells of an error, once where it comes again and again. */
  tell(error: unknown): void {
    if (isRefusal(error)) return this.tellAway(`refuses: ${error.message}`);
    const text = describeError(error);
    if (text !== this.told && !this.isClosed) this.onNote(`the queue: ${text}`);
    this.told = text;
  }

  /** Does what is done before anything else; throws InputError where Redis refuses it. */
  async first<T>(what: () => Promise<T>): Promise<T> {
    try {
      return await what();
    } catch (error) {
      throw isRefusal(error) ? new InputError(`${this.shown} refuses: ${error.message}`) : error;
    }
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

/** Whether Redis said no, and may say yes later. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && REFUSALS.test(error.message);
}

/** BullMQ and the client of Redis. */
interface QueueLibraries {
  readonly Queue: typeof import("bullmq").Queue;
  readonly Worker: typeof import("bullmq").Worker;
  readonly Redis: typeof import("ioredis").Redis;
}

/** Loads them; throws InputError where they are not installed. */
async function loadQueueLibraries(): Promise<QueueLibraries> {
  try {
    const [{ Queue, Worker }, { Redis }] = await Promise.all([import("bullmq"), import("ioredis")]);
    return { Queue, Worker, Redis };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new InputError(
      "queues need two more packages, which are not installed; say: npm install bullmq ioredis",
    );
  }
}

/** A connection, once Redis has answered. Later, commands wait until it is there again. */
async function connect({ shown, options }: QueueAddress, { Redis }: QueueLibraries): Promise<Redis> {
  const redis = new Redis({
    ...options,
    maxRetriesPerRequest: null,
    retryStrategy: (times: number) => Math.min(times * RETRY_MS.first, RETRY_MS.most),
  });
  // A server without TLS may wait for more, and say nothing.
  const how = options.tls === undefined ? "" : ", with TLS";
  let trouble = "no answer";
  let hello: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = () =>
      reject(
        new InputError(`${shown} does not answer (${trouble}): is a Redis or Valkey running there${how}?`),
      );
    hello = setTimeout(fail, HELLO_MS);
    redis.on("error", (error: NodeJS.ErrnoException) => {
      trouble = error.code ?? error.message;
      const refusal = describeRefusal(error);
      if (refusal !== undefined) reject(new InputError(`${shown} ${refusal}`));
    });
  });
  late.catch(() => {});
  try {
    // What it says to a wrong password or number is an error beside its answer.
    await Promise.race([redis.ping().then(async () => redis.ping()), late]);
  } catch (error) {
    redis.disconnect();
    if (error instanceof InputError) throw error;
    throw new InputError(
      `${shown} ${describeRefusal(error as Error) ?? `fails: ${(error as Error).message}`}`,
    );
  } finally {
    clearTimeout(hello);
  }
  reviveWhenSilent(redis);
  return redis;
}

/** What is said of an error that does not go away by itself. */
function describeRefusal({ code = "", message }: NodeJS.ErrnoException): string | undefined {
  if (/WRONGPASS|NOAUTH|NOPERM|ERR invalid password|DB index/.test(message)) return `refuses: ${message}`;
  if (/CERT|UNABLE_TO_/.test(code))
    return `has a certificate that is not trusted: ${message}; NODE_EXTRA_CA_CERTS names a file of those that are`;
  // A server without TLS cannot read what comes, nor can this one.
  return code === "EPROTO" || code.startsWith("ERR_SSL") ? "does not speak TLS: try redis://" : undefined;
}

function reviveWhenSilent(redis: Redis): void {
  let heard = "";
  let silentMs = 0;
  const watch = setInterval(() => {
    const { stream, status } = redis;
    // What waits to be sent may be large.
    const now = `${status} ${stream.bytesRead} ${stream.writableLength}`;
    silentMs = now === heard && status === "ready" ? silentMs + SILENCE_CHECK_MS : 0;
    heard = now;
    if (silentMs >= SILENCE_MS) redis.disconnect(true);
    else if (status === "ready" && stream.writableLength === 0) redis.ping().catch(() => {});
  }, SILENCE_CHECK_MS);
  watch.unref();
  redis.once("end", () => clearInterval(watch));
}
