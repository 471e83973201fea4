import { expect, test } from "vitest";
import { planTournament } from "../../../src/arena/plan/config.ts";
import { planTime } from "../../../src/arena/plan/time-control.ts";
import { loadClockUse, readClocks, startMs } from "../../../src/arena/results/clocks.ts";
import { Store } from "../../../src/arena/store/store.ts";
import type { Thought } from "../../../src/base/thought.ts";
import { createGame } from "../../../src/games/index.ts";
import type { GameRecord } from "../../../src/ratings/record.ts";
import { gameRecord } from "../../ratings/records.ts";

const game = createGame({ id: "tic-tac-toe" });

/** A game of tic-tac-toe after an opening of one ply, whose decisions took so many ms. */
function played(times: readonly number[], change: Partial<GameRecord> = {}): GameRecord {
  const actions = [4, 0, 8, 2, 1, 7, 3, 5, 6].slice(0, times.length + 1);
  const spent = (seat: number) => times.filter((_, at) => (at + 1) % 2 === seat);
  return {
    ...gameRecord({ block: "a", seats: [0, 1], returns: [0, 0] }),
    actions,
    openingLength: 1,
    decisions: [0, 1].map((seat) => spent(seat).length),
    timeMs: [0, 1].map((seat) => spent(seat).reduce((sum, ms) => sum + ms, 0)),
    thoughts: times.map((timeMs): Thought => ({ nodes: 1, timeMs, line: [] })),
    ...change,
  };
}

test("the clocks of a game are those of its time control, from the second player's first decision on", () => {
  const times = [300, 100, 450, 850];
  const fischer = planTime("1+0.1");
  expect(startMs(fischer)).toBe(1000);
  expect(readClocks([fischer, fischer], game, played(times))).toEqual([
    { seat: 1, lowMs: 700, leftMs: 800 },
    { seat: 0, lowMs: 900, leftMs: 1000 },
    { seat: 1, lowMs: 350, leftMs: 450 },
    { seat: 0, lowMs: 150, leftMs: 250 },
  ]);
  // The second decision of each player ends in the first of two periods, which it keeps.
  const byoYomi = planTime("0.5+2x0.5");
  expect(startMs(byoYomi)).toBe(1500);
  expect(readClocks([byoYomi, byoYomi], game, played(times)).map(({ leftMs }) => leftMs)).toEqual([
    1200, 1400, 1000, 1000,
  ]);
});

test("each seat's clock is that of its own time control", () => {
  const times = [planTime("1"), planTime("0.5+0.1")];
  expect(readClocks(times, game, played([300, 100]))).toEqual([
    { seat: 1, lowMs: 200, leftMs: 300 },
    { seat: 0, lowMs: 900, leftMs: 900 },
  ]);
});

test("clocks are not known without times of decisions, nor where actions do not fit", () => {
  const time = planTime("1");
  expect(readClocks([time, time], game, played([1, 2], { thoughts: [] }))).toEqual([]);
  expect(readClocks([time, time], game, played([1, 2], { actions: [4, 0] }))).toEqual([]);
  expect(readClocks([time, time], game, played([1, 2], { actions: [0, 4, 1, 5, 2, 6] }))).toEqual([]);
});

test("the use of clocks is summed over games, with flags that fell", async () => {
  const plan = await planTournament({
    name: "timed",
    game: "tic-tac-toe",
    blocks: 1,
    time: "1+0.1",
    entrants: ["random", "mcts:simulations=2"],
  });
  const store = Store.inMemory();
  store.savePlan(plan);
  store.add([
    played([300, 100, 450, 900], { id: "1" }),
    played([200, 1001], {
      id: "2",
      actions: [4, 0],
      thoughts: [{ nodes: 1, timeMs: 200, line: [] }],
      ending: "time-out",
      forfeitSeat: 0,
    }),
  ]);
  expect(await loadClockUse(plan, store)).toEqual([
    { name: "random", share: (100 + 900 + 1001) / (1000 + 200 + 1000 + 100), lowestMs: 0, flags: 1 },
    {
      name: "mcts:simulations=2",
      share: (300 + 450 + 200) / (1000 + 200 + 1000 + 100),
      lowestMs: 350,
      flags: 0,
    },
  ]);
  const [random, mcts] = plan.entrants;
  const entrants = [random!, { ...mcts!, time: planTime("0.5+0.2") }];
  expect(await loadClockUse({ ...plan, entrants }, store)).toEqual([
    expect.objectContaining({ time: "1+0.1", lowestMs: 0, flags: 1 }),
    {
      name: "mcts:simulations=2",
      time: "0.5+0.2",
      share: (300 + 450 + 200) / (500 + 400 + 500 + 200),
      lowestMs: 0,
      flags: 0,
    },
  ]);
  expect(await loadClockUse({ ...plan, time: undefined }, store)).toBeUndefined();
});
