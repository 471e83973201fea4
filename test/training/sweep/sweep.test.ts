import { describe, expect, test } from "vitest";
import { InputError } from "../../../src/base/errors.ts";
import type { CurvePoint } from "../../../src/training/curve/curve.ts";
import { planTraining } from "../../../src/training/plan/plan.ts";
import {
  formatSweepCsv,
  formatSweepSvg,
  formatSweepTable,
} from "../../../src/training/sweep/format-sweep.ts";
import { reportSweep, type TrainedSetting } from "../../../src/training/sweep/sweep-report.ts";
import { isSweep, planSweep } from "../../../src/training/sweep/sweep.ts";
import { elements, readXml } from "../../support/xml.ts";
import { TINY } from "../runs.ts";

const plan = (sweep: unknown, change: object = {}) =>
  planSweep({ ...TINY, ...change, sweep }, { baseDir: "." });
const problemsOf = async (sweep: unknown, change: object = {}) => {
  const error: unknown = await plan(sweep, change).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InputError);
  return (error as Error).message;
};

describe("a sweep", () => {
  test("has every choice of one value for each key, and the same seeds for each", async () => {
    const { settings, seeds, players } = await plan({
      seeds: 2,
      values: { "learner.lambda": [0, 0.5], "evaluator.output": ["tanh", "identity"] },
    });
    expect(players).toBe(2);
    expect(seeds).toEqual(["test-1", "test-2"]);
    expect(settings.map(({ name }) => name)).toEqual([
      "lambda=0 output=tanh",
      "lambda=0 output=identity",
      "lambda=0.5 output=tanh",
      "lambda=0.5 output=identity",
    ]);
    expect(settings[1]!.config).toMatchObject({
      seed: "test-1",
      learner: { lambda: 0, stepSize: TINY.learner.stepSize },
      evaluator: { output: "identity" },
    });
    expect(settings[1]).toMatchObject({ folder: "lambda=0_output=identity" });
  });

  test("plans the training that is written out by hand", async () => {
    const { settings } = await plan({ seeds: ["x"], values: { "learner.lambda": [0.1, 0.9] } });
    const config = { ...TINY, seed: "x", learner: { ...TINY.learner, lambda: 0.9 } };
    expect(settings[1]!.config).toEqual((await planTraining(config, { baseDir: "." })).config);
  });

  test("may change seeds alone, three of them unless it says more", async () => {
    const { settings, seeds } = await plan({});
    expect(settings.map(({ name, folder }) => [name, folder])).toEqual([["seeds", "seeds"]]);
    expect(seeds).toHaveLength(3);
    expect((await plan({ seeds: [7, "a b"] })).seeds).toEqual(["7", "a b"]);
  });

  test("changes whole parts, also to values with keys", async () => {
    const stepSize = { from: 0.1, to: 0.01, shape: "exponential" };
    const { settings } = await plan({ seeds: 1, values: { "learner.stepSize": [stepSize, 0.1] } });
    expect(settings.map(({ name }) => name)).toEqual([
      'stepSize={"from":0.1,"to":0.01,"shape":"exponential"}',
      "stepSize=0.1",
    ]);
    expect(settings[0]!.folder).toMatch(/^[\w.=+-]+$/);
  });

  test("names keys whole where two have the same end", async () => {
    const { settings } = await plan({
      seeds: 1,
      values: { "openings.randomPlies.to": [2, 3], "learner.stepSize.to": [0.01] },
    });
    expect(settings.map(({ name }) => name)).toEqual([
      "openings.randomPlies.to=2 learner.stepSize.to=0.01",
      "openings.randomPlies.to=3 learner.stepSize.to=0.01",
    ]);
  });

  test("is told from a training by its key", () => {
    expect([isSweep({ ...TINY, sweep: {} }), isSweep(TINY), isSweep(null), isSweep([])]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("a sweep that cannot be", () => {
  test.each([
    [
      "is no training's key",
      { values: { "learner.lamda": [0, 1] } },
      /sweep\.values\.learner\.lamda: with lamda=0: unknown key "lamda" \(did you mean "lambda"/,
    ],
    [
      "has a wrong value",
      { values: { "learner.lambda": [0, 2] } },
      /sweep\.values\.learner\.lambda: with lambda=2: must be at most 1/,
    ],
    ["goes into a number", { values: { "games.few": [1, 2] } }, /games\.few.*`games` has no keys/],
    ["goes into nothing", { values: { "learning.rate": [1, 2] } }, /learning\.rate.*no place/],
    ["changes the seed", { values: { seed: [1, 2] } }, /values\.seed: cannot be swept: write `seeds`/],
    ["changes the rating", { values: { "rating.blocks": [1, 2] } }, /cannot be swept: results are compared/],
    ["changes the game", { values: { "game.id": ["nim", "pig"] } }, /cannot be swept: results of different/],
    ["has a value twice", { values: { games: [5, 5] } }, /sweep\.values: has "games=5" twice/],
    ["has a seed twice", { seeds: ["a", "b", "a"] }, /sweep\.seeds: has "a" twice/],
    ["has two seeds with one folder", { seeds: ["a/b", "a:b"] }, /"a\/b" and "a:b" are one folder/],
    ["is one training", { seeds: 1 }, /one training alone/],
    ["has no values", { values: { games: [] } }, /sweep\.values\.games/],
    ["has an unknown key", { value: {} }, /value/],
    ["is too large", { seeds: 1000, values: { games: [1, 2] } }, /2000 trainings; at most 1000/],
  ])("%s", async (_, sweep, message) => {
    expect(await problemsOf(sweep)).toMatch(message);
  });

  test("is refused where one training is asked for", async () => {
    const training = planTraining({ ...TINY, sweep: { seeds: 3 } }, { baseDir: "." });
    await expect(training).rejects.toThrow(/sweep: makes several trainings/);
  });
});

/** A checkpoint with a rating. */
const point = (games: number, elo: number): CurvePoint => ({
  games,
  elo,
  low: elo - 10,
  high: elo + 10,
  score: 0.5,
  meanReturn: { mean: elo / 1000, low: 0, high: 1 },
  against: [],
});
/** A training whose ratings are these, after 0, 10, 20, ... games. */
const trained = (seed: string, ...elos: number[]): TrainedSetting[number] => {
  const points = elos.map((elo, at) => point(10 * at, elo));
  return { seed, points, weightsGames: points.at(-1)!.games };
};

describe("the report of a sweep", () => {
  const sweepOf = () => plan({ seeds: ["a", "b", "c"], values: { "learner.lambda": [0, 1] } });

  test("has means over the seeds, and differences between trainings of the same seed", async () => {
    const report = reportSweep(await sweepOf(), [
      [trained("a", 0, 100), trained("b", 0, 200), trained("c", 0, 300)],
      [trained("a", 0, 130), trained("b", 0, 230), trained("c", 0, 360)],
    ]);
    const [first, second] = report.settings;
    expect(report).toMatchObject({ measure: "elo", problems: [], isBroken: false });
    // Student's t with 2 degrees of freedom: 4.3027; standard deviations 100 and 17.32.
    expect(first!.reached!.mean).toBe(200);
    expect(first!.reached!.margin).toBeCloseTo((4.30265 * 100) / Math.sqrt(3), 3);
    expect(first!.difference).toBeUndefined();
    expect(second!.difference!.mean).toBe(40);
    expect(second!.difference!.margin).toBeCloseTo((4.30265 * Math.sqrt(300)) / Math.sqrt(3), 3);
    expect(second!.curve.map(({ games, mean }) => [games, mean])).toEqual([
      [0, 0],
      [10, 240],
    ]);
  });

  test("leaves a failed training out, and says so; the others are compared seed by seed", async () => {
    const problem = { message: "weights left all bounds", isOwn: true };
    const report = reportSweep(await sweepOf(), [
      [trained("a", 0, 100), { seed: "b", problem }, trained("c", 0, 300)],
      [trained("a", 0, 150), trained("b", 0, 999), trained("c", 0, 350, 400)],
    ]);
    expect(report.problems).toEqual(["lambda=0, seed b: weights left all bounds"]);
    expect(report.isBroken).toBe(false);
    expect(report.settings[0]!.reached).toEqual({ mean: 200, margin: undefined });
    expect(report.settings[1]!.difference).toEqual({ mean: 75, margin: undefined });
    // A curve goes as far as all trainings went.
    expect(report.settings[1]!.curve.map(({ games }) => games)).toEqual([0, 10]);
    expect(formatSweepTable(report).split("\n")[2]).toMatch(/^\| lambda=0 +\| +2 \| +200 \| +\| +\| +\|$/);
    const broken = reportSweep(await sweepOf(), [[{ seed: "a", problem: { ...problem, isOwn: false } }], []]);
    expect(broken.isBroken).toBe(true);
    expect(formatSweepSvg(broken)).not.toMatch(/NaN|Infinity/);
  });

  test("compares mean returns in games of one player", async () => {
    const sweep = await plan({ seeds: ["a"], values: { games: [1, 2] } });
    const report = reportSweep({ ...sweep, players: 1 }, [[trained("a", 0, 100)], [trained("a", 0, 700)]]);
    expect(report.measure).toBe("return");
    expect(formatSweepTable(report)).toMatch(/games=2.* 0\.700 /);
  });

  test("is a table, a picture with a band for each setting, and lines of figures", async () => {
    const report = reportSweep(await sweepOf(), [
      [trained("a", 0, 100), trained("b", 0, 200), trained("c", 0, 300)],
      [trained("a", 0, 130), trained("b", 0, 230), trained("c", 0, 360)],
    ]);
    expect(formatSweepTable(report, { width: 80 })).toContain(
      "lambda=1      3  240  +/- 286          40  +/- 43",
    );
    const svg = readXml(formatSweepSvg(report));
    expect(elements(svg, "path").map(({ attributes }) => attributes["class"])).toEqual([
      "band",
      "line",
      "band c1",
      "line c1",
    ]);
    const [head, first, ...rest] = formatSweepCsv(report).trim().split("\n");
    expect(head).toBe("setting,learner.lambda,seed,games,elo,low,high,return,returnLow,returnHigh");
    expect(first).toBe("lambda=0,0,a,0,0.0,-10.0,10.0,0,0,1");
    expect(rest).toHaveLength(11);
  });

  test("has the panel's measures, those that tell settings apart, and those that disagree about the best", async () => {
    const panelled = (seed: string, elo: number, worst: number, share: number) => {
      const training = trained(seed, 0, elo);
      const right = { positions: 10, right: 10 * share, share, low: 0, high: 1 };
      const points = training.points!.map((point) => ({
        ...point,
        worst: { ...point.meanReturn, mean: worst, name: "random" },
        right,
      }));
      return { ...training, points };
    };
    const report = reportSweep(await sweepOf(), [
      [panelled("a", 100, 0.1, 0.5), panelled("b", 200, 0.2, 0.6), panelled("c", 300, 0.3, 0.7)],
      [panelled("a", 130, 0, 0.5), panelled("b", 230, 0.1, 0.7), panelled("c", 330.1, 0.21, 0.6)],
    ]);
    expect(report.findings).toEqual([
      "Settings differ surely from the first one by: Elo, Worst.",
      expect.stringMatching(
        /^Measures disagree about the best setting: lambda=1 by Elo; lambda=0 by Worst; lambda=[01] by Right %\.$/,
      ),
    ]);
    const table = formatSweepTable(report);
    expect(table).toMatch(/Worst \| 95% \| Right % \| 95% \|\n/);
    expect(table).toMatch(/^\| lambda=0 .*\| 0\.200 \| \+\/- 0\.\d+ \| 60\.0 \| \+\/- /m);
    expect(table).toContain("\n\nSettings differ surely");
    const [head, first] = formatSweepCsv(report).split("\n");
    expect(head).toMatch(/,worst,worstLow,worstHigh,right,rightLow,rightHigh$/);
    expect(first).toMatch(/,0\.1,0,1,0\.5,0,1$/);
  });
});
