import { Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import {
  SharedTable,
  EXACT,
  LOWER,
  NO_ACTION,
  TranspositionTable,
  UPPER,
} from "../../src/agents/alpha-beta/transposition-table.ts";
import { createRandom, type Random } from "../../src/base/random.ts";
import { slowTest } from "../support/thorough.ts";

/** Twenty buckets. */
const SMALL = 0.001;

interface Entry {
  readonly depth: number;
  readonly bound: number;
  readonly value: number;
  readonly action: number;
}

function randomEntry(random: Random): Entry {
  return {
    depth: random.below(130),
    bound: [EXACT, LOWER, UPPER][random.below(3)]!,
    value: [0, 1, -1, 0.5, random.float() - 0.5, random.int32()][random.below(6)]!,
    action: [NO_ACTION, 0, random.below(7), random.int32()][random.below(4)]!,
  };
}

function look(table: TranspositionTable, low: number, high: number): Entry | undefined {
  const entry = table.find(low, high);
  if (entry < 0) return undefined;
  return {
    depth: table.depth(entry),
    bound: table.bound(entry),
    value: table.value(entry),
    action: table.action(entry),
  };
}

function put(
  table: TranspositionTable,
  [low, high]: readonly [number, number],
  { depth, bound, value, action }: Entry,
): void {
  table.store(low, high, depth, bound, value, action);
}

describe("a shared table", () => {
  slowTest("used by one thread or by two in turns, has what a table of one thread has", () => {
    const random = createRandom("shared table");
    const plain = new TranspositionTable(SMALL);
    const leader = SharedTable.lead(SMALL);
    const follower = SharedTable.follow(leader.memory);
    const hashes = Array.from({ length: 200 }, () => [random.int32(), random.int32()] as const);
    let found = 0;
    for (let step = 0; step < 40_000; step++) {
      const either = random.below(2) === 0 ? leader : follower;
      const hash = hashes[random.below(hashes.length)]!;
      const kind = random.below(2000);
      if (kind === 0) for (const table of [plain, leader]) table.clear();
      else if (kind < 4) for (const table of [plain, leader]) table.age();
      else if (kind < 1000) {
        const entry = randomEntry(random);
        for (const table of [plain, either]) put(table, hash, entry);
      } else {
        const expected = look(plain, ...hash);
        expect(look(either, ...hash)).toEqual(expected);
        if (expected !== undefined) found++;
      }
    }
    expect(found).toBeGreaterThan(2000);
  });

  test("clear and age are the leader's to do", () => {
    const leader = SharedTable.lead(SMALL);
    const follower = SharedTable.follow(leader.memory);
    const entry = { depth: 3, bound: EXACT, value: 0.25, action: 5 };
    put(follower, [1, 2], entry);
    follower.clear();
    follower.age();
    expect(look(leader, 1, 2)).toEqual(entry);
    leader.clear();
    expect(look(follower, 1, 2)).toBeUndefined();
  });

  test("an entry of which two threads wrote parts is not found, or is what one of them wrote", () => {
    const random = createRandom("torn");
    let torn = 0;
    for (let round = 0; round < 100; round++) {
      const hash = [random.int32(), random.int32()] as const;
      // The second one is of the same position, or of another one of the same bucket.
      const other = round % 2 === 0 ? hash : ([hash[0], random.int32()] as const);
      const table = SharedTable.lead(0);
      const words = new Int32Array(table.memory);
      const written = ([hash, other] as const).map((position) => {
        words.fill(0, 2);
        const entry = randomEntry(random);
        put(table, position, entry);
        return { position, entry, words: words.slice(2, 8) };
      });
      for (let mix = 0; mix < 64; mix++) {
        for (let word = 0; word < 6; word++) words[2 + word] = written[(mix >> word) & 1]!.words[word]!;
        for (const position of [hash, other]) {
          const found = look(table, ...position);
          const fits = written.filter((one) => String(one.position) === String(position));
          if (found === undefined) torn++;
          else expect(fits.map(({ entry }) => entry)).toContainEqual(found);
        }
      }
    }
    expect(torn).toBeGreaterThan(3000);
  });

  slowTest(
    "two threads that write to a few buckets at once find only what was stored of a position",
    async () => {
      const rounds = 200_000;
      const { memory } = SharedTable.lead(SMALL);
      const begun = new Int32Array(new SharedArrayBuffer(4));
      const module = new URL("../../build/agents/alpha-beta/transposition-table.js", import.meta.url).href;
      const threads = [1, 2].map(
        (seed) => new Worker(HAMMER, { eval: true, workerData: { memory, begun, module, rounds, seed } }),
      );
      const counts = await Promise.all(
        threads.map(
          (thread) =>
            new Promise<{ found: number; wrong: number }>((resolve, reject) => {
              thread.on("message", resolve);
              thread.on("error", reject);
            }),
        ),
      );
      for (const { found, wrong } of counts) {
        expect(wrong).toBe(0);
        expect(found).toBeGreaterThan(10_000);
      }
    },
  );
});

/**
 * Stores and looks up the same 100 positions as the other thread. All of an entry follows from its hash and from one of
 * eight versions, so that an entry that is found can be seen to be whole.
 */
const HAMMER = `
const { parentPort, workerData } = require("node:worker_threads");
const { memory, begun, module, rounds, seed } = workerData;
import(module).then(({ SharedTable }) => {
  const table = SharedTable.follow(memory);
  let state = seed;
  const below = (count) => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 8) % count;
  const entryOf = (position, version) => ({
    depth: (position * 7 + version * 31) % 120,
    bound: version % 3,
    value: position + version / 8,
    action: position * 1000 + version,
  });
  Atomics.add(begun, 0, 1);
  while (Atomics.load(begun, 0) < 2);
  let found = 0;
  let wrong = 0;
  for (let round = 0; round < rounds; round++) {
    const position = below(100);
    const low = Math.imul(position + 1, 0x9e3779b1);
    const high = Math.imul(position + 1, 0x85ebca6b);
    if (below(2) === 0) {
      const { depth, bound, value, action } = entryOf(position, below(8));
      table.store(low, high, depth, bound, value, action);
      continue;
    }
    const at = table.find(low, high);
    if (at < 0) continue;
    found++;
    const expected = entryOf(position, table.action(at) % 1000);
    const whole =
      table.depth(at) === expected.depth &&
      table.bound(at) === expected.bound &&
      table.value(at) === expected.value &&
      table.action(at) === expected.action;
    if (!whole) wrong++;
  }
  parentPort.postMessage({ found, wrong });
});
`;
