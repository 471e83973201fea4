import type { Problem } from "../../base/errors.ts";
import type { Game } from "../../game/game.ts";
import { hidden, notDeterministicDuel } from "../../game/traits.ts";
import { defineAgent } from "../agent.ts";
import { mctsOptions, type MctsOptions } from "./options.ts";
import { rootParallel } from "./root-parallel.ts";

/** Monte Carlo tree search with UCT (Kocsis and Szepesvari 2006). */
export const mcts = defineAgent({
  id: "mcts",
  summary: "Monte Carlo tree search (UCT), random playouts or an evaluator at the leaves; any game",
  options: mctsOptions,
  budgets: ["simulations", "nodes", "timeMs"],
  unsupported: hidden,
  problems: problemsOf,
  create: rootParallel,
});

/** Options that mean nothing without an evaluator. */
const OF_EVALUATOR = ["priors", "implicitMinimax"] as const;

function problemsOf(game: Game, options: MctsOptions): Problem[] {
  const problems: Problem[] = [];
  for (const path of OF_EVALUATOR)
    if (options.evaluator === undefined && options[path] > 0)
      problems.push({ path, message: "needs an evaluator; give evaluator=NAME" });
  const trait = notDeterministicDuel(game);
  if (options.implicitMinimax > 0 && trait !== undefined)
    problems.push({ path: "implicitMinimax", message: `must be 0 in ${game.id}, which has ${trait}` });
  if (options.mast > 0 && options.evaluator !== undefined)
    problems.push({ path: "mast", message: "needs playouts, which an evaluator replaces" });
  return problems;
}
