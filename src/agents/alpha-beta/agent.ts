import { notDeterministicDuel } from "../../game/traits.ts";
import { defineAgent } from "../agent.ts";
import { AlphaBeta } from "./alpha-beta.ts";
import { lazySmp } from "./lazy-smp.ts";
import { options, problemsOf } from "./options.ts";

/** Alpha-beta: minimax that skips the actions that cannot change its value (Knuth and Moore 1975). */
export const alphaBeta = defineAgent({
  id: "alpha-beta",
  summary:
    "minimax that skips what cannot change its value, with a table and good ordering; two players, no chance",
  options,
  budgets: ["depth", "nodes", "timeMs"],
  unsupported: notDeterministicDuel,
  problems: problemsOf,
  create: (parts) => lazySmp(parts, (table) => new AlphaBeta(parts, table)),
});
