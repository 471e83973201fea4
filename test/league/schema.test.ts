import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { reportRun } from "../../src/arena/results/runs.ts";
import { League } from "../../src/league/league.ts";
import { parseSchemaName, prepareSchema } from "../../src/league/schema.ts";
import { temporaryFolder } from "../support/agon.ts";
import { readRun, storeGames } from "../support/servers/league-runs.ts";
import { newDatabase, openClient, postgresTest, sharedPostgres, sql } from "../support/servers/postgres.ts";

const shared = sharedPostgres();

/** Exports runs into the schema agon of a new database; its URL. */
async function leagueOf(...dirs: readonly string[]): Promise<string> {
  const url = await newDatabase(shared.server);
  const league = await League.open(url, "agon");
  for (const dir of dirs) await league.export(dir);
  await league.close();
  return url;
}

test("the name of a schema needs no quotes", () => {
  for (const name of ["agon", "a_2", "_", "x".repeat(63)]) expect(parseSchemaName(name)).toBe(name);
  for (const name of ["", "Agon", "2a", 'a"; drop', "pg_toast", "information_schema", "x".repeat(64), "a\n"])
    expect(() => parseSchemaName(name)).toThrow("a schema is named by");
});

describe("the schema", () => {
  postgresTest("says what each table, view and column is, as far as its name does not", async () => {
    const url = await leagueOf();
    const bare = await sql(
      url,
      `select relname from pg_class join pg_namespace on relnamespace = pg_namespace.oid
       where nspname = 'agon' and relkind in ('r', 'v') and obj_description(pg_class.oid, 'pg_class') is null`,
    );
    expect(bare).toEqual([]);
    const columns = await sql(
      url,
      `select attname from pg_attribute where attrelid = 'agon.games'::regclass and attnum > 0
         and col_description(attrelid, attnum) is null`,
    );
    expect(columns).toEqual([{ attname: "run" }]);
  });

  postgresTest("of a later agon is refused, and so is that of another program", async () => {
    const url = await leagueOf();
    await sql(url, "insert into agon.schema_versions values (99)");
    await expect(League.open(url, "agon")).rejects.toThrow(
      /^postgres:\/\/127\.0\.0\.1:\d+\/games\d+: schema agon: is of version 99, of a later agon; this one knows versions up to 2$/,
    );
    await sql(url, "create schema mine; create table mine.letters (text text)");
    await expect(League.open(url, "mine")).rejects.toThrow(
      "schema mine: has tables that are not agon's (letters); name another one with --schema",
    );
  });

  postgresTest("is brought from version to version, once", async () => {
    const client = await openClient(await newDatabase(shared.server));
    const first = "create table seen (version integer)";
    const second = "insert into seen values (2)";
    for (const versions of [[first], [first, second], [first, second, "insert into seen values (3)"]]) {
      for (const time of [1, 2]) {
        await client.query("begin");
        await prepareSchema(client, "steps", "here", versions);
        await client.query("commit");
        const { rows } = await client.query("select max(version) as last from steps.schema_versions");
        expect({ time, rows }).toEqual({ time, rows: [{ last: versions.length }] });
      }
    }
    const { rows } = await client.query("select version from steps.seen order by version");
    expect(rows).toEqual([{ version: 2 }, { version: 3 }]);
  });

  postgresTest("may be one that somebody made for who may not make any", async () => {
    const url = await newDatabase(shared.server);
    await sql(url, "create role filler login password 'x'; create schema league authorization filler");
    const league = await League.open(url.replace(/owner:[^@]*/, "filler:x"), "league");
    await league.close();
    expect(await sql(url, "select version from league.schema_versions")).toEqual([
      { version: 1 },
      { version: 2 },
    ]);
  });
});

describe("the views", () => {
  const CONFIG = {
    name: "views",
    game: "connect-four",
    seed: "views",
    blocks: 10,
    openings: { randomPlies: 3 },
    entrants: ["random", "mcts:simulations=1", "mcts:simulations=2", "mcts:simulations=3"],
  };
  const games = [
    { what: "two players", game: "connect-four" },
    { what: "three players", game: { id: "nim", players: 3 }, openings: { randomPlies: 1 } },
  ];

  for (const { what, ...given } of games) {
    postgresTest(`standings and head_to_head are what agon rate says, of ${what}`, async () => {
      const dir = join(temporaryFolder(), "run");
      await storeGames(dir, { ...CONFIG, ...given });
      const { plan, games: records } = readRun(dir);
      const { entrants, crossTable } = reportRun(plan, records);
      const url = await leagueOf(dir);
      const standings = await sql(
        url,
        `select name, games::integer, won::integer as wins, drawn::integer as draws, lost::integer as losses,
           round(score::numeric, 9)::float as score, round(mean_return::numeric, 9)::float as "meanReturn",
           forfeits::integer from agon.standings order by name`,
      );
      const rounded = (value: number) => Number(value.toFixed(9));
      const told = entrants
        .map(({ name, games: played, wins, draws, losses, score, meanReturn, forfeits }) => ({
          name,
          games: played,
          wins,
          draws,
          losses,
          score: rounded(score),
          meanReturn: rounded(meanReturn),
          forfeits,
        }))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1));
      expect(standings).toEqual(told);

      const pairs = await sql(url, "select name, opponent, games::integer, score from agon.head_to_head");
      expect(pairs).toHaveLength(12);
      for (const { name, opponent, games: played, score } of pairs) {
        const [row, column] = [name, opponent].map((one) =>
          entrants.findIndex((entrant) => entrant.name === one),
        );
        const cell = crossTable[row!]![column!]!;
        expect(played).toBe(cell.games);
        expect(score).toBeCloseTo(cell.score, 9);
      }
    });
  }

  postgresTest("games of one player have no places, but returns", async () => {
    const dir = join(temporaryFolder(), "run");
    await storeGames(dir, { ...CONFIG, game: "2048", openings: { randomPlies: 0 } });
    const url = await leagueOf(dir);
    const { plan, games: records } = readRun(dir);
    const standings = await sql(url, "select name, won::integer, score, mean_return from agon.standings");
    expect(standings).toHaveLength(4);
    const { entrants } = reportRun(plan, records);
    for (const { name, won, score, mean_return: mean } of standings) {
      expect([won, score]).toEqual([0, null]);
      expect(mean).toBeCloseTo(entrants.find((entrant) => entrant.name === name)!.meanReturn, 9);
    }
    expect(await sql(url, "select * from agon.head_to_head")).toEqual([]);
  });

  postgresTest("a game that several runs have counts once", async () => {
    const parent = temporaryFolder();
    const dirs = ["a", "b", "c"].map((name) => join(parent, name));
    // Games are the same by their ids; that each store made up other results shows which one is taken.
    await storeGames(dirs[0]!, CONFIG, { most: 30 });
    await storeGames(dirs[1]!, CONFIG, { seed: "other" });
    await storeGames(dirs[2]!, { ...CONFIG, seed: "another seed" });
    const url = await leagueOf(...dirs);
    const perRun = await sql(
      url,
      "select run, count(*)::integer as seats from agon.results group by run order by run",
    );
    expect(perRun).toEqual([
      { run: 1, seats: 2 * 30 },
      { run: 2, seats: 2 * 90 },
      { run: 3, seats: 2 * 120 },
    ]);
  });

  postgresTest("a run that is deleted is gone from all tables", async () => {
    const dir = join(temporaryFolder(), "run");
    await storeGames(dir, CONFIG);
    const url = await leagueOf(dir);
    await sql(url, "delete from agon.runs");
    for (const table of ["runs", "entrants", "games", "seats", "ratings"])
      expect(await sql(url, `select * from agon.${table}`)).toEqual([]);
  });
});
