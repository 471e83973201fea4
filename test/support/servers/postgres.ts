import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, onTestFinished, test } from "vitest";
import { freePort } from "./redis.ts";
import { thorough } from "../thorough.ts";

/**
 * The folders where systems have PostgreSQL's programs, the latest version first; Debian does not put them into the
 * path.
 */
const FOLDERS = [
  ...debianFolders(),
  ...(process.env["PATH"] ?? "").split(":"),
  "/usr/local/opt/postgresql/bin",
  "/opt/homebrew/bin",
];
const bin = FOLDERS.find((folder) => folder !== "" && existsSync(join(folder, "initdb")));

function debianFolders(): string[] {
  const parent = "/usr/lib/postgresql";
  if (!existsSync(parent)) return [];
  const versions = readdirSync(parent).toSorted((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(parent, version, "bin"));
}

/** True if leagues are tested here; with AGON_SERVICES=1 they must be. */
export const hasPostgres = bin !== undefined || process.env["AGON_SERVICES"] === "1";

/** A test that needs a PostgreSQL of its own. */
export const postgresTest = test.runIf(hasPostgres);

/** One that takes long, for `npm run test:all` alone. */
export const slowPostgresTest = test.runIf(hasPostgres && thorough(true, false));

/** Prints once, before all tests, which tests are left out (vitest's `globalSetup`). */
export function setup(): void {
  if (!hasPostgres) process.stderr.write("No PostgreSQL here: the tests of leagues are left out.\n");
}

/** A server of its own, whose superuser is `owner`; everybody needs the password PASSWORD. */
export interface TestPostgres {
  readonly port: number;
  /** Stops it, without asking, or with `start` again. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Ends it and removes its files. */
  end(): Promise<void>;
}

export const PASSWORD = "pass'w:o/rd";

/** The server does not run as root. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** Starts a server that lives until `end`; several tests may share it, each with a database of its own. */
export async function startPostgres(): Promise<TestPostgres> {
  if (bin === undefined) throw new Error("AGON_SERVICES=1, but there is no PostgreSQL: install it");
  const port = await freePort();
  const who = unprivileged();
  const dir = mkdtempSync(join(tmpdir(), "agon-postgres-"));
  if (who.uid !== undefined) chownSync(dir, who.uid, who.gid!);
  const data = join(dir, "data");
  const options = { ...who, cwd: dir, env: { PATH: process.env["PATH"], LC_ALL: "C.UTF-8" } };
  execFileSync(
    "/bin/sh",
    [
      "-c",
      `cat > password && exec "$0" -D "$1" -U owner -A scram-sha-256 --pwfile password -E UTF8 -N`,
      join(bin, "initdb"),
      data,
    ],
    { ...options, input: PASSWORD, stdio: ["pipe", "ignore", "inherit"] },
  );
  let child: ChildProcess | undefined;
  const settings = {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: dir,
    fsync: "off",
    log_min_messages: "panic",
  };
  const server: TestPostgres = {
    port,
    async start() {
      const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
      child = spawn(join(bin, "postgres"), ["-D", data, ...args], { ...options, stdio: "ignore" });
      await answers(port);
    },
    async kill() {
      const gone = new Promise((resolve) => child?.once("exit", resolve));
      // The postmaster ends all connections at once.
      child?.kill("SIGQUIT");
      await gone;
    },
    async end() {
      await server.kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
  process.on("exit", () => child?.kill("SIGQUIT"));
  await server.start();
  return server;
}

export function urlOf({ port }: TestPostgres, database: string, user = "owner"): string {
  return `postgres://${user}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`;
}

async function answers(port: number): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    const client = new pg.Client({ connectionString: urlOf({ port } as TestPostgres, "postgres") });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await sleep(25);
    }
  }
  throw new Error(`no PostgreSQL answers at port ${port}`);
}

/** Runs SQL as the superuser of a database; the rows of the (last) query. */
export async function sql(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const results: unknown = await client.query(text, values.length > 0 ? values : undefined);
    const last = (Array.isArray(results) ? results.at(-1) : results) as { rows: Record<string, unknown>[] };
    return last.rows;
  } finally {
    await client.end();
  }
}

let databases = 0;

/** A new database; its URL. It goes with the server. */
export async function newDatabase(server: TestPostgres): Promise<string> {
  const name = `games${++databases}`;
  await sql(urlOf(server, "postgres"), `create database ${name}`);
  return urlOf(server, name);
}

/** One server for all tests of a file; it is there when they begin. */
export function sharedPostgres(): { readonly server: TestPostgres } {
  let server: TestPostgres | undefined;
  beforeAll(async () => {
    if (hasPostgres) server = await startPostgres();
  });
  afterAll(async () => server?.end());
  return {
    get server() {
      return server!;
    },
  };
}

/** A connection that ends with the test. */
export async function openClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}
