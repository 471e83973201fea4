import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InputError } from "../base/errors.ts";
import type { GameRecord } from "../ratings/record.ts";
import { planDocument } from "../specs/files/documents.ts";
import { planTournament, type TournamentConfig } from "./plan/config.ts";
import { ORIGIN, type TournamentPlan } from "./plan/plan.ts";
import { coresOf, runTournament, type RunOptions } from "./play/run.ts";
import type { Players } from "./play/worker-pool.ts";
import { luckOfRun } from "./results/luck.ts";
import { loadDetails, reportRun, saveReports } from "./results/runs.ts";
import type { Played, RunReport } from "../ratings/format-results.ts";
import { freezePlan, openRun } from "./store/run-folder.ts";
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
export interface TournamentRequest extends Pick<RunOptions, "workers" | "onProgress" | "signal"> {
  /** Folder that relative paths are taken from [the current one]. */
  readonly baseDir?: string | undefined;
  /** Folder of the run, which keeps the games and the report [none: the games are kept in memory]. */
  readonly outDir?: string | undefined;
  /** Goes on with the run in `outDir`. */
  readonly resume?: boolean | undefined;
  /** Adds the entrants to the run in `outDir`, and plays the games that are missing then. */
  readonly grow?: boolean | undefined;
  /** The name of an entrant that has changed: it is added as a new version, and `grow` must be true. */
  readonly as?: string | undefined;
  /** True if the tournament is the plan of the run in `outDir`, by `planOfRun`, and `resume` is true. */
  readonly stored?: boolean | undefined;
  /** Program, machine, time and command, for the run to note [none]. */
  readonly sitting?: Played | undefined;
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
  /** False when the signal or a player stopped it: records and report are of the games that were finished. */
  readonly complete: boolean;
  /** Games played now, without those that were stored before. */
  readonly played: number;
  /** The share of the time in which workers of this machine had no games, 0 to 1; absent if none was needed. */
  readonly idleShare?: number;
  /** The reason for which a player has ended the run; absent if none has. */
  readonly ended?: string;
  /** Every game, by id; read when asked for. */
  readonly records: readonly GameRecord[];
  /** Made when asked for. */
  readonly report: RunReport;
}

/** Plays a tournament in the folder that the request names. */
export type Play = (
  plan: TournamentPlan,
  request: Pick<TournamentRequest, "outDir" | "resume">,
) => Promise<TournamentResult>;

/**
 * Plays a tournament to its report: a config, or the plan that `planTournament` made of one. Throws
 * InputError where config or folder is wrong, GameFault.
 */
export async function playTournament(
  tournament: TournamentConfig | TournamentPlan,
  request: TournamentRequest = {},
): Promise<TournamentResult> {
  const { baseDir = ".", outDir, players, onOpen, ...options } = request;
  const planned = isPlan(tournament) ? tournament : await planTournament(tournament, { baseDir });
  // A run that was begun elsewhere goes on without cores of its own, and has the same games.
  if (request.resume !== true && request.into === undefined) await checkAffinity(planned, request);
  const { plan, store, dir, scratch } = open(planned, request);
  try {
    const luck = await luckOfRun(plan, dir);
    onOpen?.({ plan, store, dir });
    const opened = await players?.({ plan, store, dir });
    const { total: _, ...outcome } = await runTournament({ ...options, plan, store, dir, players: opened });
    // Games of a plan that grows are reported by those who let it grow.
    const details = options.into ? {} : { luck, ...(await loadDetails(plan, dir, store)) };
    const report = outcome.complete && outDir !== undefined ? reportRun(plan, store, details) : undefined;
    if (report !== undefined)
      saveReports(dir, { ...report, ...(store.sittings.length > 0 && { played: store.sittings }) });
    const read = <Part>(part: (games: Store) => Part) =>
      outDir === undefined ? part(store) : Store.reading({ dir: outDir }, part);
    return {
      plan,
      ...outcome,
      get records() {
        return read((games) => games.records());
      },
      get report() {
        return report ?? read((games) => reportRun(plan, games, details));
      },
    };
  } finally {
    // A store in memory is needed as long as somebody can ask for its games.
    if (outDir !== undefined) store.close();
    if (scratch) rmSync(dir, { recursive: true, force: true });
  }
}

/** Throws InputError, with the place in the config, if the plan's workers cannot have cores of their own. */
export async function checkAffinity(
  plan: TournamentPlan,
  request: Pick<TournamentRequest, "workers" | "players">,
): Promise<void> {
  const { problem } = coresOf(plan, request);
  if (problem === undefined) return;
  const { path = "" } = plan[ORIGIN] ?? {};
  const refuse = () => {
    throw new InputError([{ path: "affinity", message: problem }], path);
  };
  return path === "" ? refuse() : planDocument(path, refuse);
}

function isPlan(tournament: TournamentConfig | TournamentPlan): tournament is TournamentPlan {
  return "formatVersion" in tournament;
}

/** Opens what the games are played into; `scratch` if the folder goes when they are over. */
function open(plan: TournamentPlan, request: TournamentRequest): OpenedRun & { readonly scratch: boolean } {
  const { outDir, resume = false, grow, as, stored, sitting, into } = request;
  if (into !== undefined) return { plan, ...into, scratch: false };
  if (outDir !== undefined)
    return { ...openRun(outDir, plan, { resume, grow, as, stored, sitting }), dir: outDir, scratch: false };
  // The id of a game has the names of weights and tables as a folder has them, so the games are the same with a folder.
  const dir = mkdtempSync(join(tmpdir(), "agon-files-"));
  return { plan: freezePlan(plan, dir), store: Store.inMemory(), dir, scratch: true };
}
