import { describe, expect, test } from "vitest";
import { planTournament } from "../../../src/arena/plan/config.ts";
import type { TournamentPlan } from "../../../src/arena/plan/plan.ts";
import { runTournament, type RunOptions } from "../../../src/arena/play/run.ts";
import type { RunProgress } from "../../../src/arena/play/standings.ts";
import { schedule } from "../../../src/arena/schedule/rounds.ts";
import { Store } from "../../../src/arena/store/store.ts";
import { createGame } from "../../../src/games/index.ts";
import type { GameRecord } from "../../../src/ratings/record.ts";
import { fixture } from "../../support/agon.ts";
import { timeless } from "../../support/stored-games.ts";
import { everyFew, slowTest } from "../../support/thorough.ts";

async function planOf(change: object = {}): Promise<TournamentPlan> {
  const config = {
    name: "here",
    game: "connect-four",
    blocks: 4,
    openings: { randomPlies: 3 },
    entrants: ["random", "alpha-beta:depth=1", "mcts:simulations=20"],
    ...change,
  };
  return planTournament(config, { baseDir: "." });
}

/** Plays the plan in this thread; what is stored in the end, and every progress that was told. */
async function runHere(
  plan: TournamentPlan,
  { store = Store.inMemory(), ...options }: Partial<RunOptions> = {},
) {
  const told: (RunProgress & { readonly records: GameRecord[] })[] = [];
  const outcome = await runTournament({
    plan,
    store,
    workers: 0,
    ...options,
    onProgress: (progress) => {
      told.push({ ...progress, records: store.records() });
      options.onProgress?.(progress);
    },
  });
  const records = store.records().map(timeless);
  return { outcome, told, records };
}

const idsOf = (plan: TournamentPlan) => [...schedule(plan, createGame(plan.game))].map(({ id }) => id);

/**
 * The mean score of each entrant: of each game, the part of the others whose return is lower, a half where it is equal;
 * alone, its return.
 */
function meanScores(plan: TournamentPlan, records: readonly GameRecord[]): number[] {
  return plan.entrants.map((_, entrant) => {
    const scores = records.flatMap(({ seats, returns }) =>
      seats.flatMap((other, seat) => {
        if (other !== entrant) return [];
        const points = returns.map((theirs) => 0.5 + Math.sign(returns[seat]! - theirs) / 2);
        // The half point of the seat against itself goes.
        const sum = points.reduce((total, point) => total + point, 0) - 0.5;
        return [returns.length === 1 ? returns[0]! : sum / (returns.length - 1)];
      }),
    );
    return scores.length === 0 ? -Infinity : scores.reduce((sum, score) => sum + score, 0) / scores.length;
  });
}

describe("a tournament in this thread", () => {
  test("plays every game of the schedule once, and tells how far it is", async () => {
    const plan = await planOf();
    const { outcome, told, records } = await runHere(plan);
    expect(outcome).toEqual({ complete: true, played: 24, total: 24 });
    expect(records.map(({ id }) => id).toSorted()).toEqual(idsOf(plan).toSorted());

    expect(told.length).toBeGreaterThan(1);
    for (const { done, total, forfeits, records: stored } of told)
      expect({ done, total, forfeits }).toEqual({ done: stored.length, total: 24, forfeits: 0 });
    expect(told.at(-1)!.done).toBe(24);
  });

  slowTest("the pace is counted from the first games on, and the time left follows from it", async () => {
    const { told } = await runHere(await planOf());
    expect(told[0]).toMatchObject({ gamesPerSecond: 0, secondsLeft: Infinity });
    for (const { done, total, gamesPerSecond, secondsLeft } of told.slice(1)) {
      expect(gamesPerSecond).toBeGreaterThan(0);
      expect(Number.isFinite(gamesPerSecond)).toBe(true);
      expect(secondsLeft * gamesPerSecond).toBeCloseTo(total - done, 6);
    }
    expect(told.at(-1)!.secondsLeft).toBe(0);
  });

  test.each(
    everyFew(
      [
        ["two players", {}],
        [
          "three players",
          { game: { id: "nim", players: 3 }, entrants: ["random", "max-n:depth=2", "mcts:simulations=9"] },
        ],
        [
          "one player",
          {
            game: { id: "2048", height: 2, width: 2 },
            entrants: ["random", "greedy:evaluator=order"],
            openings: { randomPlies: 0 },
          },
        ],
      ],
      2,
    ),
  )("the leaders have the best mean scores of the games so far: %s", async (_, change) => {
    const plan = await planOf(change);
    const { told } = await runHere(plan);
    for (const { leaders, records } of told) {
      const means = meanScores(plan, records);
      const best = means.filter((mean) => mean > -Infinity).toSorted((a, b) => b - a);
      expect(leaders).toHaveLength(Math.min(3, best.length));
      for (const [place, { name, score }] of leaders.entries()) {
        expect(score).toBeCloseTo(best[place]!, 9);
        expect(means[plan.entrants.findIndex((entrant) => entrant.name === name)]).toBeCloseTo(score, 9);
      }
    }
  });

  slowTest("a leader by draws is before one who wins as often as it loses", async () => {
    const plan = await planOf();
    const { records } = await runHere(plan);
    const meetings = new Map<string, number>();
    /** The first of three draws with the second and breaks even with the third, whom the second beats twice of 8 times. */
    const scripted = records.map((record) => {
      const [one, other] = record.seats.toSorted((a, b) => a - b);
      const met = meetings.get(`${one} ${other}`) ?? 0;
      meetings.set(`${one} ${other}`, met + 1);
      const result = one === 0 && other === 2 ? (met < 4 ? 1 : -1) : one === 1 && met < 2 ? 1 : 0;
      return { ...record, returns: record.seats.map((entrant) => (entrant === one ? result : 0 - result)) };
    });
    const store = Store.inMemory();
    // The last meeting of the second and the third is played now.
    const last = scripted.findLast(({ seats }) => !seats.includes(0))!;
    store.add(scripted.filter(({ id }) => id !== last.id));
    const { told } = await runHere(plan, { store });
    expect(told.map(({ done, leaders }) => [done, leaders[0]!.name])).toEqual([[24, plan.entrants[1]!.name]]);
  });

  test("games keep what was thought, unless the config says no", async () => {
    const config = { blocks: 1, entrants: ["random", "mcts:simulations=9"] };
    const { records } = await runHere(await planOf(config));
    expect(records.every(({ thoughts }) => thoughts.length > 0)).toBe(true);
    const { records: without } = await runHere(await planOf({ ...config, thoughts: false }));
    expect(without).toEqual(records.map((record) => ({ ...record, thoughts: [] })));
  });

  slowTest("forfeits are counted", async () => {
    const bad = { name: "bad", agent: fixture("agents/illegal.ts") };
    const { told, records } = await runHere(await planOf({ entrants: ["random", bad], blocks: 2 }));
    expect(records).toHaveLength(4);
    expect(told.at(-1)).toMatchObject({ forfeits: 4, leaders: [{ name: "random", score: 1 }, { score: 0 }] });
  });

  slowTest("what is stored is not played again, but counts", async () => {
    const plan = await planOf();
    const { records: whole } = await runHere(plan);
    const store = Store.inMemory();
    store.add(whole.slice(0, 20));
    const { outcome, told, records } = await runHere(plan, { store });
    expect(outcome).toEqual({ complete: true, played: 4, total: 24 });
    expect(records).toEqual(whole);
    expect(told[0]!.done).toBeGreaterThan(20);
    const again = await runHere(plan, { store });
    expect(again.outcome).toEqual({ complete: true, played: 0, total: 24 });
    expect(again.told).toEqual([]);
  });

  slowTest("a stop leaves whole games, and the rest can be played later", async () => {
    const plan = await planOf();
    const { records: whole } = await runHere(plan);
    const store = Store.inMemory();
    const controller = new AbortController();
    const { outcome } = await runHere(plan, {
      store,
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    expect(outcome.complete).toBe(false);
    expect(outcome.played).toBeGreaterThan(0);
    expect(outcome.played).toBeLessThan(24);
    expect(store.ids(24)).toHaveLength(outcome.played);
    const none = await runHere(plan, { store, signal: controller.signal });
    expect(none.outcome).toEqual({ complete: false, played: 0, total: 24 });
    const { outcome: rest, records } = await runHere(plan, { store });
    expect(rest).toEqual({ complete: true, played: 24 - outcome.played, total: 24 });
    expect(records).toEqual(whole);
  });

  slowTest("a game whose player is ended by a stop has no result", async () => {
    const hangs = { name: "hangs", agent: fixture("agents/hangs.ts") };
    const plan = await planOf({ entrants: ["random", hangs], blocks: 1 });
    const { outcome, records } = await runHere(plan, { signal: AbortSignal.timeout(300) });
    expect({ outcome, records }).toMatchObject({ outcome: { complete: false, played: 0 }, records: [] });
  });
});
