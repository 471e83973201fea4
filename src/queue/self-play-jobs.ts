import { z } from "zod";
import { check } from "../base/check.ts";
import { hashShape, idShape, nameShape, wordsShape } from "./jobs.ts";

/*
 * Jobs of self-play and their results. They share the queues of runs: a worker takes the next job of either kind.
 */

/** The name of these jobs in the queue. */
export const SELF_PLAY = "self-play";

/** Games of self-play for an actor. */
export interface SelfPlayJob {
  /** The id of the training. */
  readonly run: string;
  /** The hash of the bundle: training-bundle.ts. */
  readonly bundle: string;
  /** The hash of the weights, float32, little endian. */
  readonly weights: string;
  /** The hash of the older weights, for the seats that play with them. */
  readonly past?: string | undefined;
  /** The number of the first game, and the number of games. */
  readonly from: number;
  readonly count: number;
}

/** The result of a job. */
export type SelfPlayResult =
  /** The moves of all games, in base64, and their time. */
  | { readonly job: string; readonly worker: string; readonly moves: string; readonly timeMs: number }
  /** The error that keeps every actor from playing these games. */
  | { readonly job: string; readonly worker: string; readonly name: string; readonly message: string };

const MAX_GAMES = 1e9;
const MAX_JOB_GAMES = 10_000;

const jobShape = z.strictObject({
  run: idShape,
  bundle: hashShape,
  weights: hashShape,
  past: hashShape.optional(),
  from: z.int().min(0).max(MAX_GAMES),
  count: z.int().min(1).max(MAX_JOB_GAMES),
});

/** The job in a message; throws InputError if it is malformed. */
export function parseSelfPlayJob(data: unknown): SelfPlayJob {
  return check(jobShape, data, "a job from the queue");
}

const resultShape = z.union([
  z.strictObject({ job: nameShape, worker: nameShape, moves: z.base64(), timeMs: z.number().min(0) }),
  z.strictObject({ job: nameShape, worker: nameShape, name: nameShape, message: wordsShape }),
]);

/** The result in a message; throws InputError if it is malformed. */
export function parseSelfPlayResult(data: unknown): SelfPlayResult {
  return check(resultShape, data, "a result from the queue");
}
