import type { Entrant } from "../../specs/agents.ts";

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
