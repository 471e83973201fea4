import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createGame } from "../../../src/games/index.ts";
import { loadTables, TablesFile, WHOLE_GAME } from "../../../src/specs/files/tables-file.ts";
import { UNKNOWN } from "../../../src/games/endgames/endgame-tables.ts";
import { temporaryFolder } from "../../support/agon.ts";
import { buildEndgames, chess, checkers, positionsOf } from "../../games/endgames/build.ts";
import { solved } from "../../games/endgames/solved.ts";
import { slowTest } from "../../support/thorough.ts";

const { byName } = buildEndgames(chess, ["KRK"]);

/** A file with the tables of rook against king. */
function rookFile(name: string): string {
  const path = join(temporaryFolder(), name);
  const file = TablesFile.empty(path, chess, { isWhole: false });
  for (const table of byName.values()) file.addClass(table);
  return path;
}

const ticTacToe = createGame("tic-tac-toe");

test("what is read is what was written, for every position", () => {
  const path = rookFile("rook.agon");
  const tables = loadTables(path, createGame({ id: "chess", quietMoves: 75 }));
  const table = byName.get("KRK")!;
  for (const { index, state } of positionsOf(chess, table, 3))
    expect(tables.probe(state)).toBe(table.distances[index]! + 0);
  expect(TablesFile.read(path, chess).parts).toMatchObject([
    { name: "KK", longest: 0 },
    { name: "KRK", wins: 22_400, losses: 25_770, longest: 32 },
  ]);
});

slowTest("a class can be added to a file that is there", () => {
  const path = rookFile("more.agon");
  const file = TablesFile.read(path, chess);
  expect([file.has("KRK"), file.has("KQK")]).toEqual([true, false]);
  file.addClass(buildEndgames(chess, ["KQK"]).byName.get("KQK")!);
  const tables = loadTables(path, chess);
  expect(tables.probe(chess.parseState("8/8/8/8/8/8/k1K5/7Q w - - 0 1"))).toBeGreaterThan(0);
  expect(tables.probe(chess.parseState("8/8/8/8/8/8/k1K5/7R w - - 0 1"))).toBeGreaterThan(0);
});

test("a whole game is read as it was written", () => {
  const path = join(temporaryFolder(), "all.agon");
  const table = solved(ticTacToe);
  TablesFile.empty(path, ticTacToe, { isWhole: true }).addWhole(table);
  expect(TablesFile.read(path, ticTacToe).has(WHOLE_GAME)).toBe(true);
  const read = loadTables(path, ticTacToe);
  const state = ticTacToe.start();
  expect(read.probe(state)).toBe(0);
  for (const action of [0, 1, 3]) state.apply(action);
  expect(read.probe(state)).toBe(table.probe(state));
  expect(read.probe(createGame("connect-four").parseState("1234"))).toBe(UNKNOWN);
});

test("a file for another game, of another kind or of other options is refused", () => {
  const path = rookFile("chess.agon");
  expect(() => loadTables(path, checkers)).toThrow(
    /chess\.agon: is for another game: chess; wanted: checkers/,
  );
  const nim = createGame({ id: "nim", piles: [1, 2] });
  const other = join(temporaryFolder(), "nim.agon");
  TablesFile.empty(other, nim, { isWhole: true }).addWhole(solved(nim));
  expect(() => loadTables(other, createGame("nim"))).toThrow(/is for another game/);
  expect(loadTables(other, createGame({ id: "nim", piles: [1, 2] })).probe(nim.start())).toBeGreaterThan(0);
});

test("a damaged file is refused, wherever the damage is", () => {
  const good = readFileSync(rookFile("good.agon"));
  const path = join(temporaryFolder(), "bad.agon");
  const load = (bytes: Uint8Array) => {
    writeFileSync(path, bytes);
    return () => loadTables(path, chess);
  };
  for (const length of [0, 5, good.length - 1, good.length - 5000])
    expect(load(good.subarray(0, length)), `${length}`).toThrow(/bad\.agon/);
  for (const at of [3, 60, good.indexOf("sha256", good.length - 13_000) + 12, good.length - 4000]) {
    const changed = Uint8Array.from(good);
    changed[at]! ^= 1;
    expect(load(changed), `${at}`).toThrow(/bad\.agon/);
  }
  expect(load(Buffer.from("hello\nyou\n"))).toThrow(/is no file of tables; `agon tables` makes them/);
  const lying = good.toString("latin1").replace('"entries":59136', '"entries":59137');
  expect(load(Buffer.from(lying, "latin1"))).toThrow(/must have 59136 entries, has 59137/);
  const future = good.toString("latin1").replace('"formatVersion":1', '"formatVersion":2');
  expect(load(Buffer.from(future, "latin1"))).toThrow(/formatVersion: must be 1/);
});
