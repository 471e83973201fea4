import { randomBytes } from "node:crypto";
import type Database from "libsql";
import { InputError } from "../../base/errors.ts";

/* The tables of a store, and the marks by which a database is known as one. */

/** Lists of numbers are stored as text, separated by commas, readable from any SQLite client. */
const TABLES = `
  create table if not exists run (key text primary key, value text not null) without rowid;
  create table if not exists games (
    id text primary key,
    block text not null,
    seats text not null,
    actions text not null,
    opening_length integer not null,
    returns text not null,
    ending text not null,
    forfeit_seat integer not null,
    detail text not null,
    decisions text not null,
    nodes text not null,
    time_ms text not null,
    thoughts text not null
  );
`;

/** Numbers in the header of a store: agon's id, and the format of the store. */
const APPLICATION_ID = 0x61676f6e;
const FORMAT_VERSION = 1;

/** Parts of a database that change what is read or written, and how the schema lists them. */
const FOREIGN = [
  ["trigger", "type = 'trigger'"],
  ["view", "type = 'view'"],
  ["virtual table", "sql like 'create virtual%'"],
] as const;

/** Makes the tables that are missing, and gives a new store its id. */
export function createTables(database: Database.Database): void {
  const header = `pragma application_id = ${APPLICATION_ID}; pragma user_version = ${FORMAT_VERSION};`;
  database.exec(`begin immediate; ${TABLES} ${header}`);
  database.exec(`insert or ignore into run values ('id', '${randomBytes(12).toString("hex")}')`);
  database.exec("commit");
}

/** Throws InputError for a database of another program or of a later format. */
export function checkFormat(
  database: Database.Database,
  { path, isWritable }: { readonly path: string; readonly isWritable: boolean },
): void {
  const one = (sql: string) => (database.prepare(sql).raw().get() as [number])[0];
  // One transaction reads all of it, even while another process makes the tables.
  database.exec("begin");
  const [application, version] = [one("pragma application_id"), one("pragma user_version")];
  const tables = one("select count(*) from sqlite_master where type = 'table'");
  const own = one("select count(*) from sqlite_master where type = 'table' and name in ('run', 'games')");
  const foreign = FOREIGN.find(([, where]) => one(`select count(*) from sqlite_master where ${where}`) > 0);
  database.exec("commit");
  const isOurs = application === APPLICATION_ID || (application === 0 && version === 0 && tables === 0);
  if (isOurs && foreign !== undefined)
    throw new InputError(
      `has a ${foreign[0]}, as no store of agon has: its games may not be those that were played. Nothing was changed in it`,
      path,
    );
  if (!isOurs || (tables > 0 && own !== 2))
    throw new InputError("is a database of another program, not a store of agon", path);
  if (tables === 0 && !isWritable) throw new InputError("is empty: no run was begun here", path);
  if (version > FORMAT_VERSION)
    throw new InputError(
      `has the format ${version} of a later agon; this one reads formats up to ${FORMAT_VERSION}`,
      path,
    );
}
