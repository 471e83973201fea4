import { expect } from "vitest";
import { Store } from "../../src/arena/store/store.ts";
import type { GameRecord } from "../../src/ratings/record.ts";

/** The stored games of a run, without their times, which are never the same; none where the run has just begun. */
export function storedGames(dir: string): GameRecord[] {
  let store: Store;
  try {
    store = Store.openExisting(dir);
  } catch (error) {
    expect((error as Error).message).toMatch(/is empty: no run was begun here/);
    return [];
  }
  try {
    return store.records().map((record) => ({ ...record, timeMs: [] }));
  } finally {
    store.close();
  }
}
