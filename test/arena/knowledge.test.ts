import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadAdjudicationTables } from "../../src/arena/plan/adjudication.ts";
import { planTournament } from "../../src/arena/plan/config.ts";
import { Adjudicator } from "../../src/arena/play/adjudicator.ts";
import { RecordCheck } from "../../src/arena/play/record-check.ts";
import { runTournament } from "../../src/arena/play/run.ts";
import { verifyRun } from "../../src/arena/play/verify.ts";
import { reportRun } from "../../src/arena/results/runs.ts";
import { freezeFiles, openRun } from "../../src/arena/store/run-folder.ts";
import { playTournament } from "../../src/arena/tournament.ts";
import { TERMINAL, type State } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";
import { loadBook, saveBook } from "../../src/specs/files/book-file.ts";
import { TablesFile } from "../../src/specs/files/tables-file.ts";
import { UNKNOWN } from "../../src/games/endgames/endgame-tables.ts";
import { packRun } from "../../src/queue/bundle-kinds.ts";
import { BookMaker } from "../../src/games/endgames/book.ts";
import { temporaryFolder } from "../support/agon.ts";
import { buildEndgames, chess } from "../games/endgames/build.ts";
import { solved } from "../games/endgames/solved.ts";
import { slowTest } from "../support/thorough.ts";

const ticTacToe = createGame("tic-tac-toe");

function config(entrants: readonly object[], change: object = {}): object {
  return { name: "known", game: "tic-tac-toe", blocks: 10, entrants, ...change };
}

test("a run has copies of the tables that its agents use, and can be verified without the originals", async () => {
  const baseDir = temporaryFolder();
  const dir = join(baseDir, "run");
  const file = join(baseDir, "all.agon");
  TablesFile.empty(file, ticTacToe, { isWhole: true }).addWhole(solved(ticTacToe));
  const entrants = [
    { name: "perfect", agent: "random", tables: "all.agon" },
    { name: "plain", agent: "random" },
  ];
  const plan = await planTournament(config(entrants), { baseDir });
  const { store, plan: frozen } = openRun(dir, plan, { resume: false });
  expect(frozen.entrants[0]!.spec["tables"]).toMatch(/^tables[/\\]all-[0-9a-f]{8}\.agon$/);
  rmSync(file);
  await runTournament({ plan: frozen, store, dir, workers: 0 });
  const lost = store.records().filter(({ seats, returns }) => returns[seats.indexOf(0)]! < 0);
  expect(lost).toEqual([]);
  expect(store.records().length).toBe(20);
  const { differences } = await verifyRun(store, dir, { sample: 20, workers: 0 });
  expect(differences).toEqual([]);
  store.close();
  expect(existsSync(join(dir, frozen.entrants[0]!.spec["tables"] as string))).toBe(true);
});

test("a run has a copy of a book too", () => {
  const dir = temporaryFolder();
  const path = join(dir, "mine.json");
  const maker = new BookMaker(ticTacToe, 1);
  maker.add({ actions: [4], returns: [1, -1] });
  saveBook(path, ticTacToe, { book: maker.book(1), games: 1 });
  const { spec } = freezeFiles({ name: "a", spec: { agent: "random", book: path } }, dir);
  expect(spec["book"]).toMatch(/^book[/\\]mine-[0-9a-f]{8}\.json$/);
  expect(loadBook(join(dir, spec["book"] as string), ticTacToe)).toEqual(maker.book(1));
});

slowTest("tables of another game, and tables that are not there, are told with their place", async () => {
  const baseDir = temporaryFolder();
  const file = TablesFile.empty(join(baseDir, "rook.agon"), chess, { isWhole: false });
  for (const table of buildEndgames(chess, ["KRK"]).byName.values()) file.addClass(table);
  const plan = (entrant: object, change = {}) => planTournament(config([entrant], change), { baseDir });
  await expect(plan({ agent: "random", tables: "rook.agon" })).rejects.toThrow(
    /entrants\[0\]\.tables: .*rook\.agon: is for another game: chess; wanted: tic-tac-toe/,
  );
  await expect(plan({ agent: "random", tables: "none.agon" })).rejects.toThrow(
    /entrants\[0\]\.tables: .*none\.agon: cannot be read/,
  );
  await expect(plan({ agent: "random", tables: "rook.agon" }, { game: "pig" })).rejects.toThrow(
    /entrants\[0\]\.tables: there are no tables for pig, which has chance/,
  );
});

describe("adjudication by tables", () => {
  const adjudicated = async (adjudicate: object | undefined, change: object = {}) => {
    const baseDir = temporaryFolder();
    TablesFile.empty(join(baseDir, "all.agon"), ticTacToe, { isWhole: true }).addWhole(solved(ticTacToe));
    const given = config([{ agent: "random" }, { agent: "mcts", simulations: 5 }], {
      openings: { randomPlies: 3 },
      ...(adjudicate && { adjudicate }),
      ...change,
    });
    return { plan: await planTournament(given, { baseDir }), baseDir };
  };

  /** The value of a position for the first player, by trying everything. */
  const minimax = (state: State): number => {
    if (state.toMove === TERMINAL) return state.returns(0);
    const actions = new Int32Array(9);
    const values = Array.from(actions.subarray(0, state.legalActions(actions, 0)), (action) => {
      state.apply(action);
      const value = minimax(state);
      state.undo();
      return value;
    });
    return state.toMove === 0 ? Math.max(...values) : Math.min(...values);
  };

  slowTest(
    "a game ends with the exact result of its position; the run has a copy, and is verified",
    async () => {
      const { plan, baseDir } = await adjudicated({ tables: "all.agon" });
      const dir = join(baseDir, "run");
      const { store, plan: frozen } = openRun(dir, plan, { resume: false });
      expect(frozen.adjudicate!.tables).toMatch(/^tables[/\\]all-[0-9a-f]{8}\.agon$/);
      rmSync(join(baseDir, "all.agon"));
      await runTournament({ plan: frozen, store, dir, workers: 0 });
      const records = store.records();
      expect(records).toHaveLength(20);
      const tables = loadAdjudicationTables(ticTacToe, frozen.adjudicate, dir);
      const check = new RecordCheck(ticTacToe, frozen, tables);
      for (const record of records) {
        const { ending, actions, returns, detail } = record;
        const state = ticTacToe.start();
        for (const action of actions) state.apply(action);
        const value = minimax(state);
        expect({ ending, plies: actions.length }).toEqual({ ending: "adjudicated", plies: 4 });
        expect(returns).toEqual([value, 0 - value]);
        expect(detail).toMatch(
          value === 0 ? /^a draw, by/ : /^player [12] wins in \d plies, by the endgame tables$/,
        );
        expect(check.problem(record)).toBeUndefined();
        expect(check.problem({ ...record, returns: value === 0 ? [1, -1] : [0, 0] })).toMatch(
          /^its returns are/,
        );
        expect(new RecordCheck(ticTacToe, { ...frozen, adjudicate: {} }).problem(record)).toMatch(
          /no rule of the run/,
        );
      }
      expect(reportRun(frozen, store).adjudicated).toBe(20);
      const { differences } = await verifyRun(store, dir, { sample: 20, workers: 0 });
      expect(differences).toEqual([]);
      expect([...packRun(frozen, dir).contents.values()].map(({ length }) => length)).toContain(
        statSync(join(dir, frozen.adjudicate!.tables!)).size,
      );
      store.close();
    },
  );

  test("the tables are part of the ids, and the other rules go on beside them", async () => {
    const ids = async (adjudicate: object | undefined) => {
      const { plan } = await adjudicated(adjudicate, { blocks: 1 });
      return (await playTournament(plan, { workers: 0 })).records.map(({ id }) => id);
    };
    const all = [undefined, { maxPlies: 8 }, { maxPlies: 8, tables: "all.agon" }];
    const lists = await Promise.all(all.map(ids));
    expect(new Set(lists.flat()).size).toBe(6);
    expect(await ids({ maxPlies: 8, tables: "all.agon" })).toEqual(lists[2]);
  });

  test.each<[string, object, object, RegExp]>([
    ["a missing file", { tables: "none.agon" }, {}, /adjudicate\.tables: .*none\.agon: cannot be read/],
    ["another file", { tables: "all.json" }, {}, /adjudicate\.tables: must be a file of tables/],
    [
      "another game",
      { tables: "all.agon" },
      { game: "connect-four" },
      /adjudicate\.tables: .*is for another game/,
    ],
    [
      "a game with chance",
      { tables: "all.agon" },
      { game: "pig" },
      /adjudicate\.tables: there are no tables for pig/,
    ],
    ["no rule", {}, {}, /adjudicate: has no rule; allowed: maxPlies, resign, draw, tables/],
  ])("%s is refused", async (_, rules, change, message) => {
    await expect(adjudicated(rules, change)).rejects.toThrow(message);
  });

  test("what tables do not know goes on; they come before values", () => {
    const known = { probe: (state: State) => (state.hashLow === lost.hashLow ? -4 : UNKNOWN) };
    const lost = ticTacToe.start();
    for (const action of [0, 1, 4]) lost.apply(action);
    const rules = { draw: { value: 1, plies: 1, from: 0 }, tables: "some.agon" };
    const adjudicator = new Adjudicator(ticTacToe, rules, known);
    adjudicator.begin();
    const state = ticTacToe.start();
    state.apply(0);
    const played = { player: 0, value: undefined, plies: 1 };
    expect(adjudicator.after(state, played)).toBeUndefined();
    state.apply(1);
    state.apply(4);
    expect(adjudicator.after(state, { ...played, value: 0, plies: 3 })).toEqual({
      returns: [1, -1],
      detail: "player 1 wins in 4 plies, by the endgame tables",
    });
  });
});
