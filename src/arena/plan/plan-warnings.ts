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
 * Undefined if there are enough cores, or if no agent has threads.
 */
export function describeCrowding(
  entrants: readonly Entrant[],
  { workers, cores }: { workers: number; cores: number },
): string | undefined {
  const threads = mostThreads(entrants);
  if (threads === 1 || workers * threads <= cores) return undefined;
  const fitting = Math.max(1, Math.floor(cores / threads));
  const remedy = fitting < workers ? `; give --workers ${fitting}` : "";
  return (
    `${workers} worker${workers === 1 ? "" : "s"} with agents of ${threads} threads need ${workers * threads} cores, ` +
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
