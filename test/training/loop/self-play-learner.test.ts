import { expect, test } from "vitest";
import { SelfPlayLearner } from "../../../src/training/loop/training-loop.ts";
import { planTraining } from "../../../src/training/plan/plan.ts";
import { TINY } from "../runs.ts";

const linear = { shape: "linear" as const };

test("annealing begins with `from` in the first game and ends with `to` in the last", async () => {
  const stepSize = { from: 0.1, to: 0.02, ...linear };
  const plan = await planTraining(
    { ...TINY, games: 5, learner: { lambda: 0.7, stepSize } },
    { baseDir: "." },
  );
  const size = plan.game.featureSets["lines"]!.size;
  const learning = new SelfPlayLearner(plan, new Float32Array(size), {
    allocate: (_, length) => new Float32Array(length),
  });
  const steps = [0, 1, 2, 3, 4].map((number) => {
    learning.advance(number);
    return learning.learner.stepSize;
  });
  for (const [at, wanted] of [0.1, 0.08, 0.06, 0.04, 0.02].entries())
    expect(steps[at]).toBeCloseTo(wanted, 12);
});
