import { parentPort, workerData } from "node:worker_threads";
import { raiseInliningBudget } from "../../arena/play/inlining.ts";
import { planTraining } from "../plan/plan.ts";
import { Actor } from "./actors.ts";
import type { ThreadAnswer, ThreadOrder, ThreadSetup } from "./local-actors.ts";

/** Plays the games that a message asks for, and answers with their moves. */
async function serve({ config, baseDir }: ThreadSetup): Promise<void> {
  raiseInliningBudget();
  const plan = planTraining(config, { baseDir });
  // The answer to each order reports this error.
  plan.catch(() => {});
  const slots = new Map<number, Actor>();
  const play = async ({ slot, weights, isNew, from, count }: ThreadOrder): Promise<ThreadAnswer> => {
    const checked = await plan;
    if (weights !== undefined) slots.set(slot, new Actor(checked, weights));
    else if (isNew) slots.get(slot)!.readAgain();
    const begun = performance.now();
    const moves = slots.get(slot)!.playGames(from, count);
    return { moves, timeMs: performance.now() - begun };
  };
  parentPort!.on("message", (order: ThreadOrder) => {
    void play(order)
      .catch((error: unknown): ThreadAnswer => {
        const { name, message } = error as Error;
        return { name, message };
      })
      .then((answer) => parentPort!.postMessage(answer));
  });
}

await serve(workerData as ThreadSetup);
