import type { Parts, Problems } from "../../base/check.ts";
import { InputError } from "../../base/errors.ts";
import type { AgentSpec } from "../../agents/agent.ts";
import type { Game } from "../../games/contract/game.ts";
import { initialWeights } from "../learn/initial-weights.ts";
import { createLearnable, storedModel } from "../learn/learnable.ts";
import { USUAL_WINDOW } from "../learn/network/expert-learner.ts";
import { MAX_WINDOW_BYTES, SampleWindow } from "../learn/network/samples.ts";
import type { CheckedConfig } from "./config.ts";
import { ruleNames } from "./learner-schema.ts";
import { openingsOf, type Opening } from "./openings.ts";

/** Keys of the rule expert that tables alone have, and those that networks alone have. */
const OF_TABLES = ["policyStep", "normalized", "coherence"] as const;
const OF_NETWORKS = ["window", "reuse", "batch"] as const;

/** Checks what depends on several parts of the config. */
export function checkTogether(
  { evaluator, learner, games, round, exploration }: Parts<CheckedConfig>,
  problems: Problems,
): void {
  const isForAll = learner?.rule === "expert" || learner?.rule === "fit";
  const isOfNetworks = learner?.rule === "lambda-returns";
  if (evaluator && learner && !isForAll && (evaluator.kind === "network") !== isOfNetworks)
    problems.add(
      ["learner", "rule"],
      `networks learn by lambda-returns, expert or fit, linear evaluators and n-tuples by td, td-leaf, tree-strap, expert or fit; this is a ${evaluator.kind} evaluator`,
    );
  if (evaluator?.policy && learner && learner.rule !== "expert")
    problems.add(
      ["evaluator", "policy"],
      `is learned by the rule expert alone, and this is ${learner.rule}: leave it out`,
    );
  if (evaluator && learner?.rule === "expert") {
    const isNetwork = evaluator.kind === "network";
    for (const key of isNetwork ? OF_TABLES : OF_NETWORKS)
      if (learner[key] !== undefined)
        problems.add(
          ["learner", key],
          `is for ${isNetwork ? "linear evaluators and n-tuples" : "networks"}, and this is a ${evaluator.kind} evaluator: leave it out`,
        );
  }
  if (learner?.rule === "expert" && round === undefined)
    problems.add(
      ["round"],
      "the rule expert learns when a round is over: write the games of one, such as 512",
    );
  if (learner?.rule === "fit") {
    if (learner.scale !== undefined && (evaluator?.kind === "network" || evaluator?.initial === undefined))
      problems.add(
        ["learner", "scale"],
        "is for initial weights of linear evaluators and n-tuples: leave it out",
      );
  }
  if (games !== undefined && round !== undefined && round > games)
    problems.add(["round"], `must be at most the ${games} games of the training, got ${round}`);
  if (exploration?.kind === "ordinal" && learner && learner.rule !== "expert")
    problems.add(["exploration", "kind"], "ordinal is for the rule expert, with the search descent");
  else if (learner && "search" in learner && exploration?.kind === "softmax")
    problems.add(["exploration", "kind"], `${ruleNames[learner.rule]} explores epsilon-greedily`);
}

/** Searches that tell of the positions in their trees. */
const TELLING = ["mcts", "descent"];

/** Checks that the agent that searches fits the rule. */
export function checkSearch(
  search: AgentSpec | undefined,
  { game, learner, evaluator, exploration }: Omit<Parts<CheckedConfig>, "game"> & { game: Game | undefined },
  problems: Problems,
): void {
  if (search === undefined || learner === undefined) return;
  const { agent } = search;
  if (learner.rule === "tree-strap" && agent !== "alpha-beta")
    problems.add(
      ["learner", "search", "agent"],
      `must be alpha-beta, whose trees are learned from, got ${agent}`,
    );
  if (learner.rule === "expert" && !TELLING.includes(agent))
    for (const key of ["nodes", "proven"] as const)
      if (learner[key])
        problems.add(
          ["learner", key],
          `needs ${TELLING.join(" or ")}, which tell of the positions in their trees, and this is ${agent}: leave it out`,
        );
  if (learner.rule === "expert" && learner.proven === true && agent === "mcts") {
    if (search["solver"] === false)
      problems.add(
        ["learner", "search", "solver"],
        "must be true for `proven: true`: nothing is proven without",
      );
    if (game?.rewardsAlongTheWay === true)
      problems.add(
        ["learner", "proven"],
        `mcts proves nothing in ${game.id}, which has rewards along the way: leave it out`,
      );
  }
  if (exploration?.kind === "ordinal" && agent !== "descent")
    problems.add(["exploration", "kind"], `ordinal is for the search descent, and this is ${agent}`);
  if (agent === "descent" && evaluator?.policy)
    problems.add(["evaluator", "policy"], "is not taught by descent, which has none: leave it out");
  if (Number(search["threads"] ?? 1) > 1)
    problems.add(
      ["learner", "search", "threads"],
      `must be 1: ${ruleNames[learner.rule]} needs an agent that decides at once`,
    );
}

/** Checks what depends on whether the game hides anything. */
export function checkSight(
  { id, hiddenInformation }: Game,
  { learner, openings, worlds }: Parts<CheckedConfig>,
  problems: Problems,
): void {
  if (!hiddenInformation) {
    if (worlds !== undefined) problems.add(["worlds"], `${id} hides nothing: leave it out`);
    return;
  }
  if (learner && "search" in learner)
    problems.add(["learner", "rule"], `must be td or lambda-returns in games of hidden information`);
  const isElsewhere = ({ opening }: { opening: Opening }) =>
    opening.states !== undefined || opening.randomPlies !== 0;
  if (openings !== undefined && openingsOf(openings).some(isElsewhere))
    problems.add(["openings"], "games of hidden information begin at the start: leave it out");
}

/** Checks that the window of the rule expert fits into memory. */
export function checkWindow(
  game: Game,
  { evaluator, learner }: Pick<Parts<CheckedConfig>, "evaluator" | "learner">,
  problems: Problems,
): void {
  const problem = windowProblem(game, { evaluator, learner }, MAX_WINDOW_BYTES);
  if (problem !== undefined) problems.add(["learner", "window"], problem);
}

/** Throws InputError if the window of the rule expert takes more than the memory of this machine, in bytes. */
export function checkMemory(game: Game, config: CheckedConfig, memory: number): void {
  const message = windowProblem(game, config, memory);
  if (message !== undefined) throw new InputError([{ path: "learner.window", message }]);
}

function windowProblem(
  game: Game,
  { evaluator, learner }: Pick<Parts<CheckedConfig>, "evaluator" | "learner">,
  most: number,
): string | undefined {
  if (learner?.rule !== "expert" || evaluator?.kind !== "network") return undefined;
  const features = game.featureSets[evaluator.features];
  if (features === undefined) return undefined;
  const outputs = (evaluator.policy && game.policyHead ? game.policyHead.size : 0) + 1;
  const { window = USUAL_WINDOW } = learner;
  const bytes = SampleWindow.bytes(window, { features, outputs });
  if (bytes <= most) return undefined;
  const inGb = (size: number) => Number((size / 2 ** 30).toFixed(1));
  const positions = Math.floor((window * most) / bytes);
  return `${window} positions of ${evaluator.features} take ${inGb(bytes)} GB; at most ${inGb(most)} GB: at most ${positions} positions`;
}

/** Throws InputError if the evaluator does not fit the game, or its initial weights do not fit the evaluator. */
export function checkEvaluator(game: Game, config: Pick<CheckedConfig, "evaluator" | "seed">): void {
  const model = storedModel(game, config.evaluator);
  if (model.kind === "network") createLearnable(game, model, initialWeights(game, config, ofZeros));
  else if (config.evaluator.initial !== undefined && !("value" in config.evaluator.initial))
    initialWeights(game, config, ofZeros);
}

function ofZeros(_: string, length: number): Float32Array {
  return new Float32Array(length);
}
