import { expect } from "vitest";
import { Store } from "../../src/arena/store/store.ts";
import type { GameRecord } from "../../src/ratings/record.ts";

/** A game without its times, which are never the same. */
export function timeless(record: GameRecord): GameRecord {
  return {
    ...record,
    timeMs: record.timeMs.map(() => 0),
    thoughts: record.thoughts.map((thought) => ({ ...thought, timeMs: 0 })),
  };
}

/** The stored games of a run, without their times; empty if the run has just begun. */
export function storedGames(dir: string): GameRecord[] {
  let store: Store;
  try {
    store = Store.openExisting(dir);
  } catch (error) {
    expect((error as Error).message).toMatch(/is empty: no run was begun here/);
    return [];
  }
  try {
    return store.records().map(timeless);
  } finally {
    store.close();
  }
}
