import type { RedisOptions } from "ioredis";
import { InputError } from "../base/errors.ts";

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
