import { defineAgent, hidden } from "../agent.ts";
import { mctsOptions } from "./options.ts";
import { Uct } from "./uct.ts";

/** Monte Carlo tree search with UCT (Kocsis and Szepesvari 2006). */
export const mcts = defineAgent({
  id: "mcts",
  summary: "Monte Carlo tree search (UCT), random playouts or an evaluator at the leaves; any game",
  options: mctsOptions,
  budgets: ["simulations", "nodes", "timeMs"],
  misfit: hidden,
  create: ({ game, options, evaluator }) =>
    new Uct(game, options, options.evaluator === undefined ? null : evaluator),
});
