import { describe, expect, test } from "vitest";
import { MoveOrdering } from "../../src/agents/alpha-beta/ordering.ts";
import { EXACT, LOWER, NO_ACTION, TranspositionTable, UPPER } from "../../src/agents/alpha-beta/table.ts";
import type { State } from "../../src/games/game.ts";
import { createGame } from "../../src/games/index.ts";

describe("transposition table", () => {
  const at = (hashLow: number, hashHigh: number): State =>
    Object.create(createGame("connect-four").start(), {
      hashLow: { value: hashLow },
      hashHigh: { value: hashHigh },
    }) as State;
  const createTable = (entries = 4) => {
    const table = new TranspositionTable(entries);
    table.clear();
    return table;
  };

  test("knows a position by all 64 bits of its hash", () => {
    const table = createTable();
    expect(table.find(0, 0)).toBe(-1);
    table.store(at(5, 7), 3, EXACT, 0.5, 11);
    const slot = table.find(5, 7);
    expect([table.depth[slot], table.bound[slot], table.value[slot], table.action[slot]]).toEqual([
      3,
      EXACT,
      0.5,
      11,
    ]);
    expect([table.find(5, 8), table.find(1, 7), table.find(-5, 7)]).toEqual([-1, -1, -1]);
  });

  test("holds as many positions as were asked for, rounded up to a power of two", () => {
    const table = createTable(5);
    for (let low = 0; low < 8; low++) table.store(at(low, 0), 1, EXACT, low, 0);
    expect([0, 1, 2, 3, 4, 5, 6, 7].map((low) => table.value[table.find(low, 0)])).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7,
    ]);
    table.store(at(8, 0), 1, EXACT, 8, 0);
    expect(table.find(0, 0)).toBe(-1);
  });

  test("of two positions in one slot keeps the deeper, and the later of equally deep", () => {
    const table = createTable();
    table.store(at(1, 1), 5, EXACT, 0, 0);
    table.store(at(5, 2), 4, EXACT, 0, 0);
    expect([table.find(1, 1) >= 0, table.find(5, 2)]).toEqual([true, -1]);
    table.store(at(9, 3), 5, EXACT, 0, 0);
    expect([table.find(1, 1), table.find(9, 3) >= 0]).toEqual([-1, true]);
  });

  test("forgets, and then a shallow entry may take the place of a deep one", () => {
    const table = createTable();
    table.store(at(1, 1), 5, EXACT, 0, 0);
    table.clear();
    expect(table.find(1, 1)).toBe(-1);
    table.store(at(1, 2), 1, EXACT, 0, 0);
    expect(table.find(1, 2)).toBeGreaterThanOrEqual(0);
  });

  test("an exact value answers any window, a bound only one that it lies beyond", () => {
    const table = createTable();
    const settles = (bound: number, depth: number, alpha: number, beta: number) => {
      table.store(at(2, 2), 6, bound, 3, NO_ACTION);
      return table.settles(table.find(2, 2), depth, alpha, beta);
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
