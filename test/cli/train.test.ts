import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { agon, startAgon, temporaryFolder, writeInto } from "../support/agon.ts";

const config = {
  name: "small",
  game: { id: "pig", target: 40 },
  games: 30_000,
  evaluator: { kind: "linear", features: "race", output: "identity" },
  learner: { rule: "td", lambda: 0.7, stepSize: { from: 0.3, to: 0.01, shape: "exponential" } },
  exploration: { kind: "epsilon-greedy", epsilon: 0.2 },
  checkpoints: 6,
  rating: { player: { agent: "greedy" }, pool: ["random", "greedy:evaluator=race"], blocks: 10 },
};

const weightsOf = (path: string) => (JSON.parse(readFileSync(path, "utf8")) as { weights: number[] }).weights;

describe("agon train", () => {
  test("trains; killed and resumed it gives the same weights to the last bit, which agents can use", async () => {
    const dir = temporaryFolder();
    const path = writeInto(dir, "small.json", config);
    const whole = join(dir, "whole");
    const { code, stdout, stderr } = await agon(["train", path, "--out", whole]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Games trained .*\n.*\n\| 0 .*\n\| 5000 /);
    expect(stderr).toContain(`Weights: ${join(whole, "weights.json")}`);
    expect(readFileSync(join(whole, "curve.csv"), "utf8").trim().split("\n")).toHaveLength(1 + 7);

    const broken = join(dir, "broken");
    const { child, outcome } = startAgon(["train", path, "--out", broken]);
    while (!existsSync(join(broken, "checkpoints", "10000.json"))) await sleep(5);
    child.kill("SIGKILL");
    await outcome;
    expect(existsSync(join(broken, "weights.json"))).toBe(false);
    expect((await agon(["train", path, "--out", broken, "--resume"])).code).toBe(0);
    expect(weightsOf(join(broken, "weights.json"))).toEqual(weightsOf(join(whole, "weights.json")));

    const spec = `greedy:evaluator=${join(whole, "weights.json")}`;
    const refused = await agon(["analyze", "pig", "--agent", spec]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(
      /game options: the weights are for .*"target":40.*, wanted is .*"target":100/,
    );
    expect((await agon(["analyze", "pig:target=40", "--agent", spec])).code).toBe(0);
  });

  test("Ctrl-C saves and prints the command that goes on", async () => {
    const dir = temporaryFolder();
    const path = writeInto(dir, "long.json", { ...config, games: 3_000_000 });
    const out = join(dir, "run");
    const { child, outcome } = startAgon(["train", path, "--out", out]);
    while (!existsSync(join(out, "checkpoints", "0.json"))) await sleep(20);
    child.kill("SIGINT");
    const { code, stderr } = await outcome;
    expect(code).toBe(130);
    expect(stderr).toContain(`agon train ${path} --out ${out} --resume`);
    expect(existsSync(join(out, "state.json"))).toBe(true);
  });

  test("a wrong config writes nothing and says everything", async () => {
    const dir = temporaryFolder();
    const path = writeInto(dir, "wrong.json", { ...config, game: "pigg", opennings: 3, checkpoints: 0 });
    const { code, stderr } = await agon(["train", path], { cwd: dir });
    expect(code).toBe(2);
    expect(stderr).toContain(`${path}: opennings: unknown key "opennings" (did you mean "openings"?)`);
    expect(stderr).toContain(`${path}: checkpoints: must be`);
    expect(readdirSync(dir)).toEqual(["wrong.json"]);
  });
});
