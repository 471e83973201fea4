import { InputError, unknownName } from "../../base/errors.ts";
import type { Game, Transcript, TranscriptFormat } from "../../games/game.ts";
import { jsonLines } from "../../games/notation.ts";
import { loadGame } from "../../specs/games.ts";
import { schedule } from "../schedule/schedule.ts";
import type { Store } from "../store/store.ts";

/** By the usual ending of their file names: the formats that a game's played games can be written in. */
export function transcriptFormats(game: Game): Readonly<Record<string, TranscriptFormat>> {
  return { ...game.transcripts, jsonl: jsonLines(game) };
}

/** Writes a run's games in a format of the field, in the order of the schedule; throws InputError. */
export async function exportRun(store: Store, dir: string, formatName: string): Promise<string> {
  const plan = store.loadPlan();
  if (plan === undefined) throw new InputError("has no plan: the run never began", dir);
  const game = await loadGame(plan.game);
  const formats = transcriptFormats(game);
  const format = Object.hasOwn(formats, formatName) ? formats[formatName] : undefined;
  if (format === undefined) {
    throw new InputError(unknownName(`format of ${game.id}`, formatName, Object.keys(formats)));
  }
  const records = new Map(store.records().map((record) => [record.id, record]));
  const transcripts: Transcript[] = [];
  for (const { id } of schedule(plan, game)) {
    const record = records.get(id);
    if (record === undefined) continue;
    const names = record.seats.map((entrant) => plan.entrants[entrant]!.name);
    transcripts.push({
      event: plan.name,
      round: transcripts.length + 1,
      names,
      actions: record.actions,
      returns: record.returns,
      forfeit: record.forfeitSeat < 0 ? "" : `${record.ending} by ${names[record.forfeitSeat]}`,
    });
  }
  return format.write(transcripts);
}
