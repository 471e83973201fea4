import { describe, expect, test } from "vitest";
import { MoveOrdering } from "../../src/agents/search/ordering.ts";
import {
  EXACT,
  LOWER,
  NO_ACTION,
  TranspositionTable,
  UPPER,
} from "../../src/agents/alpha-beta/transposition-table.ts";
import { LEAST_REDUCED, reductionOf } from "../../src/agents/alpha-beta/alpha-beta.ts";
import { createRandom } from "../../src/base/random.ts";
import type { State, Tactics } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";

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
  const mover = (player: number): State =>
    Object.create(createGame("connect-four").start(), { toMove: { value: player } }) as State;

  interface Node {
    readonly tableAction?: number;
    readonly before?: number;
    readonly player?: number;
  }

  /** The actions in the order in which a search takes them. */
  function order(
    ordering: MoveOrdering,
    { tableAction = NO_ACTION, before = NO_ACTION, player = 0 }: Node = {},
  ): number[] {
    const stack = Int32Array.of(-1, ...ACTIONS, -1);
    const end = 1 + ACTIONS.length;
    ordering.score(mover(player), stack, 1, end, tableAction, before, PLY);
    for (let index = 1; index < end; index++) ordering.bringBest(stack, index, end);
    expect([stack[0], stack[end]]).toEqual([-1, -1]);
    return Array.from(stack.subarray(1, end));
  }

  /** A cut-off by an action that came first. */
  function reward(ordering: MoveOrdering, action: number, ply = PLY, depth = 1, node: Node = {}): void {
    const { before = NO_ACTION, player = 0 } = node;
    ordering.score(mover(player), Int32Array.of(action), 0, 1, NO_ACTION, before, ply);
    ordering.reward(action, 0, player, before, ply, depth);
  }

  const create = (remembers = true, tactics: Tactics | null = null) =>
    new MoveOrdering({ stackSize: 20, levels: 9, remembers, tactics });

  test("keeps the game's order where nothing is known", () => {
    expect(order(create())).toEqual(ACTIONS);
  });

  test("the table's action, the two last killers of this ply, then by what they cut off elsewhere", () => {
    const ordering = create();
    reward(ordering, 30, PLY + 1, 2);
    reward(ordering, 50, PLY + 1, 3);
    expect(order(ordering)).toEqual([50, 30, 10, 20, 40]);
    reward(ordering, 20);
    reward(ordering, 40);
    expect(order(ordering)).toEqual([40, 20, 50, 30, 10]);
    expect(order(ordering, { tableAction: 10 })).toEqual([10, 40, 20, 50, 30]);
    // A killer that cuts off again stays the first of the two; a third one drives the older out.
    reward(ordering, 40);
    expect(order(ordering)).toEqual([40, 20, 50, 30, 10]);
    reward(ordering, 10);
    expect(order(ordering).slice(0, 2)).toEqual([10, 40]);
  });

  test("the last answer to the action before comes after the killers and before the history", () => {
    const ordering = create();
    reward(ordering, 50, PLY + 1, 9);
    reward(ordering, 40, PLY + 1, 1, { before: 7 });
    reward(ordering, 30);
    expect(order(ordering, { before: 7 }).slice(0, 3)).toEqual([30, 40, 50]);
    expect(order(ordering, { before: 8 }).slice(0, 3)).toEqual([30, 50, 40]);
  });

  test("noisy actions that gain come before the killers, those that lose come last; neither is remembered", () => {
    const gains: Readonly<Record<number, number>> = { 20: -5, 40: 3, 50: 9, 10: -1 };
    const tactics: Tactics = {
      summary: "made up",
      isForced: () => false,
      noisyActions: () => 0,
      gain: (_state, action) => gains[action] ?? 0,
    };
    const ordering = create(true, tactics);
    reward(ordering, 20);
    reward(ordering, 40);
    reward(ordering, 30);
    expect(order(ordering)).toEqual([50, 40, 30, 10, 20]);
    expect(order(ordering, { tableAction: 20 })).toEqual([20, 50, 40, 30, 10]);
    expect([1, 2, 3, 4, 5].map((at) => ordering.isLate(at))).toEqual([false, false, false, false, false]);
  });

  test("where the tactics say how promising actions look, nothing but the table's action comes before", () => {
    const worth = new Map([
      [10, 3],
      [20, -1],
      [30, 0],
      [40, 7],
      [50, 3],
    ]);
    const ordering = create(true, {
      summary: "promises",
      isForced: () => false,
      noisyActions: () => 0,
      gain: () => 0,
      promises(_state, actions, at, end, out) {
        for (let index = at; index < end; index++) out[index] = worth.get(actions[index])!;
      },
    });
    expect(order(ordering)).toEqual([40, 10, 50, 30, 20]);
    reward(ordering, 30);
    expect(order(ordering, { tableAction: 20 })).toEqual([20, 40, 10, 50, 30]);
  });

  test("history counts for the player who earned it", () => {
    const ordering = create();
    reward(ordering, 50, PLY + 1, 3, { player: 1 });
    expect(order(ordering)).toEqual(ACTIONS);
    expect(order(ordering, { player: 1 })).toEqual([50, 10, 20, 30, 40]);
  });

  test("history never outweighs a killer, or an answer", () => {
    const ordering = create();
    reward(ordering, 20);
    reward(ordering, 30, PLY + 1, 1, { before: 7 });
    for (let time = 0; time < 200_000; time++) ordering.reward(50, 0, 0, NO_ACTION, PLY + 1, 128);
    expect(order(ordering, { before: 7 })).toEqual([20, 30, 50, 10, 40]);
  });

  test("forgets on demand, and heeds the table's action alone if told so", () => {
    const ordering = create();
    reward(ordering, 50, PLY, 3, { before: 7 });
    ordering.clear();
    expect(order(ordering, { before: 7 })).toEqual(ACTIONS);
    const table = create(false);
    reward(table, 50, PLY, 3);
    expect(order(table, { tableAction: 30 })).toEqual([30, 10, 20, 40, 50]);
  });
});

describe("late-move reductions", () => {
  test("grow with depth and index, and leave a ply at least", () => {
    const wrong: object[] = [];
    for (let depth = 1; depth <= 128; depth++)
      for (let index = 0; index < 300; index++) {
        const reduction = reductionOf(depth, index);
        const least = Math.max(
          index > 0 ? reductionOf(depth, index - 1) : 0,
          depth > 1 ? reductionOf(depth - 1, index) : 0,
        );
        const most = depth - (depth < LEAST_REDUCED ? 1 : 2);
        if (reduction < least || reduction > most) wrong.push({ depth, index, reduction, least, most });
      }
    expect(wrong).toEqual([]);
    expect([reductionOf(2, 50), reductionOf(9, 2), reductionOf(3, 3), reductionOf(10, 20)]).toEqual([
      0, 0, 1, 3,
    ]);
  });
});
