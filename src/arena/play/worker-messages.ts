import { formatThoughts, parseThoughts } from "../../base/thought.ts";
import type { ForfeitEnding, GameRecord } from "../../ratings/record.ts";
import type { ScheduledGame } from "../schedule/schedule.ts";
import type { WorkerSetup } from "./player.ts";

/*
 * The messages between the program and its workers. A worker is a process with two threads: one watches, the other one
 * plays (watchdog.ts, worker-thread.ts).
 */

/** A message to a worker. */
export type Order =
  | { readonly kind: "setup"; readonly setup: WorkerSetup }
  /** Games to play one after the other. */
  | { readonly kind: "task"; readonly games: readonly ScheduledGame[] }
  /** Return after the game at hand. */
  | { readonly kind: "stop" };

/** The reason why a game of a task could not be played to its end. The worker cannot be used after it. */
export interface Fault {
  readonly kind: "fault";
  /** Index of the game in the task. */
  readonly game: number;
  /** The seat that was deciding. */
  readonly seat: number;
  readonly ending: ForfeitEnding;
  readonly detail: string;
}

/** A fault of the game, of a file or of the program, and of no agent. */
export interface Failure {
  readonly kind: "failure";
  readonly name: string;
  readonly message: string;
}

/** A message from a worker. */
export type Answer =
  /** Comes after a setup: the code that plays is loaded. */
  | { readonly kind: "ready" }
  /** Finished games, as they come, packed. After the last games of the task, `done` is true. */
  | { readonly kind: "records"; readonly packed: string; readonly done: boolean }
  | Fault
  | Failure
  /** Comes all the time, so that a worker that was stopped is noticed. */
  | { readonly kind: "alive" };

/** Finished games as a text for a message. */
export function packRecords(records: readonly GameRecord[]): string {
  return JSON.stringify(
    records.map((record) =>
      record.thoughts.length === 0 ? record : { ...record, thoughts: formatThoughts(record.thoughts) },
    ),
  );
}

/** The games of a text that `packRecords` made. */
export function unpackRecords(packed: string): GameRecord[] {
  type Packed = Omit<GameRecord, "thoughts"> & { thoughts: GameRecord["thoughts"] | string };
  const records = JSON.parse(packed) as Packed[];
  for (const record of records) {
    if (typeof record.thoughts === "string")
      record.thoughts = parseThoughts(record.thoughts, (entry) => new Error(`no thought: ${entry}`));
  }
  return records as GameRecord[];
}
