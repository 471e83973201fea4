import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Statement } from "libsql";
import { z } from "zod";
import { InputError } from "../../base/errors.ts";
import type { FolderLock } from "../../specs/files/lock.ts";
import { gamesOfBlock, parsePlan, type TournamentPlan } from "../plan/plan.ts";
import {
  collectBlocks,
  type CountedGame,
  type GameRecord,
  type GameScore,
  type GameSource,
} from "../../ratings/record.ts";
import type { SprtCounts } from "../../ratings/sprt/sequential-test.ts";
import { GAME_COLUMNS, manyCounted, RowReader, SCORE_COLUMNS, toRow } from "./rows.ts";
import { StoreDatabase } from "./database.ts";
import { keepCode, locateCode } from "./run-code.ts";
import { sittingShape } from "./sitting.ts";
import type { Played } from "../../ratings/format-results.ts";
import { createTables } from "./tables.ts";

/** The name of the store in the folder of a run. */
export const STORE_FILE = "results.sqlite";

/** The time for which a lock of another process is waited for. */
const PATIENCE_MS = 10_000;

/** Options of a store that is read. */
export interface StoreOptions {
  /** The time for which a lock of another process is waited for, in ms [10000]. */
  readonly patienceMs?: number;
  /** The folder that has the user's files in place of the config's [the config's, or their copies in the run]. */
  readonly files?: string | undefined;
}

/** The cache of a store that is written. A larger one makes inserting no faster: the operating system has the file as well. */
const CACHE_KB = 16_384;
/** The number of games that one query reads for a report: a query costs more than a game. */
const COUNTED_AT_ONCE = 200;

const scoreCounts = z.array(z.strictObject({ score: z.number().min(0).max(1), blocks: z.int().min(0) }));
/** The shape of a stored sequential test. */
const share = z.number().min(0).max(1);
const sprtShape = z.strictObject({
  looks: z.array(z.strictObject({ blocks: z.int().min(1), llr: z.number() })).default([]),
  counts: scoreCounts,
  after: scoreCounts,
  interval: z.strictObject({ low: share, high: share }).default({ low: 0, high: 1 }),
});

/**
 * The results of one run: the frozen plan and one row for each finished game. One process writes. Games are read row by
 * row in the order of storing or of their ids, so memory does not grow with their number. Every method throws InputError if
 * the store is damaged or is not a store of agon.
 */
export class Store implements GameSource {
  private readonly database: StoreDatabase;
  private readonly isWritable: boolean;
  private readonly dir: string;
  private readonly files: string | undefined;
  /** The plan that was loaded last, by its text. */
  private loaded: { readonly text: string; readonly plan: TournamentPlan } | undefined;
  private lock: FolderLock | undefined;

  private constructor(
    path: string,
    { isWritable, patienceMs = PATIENCE_MS, files }: { isWritable: boolean } & StoreOptions,
  ) {
    this.isWritable = isWritable;
    this.dir = dirname(path);
    this.files = files;
    this.database = new StoreDatabase(path, { isWritable, patienceMs });
  }

  /**
   * Opens the store in a run's folder, or makes it.
   * @param lock the lock of the folder, which `close` releases
   */
  static open(dir: string, lock?: FolderLock): Store {
    const path = join(dir, STORE_FILE);
    accessSync(dir, constants.W_OK);
    if (existsSync(path)) accessSync(path, constants.W_OK);
    const store = new Store(path, { isWritable: true });
    return store.database.guard((database) => {
      database.exec("pragma journal_mode = wal");
      // In WAL mode `full` flushes every commit to the disk; with `normal` a power cut takes back the last ones.
      database.exec("pragma synchronous = full");
      database.exec("pragma wal_autocheckpoint = 8000");
      database.exec(`pragma cache_size = -${CACHE_KB}`);
      createTables(database);
      store.lock = lock;
      return store;
    });
  }

  /**
   * Opens an existing store for reading; throws InputError if there is none.
   */
  static openExisting(dir: string, options: StoreOptions = {}): Store {
    if (!Store.exists(dir)) throw new InputError(`no run here: it has no ${STORE_FILE}${runsIn(dir)}`, dir);
    return new Store(join(dir, STORE_FILE), {
      isWritable: false,
      ...options,
    });
  }

  /** Returns what `read` reads in an existing store, which is closed afterwards. Throws InputError if there is none. */
  static reading<T>({ dir, ...options }: { dir: string } & StoreOptions, read: (store: Store) => T): T {
    const store = Store.openExisting(dir, options);
    let isLater = false;
    try {
      const found = read(store);
      isLater = found instanceof Promise;
      return found instanceof Promise ? (found.finally(() => store.close()) as T) : found;
    } finally {
      if (!isLater) store.close();
    }
  }

  /** A store in memory. */
  static inMemory(): Store {
    const store = new Store(":memory:", { isWritable: true });
    store.database.guard(createTables);
    return store;
  }

  static exists(dir: string): boolean {
    return existsSync(join(dir, STORE_FILE));
  }

  /** Identifies this run among all runs, even of the same plan: 24 hexadecimal digits. */
  get id(): string | undefined {
    const id = this.database.note("id");
    if (id !== undefined && !/^[0-9a-f]{24}$/.test(id))
      throw this.database.damaged("its id is none of agon's");
    return id;
  }

  /** The frozen plan, if one was saved, with the absolute paths of the user's files; see locateCode. */
  loadPlan(): TournamentPlan | undefined {
    const text = this.database.note("plan");
    if (text === undefined) return undefined;
    if (this.loaded?.text !== text)
      this.loaded = { text, plan: locateCode(this.parse(text), this.dir, this.files) };
    return this.loaded.plan;
  }

  private parse(text: string): TournamentPlan {
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      throw this.database.damaged("its plan is no JSON");
    }
    return parsePlan(json, this.database.path);
  }

  /** The frozen plan; throws InputError, which names `dir`, if there is none. */
  requirePlan(dir: string): TournamentPlan {
    const plan = this.loadPlan();
    if (plan === undefined) throw new InputError("has no plan: the run never began", dir);
    return plan;
  }

  /** The times at which games were played, the first one first; none in runs of older versions, and of other programs. */
  get sittings(): readonly Played[] {
    const text = this.database.note("sittings");
    if (text === undefined) return [];
    try {
      return z.array(sittingShape).parse(JSON.parse(text));
    } catch {
      throw this.database.damaged("its sittings are damaged");
    }
  }

  addSitting(sitting: Played): void {
    this.database.setNote("sittings", JSON.stringify([...this.sittings, sitting]));
  }

  /** Saves the plan. Another plan may have more games, so that neither the run nor its test is over. */
  savePlan(plan: TournamentPlan): void {
    const stored = this.database.path === ":memory:" ? plan : keepCode(plan, this.dir);
    this.database.setNote("plan", JSON.stringify(stored));
    this.database.guard((database) => database.exec("delete from run where key in ('total', 'sprt')"));
  }

  /**
   * Adds finished games, all or none; stored games stay as they are. Throws if the folder is gone: SQLite would go on
   * writing into a deleted file.
   */
  add(records: readonly GameRecord[]): void {
    this.lock?.check();
    this.database.exec("begin");
    try {
      for (const record of records) this.insert.run(toRow(record));
      this.database.exec("commit");
    } catch (error) {
      try {
        this.database.exec("rollback");
      } catch {
        // SQLite has taken the games back already, as it does on a full disk.
      }
      throw this.database.named(error);
    }
  }

  /** The number of stored games. */
  get size(): number {
    return this.database.number("select count(*) from games") ?? 0;
  }

  /**
   * The number of the game that was stored last; 0 without games. Games are numbered from 1 in the order of storing. The
   * time does not depend on their number.
   */
  get last(): number {
    return this.database.number("select max(rowid) from games") ?? 0;
  }

  /** Makes a function that tells if the game of an id is stored. */
  lookup(): (id: string) => boolean {
    const row = this.database.prepare("select 1 from games where id = ?");
    return (id) => this.database.guard(() => row.get(id)) !== undefined;
  }

  /** Makes a function that finds the game of an id. */
  finder(): (id: string) => GameRecord | undefined {
    const found = this.database.select(GAME_COLUMNS, "from games where id = ?");
    const reader = this.reader();
    return (id) => {
      const row = this.database.guard(() => found.get(id)) as [Buffer] | undefined;
      return row && reader.record(row[0]);
    };
  }

  /** Makes a function that finds the game of a number. */
  numbered(): (number: number) => GameRecord | undefined {
    const found = this.database.select(GAME_COLUMNS, "from games where rowid = ?");
    const reader = this.reader();
    return (number) => {
      const row = this.database.guard(() => found.get(number)) as [Buffer] | undefined;
      return row && reader.record(row[0]);
    };
  }

  /** The number of the game of an id; undefined without one. */
  numberOf(id: string): number | undefined {
    return this.database.number("select rowid from games where id = ?", id);
  }

  /** Makes a function that finds the score of the game of an id. */
  scorer(): (id: string) => GameScore | undefined {
    const found = this.database.select(SCORE_COLUMNS, "from games where id = ?");
    const reader = this.reader();
    return (id) => {
      const row = this.database.guard(() => found.get(id)) as [Buffer] | undefined;
      return row && reader.score(row[0]);
    };
  }

  /** The number of games of a tournament that is over; undefined while it is not known to be over. */
  get total(): number | undefined {
    const text = this.database.note("total");
    if (text === undefined) return undefined;
    if (!/^\d{1,15}$/.test(text)) throw this.database.damaged("the number of its games is no number");
    return Number(text);
  }

  /** Notes that the tournament is over, with its number of games. */
  saveTotal(games: number): void {
    this.database.setNote("total", String(games));
  }

  /** The blocks of the sequential test that the run is, when it stopped; undefined in other runs, and while it goes on. */
  get sprt(): SprtCounts | undefined {
    const text = this.database.note("sprt");
    if (text === undefined) return undefined;
    try {
      return sprtShape.parse(JSON.parse(text));
    } catch {
      throw this.database.damaged("its sequential test has no counts");
    }
  }

  /** Notes the blocks of the sequential test that the run is. */
  saveSprt(counts: SprtCounts): void {
    this.database.setNote("sprt", JSON.stringify(counts));
  }

  /** The first `count` ids after the id `after`, in ascending order. */
  ids(count: number, after = ""): string[] {
    const rows = this.database.select("id", "from games where id > ? order by id limit ?");
    return this.database
      .guard(() => rows.all(after, count) as [Buffer | null][])
      .map(([id]) => this.database.present(id).toString("latin1"));
  }

  /** All stored games in the order of their ids, in memory. */
  records(): GameRecord[] {
    const reader = this.reader();
    return Array.from(this.database.rows(GAME_COLUMNS, "from games order by id"), (row) =>
      reader.record(row),
    );
  }

  /** All games in the order of storing, read one by one. */
  *games(): Generator<GameRecord> {
    const reader = this.reader();
    for (const row of this.database.rows(GAME_COLUMNS, "from games order by rowid")) yield reader.record(row);
  }

  /** The scores of all stored games, in any order. */
  *scores(): Generator<GameScore> {
    const reader = this.reader();
    for (const row of this.database.rows(SCORE_COLUMNS, "from games")) yield reader.score(row);
  }

  /** The scores of at most `most` games after the game of number `after`, in the order of storing. */
  *scoresAfter(after: number, most: number): Generator<GameScore> {
    const reader = this.reader();
    const order = "from games where rowid > ? order by rowid limit ?";
    for (const row of this.database.rows(SCORE_COLUMNS, order, after, most)) yield reader.score(row);
  }

  /** All games as a report reads them, in the order of storing. */
  *counted(onGame?: (game: CountedGame) => void): Generator<CountedGame> {
    const reader = this.reader();
    const many = this.database.prepare(manyCounted(COUNTED_AT_ONCE));
    for (let after = Number.MIN_SAFE_INTEGER; ;) {
      const [count, last, rows] = this.database.guard(() => many.get(after)) as [
        number,
        number,
        Buffer | null,
      ];
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
    if (this.isWritable && this.database.path !== ":memory:") {
      try {
        // A single file can be read in a folder without write access.
        this.database.exec("pragma journal_mode = delete");
      } catch {
        // Another process reads the store, or the disk is full. The two files together have all games.
      }
    }
    this.database.close();
    this.lock?.release();
  }

  private reader(): RowReader {
    const entrants = this.loadPlan()?.entrants.length ?? Infinity;
    return new RowReader(entrants, (what) => this.database.damaged(what));
  }

  private get insert(): Statement<unknown[]> {
    return (this.prepared ??= this.database.prepareWrite(
      "insert or ignore into games values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    ));
  }
  private prepared: Statement<unknown[]> | undefined;
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
