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
/** A connection on which nothing has come for so long is made anew: a network may be cut without a word. */
const SILENCE_MS = 12_000;
const SILENCE_CHECK_MS = 3000;

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

/** A part of a URL; throws InputError that does not repeat it. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new InputError("a % in the user name or the password of a queue's URL must be written as %25");
  }
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
 * A connection, once Redis has answered; throws InputError where it refuses, or does not answer within ten seconds. Later,
 * commands wait until it is there again; `onTrouble` is told when it is away, and when it is back.
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
  let hello: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = () =>
      reject(new InputError(`${shown} does not answer (${trouble}): is a Redis or Valkey running there?`));
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
  tellOfTroubles(redis, shown, onTrouble);
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

/** Says once that Redis is away, and once that it is back. */
function tellOfTroubles(redis: Redis, shown: string, tell: (what: string) => void): void {
  let isAway = false;
  redis.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    if (!isAway) tell(`${shown} does not answer (${code ?? message}); waiting for it`);
    isAway = true;
  });
  redis.on("ready", () => {
    if (isAway) tell(`${shown} answers again`);
    isAway = false;
  });
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
