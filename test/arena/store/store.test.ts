import { describe, expect, test } from "vitest";
import type { GameRecord } from "../../../src/ratings/record.ts";
import { Store } from "../../../src/arena/store/store.ts";
import { createRandom } from "../../../src/base/random.ts";
import { randomGames } from "../../ratings/records.ts";
import { temporaryFolder } from "../../support/agon.ts";

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

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
    expect(again.ids(9)).toEqual(["a", "z"]);
    expect(again.ids(1)).toEqual(["a"]);
    expect(again.ids(9, "a")).toEqual(["z"]);
    expect(again.size).toBe(2);
    expect(["a", "b", "z"].map(again.lookup())).toEqual([true, false, true]);
    expect(again.finder()("a")).toEqual(record);
    expect(again.finder()("b")).toBeUndefined();
    const { seats, returns, forfeitSeat } = record;
    expect([...again.scores()]).toEqual([
      { seats, returns, forfeitSeat },
      { seats, returns, forfeitSeat },
    ]);
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

  test("gives its games block by block, and in the order of their openings", () => {
    const random = createRandom("store");
    const records = randomGames(random, { entrants: 3, seats: 2, games: 60 }).map((game) => ({
      ...game,
      actions: Array.from({ length: 3 }, () => random.below(12) - 1),
      openingLength: random.below(3),
      timeMs: [0.5, 2],
    }));
    const store = Store.inMemory();
    store.add(records);
    const read = [...store.blocks()];
    expect(new Set(read.map(([game]) => game!.block)).size).toBe(read.length);
    expect(read.flat()).toHaveLength(60);
    expect(records.toSorted(byId)).toMatchObject(read.flat().toSorted(byId));

    const lines = [...store.lines()];
    expect(lines.toSorted(byId)).toEqual(
      records
        .map(({ id, seats, actions, openingLength }) => ({
          id,
          seats,
          actions: actions.join(),
          openingLength,
        }))
        .toSorted(byId),
    );
    const openings = lines.map(({ actions, openingLength }) =>
      [openingLength, ...actions.split(",").slice(0, openingLength)].join(),
    );
    const changes = openings.filter((opening, at) => opening !== openings[at - 1]).length;
    expect(changes).toBe(new Set(openings).size);
  });

  test("a folder without a run is refused by its name", () => {
    const dir = temporaryFolder();
    expect(() => Store.openExisting(dir)).toThrow(`${dir}: no run here`);
  });
});
