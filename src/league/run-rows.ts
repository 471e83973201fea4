import { basename, resolve } from "node:path";
import type { Client } from "pg";
import { InputError } from "../base/errors.ts";
import type { TournamentPlan } from "../arena/plan/plan.ts";
import type { Report } from "../ratings/report.ts";
import { makeOf, rulesOf } from "../arena/store/identity.ts";
import { storable, storableJson } from "./postgres.ts";

// The row keeps the plan of the largest export; an existing row is locked until the transaction ends.
const PUT_RUN = `
insert into runs (id, name, folder, game, options, version, rules, players, seed, blocks, is_training, plan)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
on conflict (id) do update set name = excluded.name, folder = excluded.folder, exported_at = now(),
  blocks = greatest(runs.blocks, excluded.blocks),
  plan = case
    when (excluded.blocks, jsonb_array_length(excluded.plan -> 'entrants'))
      >= (runs.blocks, jsonb_array_length(runs.plan -> 'entrants'))
    then excluded.plan else runs.plan end
returning run, rated_games as "ratedGames", rules, seed`;

/** Writes the run's row. @param before the run's id in an export from before its store had one */
export async function putRun(
  client: Client,
  plan: TournamentPlan,
  { id, before, dir }: { id: string; before: string | undefined; dir: string },
): Promise<{ run: number; ratedGames: number }> {
  if (before !== undefined && before !== id)
    await client.query(
      "update runs set id = $1 where id = $2 and not exists (select from runs where id = $1)",
      [id, before],
    );
  const { id: game, ...options } = plan.game;
  const rules = rulesOf(plan);
  const { rows } = await client.query(PUT_RUN, [
    id,
    storable(plan.name),
    storable(basename(resolve(dir))),
    storable(game),
    storableJson(options),
    plan.gameVersion,
    rules,
    plan.players,
    storable(plan.seed),
    plan.blocks,
    plan.format.type === "pool",
    storableJson(plan),
  ]);
  const [row] = rows as { run: number; ratedGames: number; rules: string; seed: string }[];
  if (row!.rules !== rules || row!.seed !== storable(plan.seed))
    throw new InputError("has the id of another run, which was exported before", dir);
  return row!;
}

const PUT_ENTRANTS = `
insert into entrants select * from jsonb_populate_recordset(null::entrants, $1)`;

/** Adds the entrants that the run does not have; returns the makes of all. */
export async function putEntrants(
  client: Client,
  run: number,
  { entrants }: TournamentPlan,
  { id, dir }: { id: string; dir: string },
): Promise<string[]> {
  const { rows } = await client.query("select entrant, make from entrants where run = $1", [run]);
  const makes = new Map((rows as { entrant: number; make: string }[]).map((row) => [row.entrant, row.make]));
  const fresh: object[] = [];
  for (const [at, entrant] of entrants.entries()) {
    if (makes.has(at)) continue;
    const { name, spec, code = null } = entrant;
    const { weights = null, make } = makeOf(entrant, dir, id);
    fresh.push({ run, entrant: at, name, agent: spec.agent, spec, code, weights, make });
    makes.set(at, make);
  }
  await client.query(PUT_ENTRANTS, [storableJson(fresh)]);
  return entrants.map((_, at) => makes.get(at)!);
}

const RUN_RATING = `
update runs set rated_games = $2, first_seat_elo = $3, first_seat_low = $4, first_seat_high = $5, ranked_by = $6,
  warnings = $7
where run = $1`;

/** Replaces the run's ratings. */
export async function putRatings(
  client: Client,
  run: number,
  plan: TournamentPlan,
  { games, firstSeatElo, firstSeatLow, firstSeatHigh, rankedBy, warnings, entrants }: Report,
): Promise<void> {
  await client.query(RUN_RATING, [
    run,
    games,
    firstSeatElo,
    firstSeatLow,
    firstSeatHigh,
    rankedBy,
    warnings.map(storable),
  ]);
  const byName = new Map(plan.entrants.map(({ name }, at) => [name, at]));
  const rows = entrants.map(({ name, ...figures }) => {
    const columns = Object.entries(figures).map(([key, value]) => [columnOf(key), value]);
    return { run, entrant: byName.get(name), ...Object.fromEntries(columns) } as Record<string, unknown>;
  });
  const columns = Object.keys(rows[0] ?? {});
  const list = columns.join(", ");
  await client.query(
    `insert into ratings (${list}) select ${list} from jsonb_populate_recordset(null::ratings, $1)
     on conflict (run, entrant) do update set (${list}) = (${columns.map((column) => `excluded.${column}`).join(", ")})`,
    [JSON.stringify(rows)],
  );
}

/** The table's column for a key of the report: `meanReturn` is `mean_return`. */
function columnOf(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
