import { InputError } from "../../base/errors.ts";
import type { LinearEvaluator } from "../../evaluators/linear.ts";
import {
  createLinear,
  createNetworkEvaluator,
  headOfPolicy,
  modelFeatures,
  namedFeatures,
  unflatten,
} from "../../evaluators/models.ts";
import type { NetworkEvaluator } from "../../evaluators/network/network-evaluator.ts";
import type { Network } from "../../evaluators/network/network.ts";
import type { StoredModel } from "../../evaluators/stored-weights.ts";
import { writeTuples } from "../../evaluators/n-tuple.ts";
import type { Game } from "../../games/contract/game.ts";
import type { CheckedConfig } from "../plan/config.ts";
import type { Learner } from "./learner.ts";
import type { BatchTrainer, Loss } from "./network/batch.ts";
import { ExpertTableLearner } from "./expert-tables.ts";
import { ExpertLearner } from "./network/expert-learner.ts";
import { LambdaReturnLearner } from "./network/lambda-return-learner.ts";
import { PlainTrainer } from "./network/plain-trainer.ts";
import { RowTrainer } from "./network/row-trainer.ts";
import { TdLearner } from "./td.ts";
import { TreeStrapLearner } from "./tree-strap.ts";

type Model = CheckedConfig["evaluator"];

/** Makes an array of zeros with a name. */
export type Allocate = (name: string, length: number) => Float32Array;

/** An evaluator that learns, with all its weights in one array, which learning changes in place. */
export type Learnable = LinearLearnable | NetworkLearnable;

interface LinearLearnable {
  readonly kind: "linear";
  readonly evaluator: LinearEvaluator;
  readonly weights: Float32Array;
}

interface NetworkLearnable {
  readonly kind: "network";
  readonly evaluator: NetworkEvaluator;
  /** Its layers are views of `weights`. */
  readonly network: Network;
  readonly weights: Float32Array;
}

/**
 * The model as a weights file has it: with all cells of its tuples and the number of its features. Throws InputError,
 * its paths relative to the config's `evaluator`.
 */
export function storedModel(game: Game, given: Model): StoredModel {
  const { initial: _, ...model } = given;
  if (model.kind === "n-tuple") {
    const { tupleBoard: board } = game;
    if (board === undefined)
      throw new InputError([{ path: "kind", message: `${game.id} has no board that n-tuples could read` }]);
    const written = { ...model, tuples: writeTuples(board, model.tuples) };
    return { ...written, size: modelFeatures(game, written).size };
  }
  const features = model.kind === "linear" ? modelFeatures(game, model) : namedFeatures(game, model.features);
  const stored = { ...model, featuresVersion: features.version, size: features.size };
  return stored.kind === "network" && stored.policy
    ? { ...stored, policyVersion: headOfPolicy(game).version }
    : stored;
}

/** Makes the evaluator; `weights` has all its weights, as `initialWeights` makes them. */
export function createLearnable(game: Game, model: StoredModel, weights: Float32Array): Learnable {
  if (model.kind !== "network")
    return { kind: "linear", evaluator: createLinear(game, model, weights), weights };
  const network = unflatten(game, model, weights);
  return { kind: "network", evaluator: createNetworkEvaluator(game, model, network), network, weights };
}

/** Sets all weights to a copy of `weights`, of the same length. */
export function setWeights(learnable: Learnable, weights: Float32Array): void {
  learnable.weights.set(weights);
  readAgain(learnable);
}

/** The array of the weights has changed: nothing that was computed from it holds any longer. */
export function readAgain(learnable: Learnable): void {
  if (learnable.kind === "network") learnable.evaluator.load(learnable.network);
}

/** Makes the trainer of a network. */
export type CreateTrainer = (learnable: NetworkLearnable, loss: Loss) => BatchTrainer;

/** Makes the learner that a config names. `planTraining` has checked that it fits the evaluator's kind. */
export function createLearner(
  game: Game,
  rule: CheckedConfig["learner"],
  learnable: Learnable,
  {
    allocate,
    createTrainer,
    inRounds = false,
  }: { allocate: Allocate; createTrainer?: CreateTrainer | undefined; inRounds?: boolean },
): Learner {
  if (learnable.kind === "network") {
    const loss = learnable.evaluator.head.kind === "outcomes" ? "cross-entropy" : "mean-squared-error";
    if (rule.rule === "expert") {
      const { maxActive } = learnable.evaluator.features;
      const trainer = new RowTrainer(learnable.network, { loss, maxActive });
      return new ExpertLearner(game, learnable.evaluator, { ...rule, trainer });
    }
    if (rule.rule !== "lambda-returns") throw new Error(`${rule.rule} is not for networks`);
    const trainer = createTrainer?.(learnable, loss) ?? new PlainTrainer(learnable.network, { loss });
    return new LambdaReturnLearner(game, learnable.evaluator, { ...rule, trainer });
  }
  if (rule.rule === "lambda-returns" || rule.rule === "fit")
    throw new Error(`${rule.rule} is not for the self-play of a linear evaluator`);
  if (rule.rule === "expert")
    return new ExpertTableLearner(game, learnable.evaluator, { ...rule, allocate, inRounds });
  if (rule.rule === "tree-strap")
    return new TreeStrapLearner(game, learnable.evaluator, { ...rule, allocate, inRounds });
  const leaves = rule.rule === "td-leaf";
  return new TdLearner(game, learnable.evaluator, { ...rule, allocate, leaves, inRounds });
}
