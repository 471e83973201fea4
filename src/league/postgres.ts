import type { Client } from "pg";
import { InputError } from "../base/errors.ts";

/*
 * PostgreSQL and its client, which is an optional package that is loaded when it is needed.
 */

/** The longest wait for a connection. */
const HELLO_MS = 10_000;

const SSL_MODES = ["disable", "no-verify", "require", "verify-full"];

/** The address of a league's database. */
export interface DatabaseAddress {
  /** The address without user and password, for people. */
  readonly shown: string;
  /** The URL for the client. */
  readonly url: string;
}

/**
 * Reads postgres://[USER[:PASSWORD]@]HOST[:PORT]/DATABASE[?sslmode=MODE]. Throws InputError that does not repeat the
 * password.
 */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  const allowed = "a database is postgres://[USER@]HOST[:PORT]/DATABASE[?sslmode=MODE]";
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw new InputError(`${allowed}; this is no URL`);
  if (url.protocol !== "postgres:" && url.protocol !== "postgresql:")
    throw new InputError(`${allowed}, got ${url.protocol}`);
  // A folder with the server's socket is a parameter.
  const host = url.searchParams.get("host") ?? url.hostname;
  if (host === "" || url.pathname.length < 2 || url.hash !== "")
    throw new InputError(`${allowed}, such as postgres://localhost/games`);
  const mode = url.searchParams.get("sslmode");
  if (mode !== null && !SSL_MODES.includes(mode))
    throw new InputError(`sslmode must be one of ${SSL_MODES.join(", ")}, got ${JSON.stringify(mode)}`);
  // The client treats both alike, but warns about `require`.
  if (mode === "require") url.searchParams.set("sslmode", "verify-full");
  const port = url.port === "" ? "" : `:${url.port}`;
  return { shown: `postgres://${host}${port}${url.pathname}`, url: url.href };
}

/** Connects to the database. Throws InputError if that fails. */
export async function connect({ shown, url }: DatabaseAddress): Promise<Client> {
  const { Client: PgClient } = await loadClient();
  let client: Client | undefined;
  try {
    client = new PgClient({
      // Certificates that the URL names are read here.
      connectionString: url,
      connectionTimeoutMillis: HELLO_MS,
      application_name: "agon league",
      keepAlive: true,
    });
    // The current query, or the next one, fails too.
    client.on("error", () => {});
    await client.connect();
    const { rows } = await client.query("select current_setting('server_encoding') as encoding");
    const [{ encoding } = { encoding: "" }] = rows as { encoding: string }[];
    if (encoding !== "UTF8")
      throw new InputError(`has the encoding ${encoding}; a database for agon has UTF8`, shown);
    return client;
  } catch (error) {
    await client?.end().catch(() => {});
    throw explained(error, shown);
  }
}

async function loadClient(): Promise<{ readonly Client: typeof Client }> {
  try {
    return await import("pg");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new InputError("a league needs one more package, which is not installed; say: npm install pg");
  }
}

const AGAIN = "games exported before are kept; the same command continues";

/** Our words before and after PostgreSQL's message, by the beginning of its code; the first that fits. */
const REFUSALS: readonly (readonly [code: string, said: string, advice?: string])[] = [
  ["28", "refuses this user", "user and password come from the URL, PGUSER and PGPASSWORD, or ~/.pgpass"],
  ["3D000", "has no such database", "make it with createdb, or name another one"],
  ["42501", "refuses", "docs/league.md has the rights that are needed"],
  ["25006", "can only be read", "name the server that takes writes"],
  ["53", "has no room", AGAIN],
  ["57", "was stopped", AGAIN],
  ["08", "was lost", AGAIN],
  ["40", "had a conflict with another program", AGAIN],
];

/** Faults of the connection, by the code of Node's error or by the client's message. */
const UNREACHABLE = /^(E[A-Z_]+)$/;
const LOST = /^(Connection terminated|Client has encountered a connection error)/;
const TLS = /SSL|TLS|certificate|altnames/i;

/** Turns an error about the database into an InputError of one sentence; returns any other error as it is. */
export function explained(error: unknown, shown: string): unknown {
  if (!(error instanceof Error) || error instanceof InputError) return error;
  const { code = "", message, path } = error as Error & { code?: string; path?: string };
  const said = (what: string, advice?: string) =>
    new InputError(advice === undefined ? what : `${what}; ${advice}`, shown);
  const refusal = REFUSALS.find(([start]) => /^[0-9A-Z]{5}$/.test(code) && code.startsWith(start));
  if (refusal !== undefined) return said(`${refusal[1]}: ${message}`, refusal[2]);
  if (message.startsWith("SASL")) return said("wants a password", REFUSALS[0]![2]);
  if (/timeout expired|connection timeout/.test(message))
    return said(`does not answer within ${HELLO_MS / 1000} seconds`);
  if (LOST.test(message) || code === "ECONNRESET" || code === "EPIPE")
    return said("the connection was lost", AGAIN);
  if (TLS.test(`${code} ${message}`))
    return said(`no connection with TLS: ${message}`, `sslmode is one of ${SSL_MODES.join(", ")}`);
  if (path !== undefined && !message.startsWith("connect "))
    return said(`a file of the URL cannot be read: ${path} (${code})`);
  if (UNREACHABLE.test(code)) return said(`does not answer: ${code}`);
  return error;
}

// PostgreSQL's texts have no NUL, and no half of a surrogate pair.
/** Stands for a NUL: U+2400, the symbol for null. */
const NUL_SYMBOL = "\u2400";
const NUL = String.fromCharCode(0);

/** The text with ␀ (U+2400) for each NUL and U+FFFD for each half of a surrogate pair. */
export function storable(text: string): string {
  return text.replaceAll(NUL, NUL_SYMBOL).replaceAll(/\p{Surrogate}/gu, "\ufffd");
}

/** JSON in which all texts, keys among them, are storable. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === "string") return storable(inner);
    if (inner === null || typeof inner !== "object" || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, held]) => [storable(key), held as unknown]));
  });
}
