import { describe, expect, test } from "vitest";
import { InputError } from "../../src/base/errors.ts";
import { League } from "../../src/league/league.ts";
import { explained } from "../../src/league/postgres.ts";
import {
  newDatabase,
  PASSWORD,
  postgresTest,
  sharedPostgres,
  sql,
  urlOf,
} from "../support/servers/postgres.ts";

const shared = sharedPostgres();

/** The error for a wrong address, without the place of the server. */
async function refusal(url: string, schema = "agon"): Promise<string> {
  const error: unknown = await League.open(url, schema).then(
    (league) => league.close(),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(InputError);
  const { message } = error as InputError;
  for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), "secret", "\n"])
    expect(message).not.toContain(secret);
  return message.replace(/127\.0\.0\.1:\d+/, "HOST");
}

test("an address that is none is refused, and no password is repeated", async () => {
  const allowed = "a database is postgres://[USER@]HOST[:PORT]/DATABASE[?sslmode=MODE]";
  expect(await refusal("runs/a")).toBe(`${allowed}; this is no URL`);
  expect(await refusal("mysql://me:secret@host/games")).toBe(`${allowed}, got mysql:`);
  expect(await refusal("postgres://me:secret@host")).toBe(`${allowed}, such as postgres://localhost/games`);
  expect(await refusal("postgres://me:secret@h:x/games")).toBe(`${allowed}; this is no URL`);
  expect(await refusal("postgres://me:secret@host/games?sslmode=allow")).toBe(
    'sslmode must be one of disable, no-verify, require, verify-full, got "allow"',
  );
  expect(await refusal("postgres://me:secret@host/games?sslmode=verify-full&sslrootcert=/none")).toBe(
    "postgres://host/games: a file of the URL cannot be read: /none (ENOENT)",
  );
  expect(await refusal("postgres:///games?host=/none")).toBe(
    "postgres:///none/games: does not answer: ENOENT",
  );
});

postgresTest("what the server refuses is told in one sentence", async () => {
  const url = await newDatabase(shared.server);
  const name = new URL(url).pathname.slice(1);
  await sql(url, "create role guest login password 'guest'");
  const credentials = "user and password come from the URL, PGUSER and PGPASSWORD, or ~/.pgpass";
  expect(await refusal(url.replace(/owner:[^@]*/, "owner:secret"))).toBe(
    `postgres://HOST/${name}: refuses this user: password authentication failed for user "owner"; ${credentials}`,
  );
  expect(await refusal(url.replace(/:[^:@]*@/, "@"))).toBe(
    `postgres://HOST/${name}: wants a password; ${credentials}`,
  );
  expect(await refusal(urlOf(shared.server, "nowhere"))).toBe(
    'postgres://HOST/nowhere: has no such database: database "nowhere" does not exist; make it with createdb, or name another one',
  );
  expect(await refusal(url.replace(/owner:[^@]*/, "guest:guest"))).toBe(
    `postgres://HOST/${name}: refuses: permission denied for database ${name}; docs/league.md has the rights that are needed`,
  );
  expect(await refusal(`${url}?sslmode=require`)).toBe(
    `postgres://HOST/${name}: no connection with TLS: The server does not support SSL connections; sslmode is one of disable, no-verify, require, verify-full`,
  );
  await sql(url, "create database latin encoding latin1 locale 'C' template template0");
  expect(await refusal(urlOf(shared.server, "latin"))).toBe(
    "postgres://HOST/latin: has the encoding LATIN1; a database for agon has UTF8",
  );
  expect(await refusal(url, "Mine")).toBe(
    'a schema is named by up to 63 small letters, digits and _, not pg_..., got "Mine"',
  );
});

describe("an error of the client", () => {
  const said = (message: string, code?: string) =>
    (explained(Object.assign(new Error(message), { code }), "HERE") as Error).message;

  test("that is about the connection is told as such", () => {
    const again = "games exported before are kept; the same command continues";
    expect(said("timeout expired")).toBe("HERE: does not answer within 10 seconds");
    expect(said("Connection terminated unexpectedly")).toBe(`HERE: the connection was lost; ${again}`);
    expect(said("read ECONNRESET", "ECONNRESET")).toBe(`HERE: the connection was lost; ${again}`);
    expect(said("could not extend file", "53100")).toBe(`HERE: has no room: could not extend file; ${again}`);
    expect(said("self-signed certificate", "DEPTH_ZERO_SELF_SIGNED_CERT")).toMatch(
      /^HERE: no connection with TLS: self-signed certificate; sslmode is one of/,
    );
  });

  test("that is ours stays as it is", () => {
    const ours = Object.assign(new Error("syntax error"), { code: "42601" });
    expect(explained(ours, "HERE")).toBe(ours);
    expect(explained(new TypeError("x"), "HERE")).toBeInstanceOf(TypeError);
  });
});
