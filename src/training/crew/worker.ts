import { parentPort, workerData } from "node:worker_threads";
import { raiseInliningBudget } from "../../arena/play/inlining.ts";
import { Apprentice } from "./apprentice.ts";
import { DivergenceError } from "../learn/learner.ts";
import { planTraining } from "../plan/plan.ts";
import { CLAIMED, FINISHED, STOP, UNTIL, type Answer, type Setup } from "./thread-crew.ts";

async function serve({ config, baseDir, arrays, shared, worker, firstGame }: Setup): Promise<void> {
  raiseInliningBudget();
  const plan = await planTraining(config, { baseDir });
  const apprentice = new Apprentice(plan, arrays["weights"]!, {
    allocate: (name, length) => arrays[name] ?? new Float32Array(length),
    names: [worker, firstGame],
  });
  const playAll = (): Answer => {
    const tally = () => ({ decisions: apprentice.decisions, steps: apprentice.learner.steps });
    try {
      const until = Atomics.load(shared, UNTIL);
      while (Atomics.load(shared, STOP) === 0) {
        const game = Atomics.add(shared, CLAIMED, 1);
        if (game >= until) break;
        apprentice.playGame(game);
        Atomics.add(shared, FINISHED, 1);
      }
      return { tally: tally() };
    } catch (error) {
      if (!(error instanceof DivergenceError)) throw error;
      return { tally: tally(), divergedAt: error.step };
    }
  };
  parentPort!.on("message", () => parentPort!.postMessage(playAll()));
}

await serve(workerData as Setup);
