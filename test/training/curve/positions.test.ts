import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rightShares } from "../../../src/training/curve/curve.ts";
import { planTraining } from "../../../src/training/plan/plan.ts";
import { agon, temporaryFolder, writeInto } from "../../support/agon.ts";
import { slowTest } from "../../support/thorough.ts";

const config = {
  name: "nim",
  game: "nim",
  games: 200,
  evaluator: { kind: "linear", features: "parity" },
  learner: { rule: "td", lambda: 0, stepSize: 0.1 },
  exploration: { kind: "epsilon-greedy", epsilon: 0.1 },
  checkpoints: 2,
  rating: {
    player: "greedy",
    pool: ["random", "policy:policy=perfect"],
    blocks: 4,
    positions: "held-out.txt",
  },
};

slowTest(
  "each checkpoint is asked for the test positions, and the curve has its share and the worst opponent",
  async () => {
    const dir = temporaryFolder();
    writeFileSync(
      join(dir, "held-out.txt"),
      "game: nim\n3,5,7 0; bm 1-1;\n1,2,0 0; bm 2-1;\n1,0,2 1; bm 3-1;\n",
    );
    const path = writeInto(dir, "nim.json", config);
    const out = join(dir, "out");
    const { code, stdout } = await agon(["train", path, "--out", out, "--workers", "1"]);
    expect(code).toBe(0);
    const shares = rightShares(out);
    expect(Object.keys(shares)).toEqual(["0", "100", "200"]);
    expect(shares[200]).toMatchObject({ positions: 3 });
    const percent = (100 * shares[200]!.share).toFixed(1);
    expect(stdout).toMatch(
      new RegExp(
        `^\\| 200 \\|.* \\| -?[\\d.]+ \\+/- [\\d.]+ \\(policy:policy=perfect\\) \\| ${percent} \\(`,
        "m",
      ),
    );
    const again = await agon(
      ["positions", join(dir, "held-out.txt"), "--json"].concat([
        "--agent",
        `greedy:evaluator=${join(out, "weights.json")}`,
      ]),
    );
    expect(JSON.parse(again.stdout).scores[0].positions).toBe(3);
  },
);

test("a file of positions that cannot be read is a problem of the config", async () => {
  const plan = planTraining(config, { baseDir: temporaryFolder() });
  await expect(plan).rejects.toThrow(/rating\.positions: .*: cannot be read/);
});
