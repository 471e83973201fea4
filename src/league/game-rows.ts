import type { Client } from "pg";
import type { Store } from "../arena/store/store.ts";
import { formatThoughts } from "../base/thought.ts";
import type { GameRecord } from "../ratings/record.ts";
import { storable } from "./postgres.ts";

/** Rows go to the server in batches of this many games, or of this many characters if games are long. */
const BATCH_GAMES = 1000;
const BATCH_CHARACTERS = 4_000_000;

/** The given ids that the run does not have. */
const MISSING = `
select id from unnest($2::text[]) as given (id)
where not exists (select from games where games.id = given.id and games.run = $1)`;

// PostgreSQL has no arrays of lists of different lengths: actions are sent as texts.
const INSERT_GAMES = `
insert into games (run, number, id, block, line_up, opening_length, actions, ending, forfeit_seat, detail, thoughts)
select $1, number, id, block, line_up, opening_length, actions::integer[], ending, forfeit_seat, detail, thoughts
from unnest($2::integer[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::text[], $8::text[], $9::integer[],
    $10::text[], $11::text[])
  as given (number, id, block, line_up, opening_length, actions, ending, forfeit_seat, detail, thoughts)`;

const INSERT_SEATS = `
insert into seats (run, number, seat, entrant, return, decisions, nodes, time_ms)
select $1, * from unnest($2::integer[], $3::integer[], $4::integer[], $5::double precision[], $6::integer[],
  $7::double precision[], $8::double precision[])`;

/** The progress of an export. */
export interface GamesDone {
  /** Games of the store that were compared. */
  readonly done: number;
  /** Games that the database did not have. */
  readonly added: number;
  readonly total: number;
}

/**
 * Adds the store's games that the run does not have, batch by batch. The caller holds the run's lock.
 * @param pairingOf hash of the players at the seats of a game
 */
export async function addGames(
  client: Client,
  run: number,
  store: Store,
  {
    pairingOf,
    onProgress,
  }: { pairingOf: (seats: readonly number[]) => string; onProgress: (state: GamesDone) => void },
): Promise<GamesDone> {
  const { rows } = await client.query(
    "select coalesce(max(number), 0)::integer as last from games where run = $1",
    [run],
  );
  const { last } = (rows as { last: number }[])[0]!;
  const total = store.size;
  let done = 0;
  let added = 0;
  const addBatch = async (batch: readonly GameRecord[]) => {
    const isMissing = await missing(client, run, last === 0 ? undefined : batch);
    const fresh = batch.filter(({ id }) => isMissing(id));
    if (fresh.length > 0) await insert(client, run, fresh, { from: last + added + 1, pairingOf });
    done += batch.length;
    added += fresh.length;
    onProgress({ done, added, total });
  };
  let batch: GameRecord[] = [];
  let characters = 0;
  for (const game of store.games()) {
    batch.push(game);
    characters += charactersOf(game);
    if (batch.length < BATCH_GAMES && characters < BATCH_CHARACTERS) continue;
    await addBatch(batch);
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) await addBatch(batch);
  return { done, added, total };
}

/** The approximate length of a game's rows. */
function charactersOf({ actions, thoughts, detail }: GameRecord): number {
  const inThoughts = thoughts.reduce((sum, { line }) => sum + 40 + 4 * line.length, 0);
  return 200 + 5 * actions.length + inThoughts + detail.length;
}

/** @param batch undefined if the run has no game yet */
async function missing(
  client: Client,
  run: number,
  batch: readonly GameRecord[] | undefined,
): Promise<(id: string) => boolean> {
  if (batch === undefined) return () => true;
  const { rows } = await client.query(MISSING, [run, textList(batch.map(({ id }) => id))]);
  const ids = new Set((rows as { id: string }[]).map(({ id }) => id));
  return (id) => ids.has(id);
}

async function insert(
  client: Client,
  run: number,
  games: readonly GameRecord[],
  { from, pairingOf }: { from: number; pairingOf: (seats: readonly number[]) => string },
): Promise<void> {
  await client.query(INSERT_GAMES, [
    run,
    numberList(games.map((_, at) => from + at)),
    textList(games.map(({ id }) => id)),
    textList(games.map(({ block }) => block)),
    textList(games.map(({ seats }) => pairingOf(seats))),
    numberList(games.map(({ openingLength }) => openingLength)),
    textList(games.map(({ actions }) => numberList(actions))),
    textList(games.map(({ ending }) => ending)),
    numberList(games.map(({ forfeitSeat }) => (forfeitSeat < 0 ? null : forfeitSeat))),
    textList(games.map(({ detail }) => storable(detail))),
    textList(games.map(({ thoughts }) => formatThoughts(thoughts))),
  ]);
  const bySeat = <Value>(of: (game: GameRecord, seat: number, at: number) => Value): Value[] =>
    games.flatMap((game, at) => game.seats.map((_, seat) => of(game, seat, at)));
  await client.query(INSERT_SEATS, [
    run,
    numberList(bySeat((_, _seat, at) => from + at)),
    numberList(bySeat((_, seat) => seat)),
    numberList(bySeat(({ seats }, seat) => seats[seat]!)),
    numberList(bySeat(({ returns }, seat) => returns[seat]!)),
    numberList(bySeat(({ decisions }, seat) => decisions[seat]!)),
    numberList(bySeat(({ nodes }, seat) => nodes[seat]!)),
    numberList(bySeat(({ timeMs }, seat) => timeMs[seat]!)),
  ]);
}

/** An array in PostgreSQL's notation; the client's own conversion takes several times as long. */
function numberList(values: readonly (number | null)[]): string {
  return `{${values.map((value) => value ?? "null").join()}}`;
}

function textList(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replaceAll(/["\\]/g, "\\$&")}"`).join()}}`;
}
