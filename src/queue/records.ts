import { unpackRecords } from "../arena/play/worker-messages.ts";
import { MAX_DETAIL } from "../arena/play/referee.ts";
import type { ScheduledGame } from "../arena/schedule/schedule.ts";
import type { Thought } from "../base/thought.ts";
import { ENDINGS, type GameRecord } from "../ratings/record.ts";
import { idShape } from "./jobs.ts";

/*
 * The records in a result, which anybody may have sent: what cannot be stored is left out here, and what the rules do not
 * give is refused by the RecordChecker.
 */

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
