import type { Client } from "pg";
import { InputError } from "../base/errors.ts";
import { hashOf } from "../specs/files/hashes.ts";
import { refuseTuning } from "../arena/formats/tune.ts";
import { reportRun } from "../arena/results/runs.ts";
import { Store } from "../arena/store/store.ts";
import { addGames, type GamesDone } from "./game-rows.ts";
import { fingerprint } from "../arena/store/identity.ts";
import { connect, explained, parseDatabaseUrl, type DatabaseAddress } from "./postgres.ts";
import { putEntrants, putRatings, putRun } from "./run-rows.ts";
import { parseSchemaName, prepareSchema } from "./schema.ts";

/** The result of an export. */
export interface Exported {
  /** The folder, as the caller named it. */
  readonly folder: string;
  /** The run's id in all databases; `run` is its number in this one. */
  readonly id: string;
  readonly run: number;
  /** The games of the store, and those new to the database. */
  readonly games: number;
  readonly newGames: number;
  readonly entrants: number;
  /** True if the ratings come from this store; a copy that was exported before may have more games. */
  readonly rated: boolean;
}

/** The results of many runs in one database. */
export class League {
  private readonly address: DatabaseAddress;
  private readonly schema: string;
  private readonly client: Client;

  private constructor(address: DatabaseAddress, schema: string, client: Client) {
    this.address = address;
    this.schema = schema;
    this.client = client;
  }

  /** Connects to the database, and creates the schema if it is missing. Throws InputError. */
  static async open(url: string, schemaName: string): Promise<League> {
    const address = parseDatabaseUrl(url);
    const schema = parseSchemaName(schemaName);
    const league = new League(address, schema, await connect(address));
    try {
      await league.transaction(async () => {});
      return league;
    } catch (error) {
      await league.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.client.end().catch(() => {});
  }

  /**
   * Adds a run to the database, or its new games. All or nothing: an interruption changes nothing. Two exports of one run
   * wait for each other.
   * @param dir folder of a run, or of a training
   */
  async export(dir: string, onProgress: (state: GamesDone) => void = () => {}): Promise<Exported> {
    const store = Store.openExisting(dir);
    try {
      store.hold();
      const plan = store.requirePlan(dir);
      refuseTuning(plan, dir);
      const names = new Set(plan.entrants.map(({ name }) => name));
      if (names.size < plan.entrants.length)
        throw new InputError("is damaged: two of its entrants have the same name", dir);
      const report = store.size === 0 ? undefined : reportRun(plan, store);
      const exported = await this.transaction(async (client) => {
        const before = fingerprint(store, plan);
        const id = store.id ?? before;
        if (id === undefined)
          throw new InputError("has neither an id nor a game that could identify it", dir);
        const { run, ratedGames } = await putRun(client, plan, { id, before, dir });
        const makes = await putEntrants(client, run, plan, { id, dir });
        const pairings = new Map<string, string>();
        const { done, added } = await addGames(client, run, store, {
          pairingOf(seats) {
            const key = seats.join();
            if (!pairings.has(key)) pairings.set(key, hashOf(...seats.map((entrant) => makes[entrant]!)));
            return pairings.get(key)!;
          },
          onProgress,
        });
        const rated = report !== undefined && report.games >= ratedGames;
        if (rated) await putRatings(client, run, plan, report);
        return { folder: dir, id, run, games: done, newGames: added, entrants: makes.length, rated };
      });
      if (exported.newGames > 0) await this.analyze();
      return exported;
    } catch (error) {
      throw refusedRow(error, dir);
    } finally {
      store.close();
    }
  }

  /** Updates PostgreSQL's statistics, so that it plans queries of the new games well. Only the tables' owner may. */
  private async analyze(): Promise<void> {
    const tables = ["runs", "entrants", "games", "seats", "ratings"];
    const named = tables.map((table) => `"${this.schema}".${table}`).join(", ");
    await this.transaction(async (client) => client.query(`analyze ${named}`));
  }

  private async transaction<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    const { client, address, schema } = this;
    try {
      await client.query("begin");
      await prepareSchema(client, schema, address.shown);
      const result = await work(client);
      await client.query("commit");
      return result;
    } catch (error) {
      // Without a connection there is nothing to roll back.
      await client.query("rollback").catch(() => {});
      throw explained(error, address.shown);
    }
  }
}

/** Turns PostgreSQL's error about a value into an InputError: the store is damaged or was made by another program. */
function refusedRow(error: unknown, dir: string): unknown {
  const { code, message } = error as { code?: unknown; message: string };
  const isOfValues = typeof code === "string" && /^2[23][0-9A-Z]{3}$/.test(code);
  return isOfValues ? new InputError(`is damaged, PostgreSQL refuses a value of it: ${message}`, dir) : error;
}
