import type { Game } from "../../games/game.ts";
import type { CheckedConfig } from "../plan/config.ts";
import type { Allocate, Learnable, NetworkLearnable } from "./learnable.ts";
import type { Learner } from "./learner.ts";
import type { BatchTrainer } from "./network/batch.ts";
import type { Loss } from "./network/loss.ts";
import { LambdaReturnLearner } from "./network/lambda-return-learner.ts";
import { PlainTrainer } from "./network/plain-trainer.ts";
import { TdLearner } from "./td.ts";

/** Makes what trains a network in batches, such as one of another engine. */
export type CreateTrainer = (learnable: NetworkLearnable, loss: Loss) => BatchTrainer;

/** The learner that a plan asks for; its rule goes with the evaluator's kind (see plan.ts). */
export function createLearner(
  game: Game,
  rule: CheckedConfig["learner"],
  learnable: Learnable,
  { allocate, createTrainer }: { allocate: Allocate; createTrainer?: CreateTrainer | undefined },
): Learner {
  if (learnable.kind === "network") {
    if (rule.rule !== "lambda-returns") throw new Error(`${rule.rule} is not for networks`);
    const { lambda, batch, positions, afterRandomMove } = rule;
    const loss = learnable.evaluator.head.kind === "outcomes" ? "cross-entropy" : "mean-squared-error";
    const trainer = createTrainer?.(learnable, loss) ?? new PlainTrainer(learnable.network, { loss });
    return new LambdaReturnLearner(game, learnable.evaluator, {
      trainer,
      lambda,
      batch,
      positions,
      afterRandomMove,
    });
  }
  if (rule.rule === "lambda-returns") throw new Error("lambda-returns is for networks");
  const { lambda, traces, afterRandomMove, normalized, coherence } = rule;
  return new TdLearner(game, learnable.evaluator, {
    lambda,
    traces,
    afterRandomMove,
    normalized,
    coherence,
    allocate,
    updates: rule.rule === "td" ? rule.updates : "step",
    // What a search looked ahead to may be after a chance event as well as before it.
    positions: rule.rule === "td" ? rule.positions : "all",
    leaves: rule.rule === "td-leaf",
  });
}
