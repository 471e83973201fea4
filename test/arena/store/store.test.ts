import { describe, expect, test } from "vitest";
import type { GameRecord } from "../../../src/ratings/record.ts";
import { Store } from "../../../src/arena/store/store.ts";
import { temporaryFolder } from "../../support/agon.ts";

const record: GameRecord = {
  id: "a",
  block: "b",
  seats: [2, 0],
  actions: [3, -5, 1_000_000],
  openingLength: 1,
  returns: [0.5, -0.5],
  ending: "exception",
  forfeitSeat: 1,
  detail: "Error: 'quoted', with comma",
  decisions: [1, 0],
  nodes: [123456789, 0],
  timeMs: [0.125, 7],
};

describe("store", () => {
  test("gives back what was added, also after it was closed", () => {
    const dir = temporaryFolder();
    const store = Store.open(dir);
    store.add([{ ...record, id: "z", actions: [] }, record]);
    store.close();
    const again = Store.openExisting(dir);
    expect(again.records()).toEqual([record, { ...record, id: "z", actions: [] }]);
    expect(again.ids()).toEqual(new Set(["a", "z"]));
    again.close();
  });

  test("a game that is there already is kept as it is", () => {
    const store = Store.inMemory();
    store.add([record]);
    store.add([
      { ...record, detail: "again" },
      { ...record, id: "c" },
    ]);
    expect(store.records().map(({ id, detail }) => [id, detail])).toEqual([
      ["a", record.detail],
      ["c", record.detail],
    ]);
  });

  test("a folder without a run is refused by its name", () => {
    const dir = temporaryFolder();
    expect(() => Store.openExisting(dir)).toThrow(`${dir}: no run here`);
  });
});
