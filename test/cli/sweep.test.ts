import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { agon, startAgon, temporaryFolder, writeInto } from "../support/agon.ts";
import { TINY } from "../training/runs.ts";
import { slowTest } from "../support/thorough.ts";

const config = {
  ...TINY,
  checkpoints: 2,
  rating: { pool: ["random"], player: "greedy", blocks: 2 },
  sweep: { seeds: ["a", "b"], values: { "learner.lambda": [0, 0.9] } },
};
const weightsIn = (dir: string, training: string) => {
  const read = JSON.parse(readFileSync(join(dir, training, "weights.json"), "utf8")) as { weights: unknown };
  return read.weights;
};
const TRAININGS = ["lambda=0/a", "lambda=0/b", "lambda=0.9/a", "lambda=0.9/b"];

describe("agon train with a sweep", () => {
  slowTest("trains each setting with each seed as alone, and prints a table", async () => {
    const dir = temporaryFolder();
    const path = writeInto(dir, "sweep.json", config);
    const out = join(dir, "out");
    const planned = await agon(["plan", path]);
    expect(planned.stdout).toMatch(/: 2 settings with 2 seeds, 480 games of self-play in all\n$/);
    const { code, stdout, stderr } = await agon(["train", path, "--out", out, "--workers", "2"]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toMatch(/lambda=0 +\| +2 .*\n.*lambda=0\.9 +\| +2 /);
    expect(readFileSync(join(out, "sweep.md"), "utf8").trim()).toBe(stdout.trim());
    expect(readFileSync(join(out, "sweep.csv"), "utf8").trim().split("\n")).toHaveLength(1 + 4 * 3);
    expect(readFileSync(join(out, "sweep.svg"), "utf8")).toContain("<svg");

    const { sweep: _, ...training } = config;
    const alone = { ...training, seed: "b", learner: { ...config.learner, lambda: 0.9 } };
    const exported = await agon(["export", out, "--format", "tensorboard", "--out", join(dir, "logs")]);
    expect(exported.stderr).toContain(`Written to 4 folders of ${join(dir, "logs")}`);
    for (const training of TRAININGS)
      expect(existsSync(join(dir, "logs", training, "events.out.tfevents.agon"))).toBe(true);
    const one = writeInto(dir, "alone.json", alone);
    expect((await agon(["train", one, "--out", join(dir, "alone"), "--workers", "1"])).code).toBe(0);
    expect(weightsIn(out, "lambda=0.9/b")).toEqual(weightsIn(dir, "alone"));

    const again = await agon(["train", path, "--out", out]);
    expect(again).toMatchObject({ code: 2, stdout: "" });
    expect(again.stderr).toContain("holds a sweep already; go on with --resume");
    // Settings and seeds may be added; what is there is not trained again.
    const before = readFileSync(join(out, "lambda=0/a/weights.json"));
    const sweep = { seeds: ["a", "b", "c"], values: { "learner.lambda": [0, 0.9] } };
    const more = writeInto(dir, "more.json", { ...config, sweep });
    const grown = await agon(["train", more, "--out", out, "--resume", "--json"]);
    const report = JSON.parse(grown.stdout) as { settings: { trainings: object[]; difference?: object }[] };
    expect(report.settings.map(({ trainings }) => trainings.length)).toEqual([3, 3]);
    expect(report.settings[1]!.difference).toMatchObject({ margin: expect.any(Number) as number });
    expect(readFileSync(join(out, "lambda=0/a/weights.json"))).toEqual(before);
  });

  test("its curves cannot be exported where none is", async () => {
    const dir = temporaryFolder();
    const to = ["--format", "tensorboard", "--out", join(dir, "logs")];
    expect(await agon(["export", dir, ...to])).toMatchObject({
      code: 2,
      stderr: `${dir}: is no folder of a training\n`,
    });
    writeInto(dir, "sweep.json", { seeds: ["a"], settings: [{ name: "seeds", folder: "seeds" }] });
    const { code, stderr } = await agon(["export", dir, ...to]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `${dir}: no training of this sweep has a rated checkpoint\n`,
    });
  });

  slowTest("stopped by Ctrl-C or killed with its trainings it goes on, to the same weights", async () => {
    const dir = temporaryFolder();
    const trainings = TRAININGS;
    const sweep = { ...config.sweep, seeds: ["a", "b"] };
    const path = writeInto(dir, "sweep.json", { ...config, games: 1500, sweep });
    const args = (out: string) => ["train", path, "--out", join(dir, out), "--workers", "2"];
    expect((await agon(args("undisturbed"))).code).toBe(0);
    for (const signal of ["SIGINT", "SIGKILL"] as const) {
      const { child, outcome } = startAgon(args(signal), { detached: true });
      while (!existsSync(join(dir, signal, trainings[1]!, "checkpoints/0.json"))) {
        expect(child.exitCode).toBe(null);
        await sleep(5);
      }
      process.kill(signal === "SIGINT" ? child.pid! : -child.pid!, signal);
      const { code, stderr } = await outcome;
      expect(code).toBe(signal === "SIGINT" ? 130 : null);
      if (signal === "SIGINT") expect(stderr).toMatch(/Go on with:\n {2}agon train .* --resume/);
      expect(existsSync(join(dir, signal, trainings[1]!, "weights.json"))).toBe(false);
      expect((await agon([...args(signal), "--resume"])).code).toBe(0);
      for (const training of trainings)
        expect(weightsIn(join(dir, signal), training)).toEqual(weightsIn(join(dir, "undisturbed"), training));
    }
  });

  slowTest("a training that diverges ends alone, with a sentence", async () => {
    const dir = temporaryFolder();
    const diverging = {
      ...config,
      evaluator: { features: "lines", output: "identity" },
      sweep: { seeds: ["a"], values: { "learner.stepSize": [0.01, 1e30] } },
    };
    const path = writeInto(dir, "sweep.json", diverging);
    const { code, stdout, stderr } = await agon(["train", path, "--out", join(dir, "out")]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/stepSize=0\.01 +\| +1 .*\n\| stepSize=1e\+30 +\| +0 /);
    expect(stderr).toMatch(/^! stepSize=1e\+30, seed a: the weights diverged at step/m);
  });

  test.each([
    ["--seed", "x"],
    ["--queue", "redis://localhost/0"],
    ["--open", ""],
  ])("refuses %s with a sentence", async (option, value) => {
    const path = writeInto(temporaryFolder(), "sweep.json", config);
    const { code, stderr } = await agon(["train", path, option, ...(value === "" ? [] : [value])]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${option}: a`.replace("--queue: a", "--queue: the"));
  });
});
