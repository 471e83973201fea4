import { z } from "zod";

/*
 * What goes through the queues. Programs that play every game alike share a queue of jobs: its name has the hash of their
 * code, so that no job can come to another agon. A run has a queue of results of its own.
 */

/** The queue of jobs of a build; jobs that need code of the user's have their own. */
export function jobQueue(code: string, { plugins }: { plugins: boolean }): string {
  return `jobs-${code}${plugins ? "-plugins" : ""}`;
}

/** The queue of the results of a run. */
export function resultQueue(run: string): string {
  return `results-${run}`;
}

/** A job whose worker was lost this often is given to nobody any more: the coordinator takes it apart. */
export const MAX_LOSSES = 3;

export const idShape = z.string().regex(/^[0-9a-f]{24}$/, "must be 24 hexadecimal digits");
export const hashShape = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits");
