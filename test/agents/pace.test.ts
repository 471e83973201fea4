import { describe, expect, test } from "vitest";
import { SimulationTree } from "../../src/agents/mcts/tree.ts";
import { Patience } from "../../src/agents/mcts/answer.ts";
import { LookInterval, Pace } from "../../src/agents/search/meter.ts";

const share = { targetMs: 1000, mostMs: 4000, use: "save" } as const;

/** The time of a decision whose iterations take 1, 3, 9, ... ms, each with the action and value that `found` says. */
function timeOf(
  found: (depth: number) => { action: number; value: number },
  given: typeof share | object = share,
): number {
  let now = 0;
  const pace = new Pace({ ...share, ...given }, () => now, 2);
  for (let depth = 0; depth < 20; depth++) {
    now += 3 ** depth;
    if (!pace.goesOn(found(depth))) break;
  }
  return now;
}

describe("iterations", () => {
  const stable = timeOf(() => ({ action: 1, value: 0 }));

  test("none begins that will probably not finish in time", () => {
    // 1 + 3 + ... + 243 = 364 ms; the next one would take 729 ms.
    expect(stable).toBe(364);
  });

  test("more time is taken if the best action changed, or the value dropped", () => {
    const changed = timeOf((depth) => ({ action: depth, value: 0 }));
    expect(changed).toBeGreaterThan(stable);
    expect(timeOf((depth) => ({ action: 1, value: -0.2 * depth }))).toBeGreaterThan(stable);
    expect(timeOf((depth) => ({ action: 1, value: 0.2 * depth }))).toBe(stable);
    // A change long ago counts for nothing.
    expect(timeOf((depth) => ({ action: Math.min(depth, 1), value: 0 }))).toBe(stable);
    expect(timeOf((depth) => ({ action: depth, value: -depth }))).toBeLessThanOrEqual(share.mostMs);
  });

  test("all the time is taken where it cannot be saved", () => {
    for (const use of ["spend", "limit"])
      expect(timeOf(() => ({ action: 1, value: 0 }), { use })).toBeGreaterThanOrEqual(share.mostMs);
  });
});

describe("simulations", () => {
  /** A tree whose root has actions with these visits and mean rewards. */
  function treeOf(visits: readonly number[], means: readonly number[]): SimulationTree {
    const tree = new SimulationTree(100);
    tree.expand(0, Int32Array.from(visits.keys()), visits.length);
    for (const [at, count] of visits.entries()) {
      tree.visits[1 + at] = count;
      tree.reward[1 + at] = count * means[at]!;
    }
    return tree;
  }
  const isOver = (visits: readonly number[], means: readonly number[], now: number, given: object = {}) =>
    new Patience({ ...share, ...given }, 0, treeOf(visits, means)).isOver(
      now,
      visits.reduce((sum, count) => sum + count, 0),
    );

  test("stop when the second action cannot catch up", () => {
    // 1,000 simulations in 800 ms: 250 are to come.
    expect(isOver([620, 380], [0.6, 0.5], 800)).toBe(false);
    expect(isOver([380, 620], [0.5, 0.6], 800)).toBe(false);
    expect(isOver([626, 374], [0.6, 0.5], 800)).toBe(true);
    expect(isOver([374, 626], [0.5, 0.6], 800)).toBe(true);
  });

  test("go on after their time while two actions are close, or the best mean is another's", () => {
    expect(isOver([700, 300], [0.6, 0.5], 1000)).toBe(true);
    expect(isOver([520, 480], [0.6, 0.5], 1000)).toBe(false);
    expect(isOver([600, 400], [0.5, 0.6], 1000)).toBe(false);
    expect(isOver([520, 480], [0.6, 0.5], 2000)).toBe(true);
  });

  test("take their time where visits are shared out by a plan", () => {
    const without = (now: number, given: object = {}) =>
      new Patience({ ...share, ...given }, 0, null).isOver(now, 900);
    expect([
      without(999),
      without(1000),
      without(1999, { use: "spend" }),
      without(5000, { use: "limit" }),
    ]).toEqual([false, true, false, false]);
  });

  test("a single action is taken at once, unless the budget says when to stop", () => {
    expect(isOver([1], [0.5], 0)).toBe(true);
    expect(isOver([1], [0.5], 0, { use: "limit" })).toBe(false);
    expect(isOver([999, 1], [0.6, 0.5], 900, { use: "limit" })).toBe(false);
  });
});

test("looks at the clock come often in a slow search, and seldom in a fast one", () => {
  for (const [msPerStep, steps] of [
    [0.0001, 1024],
    [0.1, 16],
    [10, 1],
  ] as const) {
    const interval = new LookInterval(1024);
    interval.begin(0);
    let now = 0;
    for (let look = 0; look < 20; look++) interval.looked((now += interval.steps * msPerStep));
    expect(interval.steps).toBe(steps);
  }
});
