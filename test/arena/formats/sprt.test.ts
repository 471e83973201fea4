import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { formatOf, plannedGames } from "../../../src/arena/formats/index.ts";
import { planTournament } from "../../../src/arena/plan/config.ts";
import type { TournamentPlan } from "../../../src/arena/plan/plan.ts";
import { runTournament, type RunOptions } from "../../../src/arena/play/run.ts";
import { reportRun } from "../../../src/arena/results/runs.ts";
import { schedule } from "../../../src/arena/schedule/rounds.ts";
import { Store } from "../../../src/arena/store/store.ts";
import { createGame } from "../../../src/games/index.ts";
import { shareBeaten } from "../../../src/ratings/score.ts";
import { logLikelihoodRatio } from "../../../src/ratings/sprt/likelihood.ts";
import { agon, agonProcess, startAgon, temporaryFolder, writeInto } from "../../support/agon.ts";
import { countStored, startWorker, until, withoutReportTimes } from "../../support/servers/queue.ts";
import { redisTest, startRedis } from "../../support/servers/redis.ts";
import { storedGames, timeless } from "../../support/stored-games.ts";
import { slow, slowTest } from "../../support/thorough.ts";

const CONFIG = {
  name: "sprt",
  game: "tic-tac-toe",
  seed: "sprt",
  blocks: 2000,
  round: 10,
  format: { type: "sprt", elo0: 0, elo1: 30 } as const,
  openings: { randomPlies: 2 },
  entrants: ["mcts:simulations=4", "mcts:simulations=3"],
};

const planOf = async (change: object = {}): Promise<TournamentPlan> =>
  planTournament({ ...CONFIG, ...change });

/** Plays the plan in this thread. */
async function runHere(plan: TournamentPlan, options: Partial<RunOptions> = {}) {
  const store = options.store ?? Store.inMemory();
  store.savePlan(plan);
  const outcome = await runTournament({ plan, store, workers: 0, ...options });
  return { store, outcome, records: store.records().map(timeless), sprt: reportRun(plan, store).sprt! };
}

/** The first entrant's scores by block, in the order of the schedule. */
function scoresOf(plan: TournamentPlan, store: Store): number[] {
  const find = store.finder();
  const blocks = new Map<string, number[]>();
  for (const { id } of schedule(plan, createGame(plan.game), store.scorer())) {
    const { block, seats, returns } = find(id)!;
    const own = shareBeaten(returns, seats.indexOf(0));
    blocks.set(block, [...(blocks.get(block) ?? []), own]);
  }
  return [...blocks.values()].map((games) => games.reduce((sum, score) => sum + score, 0) / games.length);
}

const SCORES = [0, 0.25, 0.5, 0.75, 1];
const countScores = (scores: readonly number[]) =>
  SCORES.map((score) => ({ score, blocks: scores.filter((one) => one === score).length }));

describe("a sequential test", () => {
  slowTest(
    "the first round that ends outside of the bounds decides; the round that was out decides nothing",
    async () => {
      const plan = await planOf();
      const { store, outcome, sprt } = await runHere(plan);
      const scores = scoresOf(plan, store);
      let rounds = 0;
      let llr = 0;
      const looks: object[] = [];
      do {
        rounds++;
        llr = logLikelihoodRatio(countScores(scores.slice(0, 10 * rounds)), 2, sprt);
        looks.push({ blocks: 10 * rounds, llr });
      } while (Math.abs(llr) < Math.log(19));
      expect(rounds).toBeGreaterThan(3);
      expect(sprt).toEqual({
        entrants: CONFIG.entrants,
        elo0: 0,
        elo1: 30,
        alpha: 0.05,
        beta: 0.05,
        model: "logistic",
        llr,
        lower: -Math.log(0.95 / 0.05),
        upper: Math.log(0.95 / 0.05),
        decision: llr > 0 ? "H1" : "H0",
        eloLow: expect.any(Number) as unknown,
        eloHigh: expect.any(Number) as unknown,
        blocks: 10 * rounds,
        looks,
        counts: countScores(scores.slice(0, 10 * rounds)),
        after: countScores(scores.slice(10 * rounds)),
      });
      expect(scores).toHaveLength(10 * (rounds + 1));
      expect(outcome).toEqual({ complete: true, played: 2 * scores.length, total: 2 * scores.length });
      expect(plannedGames(plan, store).least).toBe(2 * scores.length);
    },
  );

  slowTest("is gone on with from any part of its games, and after stops", async () => {
    const plan = await planOf();
    const whole = await runHere(plan);
    for (let cut = 0; cut <= whole.records.length; cut += 17) {
      const store = Store.inMemory();
      store.add([...whole.store.games()].slice(0, cut));
      const { outcome, records, sprt } = await runHere(plan, { store });
      expect(outcome).toEqual({ ...whole.outcome, played: whole.records.length - cut });
      expect(records).toEqual(whole.records);
      expect(sprt).toEqual(whole.sprt);
    }
    const store = Store.inMemory();
    let stops = 0;
    for (let complete = false; !complete; stops++) {
      const controller = new AbortController();
      let told = 0;
      const onProgress = () => void (++told === 40 && controller.abort());
      const part = await runHere(plan, { store, signal: controller.signal, onProgress });
      ({ complete } = part.outcome);
      if (!complete) expect(part.sprt.decision).toBe(null);
    }
    expect(stops).toBeGreaterThan(2);
    expect(store.records().map(timeless)).toEqual(whole.records);
    expect(reportRun(plan, store).sprt).toEqual(whole.sprt);
  });

  test("without a decision it ends after its blocks, the last round being shorter; all of them count", async () => {
    const plan = await planOf({ blocks: 33 });
    const { store, outcome, sprt } = await runHere(plan);
    expect(outcome).toEqual({ complete: true, played: 66, total: 66 });
    expect(sprt).toMatchObject({ decision: null, blocks: 33, counts: countScores(scoresOf(plan, store)) });
    expect(sprt.after).toEqual(countScores([]));
    // A kill between the last game and the end of the run leaves all games, and no counts.
    store.savePlan(plan);
    expect(store.sprt).toBeUndefined();
    const again = await runHere(plan, { store });
    expect(again.outcome).toEqual({ ...outcome, played: 0 });
    expect(again.sprt).toEqual(sprt);
  });

  test("progress has the ratio", async () => {
    const plan = await planOf();
    const told: (number | undefined)[] = [];
    const { sprt } = await runHere(plan, { onProgress: (progress) => void told.push(progress.sprt?.llr) });
    expect(told[0]).toBe(0);
    expect(new Set(told).size).toBe(sprt.blocks / CONFIG.round + 1);
    expect(told.at(-1)).toBe(sprt.llr);
  });

  test("in a game of three players copies of the second entrant have the other seats", async () => {
    const plan = await planOf({
      game: { id: "nim", players: 3 },
      entrants: ["max-n:depth=2", "random"],
      openings: { randomPlies: 1 },
    });
    const { records, sprt } = await runHere(plan);
    for (const { seats } of records) expect(seats.toSorted((a, b) => a - b)).toEqual([0, 1, 1]);
    expect(new Set(records.map(({ seats }) => seats.indexOf(0)))).toEqual(new Set([0, 1, 2]));
    expect(sprt.decision).toBe("H1");
    const scores = [...sprt.counts, ...sprt.after].map(({ score }) => 12 * score);
    expect(scores).toEqual(scores.map(Math.round));
  });
});

describe("a sequential test on the command line", () => {
  const outcomeOf = (dir: string, stdout: string) => ({
    games: storedGames(dir),
    report: withoutReportTimes(stdout),
  });

  slowTest(
    "one worker and several give the same to the byte, also after a kill",
    { timeout: 120_000 },
    async () => {
      const dir = temporaryFolder();
      const config = writeInto(dir, "sprt.json", CONFIG);
      const play = async (name: string, workers: number, ...more: readonly string[]) => {
        const out = join(dir, name);
        const args = ["run", config, "--out", out, "--workers", String(workers), "--json", "-q", ...more];
        const { stdout, stderr } = await agon(args);
        expect(stderr).toBe("");
        return outcomeOf(out, stdout);
      };
      const expected = await play("one", 1);
      expect(expected.report).toMatchObject({
        sprt: { entrants: CONFIG.entrants, llr: expect.any(Number) as unknown },
      });
      expect(await play("four", 4)).toEqual(expected);
      const killed = join(dir, "killed");
      const { child, outcome } = startAgon(["run", config, "--out", killed, "--workers", "2", "-q"]);
      await until(() => countStored(killed) > 5);
      child.kill("SIGKILL");
      await outcome;
      expect(await play("killed", 2, "--resume")).toEqual(expected);
    },
  );

  slow(redisTest)("the same over a queue", { timeout: 120_000 }, async () => {
    const { url } = await startRedis();
    const dir = temporaryFolder();
    const config = writeInto(dir, "sprt.json", CONFIG);
    startWorker(url, ["--workers", "2"]);
    const [here, queued] = [join(dir, "here"), join(dir, "queued")];
    const over = await agonProcess(["run", config, "--out", queued, "--queue", url, "--json", "-q"]);
    const plain = await agon(["run", config, "--out", here, "--workers", "1", "--json", "-q"]);
    expect(outcomeOf(queued, over.stdout)).toEqual(outcomeOf(here, plain.stdout));
  });
});

describe("what does not fit is refused", () => {
  test.each([
    [{ entrants: ["random", "minimax", "mcts"] }, "format.type: sprt compares two entrants, 3 given"],
    [{ format: { type: "sprt", elo0: 5, elo1: 5 } }, "format.elo1: must be above elo0, which is 5; got 5"],
    [
      { format: { type: "sprt", elo0: 0, elo1: 300, model: "normalised" } },
      "format.elo1: must be from -200 to 200 with model normalised, got 300",
    ],
    [{ format: { type: "sprt", elo0: 0 } }, "format.elo1: missing; must be a number"],
    [
      { format: { type: "sprt", elo0: 0, elo1: 5, alpha: 0.7 } },
      "format.alpha: must be at most 0.4999, got 0.7",
    ],
    [
      {
        game: "2048",
        entrants: ["random", { name: "other", agent: "random" }],
        openings: { randomPlies: 0 },
      },
      "format.type: sprt needs games of two or more players: in games of one player nobody wins",
    ],
    [
      { format: "round-robin" },
      "round: is for formats that decide round by round, such as sprt: leave it out with round-robin",
    ],
  ])("%j", async (change, message) => {
    await expect(planOf(change)).rejects.toThrow(message);
  });

  test("a stored test whose keys are damaged", async () => {
    const plan = await planOf();
    const damaged = { ...plan, format: { ...plan.format, elo1: "many" } };
    expect(() => formatOf(damaged).size(damaged)).toThrow("format: elo1: must be a number");
  });
});
