import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Match, Past } from "../../../src/arena/formats/format.ts";
import { formatOf } from "../../../src/arena/formats/index.ts";
import type { TuneSpec } from "../../../src/arena/formats/tune.ts";
import type { TournamentPlan } from "../../../src/arena/plan/plan.ts";
import { planTuning } from "../../../src/arena/plan/tuning.ts";
import { verifyRun } from "../../../src/arena/play/verify.ts";
import { runTournament } from "../../../src/arena/play/run.ts";
import type { TuneResults } from "../../../src/ratings/format-results.ts";
import { loadRounds, reportRun } from "../../../src/arena/results/runs.ts";
import type { LinearEvaluator } from "../../../src/evaluators/linear.ts";
import { loadWeights } from "../../../src/specs/files/weights-file.ts";
import { createGame } from "../../../src/games/index.ts";
import { Store } from "../../../src/arena/store/store.ts";
import { agon, agonProcess, startAgon, temporaryFolder, writeInto } from "../../support/agon.ts";
import { storedGames } from "../../support/stored-games.ts";
import { countStored, startWorker, until } from "../../support/servers/queue.ts";
import { redisTest, startRedis } from "../../support/servers/redis.ts";
import { slow, slowTest } from "../../support/thorough.ts";

const CONFIG = {
  name: "tune",
  game: "tic-tac-toe",
  seed: "tune",
  agent: "mcts:simulations=20",
  parameters: {
    exploration: { start: 0.1, max: 2, step: 0.3 },
    rave: { start: 20, max: 40, step: 5, whole: true },
  },
  rounds: 6,
  pairs: 4,
  blocks: 2,
  final: 10,
  openings: { randomPlies: 2 },
};

const LINEAR = {
  agent: "minimax",
  depth: 2,
  evaluator: fileURLToPath(new URL("../../../weights/tic-tac-toe/linear.json", import.meta.url)),
};

const planOf = async (change: object = {}): Promise<TournamentPlan> =>
  (await planTuning({ ...CONFIG, ...change })).plan;

/** Plays the rounds of a plan with made-up scores of the first entrant. */
function playOut(plan: TournamentPlan, scoreOf: (match: Match, round: number) => number): Past {
  const matches: (readonly Match[])[] = [];
  const scores: Past["scores"][number][] = [];
  const past = { matches, scores };
  const format = formatOf(plan);
  let out: typeof scores = [];
  for (let number = 0; ; number++) {
    const next = format.round(plan, number, past);
    scores.push(...out);
    if (next === undefined) return past;
    matches.push(next);
    out = next.map((match, at) => {
      const score = scoreOf(match, number);
      return { round: number, match: at, block: match.from, scores: [score, 1 - score], returns: [0, 0] };
    });
  }
}

describe("the rounds of a tuning", () => {
  test("have pairs of opposite values, and each block once, in order", async () => {
    const plan = await planOf();
    const { matches } = playOut(plan, () => 0.5);
    expect(matches).toHaveLength(6);
    expect(matches.flat().map(({ from }) => from)).toEqual(Array.from({ length: 6 * 4 * 2 }, (_, at) => at));
    for (const [number, round] of matches.entries()) {
      const distance = 0.3 * (6 / (number + 1)) ** 0.101;
      const pairs = round.filter((_, at) => at % 2 === 0);
      for (const [at, { options }] of pairs.entries()) {
        expect(round[2 * at + 1]!.options).toEqual(options);
        const [plus, minus] = [0, 1].map((entrant) => options![entrant] as Record<string, number>);
        expect(Object.keys(plus!)).toEqual(["exploration", "rave"]);
        expect(Math.abs(plus!["exploration"]! - minus!["exploration"]!)).toBeCloseTo(2 * distance, 4);
        for (const value of [plus!["rave"], minus!["rave"]]) expect(Number.isInteger(value)).toBe(true);
      }
    }
  });

  test("rest on the results of all rounds but the last one", async () => {
    const plan = await planOf();
    const scoreOf = ({ options }: Match) => {
      const [plus, minus] = [0, 1].map((entrant) => options![entrant]!["exploration"] as number);
      return plus! > minus! ? 1 : 0;
    };
    const usual = playOut(plan, scoreOf);
    for (const changed of [0, 3]) {
      const other = playOut(
        plan,
        (match, round) => (round === changed ? 1 : 0) - scoreOf(match) * (round === changed ? 1 : -1),
      );
      for (let round = 0; round < 6; round++) {
        const isSame = JSON.stringify(other.matches[round]) === JSON.stringify(usual.matches[round]);
        expect(isSame).toBe(round < changed + 2);
      }
    }
  });

  slowTest("end in a report with the values of each round, and the mean of the later half", async () => {
    const plan = await planOf();
    const store = Store.inMemory();
    store.savePlan(plan);
    expect(await runTournament({ plan, store, workers: 0 })).toEqual({
      complete: true,
      played: 96,
      total: 96,
    });
    const { format } = reportRun(plan, store, { past: await loadRounds(plan, store) });
    const { parameters, path, ...rest } = format as TuneResults;
    expect(rest).toEqual({ type: "tune", rounds: 6 });
    expect(path).toHaveLength(7);
    expect(path[0]).toEqual([0.1, 20]);
    expect(parameters.map(({ name, start, min, max }) => [name, start, min, max])).toEqual([
      ["exploration", 0.1, 0, 2],
      ["rave", 20, 0, 40],
    ]);
    expect(parameters.map(({ last }) => last)).toEqual(path[6]);
    expect(parameters[0]!.value).toBeCloseTo(
      (path[3]![0]! + path[4]![0]! + path[5]![0]! + path[6]![0]!) / 4,
      5,
    );
    expect(Number.isInteger(parameters[1]!.value)).toBe(true);
  });

  slowTest("in a game of three players copies of the second side have the other seats", async () => {
    const plan = await planOf({ game: { id: "nim", players: 3 }, openings: { randomPlies: 1 } });
    const store = Store.inMemory();
    store.savePlan(plan);
    await runTournament({ plan, store, workers: 0 });
    const records = store.records();
    expect(records).toHaveLength(6 * 4 * 2 * 3);
    for (const { seats } of records) expect(seats.toSorted((a, b) => a - b)).toEqual([0, 1, 1]);
  });
});

describe("a tuning by agon run", () => {
  /** The games, without their times, and the result. */
  async function play(dir: string, name: string, workers: number, ...more: readonly string[]) {
    const out = join(dir, name);
    const args = ["run", "tune.json", "--out", out, "--workers", String(workers), "--json", "-q", ...more];
    const { stdout, stderr, code } = await agon(args, { cwd: dir });
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
    const { final, ...result } = JSON.parse(stdout) as Record<string, unknown> & {
      final: { entrants: { name: string; elo: number }[] };
    };
    const ratings = final.entrants.map((entrant) => [entrant.name, entrant.elo]);
    return { result, ratings, games: [storedGames(out), storedGames(join(out, "final"))] };
  }

  slowTest(
    "one worker gives to the byte what several give before and after a kill; the games are verified",
    async () => {
      const dir = temporaryFolder();
      writeInto(dir, "tune.json", CONFIG);
      const expected = await play(dir, "one", 1);
      expect(expected.games.map(({ length }) => length)).toEqual([96, 20]);
      expect(expected.ratings).toContainEqual(["start", 0]);
      const killed = join(dir, "killed");
      const { child, outcome } = startAgon(["run", "tune.json", "--out", killed, "--workers", "2", "-q"], {
        cwd: dir,
      });
      await until(() => existsSync(killed) && countStored(killed) > 5);
      child.kill("SIGKILL");
      await outcome;
      expect(await play(dir, "killed", 4, "--resume")).toEqual(expected);

      const store = Store.openExisting(killed);
      expect(await verifyRun(store, killed, { workers: 0 })).toMatchObject({
        verified: 96,
        differences: [],
      });
      store.close();
      expect(readFileSync(join(killed, "report.txt"), "utf8")).toContain("exploration");
    },
  );

  slow(redisTest)("the same over a queue", { timeout: 120_000 }, async () => {
    const { url } = await startRedis();
    const dir = temporaryFolder();
    writeInto(dir, "tune.json", CONFIG);
    startWorker(url, ["--workers", "2"]);
    const over = ["run", "tune.json", "--out", "queued", "--queue", url, "--json", "-q"];
    const { code, stderr } = await agonProcess(over, { cwd: dir });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const here = await play(dir, "here", 1);
    const queued = join(dir, "queued");
    expect([storedGames(queued), storedGames(join(queued, "final"))]).toEqual(here.games);
  });

  slowTest("tuned weights become a weights file, which plays like the tuned agent", async () => {
    const dir = temporaryFolder();
    const file = LINEAR.evaluator;
    const name = "open lines with two stones of the player to move";
    const config = {
      ...CONFIG,
      agent: LINEAR,
      parameters: {},
      weights: { [name]: { start: 0, step: 1 } },
    };
    writeInto(dir, "tune.json", config);
    const { result } = await play(dir, "weights", 1);
    const { agent, parameters } = result as { agent: string; parameters: TuneResults["parameters"] };
    expect(parameters).toMatchObject([{ name: `weights.${name}`, start: 0, min: -10, max: 10 }]);
    const out = join(dir, "weights");
    const path = join(out, "tuned.json");
    expect(agent).toContain(`evaluator=${path}`);
    const game = createGame("tic-tac-toe");
    const [before, after] = [file, path].map((one) => loadWeights(one, game) as LinearEvaluator);
    for (const [at, weight] of before!.weights.entries())
      expect(after!.weights[at]).toBe(
        before!.features.describe(at) === name ? Math.fround(parameters[0]!.value) : weight,
      );
    const exported = await agon(["export", out, "--format", "jsonl"]);
    expect(exported.stdout.trim().split("\n")).toHaveLength(96);
    const rated = await agon(["rate", out]);
    expect(rated.stdout).toContain("Tuned values after 6 rounds");
    const both = await agon(["rate", out, join(out, "final")]);
    expect(both.stderr).toContain("is a tuning, whose sides change; take the run of its last match");
  });

  slowTest("prints the values, the match and the agent; a time is warned of", async () => {
    const dir = temporaryFolder();
    writeInto(dir, "tune.json", { ...CONFIG, rounds: 2, agent: "mcts:timeMs=1,simulations=3" });
    const { stdout, stderr } = await agon(["run", "tune.json", "--workers", "1"], { cwd: dir });
    expect(stdout).toMatch(/1 {2}exploration +0\.1 /);
    expect(stdout).toMatch(/The tuned values against those of the start, in 20 new games: [+-]?\d+ Elo/);
    expect(stdout).toMatch(/mcts:timeMs=1,simulations=3,exploration=[\d.]+,rave=\d+\n/);
    expect(stderr).toMatch(/^Warning: the budget is a time/);
    expect(stderr).toContain(`agon verify runs/tune-`);
  });
});

describe("what does not fit is refused, all at once", () => {
  test.each([
    [{ parameters: {} }, "parameters: name at least one number to tune, here or in `weights`"],
    [
      { agent: "mcts:simulations=9,evaluator=open-lines", weights: { centre: { step: 1 } } },
      "weights.centre: the evaluator has no weights with names",
    ],
    [{ agent: LINEAR, weights: { center: { step: 1 } } }, 'weights.center: unknown feature "center"'],
    [{ agent: LINEAR, weights: { "to move": { start: 1 } } }, "weights.to move.step: missing; without it"],
    [
      { parameters: { explorations: {} } },
      'parameters.explorations: unknown number of mcts "explorations" (did you mean "exploration"?); allowed: ',
    ],
    [
      { parameters: { ties: { start: 1, max: 2 } } },
      "parameters.ties: is no number; the numbers of mcts are exploration, maxNodes, playoutShare, promises, priors, firstPlay, considered, valueScale, noise, implicitMinimax, rave, mast, threads",
    ],
    [{ parameters: { simulations: { max: 9 } } }, 'unknown number of mcts "simulations"'],
    [{ parameters: { exploration: {} } }, "parameters.exploration.start: missing; the agent names none"],
    [{ parameters: { exploration: {} } }, "parameters.exploration.max: missing; the agent names none"],
    [
      { parameters: { exploration: { start: 3, min: -1, max: 2 } } },
      "parameters.exploration.min: must be at least 0, got -1\nparameters.exploration.start: must be from -1 to 2, got 3",
    ],
    [
      { parameters: { exploration: { start: 1, min: 1, max: 1 } } },
      "parameters.exploration.max: must be above min, which is 1; got 1",
    ],
    [
      { parameters: { exploration: { start: 1, max: 2, step: 3 } } },
      "parameters.exploration.step: must be at most the range, which is 2; got 3",
    ],
    [
      { parameters: { rave: { start: 1.5, max: 9, step: 0.1, whole: true } } },
      "parameters.rave.start: must be a whole number, got 1.5",
    ],
    [
      { parameters: { rave: { start: 1, max: 9, step: 0.1, whole: true } } },
      "parameters.rave.step: must be at least 0.5 for whole numbers, got 0.1",
    ],
    [{ parameters: { exploration: { strat: 1 } } }, 'parameters.exploration.strat: unknown key "strat"'],
    [{ agent: "mtcs" }, 'agent.agent: unknown agent "mtcs" (did you mean "mcts"?)'],
    [{ agent: "mcts" }, "agent: mcts needs a budget: simulations, nodes, timeMs"],
    [{ game: "tictactoe" }, 'game: unknown game "tictactoe" (did you mean "tic-tac-toe"?)'],
    [{ game: "2048", openings: { randomPlies: 0 } }, "game: tuning needs games of two or more players"],
    [{ rounds: 100_000, pairs: 1000 }, "rounds: 100000 rounds of 1000 pairs of 2 blocks are 200000000"],
    [{ rounds: 1 }, "rounds: must be at least 2, got 1"],
    [{ entrants: ["random"] }, 'unknown key "entrants"'],
  ])("%j", async (change, message) => {
    await expect(planOf(change)).rejects.toThrow(message);
  });

  test("several problems", async () => {
    const wrong = { ...CONFIG, rounds: 0, openings: { lines: ["z9"] }, parameters: { exploration: {} } };
    const error = await planTuning(wrong, { source: "t.yaml" }).catch((thrown: unknown) => thrown as Error);
    for (const path of ["rounds", "openings.lines[0]", "parameters.exploration.start"])
      expect((error as Error).message).toContain(`t.yaml: ${path}: `);
  });

  test("values that the agent itself refuses", async () => {
    const plan = planOf({
      agent: { agent: "alpha-beta", depth: 2, table: 0 },
      parameters: { threads: { start: 1, max: 2 } },
    });
    await expect(plan).rejects.toThrow("agent.threads: must be 1 where `table` is 0");
  });
});

test("the rate and the final match follow from the number of blocks", async () => {
  const { plan, final } = await planTuning({ ...CONFIG, rounds: 100, final: undefined });
  expect((plan.format as TuneSpec).rate).toBe(40 / 800);
  expect(final).toBe(200);
});
