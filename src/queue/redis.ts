import { setTimeout as sleep } from "node:timers/promises";
import type { Redis, RedisOptions } from "ioredis";
import { InputError } from "../base/errors.ts";

/*
 * Redis (or Valkey), and BullMQ on it. Their clients are optional packages and are loaded when they are needed.
 */

/** The address of a queue. */
export interface QueueAddress {
  /** The address without the password, for people. */
  readonly shown: string;
  readonly options: RedisOptions;
}

/** User name and password for a URL that has none. */
export interface Credentials {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

/**
 * Reads redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE]; with rediss: the connection is encrypted. Throws InputError that
 * does not repeat the password.
 */
export function parseQueueUrl(text: string, credentials: Credentials = {}): QueueAddress {
  const allowed =
    "a queue is redis://HOST[:PORT][/DATABASE], or rediss:// with TLS, such as redis://localhost:6379/0";
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw new InputError(`${allowed}; this is none`);
  if (url.protocol !== "redis:" && url.protocol !== "rediss:")
    throw new InputError(`${allowed}; got ${url.protocol}`);
  if (url.hostname === "") throw new InputError(`${allowed}; this names no host`);
  const database = /^\/?(\d{0,5})$/.exec(url.pathname)?.[1];
  if (database === undefined || url.search !== "" || url.hash !== "")
    throw new InputError(`${allowed}; this has something else after the host`);
  const port = url.port === "" ? 6379 : Number(url.port);
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const username = decoded(url.username) || credentials.username;
  const password = decoded(url.password) || credentials.password;
  return {
    shown: `${url.protocol}//${url.hostname}:${port}/${database || 0}`,
    options: {
      host,
      port,
      db: Number(database),
      ...(username && { username }),
      ...(password && { password }),
      ...(url.protocol === "rediss:" && { tls: {} }),
    },
  };
}

/** A decoded part of a URL; throws InputError that does not repeat it. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new InputError("a % in the user name or the password of a queue's URL must be written as %25");
  }
}

/** Every key of agon's in Redis begins with this and a colon. */
export const PREFIX = "agon";
/** The longest wait for Redis's answer at the start, in ms; later there is no limit. */
const HELLO_MS = 10_000;
const RETRY_MS = { first: 100, most: 2000 };
/** A connection that has been silent for this time is made anew: networks break without notice. */
const SILENCE_MS = 12_000;
const SILENCE_CHECK_MS = 3000;
/** The states of a connection in which Redis answers: to the greeting, and to commands. */
const ANSWERING: ReadonlySet<string> = new Set(["connect", "ready"]);

/** Redis errors that an operator can fix: out of memory, full disk, read-only replica, missing rights. */
const REFUSALS = /\b(OOM|MISCONF|READONLY|NOREPLICAS|CLUSTERDOWN|NOPERM|NOAUTH|WRONGPASS)\b/;
/** Redis errors that mean that it is not ready yet. */
const NOT_READY = /\b(LOADING|BUSY|MASTERDOWN|TRYAGAIN)\b/;

/** True for an error that an operator can fix. */
export function isRefusal(error: unknown): error is Error {
  return error instanceof Error && (REFUSALS.test(error.message) || isNotReady(error));
}

/** True for an error that goes away when Redis is ready. */
export function isNotReady(error: unknown): error is Error {
  return error instanceof Error && NOT_READY.test(error.message);
}

/** True for the answer of Redis to a key that another program has written. */
export function isWrongType(error: unknown): error is Error {
  return error instanceof Error && /\bWRONGTYPE\b/.test(error.message);
}

/** BullMQ and the client of Redis. */
export interface QueueLibraries {
  readonly Queue: typeof import("bullmq").Queue;
  readonly Worker: typeof import("bullmq").Worker;
  readonly Redis: typeof import("ioredis").Redis;
}

/** Loads both; throws InputError if they are not installed. */
export async function loadQueueLibraries(): Promise<QueueLibraries> {
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

/** A connection, once Redis has answered. Later, commands wait until it is there again. Throws InputError. */
export async function connect({ shown, options }: QueueAddress, { Redis }: QueueLibraries): Promise<Redis> {
  const redis = new Redis({
    ...options,
    maxRetriesPerRequest: null,
    retryStrategy: (times: number) => Math.min(times * RETRY_MS.first, RETRY_MS.most),
  });
  // A server without TLS may wait for more bytes in silence; a server with TLS may hang up.
  const how = options.tls === undefined ? "without" : "with";
  let trouble = "no answer";
  let hello: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = () =>
      reject(
        new InputError(
          `${shown} does not answer (${trouble}): is a Redis or Valkey running there, ${how} TLS?`,
        ),
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
    // Redis reports a wrong password or database number as an error event beside the answer.
    await Promise.race([tryOut(redis), late]);
  } catch (error) {
    redis.disconnect();
    if (error instanceof InputError) throw error;
    throw new InputError(
      `${shown} ${describeRefusal(error as Error) ?? `cannot be used: ${(error as Error).message}`}`,
    );
  } finally {
    clearTimeout(hello);
  }
  reviveWhenSilent(redis);
  return redis;
}

/** Throws if Redis cannot hold queues: it must accept writes, and scripts must take several keys. */
async function tryOut(redis: Redis): Promise<void> {
  for (;;) {
    try {
      if (/^cluster_enabled:1/m.test(await redis.info("cluster")))
        throw new Error("it is a cluster; queues need one server, without cluster mode");
      await redis.set(`${PREFIX}:hello`, 1, "PX", 1000);
      return;
    } catch (error) {
      if (!isNotReady(error)) throw error;
    }
    await sleep(RETRY_MS.first);
  }
}

/** The message for an error that does not go away by itself. */
function describeRefusal({ code = "", message }: NodeJS.ErrnoException): string | undefined {
  if (REFUSALS.test(message) || /ERR invalid password|DB index/.test(message)) return `refuses: ${message}`;
  if (/CERT|UNABLE_TO_/.test(code))
    return `has a certificate that is not trusted: ${message}; NODE_EXTRA_CA_CERTS names a file of those that are`;
  // A server without TLS cannot read an encrypted hello, nor can this client read its answer.
  return code === "EPROTO" || code.startsWith("ERR_SSL") ? "does not speak TLS: try redis://" : undefined;
}

/**
 * Makes a connection anew when it has been silent for long, and so for its duplicates: BullMQ waits for jobs on one. A network
 * that breaks without notice may do so at any time, between the greeting and its answer too.
 */
function reviveWhenSilent(redis: Redis): void {
  let heard = "";
  let silentMs = 0;
  const look = () => {
    const { status } = redis;
    // A connection that is being made has none at first.
    const stream = redis.stream as Redis["stream"] | undefined;
    // Unsent commands may be large.
    const now = `${status} ${stream?.bytesRead} ${stream?.writableLength}`;
    silentMs = now === heard && ANSWERING.has(status) ? silentMs + SILENCE_CHECK_MS : 0;
    heard = now;
    if (silentMs >= SILENCE_MS) redis.disconnect(true);
    else if (status === "ready" && stream?.writableLength === 0) redis.ping().catch(() => {});
  };
  // BullMQ ends a connection whose answer is late, and opens it again.
  let watch: NodeJS.Timeout | undefined;
  const begin = () => (watch ??= setInterval(look, SILENCE_CHECK_MS).unref());
  begin();
  redis.on("connecting", begin);
  redis.on("end", () => {
    clearInterval(watch);
    watch = undefined;
  });
  const duplicate = redis.duplicate.bind(redis);
  redis.duplicate = (options) => {
    const copy = duplicate(options);
    reviveWhenSilent(copy);
    return copy;
  };
}
