import { existsSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { InputError } from "../../base/errors.ts";
import type { TournamentPlan } from "../plan/plan.ts";
import type { Ending, GameLine, GameRecord, GameSource, RatedGame } from "../../ratings/record.ts";

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

/** Inserting at random ids wants a large cache. Sorting takes as much memory again, and is as fast with little. */
const CACHE_KB = 65_536;
const SORT_CACHE_KB = 8192;

/** What a row has for the statistics: `RATED_COLUMNS`. */
type RatedRow = [string, string, string, string, string, number, string, string, string, string];
const RATED_COLUMNS = "id, block, seats, returns, ending, forfeit_seat, detail, decisions, nodes, time_ms";

/** What tells who leads: a game's seats, its returns and the seat that forfeited. */
export type GameScore = Pick<GameRecord, "seats" | "returns" | "forfeitSeat">;

/**
 * The results of one run: the frozen plan and one row for each finished game. One process writes. Games are read row by
 * row; what is sorted goes through a temporary file, so that the memory needed does not depend on their number.
 */
export class Store implements GameSource {
  private readonly database: Database.Database;
  private readonly insert: Database.Statement<unknown[]>;

  private constructor(database: Database.Database) {
    this.database = database;
    database.exec("pragma temp_store = file");
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
    database.exec(`pragma cache_size = -${CACHE_KB}`);
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

  /** How many games are stored. */
  get size(): number {
    const [count] = this.database.prepare("select count(*) from games").raw().get() as [number];
    return count;
  }

  /** A function that says whether the game of an id is stored. */
  lookup(): (id: string) => boolean {
    const row = this.database.prepare("select 1 from games where id = ?").raw();
    return (id) => row.get(id) !== undefined;
  }

  /** A function that finds the game of an id. */
  finder(): (id: string) => GameRecord | undefined {
    const found = this.database.prepare("select * from games where id = ?").raw();
    return (id) => {
      const row = found.get(id) as Row | undefined;
      return row && fromRow(row);
    };
  }

  /** The first `count` ids in their order, of those that come after the id `after`. */
  ids(count: number, after = ""): string[] {
    const rows = this.database.prepare("select id from games where id > ? order by id limit ?").raw();
    return (rows.all(after, count) as [string][]).map(([id]) => id);
  }

  /** All stored games, by id, in memory. */
  records(): GameRecord[] {
    return Array.from(this.rows<Row>("select * from games order by id"), fromRow);
  }

  /** The scores of all stored games, in any order. */
  *scores(): Generator<GameScore> {
    const lists = new NumberLists();
    const rows = this.rows<[string, string, number]>("select seats, returns, forfeit_seat from games");
    for (const [seats, returns, forfeitSeat] of rows)
      yield { seats: lists.read(seats), returns: lists.read(returns), forfeitSeat };
  }

  /** All stored games, block by block, in the order of the blocks' names. */
  *blocks(): Generator<RatedGame[]> {
    const lists = new NumberLists();
    let block: RatedGame[] = [];
    for (const row of this.sorted<RatedRow>(`select ${RATED_COLUMNS} from games order by block, id`)) {
      if (block.length > 0 && block[0]!.block !== row[1]) {
        yield block;
        block = [];
      }
      block.push(toRated(row, lists));
    }
    if (block.length > 0) yield block;
  }

  /** All stored games by length of the opening and, with equal ones, by the text of their actions. */
  *lines(): Generator<GameLine> {
    const lists = new NumberLists();
    const rows = this.sorted<[string, string, string, number]>(
      "select id, seats, actions, opening_length from games order by opening_length, actions",
    );
    for (const [id, seats, actions, openingLength] of rows)
      yield { id, seats: lists.read(seats), actions, openingLength };
  }

  private *sorted<Columns>(query: string): Generator<Columns> {
    this.database.exec(`pragma cache_size = -${SORT_CACHE_KB}`);
    try {
      yield* this.rows<Columns>(query);
    } finally {
      this.database.exec(`pragma cache_size = -${CACHE_KB}`);
    }
  }

  private rows<Columns>(query: string): Iterable<Columns> {
    return this.database.prepare(query).raw().iterate() as Iterable<Columns>;
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

function toRated(row: RatedRow, lists: NumberLists): RatedGame {
  const [id, block, seats, returns, ending, forfeitSeat, detail, decisions, nodes, timeMs] = row;
  return {
    id,
    block,
    seats: lists.read(seats),
    returns: lists.read(returns),
    ending: ending as Ending,
    forfeitSeat,
    detail,
    decisions: numbers(decisions),
    nodes: numbers(nodes),
    timeMs: numbers(timeMs),
  };
}

const MAX_LISTS = 10_000;

/** Reads lists of numbers of which a run has few different ones. */
class NumberLists {
  private readonly known = new Map<string, readonly number[]>();

  read(text: string): readonly number[] {
    const found = this.known.get(text);
    if (found !== undefined) return found;
    if (this.known.size >= MAX_LISTS) this.known.clear();
    const list = numbers(text);
    this.known.set(text, list);
    return list;
  }
}

function numbers(text: string): number[] {
  return text === "" ? [] : text.split(",").map(Number);
}
