import { parentPort, workerData } from "node:worker_threads";
import { raiseInliningBudget } from "../../arena/play/inlining.ts";
import { Apprentice } from "./apprentice.ts";
import { DivergenceError } from "../learn/learner.ts";
import { planTraining } from "../plan/plan.ts";
import { CLAIMED, FINISHED, STOP, UNTIL, type WorkerAnswer, type WorkerSetup } from "./crew.ts";

/** Plays games with an apprentice of its own each time a message asks for it, and answers with the counts. */
async function serve({ config, baseDir, arrays, shared, worker, firstGame }: WorkerSetup): Promise<void> {
  raiseInliningBudget();
  const plan = await planTraining(config, { baseDir });
  const apprentice = new Apprentice(plan, arrays["weights"]!, {
    allocate: (name, length) => arrays[name] ?? new Float32Array(length),
    names: [worker, firstGame],
  });
  const playAll = (): WorkerAnswer => {
    const { errors } = apprentice.learner;
    Object.assign(errors, { count: 0, squares: 0 });
    const counts = () => ({ decisions: apprentice.decisions, steps: apprentice.learner.steps });
    try {
      const until = Atomics.load(shared, UNTIL);
      while (Atomics.load(shared, STOP) === 0) {
        const game = Atomics.add(shared, CLAIMED, 1);
        if (game >= until) break;
        apprentice.playGame(game);
        Atomics.add(shared, FINISHED, 1);
      }
      return { counts: counts(), errors };
    } catch (error) {
      if (!(error instanceof DivergenceError)) throw error;
      return { counts: counts(), errors, divergedAt: error.step };
    }
  };
  parentPort!.on("message", () => parentPort!.postMessage(playAll()));
}

await serve(workerData as WorkerSetup);
