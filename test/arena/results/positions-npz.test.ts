import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { planTournament } from "../../../src/arena/plan/config.ts";
import { runTournament } from "../../../src/arena/play/run.ts";
import { exportArrays } from "../../../src/arena/results/export.ts";
import { Store } from "../../../src/arena/store/store.ts";
import { createGame } from "../../../src/games/index.ts";
import { temporaryFolder } from "../../support/agon.ts";

/** A run of three blocks of two games. */
async function playedRun(game: string): Promise<Store> {
  const entrants = ["random", "mcts:simulations=5"];
  const config = { name: "cup", game, blocks: 3, entrants, openings: { randomPlies: 2 } };
  const plan = await planTournament(config, { baseDir: "." });
  const store = Store.inMemory();
  store.savePlan(plan);
  await runTournament({ plan, store, workers: 0 });
  return store;
}

interface ReadArray {
  readonly type: string;
  readonly shape: readonly number[];
  readonly bytes: Buffer;
}

/** The arrays of a `.npz`, found as zip readers do: from the directory at the end. */
function readNpz(bytes: Uint8Array): Record<string, ReadArray> {
  const file = Buffer.from(bytes);
  const end = file.lastIndexOf("PK\u0005\u0006");
  const arrays: Record<string, ReadArray> = {};
  let at = file.readUInt32LE(end + 16);
  for (let count = file.readUInt16LE(end + 10); count > 0; count--) {
    expect(file.toString("latin1", at, at + 4)).toBe("PK\u0001\u0002");
    const [crc, packed, size] = [16, 20, 24].map((place) => file.readUInt32LE(at + place)) as [
      number,
      number,
      number,
    ];
    const length = file.readUInt16LE(at + 28);
    const name = file.toString("latin1", at + 46, at + 46 + length);
    const local = file.readUInt32LE(at + 42);
    expect(file.toString("latin1", local, local + 4)).toBe("PK\u0003\u0004");
    const begin = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    const plain = inflateRawSync(file.subarray(begin, begin + packed));
    expect([plain.length, crc32(plain)]).toEqual([size, crc]);
    expect(plain.toString("latin1", 0, 8)).toBe("\u0093NUMPY\u0001\u0000");
    const start = 10 + plain.readUInt16LE(8);
    expect(start % 64).toBe(0);
    const header = plain.toString("latin1", 10, start);
    const [, type, shape] = /^\{'descr': '(.*)', 'fortran_order': False, 'shape': \((.*)\), \} *\n$/.exec(
      header,
    )!;
    const sizes = shape!.split(",").filter((part) => part.trim() !== "");
    arrays[name.replace(/\.npy$/, "")] = {
      type: type!,
      shape: sizes.map(Number),
      bytes: plain.subarray(start),
    };
    at += 46 + length;
  }
  return arrays;
}

function numbersOf({ type, bytes }: ReadArray): number[] {
  const data = new Uint8Array(bytes).buffer;
  if (type === "|u1") return Array.from(new Uint8Array(data));
  if (type === "|i1") return Array.from(new Int8Array(data));
  return Array.from(type === "<i4" ? new Int32Array(data) : new Float32Array(data));
}

test("the arrays have each decision, with the board as the player to move sees it", async () => {
  const store = await playedRun("connect-four");
  const arrays = readNpz(await exportArrays(store, "dir"));
  const column = (name: string) => numbersOf(arrays[name]!);
  const game = createGame("connect-four");
  // 42 cells, and one that tells whose turn it is.
  const width = 43;
  const { bytes, type } = arrays["games"]!;
  const size = Number(type.slice(2));
  const ids = Array.from({ length: bytes.length / size }, (_, at) =>
    bytes.toString("latin1", at * size, (at + 1) * size),
  );
  const records = store.records();
  expect(ids.toSorted()).toEqual(records.map(({ id }) => id).toSorted());
  const rows: unknown[] = [];
  for (const [number, id] of ids.entries()) {
    const record = records.find((one) => one.id === id)!;
    const state = game.start();
    for (const [ply, action] of record.actions.entries()) {
      const digits = new Uint8Array(game.tupleBoard!.cells);
      game.tupleBoard!.read(state, state.toMove, digits);
      const told = [number, ply, state.toMove, action, record.returns[state.toMove], ...digits];
      if (ply >= record.openingLength) rows.push(told);
      state.apply(action);
    }
  }
  const cells = column("cells");
  expect(arrays["cells"]!.shape).toEqual([rows.length, width]);
  const names = ["game", "ply", "player", "action", "result"];
  const found = column("game").map((_, row) => [
    ...names.map((name) => column(name)[row]),
    ...cells.slice(row * width, (row + 1) * width),
  ]);
  expect(found).toEqual(rows);
  // Random play tells no values.
  const values = column("value");
  expect(values.filter((value) => value >= -1 && value <= 1).length).toBeGreaterThan(5);
  expect(values.some(Number.isNaN)).toBe(true);
  store.close();
});

test("features are a sparse matrix; games without a board of cells need them", async () => {
  const store = await playedRun("pig");
  await expect(exportArrays(store, "dir")).rejects.toThrow(
    /^pig has no board of cells for an \.npz; name --features: race/,
  );
  await expect(exportArrays(store, "dir", { features: "rays" })).rejects.toThrow(
    /^unknown feature set of pig "rays"/,
  );
  const arrays = readNpz(await exportArrays(store, "dir", { features: "race" }));
  const [indptr, data, indices] = ["indptr", "data", "indices"].map((name) => numbersOf(arrays[name]!));
  const [size] = numbersOf(arrays["features"]!);
  expect(indptr).toHaveLength(numbersOf(arrays["ply"]!).length + 1);
  expect([indptr![0], indptr!.at(-1)]).toEqual([0, indices!.length]);
  expect(data).toHaveLength(indices!.length);
  expect(Math.max(...indices!)).toBeLessThan(size!);
  store.close();
});

const python = process.env["AGON_PYTHON"] ?? "python3";
const hasNumpy = spawnSync(python, ["-c", "import numpy"]).status === 0;

test.skipIf(!hasNumpy)("NumPy reads the same", async () => {
  const store = await playedRun("connect-four");
  const bytes = await exportArrays(store, "dir");
  const path = join(temporaryFolder(), "positions.npz");
  writeFileSync(path, bytes);
  const program = `import json, sys, numpy
read = numpy.load(sys.argv[1])
print(json.dumps({name: [str(read[name].dtype), list(read[name].shape), str(read[name].ravel()[-1])] for name in read.files}))`;
  const { stdout, stderr } = spawnSync(python, ["-c", program, path], { encoding: "utf8" });
  expect(stderr).toBe("");
  const told = JSON.parse(stdout) as Record<string, [string, number[], string]>;
  const arrays = readNpz(bytes);
  expect(Object.keys(told)).toEqual(Object.keys(arrays));
  for (const [name, { shape }] of Object.entries(arrays)) expect(told[name]![1]).toEqual(shape);
  expect(told["cells"]![0]).toBe("uint8");
  expect(Number(told["result"]![2])).toBe(numbersOf(arrays["result"]!).at(-1));
  store.close();
});
