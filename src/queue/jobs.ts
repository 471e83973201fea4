import { z } from "zod";
import { shortened } from "../base/errors.ts";

/*
 * The queues. Programs of the same build play every game alike and share a queue of jobs; its name has the hash of their
 * code, so no job reaches another build. Each run has its own queue of results.
 */

/** The queue of jobs of a build; jobs with code of the user's have a queue of their own. */
export function jobQueue(code: string, { plugins }: { plugins: boolean }): string {
  return `jobs-${code}${plugins ? "-plugins" : ""}`;
}

/** The queue of the results of a run. */
export function resultQueue(run: string): string {
  return `results-${run}`;
}

/** A job that has lost its worker this often goes to no other one: the coordinator splits it. */
export const MAX_LOSSES = 3;

/** The name of a job or a worker in a message. */
export const nameShape = z.string().max(200);
/** The words of an error in a message: they are shown to people. */
export const wordsShape = z.string().transform((words) => shortened(words, 4000));
export const idShape = z.string().regex(/^[0-9a-f]{24}$/, "must be 24 hexadecimal digits");
export const hashShape = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits");
