import type { GameRecord } from "../ratings/record.ts";
import { planTournament, type TournamentConfig } from "./plan/config.ts";
import type { TournamentPlan } from "./plan/plan.ts";
import { runTournament, type RunOptions } from "./play/run.ts";
import type { Report } from "../ratings/report.ts";
import { reportRun, saveReports } from "./results/runs.ts";
import { openRun } from "./store/run-folder.ts";
import { Store } from "./store/store.ts";

/** What `playTournament` may be given besides the config. */
export interface TournamentRequest extends Pick<RunOptions, "workers" | "onProgress" | "signal"> {
  /** Folder that relative paths in the config are taken from [the current one]. */
  readonly baseDir?: string | undefined;
  /** Folder of the run, which keeps the games and the report [none: the games are kept in memory]. */
  readonly outDir?: string | undefined;
  /** Goes on with the run in `outDir`. */
  readonly resume?: boolean | undefined;
}

/** A tournament that was played. */
export interface TournamentResult {
  /** The config, checked and with everything filled in. */
  readonly plan: TournamentPlan;
  /** Every game, by id. */
  readonly records: readonly GameRecord[];
  readonly report: Report;
  /** False when the signal stopped it: the report is of the games that were finished. */
  readonly complete: boolean;
}

/** Plays a tournament from its config to its report. Throws InputError where config or folder is wrong, GameFault. */
export async function playTournament(
  config: TournamentConfig,
  { baseDir, outDir, resume = false, ...options }: TournamentRequest = {},
): Promise<TournamentResult> {
  const planned = await planTournament(config, baseDir === undefined ? {} : { baseDir });
  const { plan, store } =
    outDir === undefined ? { plan: planned, store: Store.inMemory() } : openRun(outDir, planned, { resume });
  try {
    const { complete } = await runTournament({ ...options, plan, store, dir: outDir });
    const records = store.records();
    const report = reportRun(plan, records);
    if (outDir !== undefined && complete) saveReports(outDir, report);
    return { plan, records, report, complete };
  } finally {
    store.close();
  }
}
