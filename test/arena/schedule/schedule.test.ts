import { expectFrequencies } from "../../support/frequencies.ts";
import { describe, expect, test } from "vitest";
import { planTournament } from "../../../src/arena/plan/config.ts";
import type { TournamentPlan } from "../../../src/arena/plan/plan.ts";
import type { ChangedOptions, Match } from "../../../src/arena/formats/format.ts";
import { formatOf } from "../../../src/arena/formats/index.ts";
import { combinations } from "../../../src/arena/formats/round-robin.ts";
import { schedule } from "../../../src/arena/schedule/rounds.ts";
import { Scheduler } from "../../../src/arena/schedule/schedule.ts";
import { createGame } from "../../../src/games/index.ts";

async function planOf(change: object = {}): Promise<TournamentPlan> {
  const config = {
    name: "t",
    game: "connect-four",
    blocks: 6,
    openings: { randomPlies: 3 },
    entrants: ["random", "mcts:simulations=5", "alpha-beta:depth=1"],
    ...change,
  };
  return planTournament(config, { baseDir: "." });
}

const pairingsOf = (plan: TournamentPlan) =>
  formatOf(plan)
    .round(plan, 0, { matches: [], scores: [] })!
    .map(({ entrants }) => entrants);
const gamesOf = (plan: TournamentPlan) => [...schedule(plan, createGame(plan.game))];

describe("schedule", () => {
  test("every pairing plays every block under every seat rotation, once", async () => {
    const plan = await planOf();
    const games = gamesOf(plan);
    expect(formatOf(plan).size(plan)).toEqual({ least: games.length, most: games.length });
    expect(games).toHaveLength(3 * 6 * 2);
    expect(new Set(games.map(({ id }) => id)).size).toBe(games.length);
    for (const block of new Set(games.map((game) => game.block))) {
      const [one, other] = games.filter((game) => game.block === block);
      expect(one!.opening).toEqual(other!.opening);
      expect(one!.seats).toEqual(other!.seats.toReversed());
    }
  });

  test("ids depend on the time control, however it is written", async () => {
    const ids = async (change: object) => gamesOf(await planOf(change)).map(({ id }) => id);
    const timed = await ids({ time: "10+0.1" });
    expect(timed).toEqual(await ids({ time: { main: 10, increment: 0.1 } }));
    const all = [...timed, ...(await ids({})), ...(await ids({ time: 10 }))];
    expect(new Set(all).size).toBe(3 * timed.length);
    // The guard over decisions is no part of what determines a game.
    expect(await ids({ moveTimeoutMs: 100_000 })).toEqual(await ids({}));
  });

  test("options of a match are part of the ids of its games, and not of its blocks", async () => {
    const plan = await planOf();
    const games = (options?: ChangedOptions) => [
      ...new Scheduler(plan, createGame(plan.game)).games([
        { entrants: [0, 1], from: 0, blocks: 2, ...(options && { options }) },
      ]),
    ];
    const [plain, changed] = [games(), games({ 1: { exploration: 0.5, simulations: 5 } })];
    expect(changed).toEqual(games({ 1: { simulations: 5, exploration: 0.5 } }));
    expect(changed.map(({ block }) => block)).toEqual(plain.map(({ block }) => block));
    for (const { options } of changed) expect(options).toEqual({ 1: { exploration: 0.5, simulations: 5 } });
    const others = [plain, changed, games({ 1: { exploration: 0.6 } }), games({ 0: { exploration: 0.5 } })];
    expect(new Set(others.flat().map(({ id }) => id)).size).toBe(4 * plain.length);
  });

  test("three players: every trio, three rotations", async () => {
    const plan = await planOf({
      game: { id: "nim", players: 3 },
      entrants: ["random", "mcts:simulations=5", "max-n:depth=1", "max-n:depth=2"],
      blocks: 2,
    });
    const games = gamesOf(plan);
    expect(games).toHaveLength(4 * 3 * 2);
    for (const id of new Set(games.map(({ block }) => block))) {
      const block = games.filter((game) => game.block === id);
      for (let seat = 0; seat < 3; seat++) {
        expect(new Set(block.map(({ seats }) => seats[seat]))).toEqual(new Set(block[0]!.seats));
      }
    }
  });

  test("three players: both orders around the table come up, each in half of the blocks", async () => {
    const plan = await planOf({
      game: { id: "nim", players: 3 },
      entrants: ["random", "mcts:simulations=5", "max-n:depth=1"],
      blocks: 4500,
    });
    const games = gamesOf(plan);
    // Each block has one game in which the first entrant sits first.
    const orders = games.filter(({ seats }) => seats[0] === 0).map(({ seats }) => seats.join());
    expect(orders).toHaveLength(4500);
    const ascending = orders.filter((order) => order === "0,1,2").length;
    expectFrequencies([ascending, 4500 - ascending]);
    expect(new Set(games.map(({ seats }) => seats.join())).size).toBe(6);
  });

  test("one player: everybody plays the same blocks", async () => {
    const entrants = ["random", "mcts:simulations=5", "expectimax:depth=1"];
    const games = gamesOf(await planOf({ game: "2048", entrants, blocks: 4, openings: { randomPlies: 0 } }));
    expect(games).toHaveLength(3 * 4);
    expect(new Set(games.map(({ id }) => id)).size).toBe(12);
    expect(new Set(games.map(({ block }) => block)).size).toBe(4);
    for (const { block } of games) expect(games.filter((game) => game.block === block)).toHaveLength(3);
  });

  test("openings of a match are all different while there are enough", async () => {
    const games = gamesOf(await planOf({ blocks: 100, entrants: ["random", "mcts:simulations=5"] }));
    expect(new Set(games.map(({ opening }) => opening.join())).size).toBe(100);
  });

  test("more blocks leave the games before them as they are", async () => {
    const few = gamesOf(await planOf({ blocks: 3 }));
    const many = gamesOf(await planOf({ blocks: 9 }));
    expect(many.slice(0, few.length)).toEqual(few);
  });

  test("ids change with whatever determines a game, and with nothing else", async () => {
    const ids = async (change: object) => new Set(gamesOf(await planOf(change)).map(({ id }) => id));
    const before = await ids({});
    for (const change of [
      { seed: "other" },
      { game: { id: "connect-four", width: 8 } },
      { openings: { randomPlies: 4 } },
      { entrants: ["random", "mcts:simulations=6", "alpha-beta:depth=2"] },
    ]) {
      const after = await ids(change);
      const shared = [...after].filter((id) => before.has(id));
      // The pairing of `random` with an unchanged entrant is not touched by another entrant's change.
      expect(shared.length).toBe(0);
    }
    expect(await ids({ name: "other", moveTimeoutMs: 5000 })).toEqual(before);
  });

  test("an entrant's change touches its own pairings only", async () => {
    const before = new Set(gamesOf(await planOf()).map(({ id }) => id));
    const after = gamesOf(await planOf({ entrants: ["random", "mcts:simulations=5", "alpha-beta:depth=2"] }));
    expect(after.filter(({ id }) => before.has(id))).toHaveLength(6 * 2);
  });

  test("matches go side by side, so that entrants have played about as much at any time", async () => {
    const games = gamesOf(await planOf());
    const played = [0, 0, 0];
    for (const { seats } of games) {
      for (const entrant of seats) played[entrant]!++;
      expect(Math.max(...played) - Math.min(...played)).toBeLessThanOrEqual(4);
    }
  });

  test("combinations", () => {
    expect([...combinations(4, 2)]).toEqual([
      [0, 1],
      [0, 2],
      [0, 3],
      [1, 2],
      [1, 3],
      [2, 3],
    ]);
    expect([...combinations(6, 3)]).toHaveLength(20);
    expect([...combinations(3, 1)]).toEqual([[0], [1], [2]]);
  });
});

describe("a pool and those who are measured against it", () => {
  const plan = async (players: number, entrants: number, pool: number) => ({
    ...(await planOf()),
    players,
    format: { type: "pool", size: pool },
    entrants: Array.from({ length: entrants }, (_, at) => ({ name: String(at), spec: { agent: "random" } })),
  });

  test("the pool meets itself, every other entrant meets each of the pool", async () => {
    const met = pairingsOf(await plan(2, 5, 3)).map((entrants) => entrants.join("-"));
    expect(met).toEqual(["0-1", "0-2", "1-2", "3-0", "3-1", "3-2", "4-0", "4-1", "4-2"]);
  });

  test("with three players one has one seat and the other has two; alone, everybody plays", async () => {
    const met = pairingsOf(await plan(3, 3, 2)).map((entrants) => entrants.join("-"));
    expect(met).toEqual(["0-1-1", "2-0-0", "2-1-1"]);
    expect(pairingsOf(await plan(1, 3, 2))).toEqual([[0], [1], [2]]);
  });

  test("an entrant more adds games and changes none", async () => {
    const game = createGame("connect-four");
    const before = [...schedule(await plan(2, 4, 3), game)];
    const after = new Set([...schedule(await plan(2, 5, 3), game)].map(({ id }) => id));
    expect(before.every(({ id }) => after.has(id))).toBe(true);
    expect(after.size).toBe(before.length + 3 * 6 * 2);
    expect(new Set(before.map(({ id }) => id)).size).toBe(before.length);
  });
});

describe("matches", () => {
  const scheduler = async (change: object = {}) => {
    const plan = await planOf(change);
    return new Scheduler(plan, createGame(plan.game));
  };
  const match = (from: number, blocks: number, entrants: readonly number[] = [0, 1]): Match => ({
    entrants,
    from,
    blocks,
  });

  test("in several rounds give the games that they give in one", async () => {
    const whole = [...(await scheduler()).games([match(0, 6), match(0, 6, [0, 2])])];
    const parts = await scheduler();
    const games = [
      ...parts.games([match(0, 2)]),
      ...parts.games([match(2, 1), match(0, 4, [0, 2])]),
      ...parts.games([match(3, 3), match(4, 2, [0, 2])]),
    ];
    const sorted = (list: typeof games) => list.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(sorted(games)).toEqual(sorted(whole));
  });

  test("may leave blocks out: the openings of the others stay as they are", async () => {
    const whole = [...(await scheduler()).games([match(0, 6)])];
    expect([...(await scheduler()).games([match(4, 2)])]).toEqual(whole.slice(8));
  });

  test("of different lengths go side by side until the shorter one is over", async () => {
    const blocks = [...(await scheduler()).blocks([match(0, 1), match(3, 3, [1, 2])])];
    expect(blocks.map(({ match: at, number }) => [at, number])).toEqual([
      [0, 0],
      [1, 3],
      [1, 4],
      [1, 5],
    ]);
  });

  test("that have a block again are refused", async () => {
    const parts = await scheduler();
    expect([...parts.games([match(0, 3)])]).toHaveLength(6);
    expect(() => [...parts.games([match(2, 2)])]).toThrow("block 2 of 0,1 is played twice");
  });
});
