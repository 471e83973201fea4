import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GameRecord } from "../ratings/record.ts";
import type { Report } from "../ratings/report.ts";
import { planTournament, type TournamentConfig } from "./plan/config.ts";
import type { TournamentPlan } from "./plan/plan.ts";
import { runTournament, type RunOptions } from "./play/run.ts";
import type { Players } from "./play/worker-pool.ts";
import { reportRun, saveReports } from "./results/runs.ts";
import { freezeFiles, openRun } from "./store/run-folder.ts";
import { Store } from "./store/store.ts";

/** A run that is open: its plan, its store, and the folder that the plan's paths are taken from. */
interface OpenedRun {
  readonly plan: TournamentPlan;
  readonly store: Store;
  readonly dir: string;
}

/** Makes the players of a run's games. */
export type OpenPlayers = (run: OpenedRun) => Promise<Players>;

/** Options of `playTournament`. */
export interface TournamentRequest extends Pick<RunOptions, "workers" | "formats" | "onProgress" | "signal"> {
  /** Folder that relative paths are taken from [the current one]. */
  readonly baseDir?: string | undefined;
  /** Folder of the run, which keeps the games and the report [none: the games are kept in memory]. */
  readonly outDir?: string | undefined;
  /** Goes on with the run in `outDir`. */
  readonly resume?: boolean | undefined;
  /** An open store with its folder, for games of a plan that grows. It stays open, and no report is written. */
  readonly into?: { readonly store: Store; readonly dir: string } | undefined;
  /** Opens players to be used instead of workers of this machine. */
  readonly players?: OpenPlayers | undefined;
  /** Called when the run is open, before its first game. */
  readonly onOpen?: ((run: OpenedRun) => void) | undefined;
}

/** A tournament that was played. */
export interface TournamentResult {
  /** The config, checked and with everything filled in. */
  readonly plan: TournamentPlan;
  /** False when the signal stopped it: records and report are of the games that were finished. */
  readonly complete: boolean;
  /** Games played now, without those that were stored before. */
  readonly played: number;
  /** Every game, by id; read when asked for. */
  readonly records: readonly GameRecord[];
  /** Made when asked for. */
  readonly report: Report;
}

/**
 * Plays a tournament to its report: a config, or the plan that `planTournament` or a dry run made of one. Throws
 * InputError where config or folder is wrong, GameFault.
 */
export async function playTournament(
  tournament: TournamentConfig | TournamentPlan,
  request: TournamentRequest = {},
): Promise<TournamentResult> {
  const { baseDir = ".", outDir, players, onOpen, ...options } = request;
  const planned = isPlan(tournament) ? tournament : await planTournament(tournament, { baseDir });
  const { plan, store, dir, scratch } = open(planned, request);
  try {
    onOpen?.({ plan, store, dir });
    const opened = await players?.({ plan, store, dir });
    const { complete, played } = await runTournament({ ...options, plan, store, dir, players: opened });
    const report = complete && outDir !== undefined ? reportRun(plan, store) : undefined;
    if (report !== undefined) saveReports(dir, report);
    const read = <Part>(part: (games: Store) => Part) =>
      outDir === undefined ? part(store) : reading(outDir, part);
    return {
      plan,
      complete,
      played,
      get records() {
        return read((games) => games.records());
      },
      get report() {
        return report ?? read((games) => reportRun(plan, games));
      },
    };
  } finally {
    // A store in memory is needed as long as somebody can ask for its games.
    if (outDir !== undefined) store.close();
    if (scratch) rmSync(dir, { recursive: true, force: true });
  }
}

function isPlan(tournament: TournamentConfig | TournamentPlan): tournament is TournamentPlan {
  return "formatVersion" in tournament;
}

/** Opens what the games are played into; `scratch` if the folder goes when they are over. */
function open(plan: TournamentPlan, request: TournamentRequest): OpenedRun & { readonly scratch: boolean } {
  const { outDir, resume = false, formats, into } = request;
  if (into !== undefined) return { plan, ...into, scratch: false };
  if (outDir !== undefined)
    return { ...openRun(outDir, plan, { resume, formats }), dir: outDir, scratch: false };
  // The id of a game has the names of weights and tables as a folder has them, so the games are the same with a folder.
  const dir = mkdtempSync(join(tmpdir(), "agon-files-"));
  const entrants = plan.entrants.map((entrant) => freezeFiles(entrant, dir));
  return { plan: { ...plan, entrants }, store: Store.inMemory(), dir, scratch: true };
}

function reading<Part>(dir: string, part: (games: Store) => Part): Part {
  const store = Store.openExisting(dir);
  try {
    return part(store);
  } finally {
    store.close();
  }
}
