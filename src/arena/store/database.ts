import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type Database from "libsql";
import { InputError } from "../../base/errors.ts";
import { asBlob } from "./rows.ts";
import { checkFormat } from "./tables.ts";

/** The keys of the texts that a store keeps about its run. */
type NoteKey = "id" | "plan" | "total" | "sprt" | "sittings";

/**
 * The database of a store. Faults that SQLite finds in the file become InputErrors. Texts are read as bytes: the client of
 * SQLite ends the process where one is not UTF-8.
 */
export class StoreDatabase {
  readonly path: string;
  private readonly database: Database.Database;

  /** Opens the file; throws InputError unless it is a store of agon or empty. */
  constructor(
    path: string,
    { isWritable, patienceMs }: { readonly isWritable: boolean; readonly patienceMs: number },
  ) {
    this.path = path;
    const Libsql = loadLibsql();
    try {
      this.database = new Libsql(path, { readonly: !isWritable });
    } catch (error) {
      throw Object.assign(new InputError(`cannot be opened: ${(error as Error).message}`, path), {
        cause: error,
      });
    }
    this.guard((database) => {
      database.exec(`pragma busy_timeout = ${patienceMs}`);
      checkFormat(database, { path, isWritable });
    });
  }

  /** Runs a statement without results; its errors come as SQLite throws them. */
  exec(sql: string): void {
    this.database.exec(sql);
  }

  /** A statement whose rows are lists of values. */
  prepare(sql: string): Database.Statement<unknown[]> {
    return this.guard((database) => database.prepare(sql).raw());
  }

  /** A statement without results. */
  prepareWrite(sql: string): Database.Statement<unknown[]> {
    return this.database.prepare(sql);
  }

  /** The number that a query gives; undefined without a row, and for null. */
  number(sql: string, ...values: readonly string[]): number | undefined {
    const query = this.prepare(sql);
    return (this.guard(() => query.get(...values)) as [number | null] | undefined)?.[0] ?? undefined;
  }

  /** The text that the run keeps under a key; undefined without one. */
  note(key: NoteKey): string | undefined {
    return Array.from(this.rows("value", `from run where key = '${key}'`), String)[0];
  }

  setNote(key: NoteKey, value: string): void {
    this.guard((database) => database.prepare("insert or replace into run values (?, ?)").run(key, value));
  }

  /** A query whose columns come as one blob. */
  select(columns: string, rest: string): Database.Statement<unknown[]> {
    return this.prepare(`select ${asBlob(columns)} ${rest}`);
  }

  /** The rows of a query, read one by one. */
  *rows(columns: string, rest: string, ...values: readonly number[]): Generator<Buffer> {
    const query = this.select(columns, rest);
    try {
      for (const [row] of query.iterate(...values) as Iterable<[Buffer | null]>) yield this.present(row);
    } catch (error) {
      throw this.explained(error);
    }
  }

  /** Runs `read`; faults that SQLite finds in the file become an InputError. */
  guard<T>(read: (database: Database.Database) => T): T {
    try {
      return read(this.database);
    } catch (error) {
      throw this.explained(error);
    }
  }

  /** A value that every row has. */
  present(value: Buffer | null): Buffer {
    if (value === null) throw this.damaged("a value is missing");
    return value;
  }

  /** The error for content that agon cannot have written. */
  damaged(what: string): InputError {
    return new InputError(`is damaged: ${what}. Nothing was changed in it`, this.path);
  }

  /** The error with the path of the store: SQLite does not tell it. */
  named(error: unknown): unknown {
    return error instanceof Error ? Object.assign(error, { path: this.path }) : error;
  }

  close(): void {
    this.database.close();
  }

  private explained(error: unknown): unknown {
    const { code = "", message } = error as { code?: string; message?: string };
    if (code === "SQLITE_NOTADB")
      return new InputError("is not a store of agon: it is no database", this.path);
    // Its tables, or its header, are not what agon made.
    const isDamaged = /^SQLITE_(CORRUPT|ERROR|MISMATCH|SCHEMA|TOOBIG|FORMAT)/.test(code);
    return isDamaged ? Object.assign(this.damaged(String(message)), { cause: error }) : this.named(error);
  }
}

/** Loads the client of SQLite; throws InputError without its native library: npm leaves out optional packages where it is told so. */
function loadLibsql(): typeof Database {
  const load = createRequire(import.meta.url);
  try {
    return load("libsql") as typeof Database;
  } catch (error) {
    const [, name = ""] = /^Cannot find module '(@libsql\/[^']+)'/.exec((error as Error).message) ?? [];
    if (name === "") throw error;
    const { version } = load(join(dirname(load.resolve("libsql")), "package.json")) as { version: string };
    throw new InputError(
      `games are kept by SQLite, whose native library ${name} is not installed; say: npm install ${name}@${version}`,
    );
  }
}
