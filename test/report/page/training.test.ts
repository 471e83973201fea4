import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { agon, temporaryFolder, writeInto } from "../../support/agon.ts";
import { overflowOf, violationsIn } from "../../support/page/inspect-page.ts";
import { hasBrowser, openPage } from "../../support/page/browser.ts";
import { marksOf, tableOf, titlesOf } from "../../support/page/read-page.ts";
import { trainedRun, writtenReport } from "../../support/reports.ts";
import { slowTest } from "../../support/thorough.ts";

const TRAINING = {
  name: "short",
  game: "tic-tac-toe",
  games: 60,
  evaluator: { features: "lines" },
  learner: { lambda: 0.5, stepSize: 0.01 },
  exploration: { epsilon: 0.1 },
  checkpoints: 2,
  rating: { pool: ["random", "alpha-beta:depth=2"], player: "greedy", blocks: 2 },
};

/** The Elo of each checkpoint in a training's curve.csv. */
function curveIn(dir: string): number[] {
  const [, ...lines] = readFileSync(join(dir, "curve.csv"), "utf8").trim().split("\n");
  return lines.map((line) => Number(line.split(",")[1]));
}

describe.runIf(hasBrowser)("trainings of one game", () => {
  slowTest("share one picture, each in one colour and with one sign", async () => {
    const dirs = [await trainedRun(TRAINING, "one"), await trainedRun({ ...TRAINING, seed: "two" }, "two")];
    const file = await writtenReport(...dirs);
    const curves = dirs.map(curveIn);
    for (const folder of ["one", "two"]) {
      const place = `#/${encodeURIComponent(`training of ${folder}`)}/curve`;
      const { page, wrong } = await openPage(file, { place });
      await page.getByRole("heading", { name: "Learning curves of 2 trainings" }).waitFor();
      const points = await marksOf(page, "Learning curves: one ", ".points path");
      expect(points.map(({ fill }) => fill)).toEqual(
        curves.flatMap((curve, at) => curve.map(() => ["#0072b2", "#d55e00"][at]!)),
      );
      // The places of all points are on one scale of Elo.
      const elo = curves.flat();
      const [low, high] = [Math.min(...elo), Math.max(...elo)].map((value) => elo.indexOf(value));
      const slope = (points[high!]!.y - points[low!]!.y) / (elo[high!]! - elo[low!]!);
      expect(slope).toBeLessThan(0);
      for (const [at, { y }] of points.entries())
        // The bounding boxes of a circle and of a square have the same middle.
        expect(Math.abs(points[low!]!.y + slope * (elo[at]! - elo[low!]!) - y)).toBeLessThan(1);
      const shapes = await page
        .locator(".points path")
        .evaluateAll((all) => all.map((one) => one.getAttribute("d")));
      expect(new Set(shapes.slice(0, curves[0]!.length)).size).toBe(1);
      expect(new Set(shapes).size).toBe(2);
      const table = await tableOf(page, "Table of checkpoints");
      const own = curves[folder === "one" ? 0 : 1]!;
      expect(table).toHaveLength(own.length);
      // The file has tenths of a point, the table whole ones.
      for (const [at, [, rounded]] of table.entries())
        expect(Math.abs(Number(rounded) - own[at]!)).toBeLessThan(0.6);
      const legend = page.locator(".legend li");
      expect(await legend.allTextContents()).toEqual(["● one", "■ two"]);
      expect(await violationsIn(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      expect(wrong).toEqual([]);
    }
  });
});

describe.runIf(hasBrowser)("a training by search", () => {
  slowTest("has its losses in the table and as curves, where there are some", async () => {
    const dir = await trainedRun(
      {
        ...TRAINING,
        round: 20,
        evaluator: { kind: "network", features: "lines", hidden: [4], policy: true },
        learner: {
          rule: "expert",
          stepSize: 0.01,
          window: 1000,
          search: "mcts:simulations=4,priors=policy",
        },
      },
      "taught",
    );
    const logs = join(temporaryFolder(), "logs");
    await agon(["export", dir, "--format", "tensorboard", "--out", logs]);
    const events = readFileSync(join(logs, "taught", "events.out.tfevents.agon"), "latin1");
    for (const name of ["value loss", "policy loss", "target entropy"])
      expect(events.split(`learning/${name}`)).toHaveLength(1 + 2);
    const { page, wrong } = await openPage(await writtenReport(dir), { place: "#/training of taught/curve" });
    expect((await titlesOf(page, "Table of checkpoints")).slice(-3)).toEqual([
      "Value loss",
      "Policy loss",
      "Target entropy",
    ]);
    await page.locator(".filters select").selectOption("Policy loss");
    // The first of three checkpoints has learnt nothing yet.
    expect(await marksOf(page, "Learning curve: ", ".points path")).toHaveLength(2);
    expect(wrong).toEqual([]);
  });
});

describe.runIf(hasBrowser)("a sweep", () => {
  slowTest("has a table of its settings, and their mean curves under their names", async () => {
    const dir = temporaryFolder();
    const sweep = { seeds: 2, values: { "learner.lambda": [0, 0.9] } };
    const path = writeInto(dir, "sweep.json", { ...TRAINING, title: "Two *decays*", sweep });
    const out = join(dir, "out");
    const made = await agon(["train", path, "--out", out, "--workers", "2"]);
    expect(made.stderr).toContain(`To look at in a browser: ${join(out, "report.html")}`);
    const { page, wrong } = await openPage(await writtenReport(out));
    expect(await page.locator("h1").textContent()).toBe("agon Two *decays*");
    const table = await tableOf(page, "Settings");
    const printed = readFileSync(join(out, "sweep.md"), "utf8").split("\n");
    expect(table.map((row) => row.join("|"))).toEqual(
      printed.slice(2, 4).map((line) =>
        line
          .slice(1, -1)
          .replaceAll(/ *\| */g, "|")
          .trim(),
      ),
    );
    expect(await titlesOf(page, "Settings")).toContain("Worst");
    expect(await page.locator(".legend li").allTextContents()).toEqual(["● lambda=0", "■ lambda=0.9"]);
    const points = await marksOf(page, "Mean curves: lambda=0 ", ".points path");
    expect(points).toHaveLength(6);
    await page.getByText("Settings differ surely").or(page.getByText("No setting differs surely")).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    expect(wrong).toEqual([]);
  });
});
