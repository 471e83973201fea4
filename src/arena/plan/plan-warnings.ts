import { counted } from "../../base/text.ts";
import type { Entrant } from "../../specs/agents.ts";
import { formatOf } from "../formats/index.ts";
import type { TournamentPlan } from "./plan.ts";

/* Reasons in a plan to doubt its results. */

/** The most threads that any of the entrants uses for a decision. */
function mostThreads(entrants: readonly Entrant[]): number {
  return Math.max(...entrants.map(({ spec }) => Number(spec["threads"] ?? 1)));
}

/**
 * A warning that workers and the threads of agents need more cores than there are, so that agents slow each other down.
 * Undefined if there are enough cores, or if no agent has threads and none thinks in its opponent's time.
 * @param pinned true if each worker has a core of its own, which all threads of its agents share [false]
 */
export function describeCrowding(
  entrants: readonly Entrant[],
  { workers, cores, pinned = false }: { workers: number; cores: number; pinned?: boolean },
): string | undefined {
  const threads = mostThreads(entrants);
  const ponders = entrants.some(({ spec }) => spec["ponder"] === true);
  if (pinned && ponders)
    return "affinity gives a worker one core, which an engine that ponders takes from its opponent: leave out one of them";
  if (pinned && threads > 1)
    return `affinity gives a worker one core, which agents of ${threads} threads share: leave it out, or take one thread`;
  if (pinned && workers === cores && cores > 1)
    return `${workers} workers have all ${cores} cores, and what stores their games disturbs them; give --workers ${cores - 1}`;
  // An engine that ponders has a core besides that of the player who decides.
  const each = threads + (ponders ? 1 : 0);
  if (each === 1 || workers * each <= cores) return undefined;
  const fitting = Math.max(1, Math.floor(cores / each));
  const remedy = fitting < workers ? `; give --workers ${fitting}` : "";
  const agents = [threads > 1 && `agents of ${threads} threads`, ponders && "an engine that ponders"];
  return (
    `${counted(workers, "worker")} with ${agents.filter(Boolean).join(" and ")} need ${workers * each} cores, ` +
    `and there are ${cores}: they slow each other down${remedy}`
  );
}

/**
 * A warning that a file has fewer openings than a pairing has blocks, so that blocks share openings; undefined if it has
 * enough. In formats whose length depends on results, `blocks` is the most that a pairing may play.
 * @param played the games that were played, of a run that is over
 */
export function describeShortage(plan: TournamentPlan, played = Infinity): string | undefined {
  const { openings, players } = plan;
  if (!("lines" in openings) || openings.file === undefined) return undefined;
  const { lines, file } = openings;
  const isOpen = formatOf(plan).takesRound === true;
  const blocks = isOpen ? Math.min(plan.blocks, Math.ceil(played / players)) : plan.blocks;
  if (lines.length >= blocks) return undefined;
  const has = `${file} has ${counted(lines.length, "opening")}`;
  if (isOpen)
    return (
      `${has}; a pairing that plays more blocks, of up to ${blocks}, plays them again, ` +
      "and its intervals may be too narrow"
    );
  return (
    `${has} for ${blocks} blocks of each pairing, so some are played ${Math.ceil(blocks / lines.length)} times, ` +
    "and intervals may be too narrow"
  );
}
