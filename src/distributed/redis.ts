import type { Redis, RedisOptions } from "ioredis";
import { InputError } from "../base/errors.ts";

/*
 * Redis (or Valkey), and BullMQ on it. Their clients are optional packages, which are loaded when they are needed.
 */

/** Every key of agon's in Redis begins with this and a colon. */
export const PREFIX = "agon";
/** So long an answer is waited for before the first command; later, for ever. */
const HELLO_MS = 10_000;
const RETRY_MS = { first: 100, most: 2000 };

/** Where a queue is. */
export interface QueueAddress {
  /** Without the password, for people. */
  readonly shown: string;
  readonly options: RedisOptions;
}

/** Where user name and password come from if the URL has none. */
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
  const database = /^\/?(\d{0,5})$/.exec(url.pathname)?.[1];
  if (url.hostname === "" || database === undefined || url.search !== "" || url.hash !== "")
    throw new InputError(`${allowed}; this has something else after the host`);
  const port = url.port === "" ? 6379 : Number(url.port);
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const username = decodeURIComponent(url.username) || credentials.username;
  const password = decodeURIComponent(url.password) || credentials.password;
  return {
    shown: `${url.protocol}//${url.hostname}:${port}/${database || 0}`,
    options: {
      host,
      port,
      db: Number(database),
      ...(username && { username }),
      ...(password && { password }),
      ...(url.protocol === "rediss:" && { tls: { servername: host } }),
    },
  };
}

/** BullMQ and the client of Redis. */
export interface QueueLibraries {
  readonly Queue: typeof import("bullmq").Queue;
  readonly Worker: typeof import("bullmq").Worker;
  readonly UnrecoverableError: typeof import("bullmq").UnrecoverableError;
  readonly Redis: typeof import("ioredis").Redis;
}

/** Loads them; throws InputError where they are not installed. */
export async function loadQueueLibraries(): Promise<QueueLibraries> {
  try {
    const [{ Queue, Worker, UnrecoverableError }, { Redis }] = await Promise.all([
      import("bullmq"),
      import("ioredis"),
    ]);
    return { Queue, Worker, UnrecoverableError, Redis };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new InputError(
      "queues need two more packages, which are not installed; say: npm install bullmq ioredis",
    );
  }
}

/**
 * A connection, once Redis has answered; throws InputError where it does not within ten seconds. Later, commands wait
 * until it is there again; `onTrouble` is told of what is wrong.
 */
export async function connect(
  address: QueueAddress,
  { Redis }: QueueLibraries,
  onTrouble: (what: string) => void,
): Promise<Redis> {
  const { shown } = address;
  const redis = new Redis({
    ...address.options,
    maxRetriesPerRequest: null,
    retryStrategy: (times: number) => Math.min(times * RETRY_MS.first, RETRY_MS.most),
  });
  let trouble = "no answer";
  let isReady = false;
  redis.on("error", (error: NodeJS.ErrnoException) => {
    trouble = error.code ?? error.message;
    if (isReady) onTrouble(`${shown} does not answer (${trouble}); waiting for it`);
  });
  let hello: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = () =>
      reject(new InputError(`${shown} does not answer (${trouble}): is a Redis or Valkey running there?`));
    hello = setTimeout(fail, HELLO_MS);
    redis.on("error", ({ message }: Error) => {
      if (/WRONGPASS|NOAUTH|NOPERM|ERR invalid password|DB index/.test(message))
        reject(new InputError(`${shown} refuses: ${message}`));
    });
  });
  try {
    await Promise.race([redis.ping(), late]);
    isReady = true;
    return redis;
  } catch (error) {
    redis.disconnect();
    throw error;
  } finally {
    clearTimeout(hello);
  }
}
