import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { game as twentyOne } from "../../examples/twenty-one/twenty-one.ts";
import { agent as counter } from "../../examples/twenty-one/counter.ts";
import { defineAgent } from "../../src/agents/agent.ts";
import { planTournament, type TournamentConfig } from "../../src/arena/plan/config.ts";
import { runTournament } from "../../src/arena/play/run.ts";
import { Store } from "../../src/arena/store/store.ts";
import { playTournament, type TournamentRequest } from "../../src/arena/tournament.ts";
import type { Report } from "../../src/ratings/report.ts";
import { trainFromConfig } from "../../src/training/run/train.ts";
import { agon, temporaryFolder } from "../support/agon.ts";
import { timeless } from "../support/stored-games.ts";
import { slowTest } from "../support/thorough.ts";

const config: TournamentConfig = {
  name: "objects",
  game: { id: twentyOne, last: 13 },
  blocks: 4,
  openings: { randomPlies: 1 },
  entrants: ["random", counter, { name: "two", agent: counter, first: 2 }],
};

slowTest("games with weights are the same in a folder and in memory", async () => {
  const linear = fileURLToPath(new URL("../../weights/connect-four/linear.json", import.meta.url));
  const weights: TournamentConfig = {
    name: "weights",
    game: "connect-four",
    blocks: 2,
    openings: { randomPlies: 2 },
    entrants: ["random", `greedy:evaluator=${linear}`],
  };
  const inMemory = await playTournament(weights, { workers: 0 });
  const inFolder = await playTournament(weights, { workers: 0, outDir: join(temporaryFolder(), "run") });
  expect(inMemory.records).toHaveLength(4);
  expect(inMemory.records.map(timeless)).toEqual(inFolder.records.map(timeless));
  expect(inMemory.plan).toEqual(inFolder.plan);
});

slowTest("luck is taken out by frozen weights, the same in a folder and in memory", async () => {
  const luck = fileURLToPath(new URL("../../weights/pig/linear.json", import.meta.url));
  const pig: TournamentConfig = {
    name: "luck",
    game: { id: "pig", target: 100 },
    blocks: 10,
    luck,
    rankBy: "adjusted-return",
    entrants: ["policy:policy=perfect", "greedy:evaluator=race"],
  };
  const inMemory = await playTournament(pig, { workers: 0 });
  const outDir = join(temporaryFolder(), "run");
  const { report, plan } = await playTournament(pig, { workers: 0, outDir });
  expect(plan.luck).toMatch(/^weights[/\\]linear-[0-9a-f]{8}\.json$/);
  expect(existsSync(join(outDir, plan.luck!))).toBe(true);
  const lucks = ({ entrants }: Report) =>
    entrants.map(({ luck: one, adjustedReturn }) => [one, adjustedReturn]);
  expect(inMemory.report.luck).toEqual(report.luck);
  expect(lucks(inMemory.report)).toEqual(lucks(report));
  expect(report.rankedBy).toBe("adjusted-return");
  const [first] = report.entrants;
  expect(first!.adjustedReturn! + first!.luck!).toBeCloseTo(first!.meanReturn, 9);
  expect(report.luck!.adjustedDeviation).toBeLessThan(0.6 * report.luck!.deviation);
  const { code, stdout } = await agon(["rate", outDir, "--json"]);
  expect(code).toBe(0);
  expect(stdout.trim()).toBe(readFileSync(join(outDir, "report.json"), "utf8").trim());
});

describe("games and agents as objects", () => {
  test("play a tournament in one call, and are data in its plan", async () => {
    const { plan, records, report, complete } = await playTournament(config);
    expect(complete).toBe(true);
    expect(records).toHaveLength(24);
    expect(records.every(({ ending }) => ending === "finished")).toBe(true);
    expect(report).toMatchObject({ game: 'twenty-one {"last":13}', games: 24 });
    expect(JSON.parse(JSON.stringify(plan))).toMatchObject({
      game: { id: "twenty-one", last: 13 },
      entrants: [
        { name: "random", spec: { agent: "random" } },
        { name: "counter", spec: { agent: "counter", first: 1 } },
        { name: "two", spec: { agent: "counter", first: 2 } },
      ],
    });
  });

  slowTest("give the games that their files give", async () => {
    const example = (name: string) => new URL(`../../examples/twenty-one/${name}`, import.meta.url).pathname;
    const agent = example("counter.ts");
    const files: TournamentConfig = {
      ...config,
      game: { id: example("twenty-one.ts"), last: 13 },
      entrants: ["random", { name: "counter", agent }, { name: "two", agent, first: 2 }],
    };
    const play = async (given: TournamentConfig) => {
      const { records } = await playTournament(
        { ...given, openings: { randomPlies: 0 }, blocks: 1 },
        { workers: 0 },
      );
      // Random play depends on the game's id, which the file's path is part of.
      return records
        .filter(({ seats }) => !seats.includes(0))
        .map(({ seats, actions }) => `${seats.join()}: ${actions.join()}`);
    };
    expect(new Set(await play(files))).toEqual(new Set(await play(config)));
  });

  test("are refused where there are threads, and where an id is taken", async () => {
    const plan = await planTournament(config);
    const store = Store.inMemory();
    await expect(runTournament({ plan, store, workers: 2 })).rejects.toThrow(
      "workers must be 0 where games or agents are given as objects, got 2",
    );
    store.close();
    const other = defineAgent({ ...counter });
    await expect(planTournament({ ...config, entrants: [counter, other] })).rejects.toThrow(
      'another agent has the id "counter" already; give this one an id of its own',
    );
    const mine = { ...twentyOne, id: "nim" };
    await expect(planTournament({ ...config, game: mine })).rejects.toThrow(
      'another game has the id "nim" already',
    );
  });

  test("a wrong game is told as one in a file is", async () => {
    const broken: typeof twentyOne = {
      ...twentyOne,
      create: (options) => ({ ...twentyOne.create(options), maxActions: undefined as never }),
    };
    await expect(planTournament({ ...config, game: broken })).rejects.toThrow(
      /^game: twenty-one: maxActions is undefined, not a whole number/,
    );
  });

  slowTest("keep their games in a folder, from which the run goes on", async () => {
    const outDir = join(temporaryFolder(), "run");
    const { records: first } = await playTournament(config, { outDir });
    expect(first).toHaveLength(24);
    expect(existsSync(join(outDir, "report.json"))).toBe(true);
    const more = await playTournament({ ...config, blocks: 6 }, { outDir, resume: true });
    expect(more.records).toHaveLength(36);
    expect(more.records).toEqual(expect.arrayContaining([...first]));
  });

  slowTest("train", async () => {
    const training = {
      name: "objects",
      game: twentyOne,
      games: 200,
      evaluator: { features: "remainder" },
      learner: { lambda: 0.5, stepSize: 0.1 },
      exploration: { epsilon: 0.2 },
      checkpoints: 1,
      rating: { player: "greedy", pool: ["random", counter], blocks: 4 },
    };
    const outDir = join(temporaryFolder(), "training");
    const { finished, curve } = await trainFromConfig({ config: training, outDir });
    expect(finished).toBe(true);
    expect(curve.pool.map(({ name }) => name)).toEqual(["random", "counter"]);
    await expect(
      trainFromConfig({ config: training, outDir: join(outDir, "two"), workers: 2 }),
    ).rejects.toThrow("workers must be 0 where games or agents are given as objects, got 2");
  });
});

describe("a tournament in one call", () => {
  const small: TournamentConfig = {
    name: "small",
    game: "tic-tac-toe",
    blocks: 3,
    openings: { randomPlies: 2 },
    entrants: ["random", "minimax:depth=1"],
  };

  test("takes a config, or the plan that was made of it", async () => {
    const plan = await planTournament(small);
    const ofPlan = await playTournament(plan, { workers: 0 });
    const ofConfig = await playTournament(small, { workers: 0 });
    expect(ofPlan.plan).toEqual(plan);
    expect(ofPlan.records.map(timeless)).toEqual(ofConfig.records.map(timeless));
    expect(ofPlan.report.entrants.map(({ elo }) => elo)).toEqual(
      ofConfig.report.entrants.map(({ elo }) => elo),
    );
    expect({ complete: ofPlan.complete, played: ofPlan.played }).toEqual({ complete: true, played: 6 });
  });

  test("plays into an open store, which stays open, and writes no report", async () => {
    const dir = temporaryFolder();
    const store = Store.open(dir);
    const plan = await planTournament(small);
    const opened: string[] = [];
    const onOpen: TournamentRequest["onOpen"] = (run) => void opened.push(`${run.dir} ${run.store.size}`);
    const into = { store, dir };
    expect((await playTournament(plan, { into, workers: 0, onOpen })).records).toHaveLength(6);
    const more = await playTournament({ ...plan, blocks: 4 }, { into, workers: 0, onOpen });
    expect(more).toMatchObject({ complete: true, played: 2 });
    expect(opened).toEqual([`${dir} 0`, `${dir} 6`]);
    expect(store.size).toBe(8);
    expect(existsSync(join(dir, "report.json"))).toBe(false);
    store.close();
  });

  test("that is stopped tells of the games so far, and leaves no report in its folder", async () => {
    const outDir = join(temporaryFolder(), "run");
    const controller = new AbortController();
    const result = await playTournament(
      { ...small, blocks: 50 },
      { outDir, workers: 0, signal: controller.signal, onProgress: () => controller.abort() },
    );
    expect(result.complete).toBe(false);
    expect(result.played).toBeGreaterThan(0);
    expect(result.records).toHaveLength(result.played);
    expect(result.report.games).toBe(result.played);
    expect(existsSync(join(outDir, "report.json"))).toBe(false);
  });
});
