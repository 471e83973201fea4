import { cpSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Format, Match } from "../../../src/arena/formats/format.ts";
import { formatOf, hasOneRound, plannedGames } from "../../../src/arena/formats/index.ts";
import { planTournament } from "../../../src/arena/plan/config.ts";
import type { TournamentPlan } from "../../../src/arena/plan/plan.ts";
import { runTournament, type RunOptions } from "../../../src/arena/play/run.ts";
import { verifyRun } from "../../../src/arena/play/verify.ts";
import { exportRun } from "../../../src/arena/results/export.ts";
import { Rounds, schedule, scoreBlock } from "../../../src/arena/schedule/rounds.ts";
import { openRun } from "../../../src/arena/store/run-folder.ts";
import { Store } from "../../../src/arena/store/store.ts";
import { createGame } from "../../../src/games/index.ts";
import { temporaryFolder } from "../../support/agon.ts";
import { countStored, until } from "../../support/servers/queue.ts";
import { addFormats, roundFormats, ROUNDS_CONFIG, startRounds } from "../../support/rounds.ts";
import { storedGames, timeless } from "../../support/stored-games.ts";
import { slowTest } from "../../support/thorough.ts";

const TYPES = ["winners-meet", "leader-plays"];
const formats = await roundFormats();
beforeEach(() => void addFormats(formats));

async function planOf(type: string, change: object = {}): Promise<TournamentPlan> {
  const plan = await planTournament({ ...ROUNDS_CONFIG, ...change }, { baseDir: "." });
  return { ...plan, format: { type } };
}

/** Plays the plan in this thread. */
async function runHere(plan: TournamentPlan, options: Partial<RunOptions> = {}) {
  const store = options.store ?? Store.inMemory();
  store.savePlan(plan);
  const outcome = await runTournament({ plan, store, workers: 0, ...options });
  return { store, outcome, records: store.records().map(timeless) };
}

/** Has every round of a format tell what it was shown. */
function watched(type: string) {
  const asked: { number: number; matches: number; scored: number[]; result: readonly Match[] | undefined }[] =
    [];
  const inner = formats[type]!;
  const format: Format = {
    ...inner,
    round(plan, number, past) {
      const result = inner.round(plan, number, past);
      const scored = [...new Set(past.scores.map(({ round }) => round))];
      asked.push({ number, matches: past.matches.length, scored, result });
      return result;
    },
  };
  addFormats({ [type]: format });
  return asked;
}

describe.each(TYPES)("a tournament of rounds: %s", (type) => {
  test("sees the matches before a round, and the scores of the rounds up to its lag, no more", async () => {
    const plan = await planOf(type);
    const { lag } = formats[type]!;
    const asked = watched(type);
    const { store, outcome, records } = await runHere(plan);
    expect(outcome.complete).toBe(true);
    expect(outcome.total).toBe(records.length);
    const again = watched(type);
    const game = createGame(plan.game);
    // The store has all games now.
    const all = [...schedule(plan, game, store.scorer())];
    expect(all.map(({ id }) => id).toSorted()).toEqual(records.map(({ id }) => id));
    expect(again).toEqual(asked);
    expect(asked.length).toBeGreaterThan(3);
    for (const [at, { number, matches, scored }] of asked.entries()) {
      expect({ number, matches }).toEqual({ number: at, matches: at });
      expect(scored).toEqual(Array.from({ length: Math.max(0, at - lag + 1) }, (_, round) => round));
    }
  });

  slowTest("is gone on with from any part of its games, none is played twice", async () => {
    const plan = await planOf(type, { blocks: type === "winners-meet" ? 1 : 9 });
    const whole = await runHere(plan);
    for (let cut = 0; cut < whole.records.length; cut += 5) {
      const store = Store.inMemory();
      // In the order in which they were stored.
      store.add([...whole.store.games()].slice(0, cut));
      const { outcome, records } = await runHere(plan, { store });
      expect(outcome).toEqual({ ...whole.outcome, played: whole.records.length - cut });
      expect(records).toEqual(whole.records);
    }
  });

  slowTest("a stop in the middle of it, and again", async () => {
    const plan = await planOf(type);
    const whole = await runHere(plan);
    const store = Store.inMemory();
    let stops = 0;
    for (let complete = false; !complete; stops++) {
      const controller = new AbortController();
      let told = 0;
      const onProgress = () => void (++told === 4 && controller.abort());
      ({ complete } = (await runHere(plan, { store, signal: controller.signal, onProgress })).outcome);
    }
    expect(stops).toBeGreaterThan(2);
    expect(store.records().map(timeless)).toEqual(whole.records);
  });

  test("more blocks would change who meets whom: a run does not go on with them", async () => {
    const dir = join(temporaryFolder(), "run");
    const plan = await planOf(type, { blocks: 2 });
    expect(hasOneRound(plan)).toBe(false);
    openRun(dir, plan, { resume: false }).store.close();
    const more = { ...plan, blocks: 3 };
    expect(() => openRun(dir, more, { resume: true })).toThrow(/blocks: .*: 2 there, more now: 3$/);
    openRun(dir, plan, { resume: true }).store.close();
  });
});

describe.each(TYPES)("a tournament of rounds in processes: %s", (type) => {
  slowTest(
    "one worker plays the games that several play before and after a kill; all are verified and exported",
    async () => {
      const dir = temporaryFolder();
      const config = { ...ROUNDS_CONFIG, blocks: type === "winners-meet" ? 12 : 40 };
      const [one, killed] = ["one", "killed"].map((name) => join(dir, name)) as [string, string];
      const plan = await planOf(type, { blocks: config.blocks });
      const first = await startRounds({ config, type, dir: one, workers: 1 }).outcome;
      const expected = storedGames(one);
      expect(first).toMatchObject({ complete: true, played: expected.length, total: expected.length });

      const { child, outcome } = startRounds({ config, type, dir: killed, workers: 2 });
      let seen = 0;
      await until(() => (seen = countStored(killed)) > 5);
      child.kill("SIGKILL");
      await outcome.catch(() => {});
      cpSync(killed, `${killed}-copy`, { recursive: true });
      const copy = openRun(`${killed}-copy`, plan, { resume: true });
      expect([...(await exportRun(copy.store, killed, "jsonl"))]).toHaveLength(copy.store.size);
      copy.store.close();
      const rest = await startRounds({ config, type, dir: killed, workers: 4 }).outcome;
      expect(rest).toMatchObject({ complete: true, total: expected.length });
      // The transaction that the kill fell into may be there or not; games that anybody has seen are not played again.
      expect(rest.played).toBeLessThanOrEqual(expected.length - seen);
      expect(storedGames(killed)).toEqual(expected);

      const store = Store.openExisting(killed);
      const verified = await verifyRun(store, killed, { sample: 1000, workers: 0 });
      expect(verified).toEqual({
        stored: expected.length,
        sampled: expected.length,
        verified: expected.length,
        differences: [],
        skipped: [],
      });
      const lines = [...(await exportRun(store, killed, "jsonl"))];
      expect(lines).toHaveLength(expected.length);
      expect(plannedGames(store.loadPlan()!, store).most).toBe(expected.length);
      store.close();
    },
  );
});

test("the number of games is a range until the tournament is over", async () => {
  const plan = await planOf("winners-meet", { blocks: 1 });
  const range = formatOf(plan).size(plan);
  expect(range).toEqual({ least: 12, most: 24 });
  const told: { done: number; least: number; total: number }[] = [];
  const { store, records } = await runHere(plan, {
    onProgress: ({ done, least, total }) => void told.push({ done, least, total }),
  });
  const games = records.length;
  expect(games).toBeGreaterThan(12);
  expect(told[0]).toMatchObject({ least: 12, total: 24 });
  expect(told.at(-1)).toEqual({ done: games, least: games, total: games });
  expect(plannedGames(plan, store)).toEqual({ least: games, most: games });
  // Another plan in the same folder is not over.
  store.savePlan(plan);
  expect(plannedGames(plan, store)).toEqual({ least: 12, most: 24 });
});

test("of more than two players, a block tells the score of each one against each other", () => {
  const game = (seats: number[], returns: number[]) => ({ seats, returns, forfeitSeat: -1 });
  const games = [game([7, 4, 9], [3, 1, 1]), game([4, 9, 7], [0, 5, 2]), game([9, 7, 4], [1, 1, 1])];
  const { duels, scores } = scoreBlock([4, 7, 9], games);
  expect(duels).toEqual([
    [0, (0 + 0 + 0.5) / 3, (0.5 + 0 + 0.5) / 3],
    [(1 + 1 + 0.5) / 3, 0, (1 + 0 + 0.5) / 3],
    [(0.5 + 1 + 0.5) / 3, (0 + 1 + 0.5) / 3, 0],
  ]);
  for (const [one, score] of scores.entries())
    expect(duels![one]!.reduce((sum, share) => sum + share, 0) / 2).toBeCloseTo(score, 12);
  expect(scoreBlock([4, 7], [game([4, 7], [1, 0])]).duels).toBeUndefined();
  // Copies of one entrant are one opponent.
  expect(scoreBlock([4, 7, 7], [game([4, 7, 7], [1, 0, 2])]).duels![0]).toEqual([0, 0.5, 0.5]);
});

describe("rounds", () => {
  test("with lag 2 the next round is given out while the last one is played, with lag 1 it is not", async () => {
    const open = async (type: string) => {
      const plan = await planOf(type);
      return new Rounds(plan, createGame(plan.game));
    };
    const one = await open("winners-meet");
    expect(one.next()).toMatchObject({ number: 0 });
    expect(one.next()).toBe("awaited");
    const two = await open("leader-plays");
    expect(two.next()).toMatchObject({ number: 0 });
    expect(two.next()).toMatchObject({ number: 1 });
    expect(two.next()).toBe("awaited");
  });

  test("the past grows by addition: a round looks up its own games, however many there are before it", async () => {
    const plan = await planOf("leader-plays", { blocks: 2000 });
    let asked = 0;
    const perRound: number[] = [];
    const score = { seats: [0, 1], returns: [1, -1], forfeitSeat: -1 };
    const find = () => {
      asked++;
      return score;
    };
    const lists = new Set<unknown>();
    const inner: Format = {
      lag: 2,
      size: ({ players, blocks }) => ({ least: players * blocks, most: players * blocks }),
      round(_, number, past) {
        lists.add(past.scores).add(past.matches);
        return [{ entrants: [0, 1], from: number, blocks: 1 }];
      },
    };
    addFormats({ "leader-plays": inner });
    const rounds = new Rounds(plan, createGame(plan.game), find);
    for (let number = 0; number < 2000; number++) {
      asked = 0;
      const round = rounds.next();
      if (round === undefined || round === "awaited") throw new Error(`round ${number} is ${round}`);
      round.left = 0;
      perRound.push(asked);
    }
    expect(perRound.slice(0, 2)).toEqual([0, 0]);
    expect(new Set(perRound.slice(2))).toEqual(new Set([2]));
    // The same two lists all the time: nothing is copied.
    expect(lists.size).toBe(2);
  });

  test("an entrant at several seats of a match has the mean over its seats", async () => {
    const plan = await planOf("twice", {
      game: { id: "nim", players: 3 },
      entrants: ["random", "max-n:depth=1", "max-n:depth=2"],
    });
    const seen: unknown[] = [];
    const twice: Format = {
      lag: 1,
      size: () => ({ least: 3, most: 6 }),
      round(_, number, { scores }) {
        seen.push(...scores);
        return number === 0 ? [{ entrants: [0, 1, 1], from: 0, blocks: 1 }] : undefined;
      },
    };
    addFormats({ twice });
    // The first entrant wins all its games.
    const { store, outcome } = await runHere(plan);
    expect(outcome).toMatchObject({ complete: true, total: 3 });
    const games = store.records();
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const returnsOf = (entrant: number) =>
      mean(games.flatMap(({ seats, returns }) => returns.filter((_, seat) => seats[seat] === entrant)));
    expect(seen).toEqual([
      {
        round: 0,
        match: 0,
        block: 0,
        scores: expect.any(Array) as unknown,
        duels: expect.any(Array) as unknown,
        returns: [returnsOf(0), returnsOf(1), returnsOf(1)],
      },
    ]);
    const [{ scores }] = seen as [{ scores: readonly number[] }];
    expect(scores[1]).toBe(scores[2]);
    expect(scores[0]! + scores[1]! + scores[2]!).toBeCloseTo(1.5, 12);
  });
});
