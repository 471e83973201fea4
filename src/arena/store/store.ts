import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { InputError } from "../../base/errors.ts";
import type { FolderLock } from "../../files/lock.ts";
import { gamesOfBlock, parsePlan, type TournamentPlan } from "../plan/plan.ts";
import {
  collectBlocks,
  type CountedGame,
  type GameRecord,
  type GameScore,
  type GameSource,
} from "../../ratings/record.ts";
import {
  asBlob,
  GAME_COLUMNS,
  GAME_COLUMNS_BEFORE_THOUGHTS,
  manyCounted,
  RowReader,
  SCORE_COLUMNS,
  toRow,
} from "./rows.ts";
import { checkFormat, createTables, hasThoughts } from "./tables.ts";

const FILE_NAME = "results.sqlite";

/** The time for which a lock of another process is waited for. */
const PATIENCE_MS = 10_000;

/** The cache of a store that is written. A larger one makes inserting no faster: the operating system has the file as well. */
const CACHE_KB = 16_384;
/** The number of games that one query reads for a report: a query costs more than a game. */
const COUNTED_AT_ONCE = 200;

/**
 * The results of one run: the frozen plan and one row for each finished game. One process writes. Games are read row by
 * row in the order of storing or of their ids, so memory does not grow with their number. Every method throws InputError if
 * the store is damaged or is not a store of agon.
 */
export class Store implements GameSource {
  private readonly database: Database.Database;
  private readonly path: string;
  private readonly isWritable: boolean;
  private lock: FolderLock | undefined;
  private isHeld = false;

  private constructor(
    path: string,
    { isWritable, patienceMs = PATIENCE_MS }: { isWritable: boolean; patienceMs?: number },
  ) {
    this.path = path;
    this.isWritable = isWritable;
    try {
      this.database = new Database(path, { readonly: !isWritable });
    } catch (error) {
      throw Object.assign(new InputError(`cannot be opened: ${(error as Error).message}`, path), {
        cause: error,
      });
    }
    this.guard(() => {
      this.exec(`pragma busy_timeout = ${patienceMs}`);
      checkFormat(this.database, { path, isWritable });
    });
  }

  /**
   * Opens the store in a run's folder, or makes it.
   * @param lock the lock of the folder, which `close` releases
   */
  static open(dir: string, lock?: FolderLock): Store {
    const path = join(dir, FILE_NAME);
    accessSync(dir, constants.W_OK);
    if (existsSync(path)) accessSync(path, constants.W_OK);
    const store = new Store(path, { isWritable: true });
    return store.guard(() => {
      store.exec("pragma journal_mode = wal");
      // In WAL mode `full` flushes every commit to the disk; with `normal` a power cut takes back the last ones.
      store.exec("pragma synchronous = full");
      store.exec("pragma wal_autocheckpoint = 8000");
      store.exec(`pragma cache_size = -${CACHE_KB}`);
      createTables(store.database);
      store.lock = lock;
      return store;
    });
  }

  /**
   * Opens an existing store for reading; throws InputError if there is none.
   * @param patienceMs the time for which a lock of another process is waited for [10000]
   */
  static openExisting(dir: string, { patienceMs }: { patienceMs?: number } = {}): Store {
    if (!Store.exists(dir)) throw new InputError(`no run here: it has no ${FILE_NAME}${runsIn(dir)}`, dir);
    return new Store(join(dir, FILE_NAME), {
      isWritable: false,
      ...(patienceMs !== undefined && { patienceMs }),
    });
  }

  /** A store in memory. */
  static inMemory(): Store {
    const store = new Store(":memory:", { isWritable: true });
    createTables(store.database);
    return store;
  }

  static exists(dir: string): boolean {
    return existsSync(join(dir, FILE_NAME));
  }

  /** Identifies this run among all runs, even of the same plan: 24 hexadecimal digits; undefined in runs of early versions. */
  get id(): string | undefined {
    const [id] = Array.from(this.rows("value", "from run where key = 'id'"), (text) => text.toString());
    if (id !== undefined && !/^[0-9a-f]{24}$/.test(id)) throw this.damaged("its id is none of agon's");
    return id;
  }

  /** The frozen plan, if one was saved. */
  loadPlan(): TournamentPlan | undefined {
    for (const text of this.rows("value", "from run where key = 'plan'")) {
      let json: unknown;
      try {
        json = JSON.parse(text.toString());
      } catch {
        throw this.damaged("its plan is no JSON");
      }
      return parsePlan(json, this.path);
    }
    return undefined;
  }

  /** The frozen plan; throws InputError, which names `dir`, if there is none. */
  requirePlan(dir: string): TournamentPlan {
    const plan = this.loadPlan();
    if (plan === undefined) throw new InputError("has no plan: the run never began", dir);
    return plan;
  }

  /** Saves the plan. Another plan may have more games, so that the run is not over. */
  savePlan(plan: TournamentPlan): void {
    this.guard(() => {
      this.database.prepare("insert or replace into run values ('plan', ?)").run(JSON.stringify(plan));
      this.exec("delete from run where key = 'total'");
    });
  }

  /**
   * Adds finished games, all or none; stored games stay as they are. Throws if the folder is gone: SQLite would go on
   * writing into a deleted file.
   */
  add(records: readonly GameRecord[]): void {
    this.lock?.check();
    this.exec("begin");
    try {
      for (const record of records) this.insert.run(toRow(record));
      this.exec("commit");
    } catch (error) {
      try {
        this.exec("rollback");
      } catch {
        // SQLite has taken the games back already, as it does on a full disk.
      }
      throw this.named(error);
    }
  }

  /** Makes all reads until `close` see the same games, even if another process adds some. */
  hold(): void {
    this.guard(() => this.exec("begin"));
    this.isHeld = true;
  }

  /** The number of stored games. */
  get size(): number {
    return this.guard(() => {
      const [count] = this.database.prepare("select count(*) from games").raw().get() as [number];
      return count;
    });
  }

  /**
   * The number of the game that was stored last; 0 without games. Games are numbered from 1 in the order of storing. The
   * time does not depend on their number.
   */
  get last(): number {
    return this.guard(() => {
      const [row] = this.database.prepare("select max(rowid) from games").raw().get() as [number | null];
      return row ?? 0;
    });
  }

  /** Makes a function that tells if the game of an id is stored. */
  lookup(): (id: string) => boolean {
    const row = this.database.prepare("select 1 from games where id = ?").raw();
    return (id) => this.guard(() => row.get(id)) !== undefined;
  }

  /** Makes a function that finds the game of an id. */
  finder(): (id: string) => GameRecord | undefined {
    const found = this.select(this.gameColumns(), "from games where id = ?");
    const reader = this.reader();
    return (id) => {
      const row = this.guard(() => found.get(id)) as [Buffer] | undefined;
      return row && reader.record(row[0]);
    };
  }

  /** Makes a function that finds the game of a number. */
  numbered(): (number: number) => GameRecord | undefined {
    const found = this.select(this.gameColumns(), "from games where rowid = ?");
    const reader = this.reader();
    return (number) => {
      const row = this.guard(() => found.get(number)) as [Buffer] | undefined;
      return row && reader.record(row[0]);
    };
  }

  /** The number of the game of an id; undefined without one. */
  numberOf(id: string): number | undefined {
    return this.guard(() => {
      const row = this.database.prepare("select rowid from games where id = ?").raw().get(id);
      return (row as [number] | undefined)?.[0];
    });
  }

  /** Makes a function that finds the score of the game of an id. */
  scorer(): (id: string) => GameScore | undefined {
    const found = this.select(SCORE_COLUMNS, "from games where id = ?");
    const reader = this.reader();
    return (id) => {
      const row = this.guard(() => found.get(id)) as [Buffer] | undefined;
      return row && reader.score(row[0]);
    };
  }

  /** The number of games of a tournament that is over; undefined while it is not known to be over. */
  get total(): number | undefined {
    const [text] = Array.from(this.rows("value", "from run where key = 'total'"), String);
    if (text === undefined) return undefined;
    if (!/^\d{1,15}$/.test(text)) throw this.damaged("the number of its games is no number");
    return Number(text);
  }

  /** Notes that the tournament is over, with its number of games. */
  saveTotal(games: number): void {
    this.guard(() =>
      this.database.prepare("insert or replace into run values ('total', ?)").run(String(games)),
    );
  }

  /** The first `count` ids after the id `after`, in ascending order. */
  ids(count: number, after = ""): string[] {
    const rows = this.select("id", "from games where id > ? order by id limit ?");
    return this.guard(() => rows.all(after, count) as [Buffer | null][]).map(([id]) =>
      this.present(id).toString("latin1"),
    );
  }

  /** All stored games in the order of their ids, in memory. */
  records(): GameRecord[] {
    const reader = this.reader();
    return Array.from(this.rows(this.gameColumns(), "from games order by id"), (row) => reader.record(row));
  }

  /** All games in the order of storing, read one by one. */
  *games(): Generator<GameRecord> {
    const reader = this.reader();
    for (const row of this.rows(this.gameColumns(), "from games order by rowid")) yield reader.record(row);
  }

  /** The scores of all stored games, in any order. */
  *scores(): Generator<GameScore> {
    const reader = this.reader();
    for (const row of this.rows(SCORE_COLUMNS, "from games")) yield reader.score(row);
  }

  /** The scores of at most `most` games after the game of number `after`, in the order of storing. */
  *scoresAfter(after: number, most: number): Generator<GameScore> {
    const reader = this.reader();
    const order = "from games where rowid > ? order by rowid limit ?";
    for (const row of this.rows(SCORE_COLUMNS, order, after, most)) yield reader.score(row);
  }

  /** The game that was stored first; undefined without games. */
  first(): GameRecord | undefined {
    const reader = this.reader();
    const rows = this.rows(this.gameColumns(), "from games order by rowid limit 1");
    return Array.from(rows, (row) => reader.record(row))[0];
  }

  /** All games as a report reads them, in the order of storing. */
  *counted(onGame?: (game: CountedGame) => void): Generator<CountedGame> {
    const reader = this.reader();
    const many = this.guard(() => this.database.prepare(manyCounted(COUNTED_AT_ONCE)).raw());
    for (let after = Number.MIN_SAFE_INTEGER; ;) {
      const [count, last, rows] = this.guard(() => many.get(after)) as [number, number, Buffer | null];
      if (count === 0) return;
      for (const game of reader.counted(rows, count)) {
        onGame?.(game);
        yield game;
      }
      after = last;
    }
  }

  /** All games, block by block; calls `onGame` with each in the order of storing. */
  blocks(onGame?: (game: CountedGame) => void): Iterable<CountedGame[]> {
    const plan = this.loadPlan();
    return collectBlocks(
      this.counted(onGame),
      plan === undefined ? Infinity : gamesOfBlock(plan.players, plan.entrants.length),
    );
  }

  close(): void {
    // Without the rollback the client of SQLite would keep its snapshot.
    if (this.isHeld) this.exec("rollback");
    if (this.isWritable && this.path !== ":memory:") {
      try {
        // A single file can be read in a folder without write access.
        this.exec("pragma journal_mode = delete");
      } catch {
        // Another process reads the store, or the disk is full. The two files together have all games.
      }
    }
    this.database.close();
    this.lock?.release();
  }

  /** The error for content that agon cannot have written. */
  private damaged(what: string): InputError {
    return new InputError(`is damaged: ${what}. Nothing was changed in it`, this.path);
  }

  private reader(): RowReader {
    const entrants = this.loadPlan()?.entrants.length ?? Infinity;
    return new RowReader(entrants, (what) => this.damaged(what));
  }

  private get insert(): Database.Statement<unknown[]> {
    return (this.prepared ??= this.database.prepare(
      "insert or ignore into games values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    ));
  }
  private prepared: Database.Statement<unknown[]> | undefined;

  private exec(sql: string): void {
    this.database.exec(sql);
  }

  private gameColumns(): string {
    return this.guard(() => hasThoughts(this.database)) ? GAME_COLUMNS : GAME_COLUMNS_BEFORE_THOUGHTS;
  }

  /** The error with the path of the store: SQLite does not tell it. */
  private named(error: unknown): unknown {
    return error instanceof Error ? Object.assign(error, { path: this.path }) : error;
  }

  /** Runs `read`; faults that SQLite finds in the file become an InputError. */
  private guard<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw this.explained(error);
    }
  }

  private explained(error: unknown): unknown {
    const { code = "", message } = error as { code?: string; message?: string };
    if (code === "SQLITE_NOTADB")
      return new InputError("is not a store of agon: it is no database", this.path);
    // Its tables, or its header, are not what agon made.
    const isDamaged = /^SQLITE_(CORRUPT|ERROR|MISMATCH|SCHEMA|TOOBIG|FORMAT)/.test(code);
    return isDamaged ? Object.assign(this.damaged(String(message)), { cause: error }) : this.named(error);
  }

  /** A column that every row has. */
  private present(value: Buffer | null): Buffer {
    if (value === null) throw this.damaged("a value is missing");
    return value;
  }

  private *rows(columns: string, rest: string, ...values: readonly number[]): Generator<Buffer> {
    const query = this.select(columns, rest);
    try {
      for (const [row] of query.iterate(...values) as Iterable<[Buffer | null]>) yield this.present(row);
    } catch (error) {
      throw this.explained(error);
    }
  }

  /** A query whose columns come as one blob: the client of SQLite ends the process where a text is not UTF-8. */
  private select(columns: string, rest: string): Database.Statement<unknown[]> {
    return this.guard(() => this.database.prepare(`select ${asBlob(columns)} ${rest}`).raw());
  }
}

/** A hint at the runs in the folders of `dir`; empty if there are none. */
function runsIn(dir: string): string {
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return "";
  const runs = readdirSync(dir)
    .map((name) => join(dir, name))
    .filter((folder) => Store.exists(folder));
  if (runs.length === 0) return "";
  return `; ${runs.length} of its folders ${runs.length === 1 ? "has" : "have"} one, such as ${runs.at(-1)!}: name it, or see all with agon serve ${dir}`;
}
