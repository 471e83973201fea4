import { existsSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { InputError } from "../../base/errors.ts";
import type { TournamentPlan } from "../plan/plan.ts";
import type { Ending, GameRecord } from "../../ratings/record.ts";

const FILE_NAME = "results.sqlite";

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
    time_ms text not null
  );
`;

type Row = [string, string, string, string, number, string, string, number, string, string, string, string];

/** The results of one run: the frozen plan and one row for each finished game. One process writes. */
export class Store {
  private readonly database: Database.Database;
  private readonly insert: Database.Statement<unknown[]>;

  private constructor(database: Database.Database) {
    this.database = database;
    this.insert = database.prepare("insert or ignore into games values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  }

  /** Opens the store in a run's folder; makes it if there is none. */
  static open(dir: string): Store {
    const database = new Database(join(dir, FILE_NAME));
    database.exec("pragma busy_timeout = 10000");
    database.exec("pragma journal_mode = wal");
    // In WAL mode `full` flushes every commit to the disk; with `normal` a power cut takes back the last ones.
    database.exec("pragma synchronous = full");
    database.exec("pragma wal_autocheckpoint = 8000");
    database.exec("pragma cache_size = -65536");
    database.exec(TABLES);
    return new Store(database);
  }

  /** Opens the store of a run that exists; throws InputError if there is none. */
  static openExisting(dir: string): Store {
    if (!Store.exists(dir)) throw new InputError(`no run here: it has no ${FILE_NAME}`, dir);
    return Store.open(dir);
  }

  /** A store that lives as long as the process. */
  static inMemory(): Store {
    const database = new Database(":memory:");
    database.exec(TABLES);
    return new Store(database);
  }

  static exists(dir: string): boolean {
    return existsSync(join(dir, FILE_NAME));
  }

  /** The frozen plan, if one was saved. */
  loadPlan(): TournamentPlan | undefined {
    const row = this.database.prepare("select value from run where key = 'plan'").get() as
      | { value: string }
      | undefined;
    return row && (JSON.parse(row.value) as TournamentPlan);
  }

  savePlan(plan: TournamentPlan): void {
    this.database.prepare("insert or replace into run values ('plan', ?)").run(JSON.stringify(plan));
  }

  /** Adds finished games, all or none; games that are there already are left as they are. */
  add(records: readonly GameRecord[]): void {
    this.database.exec("begin");
    try {
      for (const record of records) this.insert.run(toRow(record));
      this.database.exec("commit");
    } catch (error) {
      this.database.exec("rollback");
      throw error;
    }
  }

  /** Ids of all stored games. */
  ids(): Set<string> {
    const rows = this.database.prepare("select id from games").raw().all() as [string][];
    return new Set(rows.map(([id]) => id));
  }

  /** All stored games, by id. */
  records(): GameRecord[] {
    const rows = this.database.prepare("select * from games order by id").raw().all() as Row[];
    return rows.map(fromRow);
  }

  close(): void {
    this.database.close();
  }
}

function toRow(record: GameRecord): Row {
  return [
    record.id,
    record.block,
    record.seats.join(),
    record.actions.join(),
    record.openingLength,
    record.returns.join(),
    record.ending,
    record.forfeitSeat,
    record.detail,
    record.decisions.join(),
    record.nodes.join(),
    record.timeMs.map((time) => Number(time.toFixed(3))).join(),
  ];
}

function fromRow(row: Row): GameRecord {
  const [
    id,
    block,
    seats,
    actions,
    openingLength,
    returns,
    ending,
    forfeitSeat,
    detail,
    decisions,
    nodes,
    timeMs,
  ] = row;
  return {
    id,
    block,
    seats: numbers(seats),
    actions: numbers(actions),
    openingLength,
    returns: numbers(returns),
    ending: ending as Ending,
    forfeitSeat,
    detail,
    decisions: numbers(decisions),
    nodes: numbers(nodes),
    timeMs: numbers(timeMs),
  };
}

function numbers(text: string): number[] {
  return text === "" ? [] : text.split(",").map(Number);
}
