import { parentPort, workerData } from "node:worker_threads";
import { raiseInliningBudget } from "../../arena/play/inlining.ts";
import { planTraining } from "../plan/plan.ts";
import { Actor } from "./actor.ts";
import type { ThreadAnswer, ThreadOrder, ThreadSetup } from "./actor-threads.ts";

/** Plays the games that a message asks for, and answers with their moves. */
async function serve({ config, baseDir }: ThreadSetup): Promise<void> {
  raiseInliningBudget();
  const actor = planTraining(config, { baseDir }).then((plan) => new Actor(plan));
  // The answer to each order reports this error.
  actor.catch(() => {});
  parentPort!.on("message", ({ weights, from, count }: ThreadOrder) => {
    void actor
      .then((one): ThreadAnswer => {
        if (weights !== undefined) one.load(weights);
        const begun = performance.now();
        const moves = one.playGames(from, count);
        return { moves, timeMs: performance.now() - begun };
      })
      .catch((error: unknown): ThreadAnswer => {
        const { name, message } = error as Error;
        return { name, message };
      })
      .then((answer) => parentPort!.postMessage(answer));
  });
}

await serve(workerData as ThreadSetup);
