import { copyFileSync, cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { reportRun } from "../../src/arena/results/runs.ts";
import { Store } from "../../src/arena/store/store.ts";
import { formatThoughts } from "../../src/base/thought.ts";
import { League, type Exported } from "../../src/league/league.ts";
import { storable, storableJson } from "../../src/league/postgres.ts";
import type { GameRecord } from "../../src/ratings/record.ts";
import { agon, fixture, startAgon, temporaryFolder, writeInto } from "../support/agon.ts";
import { HOSTILE, readRun, removeId, storeGames } from "../support/servers/league-runs.ts";
import {
  newDatabase,
  openClient,
  postgresTest,
  sharedPostgres,
  slowPostgresTest,
  sql,
} from "../support/servers/postgres.ts";

const shared = sharedPostgres();

const CONFIG = {
  name: "league",
  game: "connect-four",
  seed: "league",
  blocks: 6,
  openings: { randomPlies: 3 },
  entrants: ["random", { name: "strong", agent: "greedy", evaluator: "threats" }, "mcts:simulations=10"],
};

async function exported(url: string, ...dirs: readonly string[]): Promise<Exported[]> {
  const league = await League.open(url, "agon");
  try {
    const all: Exported[] = [];
    for (const dir of dirs) all.push(await league.export(dir));
    return all;
  } finally {
    await league.close();
  }
}

/** All that the database has, but for the moments of export; games by id. */
async function contents(url: string, schema = "agon"): Promise<Record<string, unknown>> {
  const orders = {
    runs: "run",
    entrants: "run, entrant",
    games: "run, id",
    seats: "run, number, seat",
    ratings: "run, entrant",
  };
  const tables: Record<string, unknown> = {};
  for (const [table, order] of Object.entries(orders)) {
    const rows = await sql(url, `select * from ${schema}.${table} order by ${order}`);
    tables[table] = rows.map((row) => ({ ...row, exported_at: undefined }));
  }
  return tables;
}

/** The games of a run as its store has them, out of the database. */
async function readBack(url: string, run: number): Promise<GameRecord[]> {
  const rows = await sql(
    url,
    `select id, block, array_agg(entrant order by seat) as seats, actions, opening_length as "openingLength",
       array_agg(return order by seat) as returns, ending, coalesce(forfeit_seat, -1) as "forfeitSeat", detail,
       array_agg(decisions order by seat) as decisions, array_agg(nodes order by seat) as nodes,
       array_agg(time_ms order by seat) as "timeMs", thoughts
     from agon.games join agon.seats using (run, number) where run = $1 group by run, number order by id`,
    [run],
  );
  return rows as unknown as GameRecord[];
}

/** As the database keeps it. */
function kept(record: GameRecord): unknown {
  return { ...record, detail: storable(record.detail), thoughts: formatThoughts(record.thoughts) };
}

const GAMES = [
  { what: "two players", game: "connect-four", entrants: CONFIG.entrants },
  {
    what: "three players",
    game: { id: "nim", players: 3 },
    entrants: ["random", "mcts:simulations=1", "mcts:simulations=2", "mcts:simulations=3"],
  },
  { what: "one player", game: "2048", entrants: ["random", "mcts:simulations=1"] },
  {
    what: "hostile names",
    game: "tic-tac-toe",
    seed: HOSTILE[3]!,
    entrants: HOSTILE.map((name) => ({ name, agent: "random" })),
  },
];

describe("what is read back equals the store", () => {
  for (const { what, ...given } of GAMES) {
    postgresTest(`games of ${what}`, async () => {
      const url = await newDatabase(shared.server);
      const dir = join(temporaryFolder(), "run 'a'");
      await storeGames(dir, { ...CONFIG, openings: { randomPlies: 1 }, ...given });
      const { plan, id, games } = readRun(dir);
      const [done] = await exported(url, dir);
      expect(done).toEqual({
        folder: dir,
        id,
        run: 1,
        games: games.length,
        newGames: games.length,
        entrants: plan.entrants.length,
        rated: true,
      });
      expect(games.some(({ forfeitSeat, thoughts }) => forfeitSeat >= 0 || thoughts.length > 0)).toBe(true);
      expect(await readBack(url, 1)).toEqual(games.map(kept));

      const { game, options, version, name, players, seed, blocks, folder, ...run } = (
        await sql(url, "select * from agon.runs")
      )[0]!;
      expect({ ...(options as object), id: game }).toEqual(plan.game);
      expect({ version, name, players, seed, blocks, folder }).toEqual({
        version: plan.gameVersion,
        name: storable(plan.name),
        players: plan.players,
        seed: storable(plan.seed),
        blocks: plan.blocks,
        folder: "run 'a'",
      });
      expect(run["plan"]).toEqual(JSON.parse(storableJson(plan)));
      const entrants = await sql(
        url,
        "select entrant, name, agent, spec from agon.entrants order by entrant",
      );
      expect(entrants).toEqual(
        plan.entrants.map(({ name: own, spec }, entrant) => ({
          entrant,
          name: storable(own),
          agent: spec.agent,
          spec: JSON.parse(storableJson(spec)),
        })),
      );
    });
  }

  postgresTest("ratings, their warnings, and the first seat's advantage are those of agon rate", async () => {
    const url = await newDatabase(shared.server);
    const dir = join(temporaryFolder(), "run");
    await storeGames(dir, CONFIG);
    await exported(url, dir);
    const { plan, games } = readRun(dir);
    const report = reportRun(plan, games);
    const ratings = await sql(
      url,
      `select rank, name, elo, low, high, games, wins, draws, losses, score, draw_rate as "drawRate",
         mean_return as "meanReturn", return_low as "returnLow", return_high as "returnHigh",
         nodes_per_move as "nodesPerMove", ms_per_move as "msPerMove", forfeits
       from agon.ratings join agon.entrants using (run, entrant) order by rank`,
    );
    expect(ratings).toEqual(report.entrants);
    const runs = await sql(
      url,
      `select rated_games as games, players, first_seat_elo as "firstSeatElo", first_seat_low as "firstSeatLow",
         first_seat_high as "firstSeatHigh", ranked_by as "rankedBy", warnings from agon.runs`,
    );
    const { players, firstSeatElo, firstSeatLow, firstSeatHigh, rankedBy, warnings } = report;
    const figures = { games: report.games, players, firstSeatElo, firstSeatLow, firstSeatHigh, rankedBy };
    expect(runs).toEqual([{ ...figures, warnings: warnings.map(storable) }]);
  });
});

describe("an export again", () => {
  postgresTest("of the same changes nothing", async () => {
    const url = await newDatabase(shared.server);
    const dir = join(temporaryFolder(), "run");
    await storeGames(dir, CONFIG);
    await exported(url, dir);
    const before = await contents(url);
    const again = await exported(url, dir, dir);
    expect(again.map(({ newGames, games }) => [newGames, games])).toEqual(Array(2).fill([0, 36]));
    expect(await contents(url)).toEqual(before);
  });

  postgresTest("of a run that has grown adds what is new, and rates it anew", async () => {
    const [grown, whole] = [await newDatabase(shared.server), await newDatabase(shared.server)];
    const dir = join(temporaryFolder(), "run");
    await storeGames(dir, CONFIG, { most: 20 });
    const [first] = await exported(grown, dir);
    await storeGames(dir, { ...CONFIG, blocks: 8 });
    const [second] = await exported(grown, dir);
    expect([first!.newGames, second!.newGames, second!.games]).toEqual([20, 28, 48]);
    expect(second!.run).toBe(first!.run);
    await exported(whole, dir);
    expect(await contents(grown)).toEqual(await contents(whole));
  });

  postgresTest("of an older copy takes nothing back", async () => {
    const url = await newDatabase(shared.server);
    const parent = temporaryFolder();
    const [dir, copy] = [join(parent, "run"), join(parent, "copy")];
    await storeGames(dir, CONFIG, { most: 20 });
    mkdirSync(copy);
    copyFileSync(join(dir, "results.sqlite"), join(copy, "results.sqlite"));
    await storeGames(dir, { ...CONFIG, blocks: 8 });
    await exported(url, dir);
    const before = await contents(url);
    const [done] = await exported(url, copy);
    expect(done).toMatchObject({ games: 20, newGames: 0, rated: false });
    const folders = (tables: Record<string, unknown>) =>
      JSON.stringify(tables).replaceAll(/"folder":"(run|copy)"/g, "");
    expect(folders(await contents(url))).toEqual(folders(before));
    expect((await sql(url, "select plan -> 'blocks' as blocks from agon.runs"))[0]).toEqual({ blocks: 8 });
  });

  postgresTest("of a store that got its id after it was exported is of the same run", async () => {
    const url = await newDatabase(shared.server);
    const dir = join(temporaryFolder(), "run");
    await storeGames(dir, CONFIG, { most: 20 });
    removeId(dir);
    const [first, same] = await exported(url, dir, dir);
    expect(first!.id).toMatch(/^[0-9a-f]{24}$/);
    expect(same).toEqual({ ...first, newGames: 0 });
    await storeGames(dir, { ...CONFIG, blocks: 8 });
    const { id } = readRun(dir);
    expect(id).toBeDefined();
    const [third] = await exported(url, dir);
    expect(third).toMatchObject({ id, run: first!.run, newGames: 28 });
    expect(await sql(url, "select id from agon.runs")).toEqual([{ id }]);
    // The copy that was not gone on with is a run of its own; it does not get in the way.
    const copy = join(temporaryFolder(), "copy");
    cpSync(dir, copy, { recursive: true });
    removeId(copy);
    const [old, fourth] = await exported(url, copy, dir);
    expect(old!.run).not.toBe(third!.run);
    expect(fourth).toEqual({ ...third, newGames: 0 });
  });

  postgresTest("of another run of the same plan is one more run", async () => {
    const url = await newDatabase(shared.server);
    const parent = temporaryFolder();
    const dirs = ["a", "b"].map((name) => join(parent, name));
    for (const [at, dir] of dirs.entries()) await storeGames(dir, CONFIG, { seed: `${at}` });
    const told = await exported(url, ...dirs);
    for (const dir of dirs) removeId(dir);
    const older = await exported(await newDatabase(shared.server), ...dirs);
    for (const runs of [told, older]) expect(runs.map(({ newGames }) => newGames)).toEqual([36, 36]);
  });
});

describe("nothing is half there", () => {
  slowPostgresTest("after a kill in the middle of an export", async () => {
    const url = await newDatabase(shared.server);
    const dir = join(temporaryFolder(), "run");
    await storeGames(dir, CONFIG, { most: 20 });
    await exported(url, dir);
    const before = await contents(url);
    await storeGames(dir, CONFIG);
    const holder = await openClient(url);
    // The games are inserted, their seats have to wait.
    await holder.query("begin; lock table agon.seats in share mode");
    const { child, outcome } = startAgon(["league", url, dir]);
    await waiting(url);
    child.kill("SIGKILL");
    await outcome;
    await holder.query("rollback");
    await idle(url);
    expect(await contents(url)).toEqual(before);
    expect((await exported(url, dir))[0]).toMatchObject({ games: 36, newGames: 16 });
  });

  postgresTest("when two export the same run at the same time, into a schema that is not there", async () => {
    const [url, alone] = [await newDatabase(shared.server), await newDatabase(shared.server)];
    const dir = join(temporaryFolder(), "run");
    await storeGames(dir, CONFIG);
    const both = await Promise.all([exported(url, dir), exported(url, dir), exported(url, dir)]);
    expect(
      both
        .flat()
        .map(({ newGames }) => newGames)
        .toSorted((a, b) => a - b),
    ).toEqual([0, 0, 36]);
    await exported(alone, dir);
    expect(await contents(url)).toEqual(await contents(alone));
  });

  slowPostgresTest("when the server stops", async () => {
    const url = await newDatabase(shared.server);
    const dir = join(temporaryFolder(), "run");
    await storeGames(dir, CONFIG, { most: 20 });
    await exported(url, dir);
    const before = await contents(url);
    await storeGames(dir, CONFIG);
    const holder = await openClient(url);
    holder.on("error", () => {});
    await holder.query("begin; lock table agon.seats in share mode");
    const { outcome } = startAgon(["league", url, dir, "--quiet"]);
    await waiting(url);
    await shared.server.kill();
    const { code, stdout, stderr } = await outcome;
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(
      /^postgres:\/\/127.0.0.1:\d+\/games\d+: .*; games exported before are kept; the same command continues\n$/,
    );
    await shared.server.start();
    expect(await contents(url)).toEqual(before);
  });

  postgresTest("of a run whose numbers PostgreSQL cannot hold", async () => {
    const url = await newDatabase(shared.server);
    const dir = join(temporaryFolder(), "run");
    await storeGames(dir, CONFIG);
    const store = Store.open(dir);
    store.add([{ ...readRun(dir).games[0]!, id: "odd", actions: [2 ** 40], openingLength: 1, thoughts: [] }]);
    store.close();
    await expect(exported(url, dir)).rejects.toThrow(
      `${dir}: is damaged, PostgreSQL refuses a value of it: value "1099511627776" is out of range for type integer`,
    );
    expect(await sql(url, "select * from agon.runs")).toEqual([]);
  });
});

/** Waits until somebody waits for a lock. */
async function waiting(url: string): Promise<void> {
  await until(url, "select count(*) > 0 as ok from pg_stat_activity where wait_event_type = 'Lock'");
}

/** Waits until no export is under way. */
async function idle(url: string): Promise<void> {
  await until(
    url,
    `select count(*) = 0 as ok from pg_stat_activity
     where application_name = 'agon league' and datname = current_database()`,
  );
}

async function until(url: string, question: string): Promise<void> {
  while ((await sql(url, question))[0]!["ok"] !== true) await new Promise((next) => setTimeout(next, 20));
}

describe("the folder", () => {
  slowPostgresTest("may be that of a training", async () => {
    const url = await newDatabase(shared.server);
    const parent = temporaryFolder();
    const config = writeInto(parent, "train.json", {
      name: "train",
      game: "tic-tac-toe",
      games: 40,
      checkpoints: 2,
      evaluator: { kind: "linear", features: "lines", output: "tanh" },
      learner: { rule: "td", lambda: 0.7, stepSize: 0.05 },
      exploration: { kind: "epsilon-greedy", epsilon: 0.3 },
      rating: { blocks: 2, pool: ["random"], player: "greedy", openings: { randomPlies: 2 } },
    });
    const dirs = ["a", "b"].map((name) => join(parent, name));
    const { code, stderr } = await agon(["train", config, "--out", dirs[0]!, "--quiet"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    cpSync(dirs[0]!, dirs[1]!, { recursive: true });
    removeId(dirs[1]!);
    // The second training lacks one of its checkpoints.
    rmSync(join(dirs[1]!, "checkpoints/40.json"));
    await exported(url, ...dirs);
    const makes = await sql(
      url,
      `select name, count(distinct make)::integer as makes, count(weights)::integer as weights
       from agon.entrants group by name order by name`,
    );
    expect(makes).toEqual([
      { name: "0 games", makes: 1, weights: 2 },
      { name: "20 games", makes: 1, weights: 2 },
      { name: "40 games", makes: 2, weights: 1 },
      { name: "random", makes: 1, weights: 0 },
    ]);
    expect(await sql(url, "select distinct is_training from agon.runs")).toEqual([{ is_training: true }]);
    const { plan } = readRun(dirs[0]!);
    const different = (plan.blocks * 2 * (3 + 1)).toString();
    expect(await sql(url, "select count(distinct (run, number)) from agon.results")).toEqual([
      { count: different },
    ]);
  });

  postgresTest("may be empty of games, and is refused where nothing tells it from others", async () => {
    const url = await newDatabase(shared.server);
    const parent = temporaryFolder();
    const [dir, old] = [join(parent, "run"), join(parent, "old")];
    for (const one of [dir, old]) await storeGames(one, CONFIG, { most: 0 });
    removeId(old);
    expect((await exported(url, dir))[0]).toMatchObject({ games: 0, newGames: 0, entrants: 3, rated: false });
    await expect(exported(url, old)).rejects.toThrow(`${old}: has neither an id nor a game`);
    await expect(exported(url, parent)).rejects.toThrow(`${parent}: no run here`);
  });
});

postgresTest("one player with the same weights is one make, whatever its name and folder", async () => {
  const url = await newDatabase(shared.server);
  const parent = temporaryFolder();
  const weights = join(parent, "copied.json");
  copyFileSync(fixture("../../weights/connect-four/linear.json"), weights);
  const of = (name: string, evaluator: string) => ({
    ...CONFIG,
    entrants: ["random", { name, agent: "greedy", evaluator }],
  });
  await storeGames(join(parent, "a"), of("mine", fixture("../../weights/connect-four/linear.json")));
  await storeGames(join(parent, "b"), of("yours", weights));
  await exported(url, join(parent, "a"), join(parent, "b"));
  expect(await sql(url, "select make from agon.standings")).toHaveLength(2);
  expect(await sql(url, "select name, runs, games from agon.standings where name <> 'random'")).toEqual([
    { name: "yours", runs: "2", games: "24" },
  ]);
});
