import { expect, test } from "vitest";
import { planTraining } from "../../src/training/plan/plan.ts";
import { packTraining } from "../../src/queue/bundle-kinds.ts";
import { TINY } from "../training/runs.ts";

const pack = async (parts: object) =>
  packTraining((await planTraining({ ...TINY, round: 10, ...parts }, { baseDir: "." })).config);

test.each([
  [{ opponents: { pool: [{ agent: "random", share: 0.1 }] } }, /^opponents\.pool: workers of a queue/],
  [
    { learner: { rule: "tree-strap", stepSize: 0.1, search: "alpha-beta:depth=1" } },
    /^learner\.rule: workers of a queue send no trees/,
  ],
])("what workers have not is refused: %j", async (parts, why) => {
  await expect(pack(parts)).rejects.toThrow(why);
});
