import { dirname, resolve } from "node:path";
import { InputError } from "../../base/errors.ts";
import { readDocument } from "../../files/documents.ts";
import { namesCode } from "../../specs/references.ts";
import { planTournament } from "../plan/config.ts";
import type { TournamentPlan } from "../plan/plan.ts";
import { IDLE } from "./watch.ts";
import { errorOfFailure, WorkerProcess, type End } from "./worker-process.ts";

/** Code of the user's may take this long to load, and an agent to be made. */
const REHEARSAL_MS = 20_000;

/** As `rehearseTournament`, for a tournament file. */
export async function rehearseFile(path: string): Promise<TournamentPlan> {
  return rehearseTournament(readDocument(path), { baseDir: dirname(resolve(path)), source: path });
}

/**
 * As `planTournament`. Where the config names code of the user's, a worker makes the plan and each agent once: code that
 * hangs, or ends its process, is refused before the first game. Agents' code is never loaded by this process.
 */
export async function rehearseTournament(
  config: unknown,
  { baseDir, source }: { baseDir: string; source: string },
): Promise<TournamentPlan> {
  if (!namesCode(config)) return planTournament(config, { baseDir, source });
  const made = await planInWorker(config, { baseDir, source });
  if ("kind" in made) throw refusal(made, { config, path: "entrants", source });
  return made;
}

/**
 * Makes each agent of a training's pool once, in a worker, if any of them is code of the user's. Throws InputError where
 * code hangs or ends its process; what else is wrong with the pool is not told.
 */
export async function rehearsePool(
  pool: readonly unknown[],
  { game, baseDir, source }: { game: unknown; baseDir: string; source: string },
): Promise<void> {
  if (!namesCode(pool)) return;
  // A tournament has two entrants at least.
  const config = { name: "pool", game, blocks: 1, entrants: [...pool, "random"] };
  const made = await planInWorker(config, { baseDir, source });
  if ("kind" in made && made.kind !== "failure") throw refusal(made, { config, path: "rating.pool", source });
}

/** What a worker makes of a config: the plan, or why there is none. */
async function planInWorker(
  config: unknown,
  { baseDir, source }: { baseDir: string; source: string },
): Promise<TournamentPlan | End> {
  const { memoryMb } = config as { memoryMb?: unknown };
  const worker = new WorkerProcess(
    { moveTimeoutMs: REHEARSAL_MS, memoryMb: typeof memoryMb === "number" ? memoryMb : undefined },
    {},
  );
  try {
    return await worker.plan({ kind: "plan", config, baseDir, source });
  } finally {
    worker.kill();
  }
}

/** @param path of the list of agents in the file */
function refusal(
  end: End,
  { config, path, source }: { config: unknown; path: string; source: string },
): Error {
  if (end.kind === "failure") return errorOfFailure(end);
  const what = end.kind === "death" ? `its process ended: ${end.how}` : `${end.ending}: ${end.detail}`;
  if (end.seat === IDLE) return new InputError(`the code in it cannot be loaded: ${what}`, source);
  const { entrants } = config as { entrants: readonly (string | { agent?: unknown })[] };
  const entrant = entrants[end.seat]!;
  const name = typeof entrant === "string" ? entrant : String(entrant.agent);
  return new InputError(
    [{ path: `${path}[${end.seat}]`, message: `${name} cannot be made: ${what}` }],
    source,
  );
}
