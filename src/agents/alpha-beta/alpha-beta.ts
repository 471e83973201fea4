import { defineAgent, notDeterministicDuel } from "../agent.ts";
import { alphaBetaOptions } from "./options.ts";
import { AlphaBeta } from "./search.ts";

/** Minimax that skips what cannot matter (Knuth and Moore 1975). */
export const alphaBeta = defineAgent({
  id: "alpha-beta",
  summary: "minimax that skips what cannot matter, with a table and good ordering; two players, no chance",
  options: alphaBetaOptions,
  budgets: ["depth", "nodes", "timeMs"],
  misfit: notDeterministicDuel,
  create: ({ game, options, evaluator }) => new AlphaBeta(game, evaluator, options),
});
