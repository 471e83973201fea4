import { z } from "zod";
import { check } from "../base/check.ts";
import { shortened } from "../base/errors.ts";
import type { ScheduledGame } from "../arena/schedule/schedule.ts";

/*
 * The queues and their messages. A job is a batch of games of a bundle: games of a run, or self-play of a training. Programs
 * of the same build play every game alike and share a queue of jobs; its name has the hash of their code, so no job reaches
 * another build. Each run has its own queue of results, and so has each training.
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

/** Games of a run. */
export interface GameBatch {
  readonly games: readonly ScheduledGame[];
  /** True if its worker shall play nothing else meanwhile. The job's progress then counts how often it was begun. */
  readonly alone?: boolean | undefined;
}

/** Games of self-play. */
export interface SelfPlayBatch {
  /** The hash of the weights, float32, little endian. */
  readonly weights: string;
  /** The hash of the older weights, for the seats that play with them. */
  readonly past?: string | undefined;
  /** The number of the first game, and the number of games. */
  readonly from: number;
  readonly count: number;
}

/** A batch for a worker. */
export type Job<Batch = GameBatch | SelfPlayBatch> = Batch & {
  /** The id of the run or of the training. */
  readonly run: string;
  /** The hash of the bundle. */
  readonly bundle: string;
};

/** The games of a batch, packed: all of them, unless the worker was stopped. */
export interface PlayedGames {
  readonly packed: string;
}

/** The moves of all games of a batch of self-play, in base64, and their time. */
export interface PlayedMoves {
  readonly moves: string;
  readonly timeMs: number;
}

/** The error that keeps this worker, or every worker, from playing a batch. */
interface Trouble {
  readonly name: string;
  readonly message: string;
}

/** The result of a job. */
export type Result<Played = PlayedGames | PlayedMoves> = (Played | Trouble) & {
  readonly job: string;
  readonly worker: string;
};

const MAX_GAMES = 1e9;
const MAX_JOB_GAMES = 10_000;
const MAX_OPENING = 100_000;

export const idShape = z.string().regex(/^[0-9a-f]{24}$/, "must be 24 hexadecimal digits");
export const hashShape = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits");

const numbers = z.record(z.string(), z.number());
const ofBundle = { run: idShape, bundle: hashShape };
const gamesShape = z.strictObject({
  ...ofBundle,
  games: z
    .array(
      z.strictObject({
        id: idShape,
        block: idShape,
        seats: z.array(z.int().min(0)).min(1).max(100),
        opening: z.array(z.int()).max(MAX_OPENING),
        // Numbers alone: another option could name a program.
        options: z.record(z.string(), z.record(z.string(), z.union([z.number(), numbers]))).optional(),
      }),
    )
    .min(1)
    .max(MAX_JOB_GAMES),
  alone: z.boolean().optional(),
});
const selfPlayShape = z.strictObject({
  ...ofBundle,
  weights: hashShape,
  past: hashShape.optional(),
  from: z.int().min(0).max(MAX_GAMES),
  count: z.int().min(1).max(MAX_JOB_GAMES),
});
const jobShape = z.union([gamesShape, selfPlayShape]);

/** The job in a message; throws InputError if it is malformed. */
export function parseJob(data: unknown): Job {
  return check(jobShape, data, "a job from the queue");
}

/** The name of a job or a worker in a message. */
const nameShape = z.string().max(200);
const sender = { job: nameShape, worker: nameShape };
const troubleShape = z.strictObject({
  ...sender,
  name: nameShape,
  // The words are shown to people.
  message: z.string().transform((words) => shortened(words, 4000)),
});
const playedGamesShape = z.union([z.strictObject({ ...sender, packed: z.string() }), troubleShape]);
const playedMovesShape = z.union([
  z.strictObject({ ...sender, moves: z.base64(), timeMs: z.number().min(0) }),
  troubleShape,
]);

/** The result of a batch of games in a message; throws InputError if it is malformed. */
export function parsePlayedGames(data: unknown): Result<PlayedGames> {
  return check(playedGamesShape, data, "a result from the queue");
}

/** The result of a batch of self-play in a message; throws InputError if it is malformed. */
export function parsePlayedMoves(data: unknown): Result<PlayedMoves> {
  return check(playedMovesShape, data, "a result from the queue");
}
