import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { planTournament } from "../../src/arena/plan/config.ts";
import { runTournament } from "../../src/arena/play/run.ts";
import { verifyRun } from "../../src/arena/play/verify.ts";
import { freezeFiles, openRun } from "../../src/arena/store/run-folder.ts";
import { createGame } from "../../src/games/index.ts";
import { loadBook, saveBook } from "../../src/files/book-file.ts";
import { TablesFile } from "../../src/files/tables-file.ts";
import { BookMaker } from "../../src/endgames/book.ts";
import { temporaryFolder } from "../support/agon.ts";
import { buildEndgames, chess } from "../endgames/build.ts";
import { solved } from "../endgames/solved.ts";
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
