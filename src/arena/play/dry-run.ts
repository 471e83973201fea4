import { dirname, resolve } from "node:path";
import { InputError } from "../../base/errors.ts";
import { readDocument } from "../../files/documents.ts";
import { namesCode } from "../../specs/references.ts";
import { planTournament } from "../plan/config.ts";
import type { TournamentPlan } from "../plan/plan.ts";
import { IDLE } from "./watch.ts";
import { errorOfFailure, WorkerProcess, type End } from "./worker-process.ts";

/*
 * A dry run loads the user's code and makes each agent once, in a worker. Code that hangs, or ends its process, is refused
 * before the first game.
 */

/** The longest time that a user's code may take to load, and an agent to be made. */
const DRY_RUN_MS = 20_000;
const ORDER = { kind: "dry run", limitMs: DRY_RUN_MS } as const;

/** The folder of a config, for its relative paths, and its name in messages. */
interface Origin {
  readonly baseDir: string;
  readonly source: string;
}

/** Does what `dryRunTournament` does for a tournament file. */
export async function dryRunFile(path: string): Promise<TournamentPlan> {
  return dryRunTournament(readDocument(path), { baseDir: dirname(resolve(path)), source: path });
}

/**
 * Plans a tournament as `planTournament` does. If the config names a user's code, a worker makes the plan and each
 * agent once: this process never loads agents' code.
 */
export async function dryRunTournament(config: unknown, origin: Origin): Promise<TournamentPlan> {
  if (!namesCode(config)) return planTournament(config, origin);
  const { memoryMb, entrants } = config as { memoryMb?: unknown; entrants?: unknown };
  const worker = startWorker(typeof memoryMb === "number" ? memoryMb : undefined);
  try {
    const made = await worker.dryRun({ ...ORDER, what: "tournament", config, ...origin });
    if (made !== undefined && "formatVersion" in made) return made;
    throw refusal(made!, { agents: entrants, path: "entrants", source: origin.source });
  } finally {
    worker.kill();
  }
}

/**
 * Makes each agent of a list once if any of them is code of the user's. Throws InputError where code hangs or ends its
 * process; other mistakes in the list are not told.
 * @param path of the list in its file
 */
export async function dryRunAgents(
  agents: readonly unknown[],
  { game, path, ...origin }: Origin & { game: unknown; path: string },
): Promise<void> {
  if (!namesCode(agents)) return;
  const worker = startWorker(undefined);
  try {
    const config = { game, entrants: agents };
    const end = await worker.dryRun({ ...ORDER, what: "agents", config, ...origin });
    if (end === undefined || "formatVersion" in end || end.kind === "failure") return;
    throw refusal(end, { agents, path, source: origin.source });
  } finally {
    worker.kill();
  }
}

function startWorker(memoryMb: number | undefined): WorkerProcess {
  return new WorkerProcess({ memoryMb }, {});
}

/** The error for a dry run that came to no good end. */
function refusal(
  end: End,
  { agents, path, source }: { agents: unknown; path: string; source: string },
): Error {
  if (end.kind === "failure") return errorOfFailure(end);
  const what = end.kind === "death" ? `its process ended: ${end.how}` : `${end.ending}: ${end.detail}`;
  if (end.seat === IDLE) return new InputError(`the code in it cannot be loaded: ${what}`, source);
  const agent = (agents as readonly (string | { agent?: unknown })[])[end.seat]!;
  const name = typeof agent === "string" ? agent : String(agent.agent);
  return new InputError(
    [{ path: `${path}[${end.seat}]`, message: `${name} cannot be made: ${what}` }],
    source,
  );
}
