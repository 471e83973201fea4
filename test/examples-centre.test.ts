import { copyFileSync, cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { Report } from "../src/ratings/report.ts";
import { agon, agonProcess, temporaryFolder } from "./support/agon.ts";
import { slowTest } from "./support/thorough.ts";

const example = (name: string) => fileURLToPath(new URL(`../examples/centre/${name}`, import.meta.url));
const centre = example("centre.ts");

/** The score of each entrant. */
function scoresOf(stdout: string): Record<string, number> {
  const { entrants } = JSON.parse(stdout) as Report;
  return Object.fromEntries(entrants.map(({ name, score }) => [name, score]));
}

describe("an evaluator of the user's for a game that ships", () => {
  slowTest("plays a tournament in threads, which can be verified", async () => {
    const out = join(temporaryFolder(), "run");
    const { code, stdout } = await agon(["run", example("tournament.yaml"), "--out", out, "--json"]);
    expect(code).toBe(0);
    const scores = scoresOf(stdout);
    expect(scores["centre"]!).toBeGreaterThan(scores["nothing"]!);
    expect((await agon(["verify", out])).stdout).toContain("100 of 100 games verified, 0 differ");
  });

  slowTest("is named in specs of agents, and can be checked", async () => {
    const cwd = fileURLToPath(new URL("../examples/centre", import.meta.url));
    const agent = "alpha-beta:depth=1,evaluator=./centre.ts";
    const match = await agon(["match", "connect-four", agent, "random", "--blocks", "5", "--json"], { cwd });
    expect(match).toMatchObject({ code: 0 });
    const analysis = await agon(["analyze", "connect-four", "--agent", agent, "--json"], { cwd });
    expect(JSON.parse(analysis.stdout)).toMatchObject({
      action: "4",
      value: expect.closeTo(Math.tanh(3 / 20), 4),
    });
    const play = await agon(["play", "connect-four", "--agent", agent, "--seat", "2"], {
      cwd,
      input: "quit\n",
    });
    expect(play.stdout).toContain("player 1 plays 4   (value 0.149");
    const check = await agon(["check", "./centre.ts", "--game", "connect-four"], { cwd });
    expect(check).toMatchObject({ code: 0, stdout: expect.stringContaining("nothing wrong") });
  });

  slowTest.each([
    ["nim", `${centre} does not fit nim, which has other rules than connect-four`],
    ["connect-four", "/no/such.ts cannot be loaded: "],
  ])("that does not fit %s is refused", async (game, message) => {
    const evaluator = game === "nim" ? centre : "/no/such.ts";
    for (const args of [
      ["match", game, `greedy:evaluator=${evaluator}`, "random"],
      ["check", evaluator, "--game", game],
    ]) {
      const { code, stderr } = await agon(args);
      expect({ code, lines: stderr.trim().split("\n").length }).toEqual({ code: 2, lines: 1 });
      expect(stderr).toContain(message);
    }
  });
});

describe("features of the user's", () => {
  /** A project with the features and a training of them by two workers. */
  let project: string;
  let weights: string;
  beforeAll(async () => {
    project = mkdtempSync(join(tmpdir(), "agon-features-"));
    copyFileSync(centre, join(project, "centre.ts"));
    const config = readFileSync(example("training.yaml"), "utf8").replace(
      "games: 2000",
      "games: 600\nround: 50",
    );
    writeFileSync(join(project, "training.yaml"), config);
    const { code, stderr } = await agon(["train", "training.yaml", "--out", "trained", "--workers", "2"], {
      cwd: project,
    });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    weights = join(project, "trained", "weights.json");
  });
  afterAll(() => rmSync(project, { recursive: true }));

  slowTest("learn weights that play, are looked at, and are the same after a resume", async () => {
    expect(JSON.parse(readFileSync(weights, "utf8"))).toMatchObject({
      evaluator: { kind: "linear", features: join(project, "centre.ts"), featuresVersion: 1, size: 4 },
    });
    const { stdout } = await agon(["inspect", weights]);
    expect(stdout).toContain("stones 3 from the edge");
    const match = await agon(["match", "connect-four", `greedy:evaluator=${weights}`, "random", "--json"]);
    expect(Object.values(scoresOf(match.stdout))[0]).toBeGreaterThan(0.5);
    const check = await agon(["check", weights, "--game", "connect-four"]);
    expect(check.stdout).toContain("nothing wrong");
    const again = await agon(["train", "training.yaml", "--out", "trained", "--resume"], { cwd: project });
    expect(again).toMatchObject({ code: 0 });
    expect((await agon(["verify", join(project, "trained")])).stdout).toContain("0 differ");
  });

  slowTest(
    "are looked for where they were, then beside the weights; a run's folder has its own copy",
    async () => {
      const moved = join(temporaryFolder(), "moved");
      const args = ["match", "connect-four", `greedy:evaluator=${weights}`, "random", "--blocks", "3"];
      const run = join(temporaryFolder(), "run");
      expect(await agon([...args, "--out", run])).toMatchObject({ code: 0 });
      expect((await agon(["verify", run])).stdout).toContain("0 differ");

      cpSync(join(project, "trained"), moved, { recursive: true });
      renameSync(join(project, "centre.ts"), join(project, "gone.ts"));
      const there = join(moved, "weights.json");
      // The training has put a copy beside its weights.
      expect(await agon(["inspect", there])).toMatchObject({ code: 0 });
      rmSync(join(moved, "centre.ts"));
      const inspect = await agon(["inspect", there]);
      expect(inspect).toMatchObject({ code: 2 });
      expect(inspect.stderr).toBe(
        `${there}: the feature set of these weights, ${join(project, "centre.ts")}, is not there, ` +
          "and not beside the weights; put centre.ts into one of these places\n",
      );
      expect((await agonProcess(["verify", run])).stdout).toContain("0 differ");
      copyFileSync(centre, join(moved, "centre.ts"));
      expect(await agon(["inspect", there])).toMatchObject({ code: 0 });

      const changed = readFileSync(centre, "utf8").replace("version: 1,", "version: 2,");
      writeFileSync(join(moved, "centre.ts"), changed);
      // This process has loaded the file as it was.
      const refused = await agonProcess(["inspect", there]);
      expect(refused.stderr).toBe(`${there}: feature set version: the weights are for 1, wanted is 2\n`);
      renameSync(join(project, "gone.ts"), join(project, "centre.ts"));
    },
  );
});
