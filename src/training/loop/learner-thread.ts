import { parentPort, workerData } from "node:worker_threads";
import { raiseInliningBudget } from "../../arena/play/inlining.ts";
import { DivergenceError } from "../learn/learner.ts";
import { planTraining } from "../plan/plan.ts";
import {
  CLAIMED,
  FINISHED,
  STOP,
  UNTIL,
  type LearnerThreadAnswer,
  type LearnerThreadSetup,
} from "./learner-threads.ts";
import { SelfPlayLearner } from "./self-play-learner.ts";

/** Plays games and learns from them each time a message arrives, and answers with the counts. */
async function serve({
  config,
  baseDir,
  arrays,
  shared,
  thread,
  firstGame,
}: LearnerThreadSetup): Promise<void> {
  raiseInliningBudget();
  const plan = await planTraining(config, { baseDir });
  const learning = new SelfPlayLearner(plan, arrays["weights"]!, {
    allocate: (name, length) => arrays[name] ?? new Float32Array(length),
    names: [thread, firstGame],
  });
  const playAll = (): LearnerThreadAnswer => {
    const { errors } = learning.learner;
    Object.assign(errors, { count: 0, squares: 0 });
    try {
      const until = Atomics.load(shared, UNTIL);
      while (Atomics.load(shared, STOP) === 0) {
        const game = Atomics.add(shared, CLAIMED, 1);
        if (game >= until) break;
        learning.playGame(game);
        Atomics.add(shared, FINISHED, 1);
      }
      return { counts: learning.counts, errors };
    } catch (error) {
      if (!(error instanceof DivergenceError)) throw error;
      return { counts: learning.counts, errors, divergedAt: error.step };
    }
  };
  parentPort!.on("message", () => parentPort!.postMessage(playAll()));
}

await serve(workerData as LearnerThreadSetup);
