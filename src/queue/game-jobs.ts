import { z } from "zod";
import { check } from "../base/check.ts";
import type { Thought } from "../base/thought.ts";
import { unpackRecords } from "../arena/play/worker-messages.ts";
import { MAX_DETAIL } from "../arena/play/referee.ts";
import type { ScheduledGame } from "../arena/schedule/schedule.ts";
import { ENDINGS, type GameRecord } from "../ratings/record.ts";
import { hashShape, idShape, nameShape, wordsShape } from "./jobs.ts";

/*
 * Jobs of runs and their results: games to play, and played games.
 */

/** Games for a worker. */
export interface GameJob {
  /** The id of the run. */
  readonly run: string;
  /** The hash of the run's bundle: run-bundle.ts. */
  readonly bundle: string;
  readonly games: readonly ScheduledGame[];
  /** True if its worker shall play nothing else meanwhile. The job's progress then counts how often it was begun. */
  readonly alone?: boolean | undefined;
}

/** The result of a job. */
export type GameResult =
  /** The finished games, packed: all games of the job, unless the worker was stopped. */
  | { readonly job: string; readonly worker: string; readonly packed: string }
  /** The error that stops the run, a fault of the game or of the config. */
  | { readonly job: string; readonly worker: string; readonly name: string; readonly message: string };

const MAX_JOB_GAMES = 10_000;
const MAX_OPENING = 100_000;

const numbers = z.record(z.string(), z.number());
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
        // Numbers alone: another option could name a program.
        options: z.record(z.string(), z.record(z.string(), z.union([z.number(), numbers]))).optional(),
      }),
    )
    .min(1)
    .max(MAX_JOB_GAMES),
  alone: z.boolean().optional(),
});

/** The job in a message; throws InputError if it is malformed. */
export function parseGameJob(data: unknown): GameJob {
  return check(jobShape, data, "a job from the queue");
}

const resultShape = z.union([
  z.strictObject({ job: nameShape, worker: nameShape, packed: z.string() }),
  z.strictObject({ job: nameShape, worker: nameShape, name: nameShape, message: wordsShape }),
]);

/** The result in a message; throws InputError if it is malformed. */
export function parseGameResult(data: unknown): GameResult {
  return check(resultShape, data, "a result from the queue");
}

/** Keeps the records that belong to one of these games. */
export function matching(records: readonly GameRecord[], games: Iterable<ScheduledGame>): GameRecord[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  const found: GameRecord[] = [];
  for (const game of games) {
    const record = byId.get(game.id);
    if (record !== undefined && isRecordOf(record, game)) found.push(record);
  }
  return found;
}

/** The valid records in a packed text; empty if the text is damaged. */
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

/** True if every field can be stored. It runs for each game, so it is faster than a schema. */
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
    forfeitSeat >= 0 === (ending !== "finished" && ending !== "adjudicated") &&
    typeof detail === "string" &&
    detail.length <= MAX_DETAIL &&
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
