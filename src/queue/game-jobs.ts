import { z } from "zod";
import { check } from "../base/check.ts";
import type { Thought } from "../base/thought.ts";
import { unpackRecords } from "../arena/play/worker-messages.ts";
import type { ScheduledGame } from "../arena/schedule/schedule.ts";
import { ENDINGS, type GameRecord } from "../ratings/record.ts";
import { hashShape, idShape } from "./jobs.ts";

/*
 * Jobs of runs and their results: games to be played, and games that were played.
 */

/** Games for a worker. */
export interface GameJob {
  /** The id of the run. */
  readonly run: string;
  /** The hash of the bundle that has what is needed: bundle.ts. */
  readonly bundle: string;
  readonly games: readonly ScheduledGame[];
  /** Whether its worker is to play nothing else meanwhile, and to count, as the job's progress, how often it was begun. */
  readonly alone?: boolean | undefined;
}

/** What became of a job. */
export type GameResult =
  /** The games that were finished, packed; all of them unless the worker was stopped. */
  | { readonly job: string; readonly worker: string; readonly packed: string }
  /** Why the run cannot go on, as an error's name and message: the game's or the config's fault. */
  | { readonly job: string; readonly worker: string; readonly name: string; readonly message: string };

const MAX_JOB_GAMES = 10_000;
const MAX_OPENING = 100_000;

const jobShape = z.strictObject({
  run: idShape,
  bundle: hashShape,
  games: z
    .array(
      z.strictObject({
        id: idShape,
        block: idShape,
        seats: z.array(z.int().min(0)).min(1).max(100),
        opening: z.array(z.int()).max(MAX_OPENING),
      }),
    )
    .min(1)
    .max(MAX_JOB_GAMES),
  alone: z.boolean().optional(),
});

/** The job in a message; throws InputError where it is none. */
export function parseGameJob(data: unknown): GameJob {
  return check(jobShape, data, "a job from the queue");
}

const resultShape = z.union([
  z.strictObject({ job: z.string(), worker: z.string(), packed: z.string() }),
  z.strictObject({ job: z.string(), worker: z.string(), name: z.string(), message: z.string() }),
]);

/** The result in a message; throws InputError where it is none. */
export function parseGameResult(data: unknown): GameResult {
  return check(resultShape, data, "a result from the queue");
}

/** Those of the records that are of one of the games. */
export function matching(records: readonly GameRecord[], games: Iterable<ScheduledGame>): GameRecord[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  const found: GameRecord[] = [];
  for (const game of games) {
    const record = byId.get(game.id);
    if (record !== undefined && isRecordOf(record, game)) found.push(record);
  }
  return found;
}

/** The records that a worker sent; none where the text is damaged. */
export function readRecords(packed: string): GameRecord[] {
  try {
    return unpackRecords(packed).filter(isRecord);
  } catch {
    return [];
  }
}

function isRecordOf(record: GameRecord, { block, seats, opening }: ScheduledGame): boolean {
  return (
    record.block === block &&
    record.openingLength === opening.length &&
    opening.every((action, at) => record.actions[at] === action) &&
    record.seats.length === seats.length &&
    record.seats.every((entrant, seat) => entrant === seats[seat])
  );
}

/** Looks at all that a row of the store is made of. It is called for each game, and therefore no schema. */
function isRecord(record: GameRecord): boolean {
  if (typeof record !== "object" || record === null) return false;
  const { id, block, seats, actions, openingLength, returns, ending, forfeitSeat, detail } = record;
  const { decisions, nodes, timeMs, thoughts } = record;
  return (
    idShape.safeParse(id).success &&
    idShape.safeParse(block).success &&
    isNumbers(seats, Number.isSafeInteger) &&
    isNumbers(actions, Number.isSafeInteger) &&
    isNumbers(returns, Number.isFinite) &&
    isNumbers(decisions, isCount) &&
    [nodes, timeMs].every((list) => isNumbers(list, isAmount)) &&
    [returns, decisions, nodes, timeMs].every(({ length }) => length === seats.length) &&
    isCount(openingLength) &&
    openingLength <= actions.length &&
    ENDINGS.includes(ending) &&
    Number.isInteger(forfeitSeat) &&
    forfeitSeat >= -1 &&
    forfeitSeat < seats.length &&
    forfeitSeat >= 0 === (ending !== "finished") &&
    typeof detail === "string" &&
    Array.isArray(thoughts) &&
    thoughts.every(isThought)
  );
}

function isNumbers(list: unknown, isOne: (value: number) => boolean): list is number[] {
  return Array.isArray(list) && list.every((value) => typeof value === "number" && isOne(value));
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function isAmount(value: number): boolean {
  return Number.isFinite(value) && value >= 0;
}

function isThought(thought: Thought): boolean {
  if (typeof thought !== "object" || thought === null) return false;
  const { value = 0, depth = 0, nodes, timeMs, line } = thought;
  return (
    isNumbers([value], Number.isFinite) &&
    isNumbers([depth], isCount) &&
    isNumbers([nodes, timeMs], isAmount) &&
    isNumbers(line, Number.isSafeInteger)
  );
}
