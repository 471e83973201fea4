import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { describe, expect, test } from "vitest";
import { InputError } from "../../../src/base/errors.ts";
import { slowTest } from "../../support/thorough.ts";
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
  thoughts: [
    { value: -0.25, depth: 4, nodes: 267, timeMs: 0.213, line: [-5, 1] },
    { nodes: 0, timeMs: 0.02, line: [] },
  ],
};

describe("store", () => {
  test("gives back what was added, also after it was closed", () => {
    const dir = temporaryFolder();
    const store = Store.open(dir);
    store.add([{ ...record, id: "z", actions: [], openingLength: 0, thoughts: [] }, record]);
    store.close();
    const again = Store.openExisting(dir);
    expect(again.records()).toEqual([
      record,
      { ...record, id: "z", actions: [], openingLength: 0, thoughts: [] },
    ]);
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

  test("every run has an id of its own, which stays", () => {
    const dir = temporaryFolder();
    const store = Store.open(dir);
    const { id } = store;
    store.close();
    expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect(Store.open(dir).id).toBe(id);
    expect(Store.open(temporaryFolder()).id).not.toBe(id);
    const database = new Database(join(dir, "results.sqlite"));
    database.exec("update run set value = '../../etc' where key = 'id'");
    database.close();
    expect(() => Store.openExisting(dir).id).toThrow("its id is none of agon's");
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

  test("gives its games in the order in which they were stored", () => {
    const store = Store.inMemory();
    expect([store.last, store.numbered()(1), store.numberOf("m")]).toEqual([0, undefined, undefined]);
    const stored = ["m", "a", "z"].map((id, at) => ({ ...record, id, returns: [at, 0 - at] }));
    store.add(stored.slice(0, 2));
    // One that is there already takes no number.
    store.add([...stored.slice(1), { ...record, id: "a" }]);
    expect(store.last).toBe(3);
    expect([1, 2, 3, 4].map(store.numbered())).toEqual([...stored, undefined]);
    expect(["m", "a", "z", "b"].map((id) => store.numberOf(id))).toEqual([1, 2, 3, undefined]);
    const returns = (after: number, most: number) =>
      Array.from(store.scoresAfter(after, most), ({ returns: [first] }) => first);
    expect(returns(0, 9)).toEqual([0, 1, 2]);
    expect(returns(0, 2)).toEqual([0, 1]);
    expect(returns(1, 1)).toEqual([1]);
    expect(returns(3, 9)).toEqual([]);
  });

  slowTest("gives back every number to its last bit: decimals, large and small ones", () => {
    const random = createRandom("numbers");
    const numbers = [
      0,
      -0.5,
      1e21,
      1.5e300,
      5e-324,
      1e-7,
      0.1 + 0.2,
      2 ** 53 - 1,
      123456789012.345,
      0.000001234567891234,
    ];
    for (let digits = 0; digits < 13; digits++)
      for (let count = 0; count < 200; count++)
        numbers.push(Number((random.float() * 10 ** random.below(13 - digits)).toFixed(digits)));
    const store = Store.inMemory();
    store.add(numbers.map((value, at) => ({ ...record, id: `${at}`, returns: [value, -value] })));
    const bits = (values: readonly number[]) => values.map((value) => (Object.is(value, -0) ? 0 : value));
    for (const read of [[...store.games()], [...store.counted()]])
      expect(read.map(({ returns }) => bits(returns))).toEqual(numbers.map((value) => bits([value, -value])));
  });

  test("gives its games block by block, and as they were stored", () => {
    const random = createRandom("store");
    const records = randomGames(random, { entrants: 3, seats: 2, games: 660 }).map((game) => ({
      ...game,
      actions: Array.from({ length: 3 }, () => random.below(12) - 1),
      openingLength: random.below(3),
      timeMs: [0.5, 2],
    }));
    const store = Store.inMemory();
    store.add(records);
    const read = [...store.blocks()];
    const counted = ({ actions, ...game }: GameRecord) => ({
      ...Object.fromEntries(Object.entries(game).filter(([key]) => key !== "thoughts")),
      line: actions.join(),
    });
    expect(new Set(read.map(([game]) => game!.block)).size).toBe(read.length);
    expect(read.flat()).toHaveLength(660);
    expect(read.flat().toSorted(byId)).toMatchObject(records.toSorted(byId).map(counted));
    expect([...store.counted()]).toMatchObject(records.map(counted));
  });

  test("a folder without a run is refused by its name", () => {
    const dir = temporaryFolder();
    expect(() => Store.openExisting(dir)).toThrow(`${dir}: no run here`);
    mkdirSync(join(dir, "one"));
    Store.open(join(dir, "one")).close();
    expect(() => Store.openExisting(dir)).toThrow(
      `${dir}: no run here: it has no results.sqlite; 1 of its folders has one, such as ${join(dir, "one")}: name it, or see all with agon serve ${dir}`,
    );
  });
});

describe("a file that is no store, or is damaged, is refused and left as it is", () => {
  /** A store with some games, as the bytes of its file. */
  const bytesOfStore = (change: (database: Database.Database) => void = () => {}): Buffer => {
    const dir = temporaryFolder();
    const store = Store.open(dir);
    store.add(Array.from({ length: 40 }, (_, at) => ({ ...record, id: `game-${at}`, detail: "é\u001f€" })));
    store.close();
    const path = join(dir, "results.sqlite");
    const database = new Database(path);
    change(database);
    database.close();
    return readFileSync(path);
  };

  /** The error of reading and writing a file of these bytes; "" if it can be read. */
  const saidOf = (bytes: Uint8Array): string => {
    const dir = temporaryFolder();
    const path = join(dir, "results.sqlite");
    writeFileSync(path, bytes);
    const said = (use: (store: Store) => void) => {
      let store: Store | undefined;
      try {
        store = Store.openExisting(dir);
        use(store);
        return "";
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
        return (error as Error).message.replace(path, "FILE");
      } finally {
        store?.close();
      }
    };
    const uses: ((store: Store) => void)[] = [
      (store) => store.loadPlan(),
      (store) => store.records(),
      (store) => [...store.blocks()],
      (store) => [...store.scores()],
      (store) => store.ids(99).map(store.finder()),
    ];
    const all = uses.map((use) => said(use));
    expect(Buffer.compare(readFileSync(path), bytes)).toBe(0);
    expect(readdirSync(dir)).toEqual(["results.sqlite"]);
    return all.find((text) => text !== "") ?? "";
  };

  test("a whole one is read, text of any kind included", () => {
    expect(saidOf(bytesOfStore())).toBe("");
    const store = Store.inMemory();
    store.add([{ ...record, detail: "é\u001f€" }]);
    expect(store.records()[0]!.detail).toBe("é\u001f€");
    expect([...store.blocks()][0]![0]!.detail).toBe("é\u001f€");
  });

  test("random bytes, an empty file, text", () => {
    expect(saidOf(Buffer.alloc(5000, 7))).toBe("FILE: is not a store of agon: it is no database");
    expect(saidOf(Buffer.from("hello\n".repeat(100)))).toBe(
      "FILE: is not a store of agon: it is no database",
    );
    expect(saidOf(Buffer.alloc(0))).toBe("FILE: is empty: no run was begun here");
  });

  test.each([
    ["trigger", "create trigger gone after insert on games begin delete from games; end"],
    ["trigger", 'create trigger "" after insert on run begin delete from run; end'],
    ["view", "alter table games rename to other; create view games as select * from other limit 0"],
    ["view", "drop table games; drop table run; create view games as select 1; create view run as select 1"],
    ["view", "create view more as select 1"],
    ["virtual table", "drop table games; create virtual table games using fts5(id, block)"],
  ])("a %s: %s", (what, sql) => {
    expect(saidOf(bytesOfStore((database) => database.exec(sql)))).toBe(
      `FILE: has a ${what}, as no store of agon has: its games may not be those that were played. Nothing was changed in it`,
    );
  });

  test("an index of the user's is no harm", () => {
    expect(saidOf(bytesOfStore((database) => database.exec("create index mine on games (block)")))).toBe("");
  });

  test("another program's database, and one of a later agon", () => {
    const other = "FILE: is a database of another program, not a store of agon";
    expect(saidOf(bytesOfStore((database) => database.exec("pragma application_id = 5")))).toBe(other);
    expect(saidOf(bytesOfStore((database) => database.exec("drop table run")))).toBe(other);
    expect(saidOf(bytesOfStore((database) => database.exec("pragma user_version = 2")))).toBe(
      "FILE: has the format 2 of a later agon; this one reads formats up to 1",
    );
    const unmarked = bytesOfStore((database) =>
      database.exec("pragma application_id = 0; pragma user_version = 0"),
    );
    expect(saidOf(unmarked)).toBe(other);
  });

  test.each(["id", "seats", "actions", "returns", "detail", "time_ms"])(
    "bytes in %s that are not UTF-8",
    (column) => {
      const bytes = bytesOfStore((database) =>
        database.exec(`update games set ${column} = cast(x'2cff' as text) where id = 'game-7'`),
      );
      if (column === "id" || column === "detail") expect(saidOf(bytes)).toBe("");
      else
        expect(saidOf(bytes)).toBe('FILE: is damaged: ",ÿ" is no list of numbers. Nothing was changed in it');
    },
  );

  test("thoughts that are none, and more of them than there are decisions", () => {
    const withThoughts = (text: string) =>
      saidOf(
        bytesOfStore((database) =>
          database.exec(`update games set thoughts = '${text}' where id = 'game-7'`),
        ),
      );
    const damaged = (what: string) => `FILE: is damaged: ${what}. Nothing was changed in it`;
    expect(withThoughts("0.5/4/26/1.5/1;//0/1/")).toBe("");
    expect(withThoughts("0.5/4/26/x/1")).toBe(
      damaged('"0.5/4/26/x/1" is not what an agent thought at a decision'),
    );
    expect(withThoughts("//0/1/;//0/1/;//0/1/")).toBe(
      damaged("a game has at most 2 decisions, but thoughts of 3"),
    );
    const bytes = bytesOfStore((database) =>
      database.exec("update games set thoughts = cast(x'2cff' as text)"),
    );
    expect(saidOf(bytes)).toBe(damaged('",ÿ" is not what an agent thought at a decision'));
  });

  test("a plan that is none", () => {
    const withPlan = (value: string) =>
      saidOf(bytesOfStore((database) => database.prepare("insert into run values ('plan', ?)").run(value)));
    expect(withPlan("{")).toBe("FILE: is damaged: its plan is no JSON. Nothing was changed in it");
    expect(withPlan('{"formatVersion":2}')).toMatch(/^FILE: formatVersion: must be 1, got 2\n/);
    // Going through its schedule would take for ever.
    expect(withPlan(`{"formatVersion":1,"blocks":${Number.MAX_SAFE_INTEGER}}`)).toMatch(
      /: blocks: must be at most 10000000, got 9007199254740991\n/,
    );
  });

  slowTest("a game whose seats are none of the plan, and numbers that are not of its seats", () => {
    const plan = {
      formatVersion: 1,
      name: "run",
      game: { id: "nim" },
      gameVersion: 1,
      players: 2,
      seed: "",
      format: { type: "round-robin" },
      blocks: 1,
      openings: { randomPlies: 0 },
      moveTimeoutMs: 1e3,
      entrants: ["a", "b", "c"].map((name) => ({
        name,
        spec: { agent: "random" },
      })),
    };
    const withGame = (change: string, entrants = plan.entrants) =>
      saidOf(
        bytesOfStore((database) => {
          const text = JSON.stringify({ ...plan, entrants });
          database.prepare("insert into run values ('plan', ?)").run(text);
          database.exec(`update games set ${change} where id = 'game-7'`);
        }),
      );
    const damaged = (what: string) => `FILE: is damaged: ${what}. Nothing was changed in it`;
    const stranger = (entrant: number) => damaged(`its plan has no entrant ${entrant}, counted from 0`);
    expect(withGame("seats = '0,2'")).toBe("");
    expect(withGame("seats = '0,3'")).toBe(stranger(3));
    expect(withGame("seats = '0,2'", plan.entrants.slice(1))).toBe(stranger(2));
    expect(withGame("seats = '-1,0'")).toBe(stranger(-1));
    expect(withGame("seats = '0.5,0'")).toBe(stranger(0.5));
    expect(withGame("seats = ''")).toBe(damaged("a game has no seats"));
    for (const column of ["returns", "decisions", "nodes", "time_ms"]) {
      const what = "a game has 2 seats, but 3 numbers of one for each seat";
      expect(withGame(`${column} = '1,-1,0'`)).toBe(damaged(what));
    }
    for (const seat of [2, -2])
      expect(withGame(`forfeit_seat = ${seat}`)).toBe(damaged(`a game of 2 seats has no seat ${seat}`));
    expect(withGame("forfeit_seat = -1")).toBe("");
  });

  slowTest("a byte that was changed anywhere: it can be read, or one sentence says why not", () => {
    const good = bytesOfStore();
    const random = createRandom("damage");
    const said = new Set<string>();
    for (let trial = 0; trial < 400; trial++) {
      const bad = Uint8Array.from(good);
      bad[random.below(bad.length)]! ^= 1 + random.below(255);
      said.add(saidOf(bad).split(":")[1] ?? "");
    }
    expect(said.has(" is damaged")).toBe(true);
  });
});
