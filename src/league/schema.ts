import type { Client } from "pg";
import { InputError } from "../base/errors.ts";
import { FIRST_VERSION } from "./schema-version-1.ts";

/** Version 2: games may end by adjudication. */
const ADJUDICATED_GAMES = `
alter table games drop constraint games_ending_check;
alter table games add constraint games_ending_check check (ending in
  ('finished', 'adjudicated', 'illegal action', 'exception', 'time-out', 'out of memory', 'worker died'));
comment on column games.ending is 'How it ended: by its rules, adjudicated by those of the run, or by a forfeit';
comment on column games.detail is 'Of a forfeit or an adjudication: what happened';
`;

/** The SQL that makes each version of the schema out of the one before. */
const VERSIONS: readonly string[] = [FIRST_VERSION, ADJUDICATED_GAMES];

const VERSION_TABLE = `
create table schema_versions (version integer primary key, made_at timestamptz not null default now());
comment on table schema_versions is 'Versions of this schema that were made here; agon makes the later ones';
`;

/** The name of a schema that agon may use; throws InputError. */
export function parseSchemaName(name: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(name) && !/^(pg_|information_schema$)/.test(name)) return name;
  throw new InputError(
    `a schema is named by up to 63 small letters, digits and _, not pg_..., got ${JSON.stringify(name)}`,
  );
}

/**
 * Creates the schema or brings it to the latest version. Call it within a transaction, whose search path is then the
 * schema. Throws InputError if the schema is of a later agon, or belongs to another program.
 * @param versions other versions, for tests
 */
export async function prepareSchema(
  client: Client,
  schema: string,
  shown: string,
  versions: readonly string[] = VERSIONS,
): Promise<void> {
  const place = `${shown}: schema ${schema}`;
  // The name was checked: it needs no escaping.
  await client.query(`set local search_path = "${schema}", pg_temp`);
  const before = await versionOf(client, schema);
  if (before === versions.length) return;
  // If two programs come at once, one creates the schema and the other waits.
  await client.query("select pg_advisory_xact_lock(hashtextextended('agon schema ' || $1, 0))", [schema]);
  const found = await versionOf(client, schema);
  if (found !== undefined && found > versions.length)
    throw new InputError(
      `is of version ${found}, of a later agon; this one knows versions up to ${versions.length}`,
      place,
    );
  if (found === undefined) await makeEmpty(client, schema, place);
  for (let version = (found ?? 0) + 1; version <= versions.length; version++) {
    await client.query(versions[version - 1]!);
    await client.query("insert into schema_versions (version) values ($1)", [version]);
  }
}

/** The version of the schema; undefined if agon's tables are missing. */
async function versionOf(client: Client, schema: string): Promise<number | undefined> {
  if (!(await tablesOf(client, schema)).includes("schema_versions")) return undefined;
  const { rows } = await client.query(
    "select coalesce(max(version), 0)::integer as last from schema_versions",
  );
  return (rows as { last: number }[])[0]!.last;
}

/** The names of the tables, from the catalogue, which includes those that others created while this program waited. */
async function tablesOf(client: Client, schema: string): Promise<string[]> {
  const { rows } = await client.query(
    "select relname from pg_class join pg_namespace on relnamespace = pg_namespace.oid where nspname = $1",
    [schema],
  );
  return (rows as { relname: string }[]).map(({ relname }) => relname);
}

async function makeEmpty(client: Client, schema: string, place: string): Promise<void> {
  const { rowCount } = await client.query("select from pg_namespace where nspname = $1", [schema]);
  // A user without the right to create schemas can still fill an existing one.
  if (rowCount === 0) await client.query(`create schema "${schema}"`);
  const [other] = await tablesOf(client, schema);
  if (other !== undefined)
    throw new InputError(`has tables that are not agon's (${other}); name another one with --schema`, place);
  await client.query(VERSION_TABLE);
}
