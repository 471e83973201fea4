import { describe, expect, test } from "vitest";
import { MoveOrdering } from "../../src/agents/alpha-beta/ordering.ts";
import { EXACT, LOWER, NO_ACTION, TranspositionTable, UPPER } from "../../src/agents/alpha-beta/table.ts";
import { createRandom } from "../../src/base/random.ts";

describe("transposition table", () => {
  /** One bucket, which is two entries. */
  const createTable = (mebibytes = 0) => {
    const table = new TranspositionTable(mebibytes);
    table.clear();
    return table;
  };
  const holds = (table: TranspositionTable, ...lows: number[]) =>
    lows.filter((low) => table.find(low, 0) >= 0);

  test("knows a position by all 64 bits of its hash", () => {
    const table = createTable();
    expect([table.find(0, 0), table.find(5, 7)]).toEqual([-1, -1]);
    table.store(5, 7, 3, LOWER, 0.1 + 0.2, -11);
    const entry = table.find(5, 7);
    expect([table.depth(entry), table.bound(entry), table.value(entry), table.action(entry)]).toEqual([
      3,
      LOWER,
      0.1 + 0.2,
      -11,
    ]);
    expect([table.find(5, 8), table.find(1, 7), table.find(-5, 7)]).toEqual([-1, -1, -1]);
  });

  test("has as many entries of 24 bytes as fit into its size, all of which are used", () => {
    const table = createTable(0.01);
    const entries = 2 * Math.floor((0.01 * 2 ** 20) / 48);
    const random = createRandom("table");
    const lows = Array.from({ length: 20 * entries }, () => random.int32());
    for (const low of lows) table.store(low, 0, 1, EXACT, low, 0);
    const held = holds(table, ...lows);
    expect(held.length).toBe(entries);
    for (const low of held) expect(table.value(table.find(low, 0))).toBe(low);
  });

  test("of the positions in one bucket it keeps the deepest and the latest", () => {
    const table = createTable();
    table.store(1, 0, 5, EXACT, 0, 0);
    table.store(2, 0, 4, EXACT, 0, 0);
    expect(holds(table, 1, 2)).toEqual([1, 2]);
    table.store(3, 0, 3, EXACT, 0, 0);
    expect(holds(table, 1, 2, 3)).toEqual([1, 3]);
    // As deep as the deepest: it takes its place, and the one that was there is now the latest but one.
    table.store(4, 0, 5, EXACT, 0, 0);
    expect(holds(table, 1, 3, 4)).toEqual([1, 4]);
    table.store(5, 0, 1, EXACT, 0, 0);
    expect(holds(table, 1, 4, 5)).toEqual([4, 5]);
  });

  test("of two searches of one position it keeps the deeper, and an action where the later search has none", () => {
    const table = createTable();
    table.store(1, 0, 3, EXACT, 0.5, 7);
    table.store(1, 0, 2, EXACT, 0.1, 8);
    expect(table.value(table.find(1, 0))).toBe(0.5);
    table.store(1, 0, 4, UPPER, 0.2, NO_ACTION);
    const entry = table.find(1, 0);
    expect([table.depth(entry), table.value(entry), table.action(entry)]).toEqual([4, 0.2, 7]);
  });

  test("forgets, or keeps what is older until something new needs the place", () => {
    const table = createTable();
    table.store(1, 0, 5, EXACT, 0, 0);
    table.clear();
    expect(holds(table, 1)).toEqual([]);
    table.store(2, 0, 5, EXACT, 0, 0);
    table.age();
    expect(holds(table, 1, 2)).toEqual([2]);
    table.store(2, 0, 1, EXACT, 0, 3);
    expect(table.depth(table.find(2, 0))).toBe(1);
    table.age();
    table.store(3, 0, 1, EXACT, 0, 0);
    table.store(4, 0, 1, EXACT, 0, 0);
    expect(holds(table, 2, 3, 4)).toEqual([3, 4]);
  });

  test("counts so many decisions that its counter runs over", () => {
    const table = createTable();
    for (let decision = 0; decision < 2 ** 21 + 5; decision++) table.clear();
    expect(holds(table, 0, 1)).toEqual([]);
    table.store(1, 0, 5, EXACT, 0, 0);
    expect(holds(table, 0, 1)).toEqual([1]);
  });

  test("an exact value answers any window, a bound only one that it lies beyond", () => {
    const settles = (bound: number, depth: number, alpha: number, beta: number) => {
      const table = createTable();
      table.store(2, 2, 6, bound, 3, NO_ACTION);
      return table.settles(table.find(2, 2), depth, 3, alpha, beta);
    };
    expect([settles(EXACT, 6, -9, 9), settles(EXACT, 5, 4, 9), settles(EXACT, 7, -9, 9)]).toEqual([
      true,
      true,
      false,
    ]);
    expect([settles(LOWER, 6, -9, 3), settles(LOWER, 6, -9, 4), settles(LOWER, 7, -9, 3)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([settles(UPPER, 6, 3, 9), settles(UPPER, 6, 2, 9), settles(UPPER, 7, 3, 9)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe("move ordering", () => {
  const PLY = 2;
  const ACTIONS = [10, 20, 30, 40, 50];

  /** The actions in the order in which a search takes them. */
  function order(ordering: MoveOrdering, tableAction = NO_ACTION, player = 0, ply = PLY): number[] {
    const stack = Int32Array.of(-1, ...ACTIONS, -1);
    const end = 1 + ACTIONS.length;
    ordering.score(stack, 1, ACTIONS.length, tableAction, player, ply);
    for (let index = 1; index < end; index++) ordering.bringBest(stack, index, end);
    expect([stack[0], stack[end]]).toEqual([-1, -1]);
    return Array.from(stack.subarray(1, end));
  }

  const create = (remembers = true) => new MoveOrdering({ stackSize: 20, levels: 9, remembers });

  test("keeps the game's order where nothing is known", () => {
    expect(order(create())).toEqual(ACTIONS);
  });

  test("the table's action, the two last killers of this ply, then by what they cut off elsewhere", () => {
    const ordering = create();
    ordering.reward(30, 0, PLY + 1, 2);
    ordering.reward(50, 0, PLY + 1, 3);
    expect(order(ordering)).toEqual([50, 30, 10, 20, 40]);
    ordering.reward(20, 0, PLY, 1);
    ordering.reward(40, 0, PLY, 1);
    expect(order(ordering)).toEqual([40, 20, 50, 30, 10]);
    expect(order(ordering, 10)).toEqual([10, 40, 20, 50, 30]);
    // A killer that cuts off again stays the first of the two; a third one drives the older out.
    ordering.reward(40, 0, PLY, 1);
    expect(order(ordering)).toEqual([40, 20, 50, 30, 10]);
    ordering.reward(10, 0, PLY, 1);
    expect(order(ordering).slice(0, 2)).toEqual([10, 40]);
  });

  test("history counts for the player who earned it", () => {
    const ordering = create();
    ordering.reward(50, 1, PLY + 1, 3);
    expect(order(ordering)).toEqual(ACTIONS);
    expect(order(ordering, NO_ACTION, 1)).toEqual([50, 10, 20, 30, 40]);
  });

  test("history never outweighs a killer", () => {
    const ordering = create();
    ordering.reward(20, 0, PLY, 1);
    for (let time = 0; time < 200_000; time++) ordering.reward(50, 0, PLY + 1, 128);
    expect(order(ordering)).toEqual([20, 50, 10, 30, 40]);
  });

  test("forgets on demand, and heeds the table's action alone if told so", () => {
    const ordering = create();
    ordering.reward(50, 0, PLY, 3);
    ordering.clear();
    expect(order(ordering)).toEqual(ACTIONS);
    const table = create(false);
    table.reward(50, 0, PLY, 3);
    expect(order(table, 30)).toEqual([30, 10, 20, 40, 50]);
  });
});
