import { statSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../base/errors.ts";
import { unknownName } from "../../base/text.ts";
import type { Game, Transcript, TranscriptFormat } from "../../games/contract/game.ts";
import { fromSetup } from "../../games/contract/setups.ts";
import { decisionsOf, jsonLines } from "../../games/contract/notation.ts";
import { gameOf, timesOf, type TournamentPlan } from "../plan/plan.ts";
import type { Thought } from "../../base/thought.ts";
import { formatPlayed } from "../../ratings/format-results.ts";
import type { GameRecord } from "../../ratings/record.ts";
import { schedule } from "../schedule/rounds.ts";
import { formatTime } from "../plan/time-control.ts";
import { positionsCsv } from "./positions-csv.ts";
import { positionsNpz } from "./positions-npz.ts";
import { STORE_FILE, type Store } from "../store/store.ts";

/** The formats in which games of this game can be written, by the usual ending of their file names. */
export function transcriptFormats(game: Game): Readonly<Record<string, TranscriptFormat>> {
  return { ...game.transcripts, jsonl: jsonLines(game) };
}

/**
 * Writes a run's games in a format of the field, in the order of the schedule. The text comes in pieces, for which the
 * games are read from the store one by one. Throws InputError.
 * @param as the name of the text format
 */
export async function exportRun(store: Store, dir: string, as: string): Promise<Iterable<string>> {
  const { plan, game } = await planOf(store, dir);
  const known: Readonly<Record<string, TranscriptFormat>> = {
    ...transcriptFormats(game),
    positions: positionsCsv(game),
  };
  const transcriptFormat = Object.hasOwn(known, as) ? known[as] : undefined;
  if (transcriptFormat === undefined)
    throw new InputError(unknownName(`format of ${game.id}`, as, Object.keys(known)));
  if (game.setups !== undefined && transcriptFormat.writesFrom !== true) {
    const able = Object.keys(known).filter((name) => known[name]!.writesFrom === true);
    throw new InputError(
      `games that begin at positions cannot be written as ${as}; allowed: ${able.join(", ")}`,
    );
  }
  // A store in memory has no file.
  const date = statSync(join(dir, STORE_FILE), { throwIfNoEntry: false })?.mtime;
  return transcriptFormat.write(transcripts(store, { plan, game, date }));
}

/** The positions of a run's games as arrays of NumPy; throws InputError. */
export async function exportArrays(
  store: Store,
  dir: string,
  options: Parameters<typeof positionsNpz>[2] = {},
): Promise<Uint8Array> {
  const { plan, game } = await planOf(store, dir);
  return positionsNpz(game, transcripts(store, { plan, game }), options);
}

async function planOf(store: Store, dir: string): Promise<{ plan: TournamentPlan; game: Game }> {
  const plan = store.requirePlan(dir);
  return { plan, game: await gameOf(plan) };
}

/** The stored games of a run in the order of the schedule, read one by one. */
export function* transcripts(
  store: Store,
  { plan, game, date }: { plan: TournamentPlan; game: Game; date?: Date | undefined },
): Generator<Transcript> {
  const find = store.finder();
  const times = timesOf(plan)?.map(formatTime);
  const [sitting] = store.sittings;
  const program = sitting && formatPlayed(sitting);
  let round = 0;
  let block = { key: "", number: 0, games: 0 };
  for (const scheduled of schedule(plan, game, store.scorer())) {
    if (scheduled.block !== block.key) block = { key: scheduled.block, number: block.number + 1, games: 0 };
    block.games++;
    const { id } = scheduled;
    const record = find(id);
    if (record === undefined) continue;
    const names = record.seats.map((entrant) => plan.entrants[entrant]!.name);
    const { from, actions } = fromSetup(game, record.actions);
    const before = record.actions.length - actions.length;
    yield {
      event: plan.name,
      round: ++round,
      names,
      ...(from !== undefined && { from }),
      actions,
      returns: record.returns,
      thoughts: thoughtsByAction(game, record)?.slice(before),
      ...(record.ending === "adjudicated" && { adjudication: record.detail }),
      forfeit: record.forfeitSeat < 0 ? "" : `${record.ending} by ${names[record.forfeitSeat]}`,
      block: [block.number, block.games],
      openingLength: record.openingLength - before,
      timeControls: record.seats.map((entrant) => times?.[entrant] ?? "-"),
      date,
      id,
      seed: plan.seed,
      ending: record.ending,
      program,
    };
  }
}

function thoughtsByAction(game: Game, record: GameRecord): (Thought | undefined)[] | undefined {
  const { actions, thoughts } = record;
  if (thoughts.length === 0) return undefined;
  const byAction = actions.map((): Thought | undefined => undefined);
  let decision = 0;
  for (const { index } of decisionsOf(game, record)) byAction[index] = thoughts[decision++];
  return byAction;
}
